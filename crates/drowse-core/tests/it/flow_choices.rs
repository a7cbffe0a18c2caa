//! Flows that may choose among outputs: which ones they take, against packets, and how trunks shed ports.

use drowse_core::measure::Record;
use drowse_core::model::config::{Config, VirtualChannels};
use drowse_core::model::ids::ChannelId;
use drowse_core::model::unit::{FlowModel, Unit};
use drowse_core::model::units::{Bytes, Time};
use drowse_core::power::trunk::{Off, Trunk};
use drowse_core::routing::RoutingKind;
use drowse_core::topology::{Network, ThinTree, TopologySpec};
use drowse_core::workload::Workload;
use drowse_core::workload::operation::Operation;
use proptest::prelude::*;

use crate::common::*;
use crate::flows::by_flows;

/// A tree of two levels, eight nodes and four links up at each leaf switch.
fn tree() -> (Network, Config) {
    let network = TopologySpec::ThinTree(ThinTree { down: 8, up: 4, levels: 2 }).build().unwrap();
    let mut config = Config { routing: RoutingKind::Adaptive, ..config(&network, 1) };
    config.switch.vcs = VirtualChannels::usual(&network, RoutingKind::Adaptive);
    (network, config)
}

fn sent(record: &Record) -> Vec<(u64, u64)> {
    record.channels.iter().map(|channel| (channel.packets, channel.flits)).collect()
}

/// Messages of one packet from some nodes to others, 10 us after each other.
fn in_turn(messages: &[(u32, u32)], nodes: u32) -> Workload {
    let mut ranks = vec![Vec::new(); nodes as usize];
    let mut time = vec![0; nodes as usize];
    for (number, &(from, to)) in (0u32..).zip(messages) {
        let at = 10_000_000 * (u64::from(number) + 1);
        let wait = compute(Time(at - std::mem::replace(&mut time[from as usize], at)));
        ranks[from as usize].extend([wait, Operation::send(to, number, 64)]);
        ranks[to as usize].push(Operation::recv(from, number));
    }
    job(ranks, &(0..nodes).collect::<Vec<_>>())
}

proptest! {
    #![proptest_config(proptest_config(64))]

    /// Packets that do not meet take the outputs of an adaptive tree in turn; flows of one packet take the same.
    #[test]
    fn outputs_in_turn(
        pairs in prop::collection::vec((0u32..8, 8u32..32), 1..40),
    ) {
        let (network, config) = tree();
        let packets = run(&network, &config, in_turn(&pairs, network.nodes));
        let flows = run(&network, &by_flows(&config), in_turn(&pairs, network.nodes));
        prop_assert_eq!(sent(&packets), sent(&flows));
    }
}

fn shedding(window: u64) -> Trunk {
    Trunk { window: Time(window), on: 800_000_000, off: Off::ByPorts(900_000_000), backlog: Time(4_160_000), steps: 1 }
}

/// Returns how much of the time the four ports of a trunk between two switches are on, for messages of some bytes that
/// some nodes send to those across, one every so often.
fn time_on(unit: Unit, (senders, bytes, every, count): (u32, u64, u64, u32)) -> (f64, f64) {
    let network = mesh(&[2], 4, 4);
    let mut config = config(&network, 1);
    config.switch.vcs = VirtualChannels::grid(0, 1);
    config.node.eager_limit = Bytes(1 << 40);
    (config.switch.packet_flits, config.switch.buffer_flits) = (64, 4_096);
    config.classes[0].states = None;
    let config = Config { unit, ..config };
    let program = |rank: u32| -> Vec<Operation> {
        let message = |number: u32| [compute(Time(every)), Operation::isend(rank + 4, 0, bytes, number)];
        (0..count).flat_map(message).chain([Operation::WaitAll]).collect()
    };
    let ranks = (0..8).map(|rank| match rank {
        rank if rank < senders => program(rank),
        rank if (4..4 + senders).contains(&rank) => vec![recv(rank - 4); count as usize],
        _ => Vec::new(),
    });
    let record = run_with(&network, &config, &shedding(20_000_000), job(ranks.collect(), &(0..8).collect::<Vec<_>>()));
    let ports = network.first_port[0]..network.first_port[1];
    let trunk = ports.filter(|&port| !network.is_node_channel(ChannelId(port)));
    let on: u64 = trunk.map(|port| record.channels[port as usize].residency[0].0).sum();
    (on as f64 / record.measured.0 as f64, record.makespan.unwrap_or(record.measured).0 as f64)
}

/// A trunk sheds ports as with packets, but fewer where a window holds a few messages: the ports that are on, in the mean,
/// are as many as for packets and up to a quarter more, of four that never sleep, and the run time is within 3 %. Why it
/// sheds fewer is not known. At 10 GB/s, a message of 64,000 bytes takes 6.4 us of a port.
#[test]
fn trunks_shed_ports_nearly_as_with_packets() {
    for load in [
        (1, 64_000, 64_000_000, 40),
        (1, 64_000, 12_800_000, 200),
        (3, 64_000, 12_800_000, 200),
        (4, 64_000, 7_000_000, 200),
    ] {
        let (packets, time) = time_on(Unit::Packet, load);
        let (flows, by_flows) = time_on(Unit::Flow(FlowModel::default()), load);
        assert!(
            (0.95..1.25).contains(&(flows / packets)) && (time / by_flows - 1.0).abs() < 0.03,
            "{load:?}: {packets} and {flows} ports, {time} and {by_flows} ps"
        );
    }
}
