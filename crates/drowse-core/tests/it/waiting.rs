//! How long packets wait, by cause: the sum is the latency above that of an idle network, which is known in closed
//! form.

use drowse_core::engine::{Progress, Simulation};
use drowse_core::measure::waiting::{Cause, Waiting};
use drowse_core::measure::{ChannelRecord, ProbeOptions, ProbeRecord, Record};
use drowse_core::model::config::{Arbitration, Config, Forwarding, OutputQueues, Queues};
use drowse_core::model::ids::ChannelId;
use drowse_core::model::units::{BitRate, Time};
use drowse_core::power::{Probe, StallTimer};
use drowse_core::topology::Network;
use drowse_core::workload::Workload;
use drowse_core::workload::operation::Operation;
use proptest::prelude::*;

use crate::common::*;
use crate::sleeping::{row, sends, timers};
use crate::small;

const CYCLE: u64 = 1_600;
const WANTED: ProbeOptions = ProbeOptions {
    idle_periods: false,
    idle_pairs: false,
    timers: false,
    timeline: false,
    waiting: Some(Time(10 * CYCLE)),
    message_sizes: true,
    rank_operations: false,
    rank_waits: false,
    wakes: false,
    power: None,
};

fn probed(
    network: &Network,
    config: &Config,
    policy: &StallTimer,
    workload: Workload,
    parts: usize,
) -> (Record, Vec<ProbeRecord>) {
    let policy = by_class(policy);
    let policy = Probe::new(&policy, WANTED, &config.classes, None);
    let mut simulation = Simulation::in_partitions(network, config, &policy, workload, parts).unwrap();
    while simulation.advance(1_000).unwrap() != Progress::Done {}
    let (record, states) = simulation.into_record_and_states();
    (record, states.into_iter().map(|state| state.seen).collect())
}

fn sum(seen: &[ProbeRecord]) -> Waiting {
    let mut sum = Waiting::default();
    seen.iter().for_each(|seen| sum.plus(&seen.waiting));
    sum
}

fn cycles(waiting: &Waiting) -> [u64; 3] {
    Cause::ALL.map(|cause| waiting[cause].0 / CYCLE)
}

/// A message of three packets wakes the first channel on its way: by hand.
#[test]
fn packets_that_wait_for_a_wake() {
    let (network, mut config) = row(2);
    config.classes[1].states = Some(STATES);
    let policy = StallTimer { timers: vec![timers(None, None), timers(None, Some(1_000))] };
    let (_, seen) = probed(&network, &config, &policy, sends(1, &[(20_000_000, 24)]), 1);
    // Packets of eight flits leave the NIC one after the other: 0, 8 and 16 cycles after the message came.
    assert_eq!(cycles(&seen[injection_of(&network, 0)].waiting), [8 + 16, 0, 0]);
    // The first waits for the wake of 2,800 cycles; the others came 8 and 16 cycles later, and wait until then for what
    // it waits for, and then 8 and 16 cycles for the channel.
    let wake = STATES.deep.wake.0 / CYCLE;
    let waiting = seen[channel_of(&network, 0, 0, true)].waiting;
    assert_eq!(cycles(&waiting), [8 + 16, 0, wake + (wake - 8) + (wake - 16)]);
    assert_eq!(cycles(&seen[ejection_of(&network, 1)].waiting), [0; 3]);
}

/// Switches in all of whose parts a flit takes a cycle: a crossbar of a higher speedup need not take whole cycles.
fn switches() -> impl Strategy<Value = (Queues, Arbitration, Forwarding)> {
    let output = Queues::Output(OutputQueues { room_flits: 12, speedup: 1, paths: 1 });
    let arbitration = prop::sample::select(vec![
        Arbitration::LeastRecentlyServed,
        Arbitration::Random,
        Arbitration::RoundRobin,
        Arbitration::Age,
    ]);
    let queues = prop::sample::select(vec![Queues::Input, Queues::VirtualOutput, output]);
    (queues, arbitration, prop::sample::select(vec![Forwarding::CutThrough, Forwarding::StoreAndForward]))
}

/// Returns the sum of the latencies that packets would have, each alone on its way: the wire from its NIC, its hops, and
/// a cycle for each of its flits, on each channel where packets are stored. A crossbar to output queues takes a cycle.
fn idle_latency(network: &Network, config: &Config, record: &Record, flits: u64) -> Time {
    let on_channel = |(index, channel): (u32, &ChannelRecord)| {
        let class = &config.classes[usize::from(network.channel_class(ChannelId(index)))];
        let crossing = if config.switch.output_queues().is_some() { CYCLE } else { 0 };
        channel.packets * if index < network.ports() { class.hop.0 + crossing } else { class.latency.0 }
    };
    let flits = if config.switch.stores() { record.channels.iter().map(|channel| channel.flits).sum() } else { flits };
    Time((0..).zip(&record.channels).map(on_channel).sum::<u64>() + flits * CYCLE)
}

proptest! {
    #![proptest_config(proptest_config(60))]

    /// On networks of one speed, all of whose times are whole cycles. Partitions change nothing.
    #[test]
    fn causes_sum_to_the_latency_above_that_of_an_idle_network(
        small in prop::sample::select(small::all()),
        (queues, arbitration, forwarding) in switches(),
        deep in prop::option::of(0u64..2_000),
        enter_and_wake in (0u64..200, 1u64..400),
        messages in prop::collection::vec((any::<u32>(), any::<u32>(), 0u64..600, 0u64..100), 1..60),
        parts in 2usize..4,
    ) {
        let network = small.network();
        let mut config = small.config(&network);
        config.node.nic_latency = Time::ZERO;
        let switch = &mut config.switch;
        (switch.queues, switch.arbitration, switch.forwarding) = (queues, arbitration, forwarding);
        let mut states = STATES;
        (states.deep.enter, states.deep.wake) = (Time(enter_and_wake.0 * CYCLE), Time(enter_and_wake.1 * CYCLE));
        config.classes.iter_mut().for_each(|class| class.states = Some(states));
        let mut ranks = vec![Vec::new(); network.nodes as usize];
        let mut flits = 0;
        for (number, &(from, to, bytes, pause)) in (0..).zip(&messages) {
            let (from, to) = (from % network.nodes, to % network.nodes);
            if from == to {
                continue;
            }
            ranks[from as usize].extend([compute(Time(pause * CYCLE)), isend(to, number, bytes, number)]);
            ranks[to as usize].push(irecv(from, number, 1_000 + number));
            flits += config.switch.message_flits(bytes);
        }
        ranks.iter_mut().for_each(|rank| rank.push(Operation::WaitAll));
        let nodes: Vec<u32> = (0..network.nodes).collect();
        let policy = StallTimer::uniform(network.classes.len(), None, deep.map(|cycles| Time(cycles * CYCLE)));
        let workload = || job(ranks.clone(), &nodes);
        let (record, seen) = probed(&network, &config, &policy, workload(), 1);
        let waited = sum(&seen);
        let idle = idle_latency(&network, &config, &record, flits);
        prop_assert_eq!(u128::from(waited.total().0 + idle.0), record.packet_latency.sum());
        prop_assert!(deep.is_some() || waited[Cause::Asleep] == Time::ZERO);
        let (others, again) = probed(&network, &config, &policy, workload(), parts);
        prop_assert!(again == seen && others.message_sizes == record.message_sizes);
        let count: u64 = record.message_sizes.classes().map(|(_, class)| class.latency.count()).sum();
        prop_assert_eq!(count, record.message_latency.count());
        for (channel, seen) in record.channels.iter().zip(&seen) {
            // The busiest window sends no more than it holds, nor all that is sent, and no less than the mean.
            let sent = channel.flits * CYCLE;
            prop_assert!(seen.busiest.most.0 <= sent.min(10 * CYCLE));
            prop_assert!(seen.busiest.most.0 * record.measured.0.div_ceil(10 * CYCLE) >= sent);
        }
    }

    /// A lone packet waits for nothing where all channels are on, whatever their speeds. One that requests busy outputs
    /// may: it may have requested a faster link, which must not begin yet, and take a slower one at the next edge.
    #[test]
    fn a_lone_packet_does_not_wait(
        small in prop::sample::select(small::all()),
        rates in prop::collection::vec(prop::sample::select(vec![10_000u64, 7_770, 3_330, 12_500]), 5),
        ends in any::<(u32, u32)>(),
    ) {
        let network = small.network();
        let mut config = small.config(&network);
        config.switch.request_busy = false;
        let rates = rates.into_iter().map(|megabytes| BitRate::from_bytes_per_second(megabytes * 1_000_000));
        config.classes.iter_mut().zip(rates).for_each(|(class, rate)| class.bandwidth = rate);
        let (from, to) = (ends.0 % network.nodes, ends.1 % network.nodes);
        prop_assume!(from != to);
        let workload = job(vec![vec![send(1, 1)], vec![recv(0)]], &[from, to]);
        let (_, seen) = probed(&network, &config, &StallTimer::always_on(network.classes.len()), workload, 1);
        prop_assert_eq!(sum(&seen), Waiting::default());
    }
}
