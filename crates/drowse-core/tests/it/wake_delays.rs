//! How much earlier programs end when wakes take no time, beside the waking that their critical path names.

use drowse_core::measure::Record;
use drowse_core::model::config::{Config, SleepSelection};
use drowse_core::model::units::{Bytes, Time};
use drowse_core::power::{SleepState, SleepStates, StallTimer};
use drowse_core::topology::Network;
use drowse_core::workload::Workload;
use drowse_core::workload::operation::Operation;
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::TestRunner;

use crate::common::*;
use crate::random_programs::program;

/// Sleep from which links wake at once.
const FREE: SleepStates = SleepStates::new(
    SleepState { power: 0.6, enter: Time::ZERO, wake: Time::ZERO },
    SleepState { power: 0.1, enter: Time::ZERO, wake: Time::ZERO },
);

/// Runs a workload on links that sleep deeply when they have been idle for so long. Returns how much earlier it ends if
/// wakes take no time, and how much waking its critical path names.
fn gain_and_named(network: &Network, config: &Config, idle: Time, workload: impl Fn() -> Workload) -> [u64; 2] {
    let policy = StallTimer::uniform(network.classes.len(), None, Some(idle));
    let record = run_with(network, config, &policy, workload());
    let mut free = config.clone();
    free.classes.iter_mut().for_each(|class| class.states = Some(FREE));
    let end = |record: &Record| record.makespan.unwrap_or_default().0;
    let gain = end(&record).saturating_sub(end(&run_with(network, &free, &policy, workload())));
    [gain, record.jobs[0].path.waking.0]
}

/// Checks that a program on links that sleep at once gains so many wakes if they are free, and that its path names these.
fn gains(wakes: u64, network: &Network, config: &Config, ranks: &[Vec<Operation>]) {
    let nodes: Vec<u32> = (0..ranks.len() as u32).collect();
    let found = gain_and_named(network, config, Time::ZERO, || job(ranks.to_vec(), &nodes));
    assert_eq!(found, [wakes * STATES.deep.wake.0; 2], "{ranks:?}");
}

/// Messages back and forth, of one packet and of more than buffers hold, each over three links that sleep; large ones
/// ask first.
#[test]
fn ping_pong() {
    let network = torus(&[4], 1, 1);
    for (eager_limit, messages) in [(u64::MAX, 10), (0, 10 * 3)] {
        let mut config = config(&network, 3);
        config.node.eager_limit = Bytes(eager_limit);
        for bytes in [16, 128, 129, 1_000, 4_000, 14_000, 60_000] {
            let pause = compute(Time::from_us(30));
            let ping = vec![vec![pause.clone(), send(1, bytes), recv(1)]; 5].concat();
            let pong = vec![vec![recv(0), pause, send(0, bytes)]; 5].concat();
            gains(messages * 3, &network, &config, &[ping, pong]);
        }
    }
}

/// Returns a program in which the ranks of one switch send to those of the next, a clock cycle apart.
fn one_after_the_other(ranks: u32, bytes: u64) -> Vec<Vec<Operation>> {
    let after = |cycles: u32| compute(Time::from_us(30) + Time(1_600 * u64::from(cycles)));
    let senders = (0..ranks).map(|rank| vec![after(rank), send(ranks + rank, bytes)]);
    senders.chain((0..ranks).map(|rank| vec![recv(rank)])).collect()
}

/// Packets queue behind the first, which waits for its NIC's link and the next switch's. There each, when it is the first
/// of the queue, wakes the link of its own node.
#[test]
fn behind_a_delayed_packet() {
    for ranks in 1..=4 {
        let network = torus(&[4], 1, ranks);
        gains(u64::from(2 + ranks), &network, &config(&network, 3), &one_after_the_other(ranks, 16));
    }
}

/// A packet waits for the room that another leaves which waits for its link: of three full packets, the switch has room
/// for two at a time.
#[test]
fn a_delayed_credit() {
    let network = torus(&[4], 1, 3);
    let mut config = config(&network, 3);
    config.switch.buffer_flits = 8;
    gains(4, &network, &config, &one_after_the_other(3, 128));
}

/// A message over two links between the same switches, of which it wakes one.
#[test]
fn a_trunk() {
    let network = torus(&[4], 2, 1);
    for selection in [SleepSelection::Awake, SleepSelection::LeastDelay, SleepSelection::Blind] {
        let mut config = config(&network, 3);
        config.sleep.selection = selection;
        gains(3, &network, &config, &one_after_the_other(1, 128));
    }
}

/// Random programs whose packets have one route. Where packets wait in another order when wakes are free, a program may
/// gain more than its path names, or lose: that is rare, and little. What paths name is hardly more than what is gained.
#[test]
fn random_programs_gain_what_their_paths_name() {
    const CASES: usize = 300;
    let network = torus(&[3, 3], 1, 1);
    let mut runner = TestRunner::deterministic();
    let (mut bounded, mut sums) = (0, [0; 2]);
    for case in 0..CASES {
        let mut program = program().new_tree(&mut runner).unwrap().current();
        // Every receive names its sender.
        program.steps.iter_mut().for_each(|step| step.wildcards.fill(0));
        let mut config = config(&network, 3);
        config.node.eager_limit = Bytes(program.eager_limit);
        let selections = [SleepSelection::Awake, SleepSelection::LeastDelay, SleepSelection::Blind];
        config.sleep.selection = selections[case % 3];
        let idle = Time([0, 100_000, 3_000_000][case / 3 % 3]);
        let [gain, named] = gain_and_named(&network, &config, idle, || program.workload(&network, Time::ZERO));
        // A packet that comes later finds the clock elsewhere within its cycle.
        bounded += usize::from(gain <= named + config.switch.clock.0);
        assert!(
            gain <= named + named / 50 + config.switch.clock.0,
            "{case}: gains {gain} ps, its path names {named} ps"
        );
        sums = [sums[0] + gain, sums[1] + named];
    }
    assert!(bounded * 100 >= CASES * 95, "only {bounded} paths bound the gain");
    assert!(sums[1] * 100 <= sums[0] * 105, "paths name {} ps, the gain is {} ps", sums[1], sums[0]);
}
