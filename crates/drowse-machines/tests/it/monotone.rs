//! Monotone laws: where nothing else is on its way, sleep never makes a run shorter; and a longer wake never lowers the
//! energy of the oracle.

use std::path::Path;

use drowse_core::engine;
use drowse_core::measure::Record;
use drowse_core::model::config::{Config, Escape, FlowControl, NodeModel, Queues, SleepSelection, VirtualChannels};
use drowse_core::model::ids::{ChannelId, NodeId};
use drowse_core::model::units::{Bytes, Time};
use drowse_core::power::{ByClass, ClassPolicy, LinkState, Oracle, Timers};
use drowse_core::routing::RoutingKind;
use drowse_core::topology::{Geometry, Network};
use drowse_core::workload::listed::Listed;
use drowse_core::workload::operation::Operation;
use drowse_core::workload::{Job, Workload};
use drowse_experiment::{Case, System, WorkloadSpec};
use drowse_machines::{Draw, generate};
use drowse_run::request::RunRequest;

/// Makes all packets of a message take the same outputs and virtual channels, so that none can pass another; `None` where
/// the network has other routes, or something acts beside the program: the runtime system, a governor. Links have one
/// bandwidth, because narrow ones are slower.
fn with_one_route(mut system: System) -> Option<System> {
    let network = &system.network;
    let single = network.trunks().iter().enumerate().all(|(port, first)| first.index() == port);
    let (vcs, routing) = match network.geometry {
        Geometry::Grid(_) => (VirtualChannels::grid(0, 1), RoutingKind::DimensionOrder),
        Geometry::Levels(_) => (VirtualChannels::any(1), RoutingKind::DModK),
        _ => return None,
    };
    let acts = |policy: &ClassPolicy| {
        matches!(policy, ClassPolicy::Standby(_) | ClassPolicy::Runtime(_) | ClassPolicy::Bounded(_))
    };
    if !single || network.nodes < 2 || system.policy.classes().iter().any(acts) {
        return None;
    }
    let Config { switch, classes, sleep, node, .. } = &mut system.config;
    let NodeModel { nic_latency, receive_overhead, .. } = *node;
    *node = NodeModel { nic_latency, receive_overhead, eager_limit: Bytes(u64::MAX), ..NodeModel::default() };
    switch.allocation_gap = Time::ZERO;
    (switch.vcs, switch.input_speedup, switch.queues, switch.padding) = (vcs, 1, Queues::Input, true);
    (switch.flow_control, switch.escape) = (FlowControl::Credits, Escape::Bubble);
    // Bubbles: with datelines there are two virtual channels, so that packets of a node overtake each other.
    switch.buffer_flits = switch.buffer_flits.max(2 * switch.packet_flits);
    let bandwidth = classes[0].bandwidth;
    classes.iter_mut().for_each(|class| class.bandwidth = bandwidth);
    let by_timers = |policy: &ClassPolicy| matches!(policy, ClassPolicy::StallTimer(_));
    if !system.policy.classes().iter().all(by_timers) {
        (sleep.selection, sleep.both) = (SleepSelection::LeastDelay, false);
    }
    system.config.routing = routing;
    Some(system)
}

/// Makes a program in which only one rank at a time sends, to one other: no packets of two messages ever compete.
fn token(draw: &mut Draw, network: &Network) -> Vec<Vec<Operation>> {
    let ranks = network.nodes.min(7);
    let mut operations: Vec<Vec<Operation>> = vec![Vec::new(); ranks as usize];
    let mut holder = 0;
    for _ in 0..draw.within(1..=12) {
        let next = (holder + 1 + draw.below(u64::from(ranks - 1)) as u32) % ranks;
        let (count, bytes) = (draw.within(1..=3), draw.scaled(0..=3_000));
        operations[holder as usize].push(Operation::Compute(Time(draw.scaled(0..=400_000))));
        for _ in 0..count {
            operations[holder as usize].push(Operation::send(next, 0, bytes));
            operations[next as usize].push(Operation::recv(holder, 0));
        }
        holder = next;
    }
    operations
}

/// Runs a program whose ranks are far apart, so that messages cross the network; `None` where the machine is refused.
fn makespan(system: &System, policy: &ByClass, program: &[Vec<Operation>]) -> Option<Time> {
    let ranks = program.len() as u32;
    let node = |rank: u32| NodeId(rank * system.network.nodes / ranks);
    let source = Box::new(Listed::new(program.to_vec()));
    let job = Job { name: "token".into(), source, placement: (0..ranks).map(node).collect(), start: Time::ZERO };
    let run = engine::run(&system.network, &system.config, policy, Workload::Jobs(vec![job])).ok()?;
    run.unwrap_or_else(|failure| panic!("{failure:?}")).makespan
}

/// Where one rank at a time sends, and its packets take one route and one virtual channel, every event waits for those
/// before it and for nothing else: then no policy, with wakes of any length, ends a program earlier.
#[test]
fn sleep_never_shortens_a_token() {
    let folder = tempfile::tempdir().unwrap();
    let (mut run, mut slower) = (0, 0);
    for seed in 0..1_000 {
        let Some(system) = generate::system_of(seed, folder.path()).and_then(with_one_route) else { continue };
        let program = token(&mut Draw::new(seed), &system.network);
        let Some(asleep) = makespan(&system, &system.policy, &program) else { continue };
        let on = makespan(&system, &ByClass::always_on(system.network.classes.len()), &program);
        let on = on.unwrap_or_else(|| panic!("seed {seed} is refused without sleep"));
        assert!(asleep >= on, "seed {seed}: {asleep} < {on}");
        run += 1;
        slower += u64::from(asleep > on);
    }
    assert!(run >= 50 && slower >= 20, "{run} run, {slower} of them slower");
}

/// What all channels draw over a run, in billionths of the power of one that is on, times picoseconds.
fn energy(record: &Record, network: &Network, config: &Config) -> u128 {
    let channel = |(number, channel): (u32, &drowse_core::measure::ChannelRecord)| {
        let class = network.channel_class(ChannelId(number));
        let share = |state: LinkState| match (state, config.classes[usize::from(class)].states) {
            (LinkState::On | LinkState::Entering | LinkState::Waking, _) | (_, None) => 1_000_000_000,
            (sleep, Some(states)) => u128::from(states.of(sleep).power_billionths()),
        };
        LinkState::ALL.iter().map(|&state| share(state) * u128::from(channel.time_in(state).0)).sum::<u128>()
    };
    (0..).zip(&record.channels).map(channel).sum()
}

/// Returns the case of a seed with the oracle for all channels that may sleep, if it is a small one of jobs and packets.
fn judged(seed: u64, folder: &Path) -> Option<Case> {
    let machine = generate::machine(seed, folder);
    machine.write_files(folder).ok()?;
    let mut case = drowse_experiment::case(&machine.source(folder).ok()?).ok()?;
    let jobs = matches!(case.workload, WorkloadSpec::Jobs(_)) && case.background.is_none();
    if !jobs || !case.system.config.unit.is_packet() || case.system.network.channels() > 500 {
        return None;
    }
    Some(with_oracle(&mut case).clone())
}

fn with_oracle(case: &mut Case) -> &mut Case {
    let oracles = case.system.config.classes.iter().map(|class| match class.states {
        Some(states) => ClassPolicy::Oracle(Oracle::new(states)),
        None => ClassPolicy::StallTimer(Timers::NEVER),
    });
    case.system.policy = ByClass::new(oracles.collect());
    case
}

/// The oracle's idle periods do not depend on the time to wake, and it takes the cheapest state for each: so a longer
/// wake of any state never lowers its energy.
#[test]
fn a_longer_wake_never_lowers_the_oracles_energy() {
    let folder = tempfile::tempdir().unwrap();
    let mut run = 0;
    for seed in 0..200 {
        let Some(mut case) = judged(seed, folder.path()) else { continue };
        let Ok(before) = RunRequest::new(&case).run() else { continue };
        let before_energy = energy(&before.case.record, &case.system.network, &case.system.config);
        let draw = &mut Draw::new(seed);
        for states in case.system.config.classes.iter_mut().filter_map(|class| class.states.as_mut()) {
            states.shallow.wake.0 += draw.below(200_000);
            states.deep.wake.0 += draw.below(200_000);
        }
        let after = RunRequest::new(with_oracle(&mut case)).run().unwrap();
        assert_eq!(before.case.record.makespan, after.case.record.makespan, "seed {seed}");
        let after_energy = energy(&after.case.record, &case.system.network, &case.system.config);
        assert!(after_energy >= before_energy, "seed {seed}: {after_energy} < {before_energy}");
        run += 1;
    }
    assert!(run >= 20, "only {run} are run");
}
