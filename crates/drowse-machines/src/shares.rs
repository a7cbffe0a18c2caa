//! Fairness: all nodes of a machine send to one of them all the time, so that many request its output.
//!
//! The nodes at its switch do so at every moment. Whatever queues, virtual channels and flow control are, all of these get
//! the same, and none gets less than an equal part of what the output sends. Other arbiters promise something else: round
//! robin as printed starves some; the oldest packets are those of nodes that have most of them in the network; and where
//! the queues of an output are drawn, those of some virtual channels hold packets of more input ports than others.

use drowse_core::measure::Record;
use drowse_core::model::config::{Arbitration, Config, FlowControl, Queues};
use drowse_core::model::ids::{ChannelId, NodeId};
use drowse_core::model::units::Time;
use drowse_core::routing::RoutingKind;
use drowse_core::topology::{End, Network};
use drowse_core::workload::traffic::{Count, Lengths, Pattern, Traffic};
use drowse_experiment::{Case, System, WorkloadSpec};

use crate::finding::{Checked, holds};

/// Packets that each who requests the output would get in equal parts.
const TURNS: u64 = 150;

/// Packets that all nodes offer at most: a large machine would take most of the time of all.
const MOST_OFFERED: u64 = if cfg!(debug_assertions) { 30_000 } else { 600_000 };

/// Packets of a message.
const MESSAGE: u32 = 8;

/// A node to which all others send.
struct HotNode {
    node: u32,
    /// The channel that ends there.
    output: usize,
    /// The channels of the other nodes at its switch.
    neighbours: Vec<usize>,
    /// How many input ports may request its output.
    requesters: u64,
}

impl HotNode {
    /// Returns that of the nodes at whose switch most others are; `None` where a node has its switch for itself.
    fn of(network: &Network) -> Option<HotNode> {
        let switch_of = |node| network.node_switch(NodeId(node)).0;
        let beside =
            |node| (0..network.nodes).filter(move |&other| other != node && switch_of(other) == switch_of(node));
        let node = (0..network.nodes).max_by_key(|&node| (beside(node).count(), std::cmp::Reverse(node)))?;
        let of_nic = |node: u32| (network.ports() + node) as usize;
        let ports = || (0..network.ports()).filter(|&port| network.port_switch(port as usize) == switch_of(node));
        let output = ports().find(|&port| network.target(ChannelId(port)) == End::Node(NodeId(node)))?;
        let neighbours: Vec<usize> = beside(node).map(of_nic).collect();
        let requesters = ports().count() as u64 - 1;
        let competes = !neighbours.is_empty() && requesters > 1;
        competes.then_some(HotNode { node, output: output as usize, neighbours, requesters })
    }
}

/// Returns whether those who request an output of this machine all the time are to get equal parts of it.
fn promises(config: &Config) -> bool {
    let fair = match config.switch.arbitration {
        Arbitration::LeastRecentlyServed => true,
        Arbitration::Random => config.switch.output_queues().is_none(),
        Arbitration::RoundRobin | Arbitration::Age => false,
    };
    // On a non-minimal route, a node requests other outputs, too.
    fair && !matches!(config.routing, RoutingKind::Valiant | RoutingKind::Ugal | RoutingKind::Progressive)
}

/// Returns how long a packet takes at a node.
fn packet_time(config: &Config) -> u64 {
    let bits = u128::from(config.switch.packet_flits) * u128::from(config.switch.flit.0) * 8;
    let time = (bits * 1_000_000_000_000).div_ceil(u128::from(config.classes[0].bandwidth.0)) as u64;
    time.max(config.switch.clock.0)
}

/// Makes room for so many packets that a node requests its output at every moment: room for the next packet is known before
/// the last one has left. Returns by how many packets what its port holds goes up and down; `None` where the room is too
/// large to count.
fn make_steady(config: &mut Config, packet: u64) -> Option<u64> {
    let flits = u64::from(config.switch.packet_flits);
    let class = &config.classes[0];
    let trip = (2 * (class.latency.0 + class.hop.0 + config.node.nic_latency.0) + 8 * config.switch.clock.0) / packet;
    let more = u16::try_from((trip + 4) * flits).ok()?;
    config.switch.buffer_flits = config.switch.buffer_flits.checked_add(more)?;
    if let Queues::Output(queues) = &mut config.switch.queues {
        queues.room_flits = queues.room_flits.checked_add(more)?;
    }
    let FlowControl::Pause(levels) = &mut config.switch.flow_control else { return Some(0) };
    (levels.xoff_flits, levels.xon_flits) = (levels.xoff_flits.checked_add(more)?, levels.xon_flits + more);
    Some(u64::from(config.switch.vcs.total()) * (u64::from(levels.xoff_flits - levels.xon_flits) / flits + trip))
}

/// Returns a case in which all nodes of a machine send to one all the time, links always on, and that node; `None` where
/// nobody competes, arbiters promise no equal parts, or it would take long.
fn hot_case(case: &Case) -> Option<(Case, HotNode)> {
    let mut case = case.always_on();
    let System { network, config, .. } = &mut case.system;
    let hot = HotNode::of(network).filter(|_| promises(config))?;
    let packet = packet_time(config);
    let turns = TURNS.max(10 * make_steady(config, packet)?);
    if turns * hot.requesters * u64::from(network.nodes) > MOST_OFFERED {
        return None;
    }
    // Senders that slow down do not request all the time.
    config.transport = None;
    config.switch.marking = None;
    if config.switch.is_lossy() {
        config.switch.flow_control = FlowControl::Credits;
    }
    config.audit = false;
    // Before, nodes fill the buffers of their ports.
    let room = u64::from(config.switch.vcs.total()) * u64::from(config.switch.buffer_flits);
    let filled = 4 * room / u64::from(config.switch.packet_flits);
    case.workload = WorkloadSpec::Traffic(Traffic {
        pattern: Pattern::HotSpot { nodes: vec![hot.node], share: 1.0 },
        load: 1.0,
        packets: Lengths::packets(MESSAGE),
        include_self: false,
        count: Count::Delivered,
        warmup: Time(packet * (filled + hot.requesters * turns / 4)),
        measure: Time(packet * hot.requesters * turns),
        drain: false,
    });
    (case.scheduler, case.background) = (None, None);
    Some((case, hot))
}

/// Checks that those who request an output all the time get equal parts of it. Takes what runs a case.
pub fn check<E>(case: &Case, run: impl FnOnce(&Case) -> Result<Record, E>) -> Result<Checked, E> {
    let Some((case, hot)) = hot_case(case) else { return Ok(Ok(())) };
    Ok(check_parts(&case, &hot, &run(&case)?))
}

fn check_parts(case: &Case, hot: &HotNode, record: &Record) -> Checked {
    let packet = f64::from(case.system.config.switch.packet_flits);
    let packets = |channel: usize| record.channels[channel].flits as f64 / packet;
    let got = || hot.neighbours.iter().map(|&channel| packets(channel));
    let (least, most) =
        got().fold((f64::INFINITY, 0.0), |(least, most): (f64, f64), got| (least.min(got), most.max(got)));
    let part = packets(hot.output) / hot.requesters as f64;
    // A window begins and ends within a round. Of draws, five standard deviations.
    let draws = case.system.config.switch.arbitration == Arbitration::Random;
    let edges = 2.0 + if draws { 5.0 * most.sqrt() } else { 0.0 };
    let text = || format!("{least} to {most} packets, {} of {} at the output", packets(hot.output), hot.requesters);
    holds("who requests an output all the time gets as much as others", most <= 1.1 * least + edges, text)?;
    // Those of hops have rooms of their own in the queues of an output. Nodes use the first, and wait there behind others.
    let switch = &case.system.config.switch;
    if switch.output_queues().is_some() && switch.vcs.hop > 0 {
        return Ok(());
    }
    holds("who requests an output all the time gets an equal part", least + edges >= 0.9 * part, text)
}

#[cfg(test)]
mod tests {
    use drowse_run::request::RunRequest;

    use super::*;
    use crate::laws::tests::ran;

    const STAR: &str = "
        [network]
        kind = \"tree\"
        k = 4
        n = 1
        [switch]
        allocator = { kind = \"KIND\" }
        [traffic]
        load = 0.1
        warmup = \"0 cycles\"
        measure = \"100 cycles\"
    ";

    fn hot(kind: &str) -> Option<(Case, HotNode)> {
        hot_case(&ran(&STAR.replace("KIND", kind)).case)
    }

    /// Three nodes request the link of the fourth: a quarter more for one of them is not fair, and half of an equal part for
    /// all is not.
    #[test]
    fn parts_that_are_not_equal_are_found() {
        let (case, hot) = hot("least-recently-served").unwrap();
        let mut record = RunRequest::new(&case).run().unwrap().case.record;
        assert_eq!((hot.requesters, check_parts(&case, &hot, &record)), (3, Ok(())));
        let of_one = hot.neighbours[1];
        record.channels[of_one].flits = record.channels[of_one].flits * 5 / 4;
        let found = check_parts(&case, &hot, &record).map_err(|finding| finding.law);
        assert_eq!(found, Err("who requests an output all the time gets as much as others"));
        hot.neighbours.iter().for_each(|&channel| record.channels[channel].flits /= 2);
        record.channels[of_one].flits = record.channels[hot.neighbours[0]].flits;
        let found = check_parts(&case, &hot, &record).map_err(|finding| finding.law);
        assert_eq!(found, Err("who requests an output all the time gets an equal part"));
    }

    #[test]
    fn others_promise_no_equal_parts() {
        assert!(hot("random").is_some());
        assert!(hot("three-stage").is_none() && hot("age").is_none());
    }
}
