//! Packets that wait for each other's room.
//!
//! The head of every input queue waits for credits of its permitted outputs, all of which are taken. From a queue, the
//! walk follows the escape output, the one that routing promises to come free, to the queue behind it, until a queue
//! comes for the second time: what lies between is a circle.

use rustc_hash::FxHashMap;

use crate::model::ids::{ChannelId, PortId};
use crate::model::units::Time;
use crate::power::Policy;
use crate::routing::Candidates;
use crate::topology::{End, Network};

use super::report::{Deadlock, Standstill};
use crate::engine::event::NONE;
use crate::engine::parallel::shard::Shard;
use crate::engine::switch::packet::Packet;
use crate::engine::switch::switches::Switches;

/// An input queue of the whole network: its port and virtual channel.
type Place = (PortId, u8);

/// Returns the standstill of packets; `None` when none is in flight.
pub fn deadlock<P: Policy>(shards: &[Shard<P>], network: &Network, at: Time) -> Option<Deadlock> {
    let waiting = shards.iter().map(|shard| u64::from(shard.fabric.switches.buffers.packets.live())).sum::<u64>();
    let mut place = Some(shards.iter().find_map(|shard| first_place(&shard.fabric.switches))?);
    let mut walk: Vec<(Place, Place)> = Vec::new();
    let mut seen: FxHashMap<Place, usize> = FxHashMap::default();
    let mut circle = None;
    while let Some(here) = place {
        if let Some(from) = seen.insert(here, walk.len()) {
            circle = Some(from);
            break;
        }
        let switches = switches_of(shards, here.0);
        let behind = head(switches, here).and_then(|packet| behind(switches, network, here, packet));
        walk.extend(behind.map(|behind| (here, behind)));
        place = behind.filter(|&behind| head(switches_of(shards, behind.0), behind).is_some());
    }
    let line = |&(here, behind): &(Place, Place)| {
        head(switches_of(shards, here.0), here).map(|packet| line(network, here, behind, packet))
    };
    let members: Vec<String> = walk[circle.unwrap_or(0)..].iter().filter_map(line).collect();
    let what = if circle.is_some() { Standstill::PacketCircle } else { Standstill::PacketChain };
    Some(Deadlock { at, what, others: waiting.saturating_sub(members.len() as u64), members })
}

fn first_place<P: Policy>(switches: &Switches<P>) -> Option<Place> {
    // What is in the queues of outputs waits for what is at inputs.
    let inputs = (switches.partition.all_ports.count() as usize) << switches.layout.queue_bits;
    let queue = switches.buffers.queues[..inputs].iter().position(|queue| queue.head != NONE)?;
    let port = queue >> switches.layout.queue_bits;
    let vc = queue as u32 & switches.layout.vc_mask;
    Some((PortId(switches.partition.all_ports.whole(port as u32)), vc as u8))
}

fn switches_of<'s, 'a, P: Policy>(shards: &'s [Shard<'a, P>], port: PortId) -> &'s Switches<'a, P> {
    let has = |shard: &Shard<'a, P>| shard.fabric.switches.partition.all_ports.contains(port.0);
    &shards[shards.iter().position(has).unwrap_or_default()].fabric.switches
}

/// Returns the packet that heads the queue of a virtual channel, or the first of its queues that is not empty.
fn head<'f, P: Policy>(switches: &'f Switches<P>, (port, vc): Place) -> Option<&'f Packet> {
    let mut places = switches.layout.queues_of(switches.partition.all_ports.local(port.0)?, vc);
    let head = places.find_map(|place| Some(switches.buffers.queues[place as usize].head).filter(|&head| head != NONE));
    head.map(|head| &switches.buffers.packets[head])
}

/// Returns the queue that a packet's escape output fills; `None` when it leads to a node, which takes everything.
fn behind<P: Policy>(switches: &Switches<P>, network: &Network, (port, _): Place, packet: &Packet) -> Option<Place> {
    let switch = network.port_switch(port.index());
    let mut candidates = Candidates::new();
    switches.candidates(packet, switches.partition.switches.local(switch)?, &mut candidates);
    let output = network.first_port[switch as usize] + u32::from(candidates.escape.first);
    match network.target(ChannelId(output)) {
        End::Port(next) => Some((next, candidates.escape.vcs.trailing_zeros() as u8)),
        End::Node(_) => None,
    }
}

fn line(network: &Network, (port, vc): Place, (next, next_vc): Place, packet: &Packet) -> String {
    let switch = network.port_switch(port.index());
    let local = port.0 - network.first_port[switch as usize];
    let from = match network.target(ChannelId(port.0)) {
        End::Port(PortId(peer)) => format!("switch {}", network.port_switch(peer as usize)),
        End::Node(node) => format!("node {}", node.0),
    };
    let output = network.feeder(next).0 - network.first_port[switch as usize];
    let to_switch = network.port_switch(next.index());
    let to_port = network.first_port[packet.to_switch as usize] + u32::from(packet.to_output);
    let to_node = match network.target(ChannelId(to_port)) {
        End::Node(node) => node.0,
        End::Port(_) => NONE,
    };
    format!(
        "switch {switch}, input {local} from {from}, virtual channel {vc}: a packet of {} flits to node {to_node} waits for \
         room at switch {to_switch} behind output {output}, virtual channel {next_vc}",
        packet.flits
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::link::channel::Channel;
    use crate::engine::{Failure, Simulation};
    use crate::model::config::{
        ClassModel, Config, Escape, NodeModel, OutputQueues, Queues, SwitchModel, VirtualChannels,
    };
    use crate::model::ids::NodeId;
    use crate::model::units::{BitRate, Bytes};
    use crate::power::StallTimer;
    use crate::routing::RoutingKind;
    use crate::topology::{PerDimension, TopologySpec, Torus};
    use crate::workload::operation::{Operation, OperationSource, SourceError};
    use crate::workload::{Job, Workload};

    /// Every rank sends to the next but one.
    struct TwoOn(Vec<bool>);

    impl OperationSource for TwoOn {
        fn ranks(&self) -> u32 {
            self.0.len() as u32
        }

        fn refill(&mut self, rank: u32, operations: &mut Vec<Operation>) -> Result<(), SourceError> {
            if !std::mem::replace(&mut self.0[rank as usize], true) {
                operations.push(Operation::send((rank + 2) % self.ranks(), 0, 1_000));
            }
            Ok(())
        }
    }

    fn config(network: &Network) -> Config {
        let (clock, rate) = (Time(1_000), BitRate::from_bytes_per_second(16_000_000_000));
        let class = ClassModel { bandwidth: rate, lanes: 1, latency: clock, hop: Time(4_000), states: None };
        Config {
            switch: SwitchModel { clock, vcs: VirtualChannels::grid(0, 2), buffer_flits: 8, ..SwitchModel::default() },
            classes: vec![class; network.classes.len()],
            node: NodeModel { eager_limit: Bytes(u64::MAX), ..NodeModel::default() },
            routing: RoutingKind::DimensionOrder,
            audit: true,
            ..Config::new(network)
        }
    }

    /// Every node of a ring of five sends to the next but one, after `spoil` has changed the switches.
    fn failure(
        network: &Network,
        config: &Config,
        parts: usize,
        spoil: fn(&mut Switches<StallTimer>),
    ) -> Option<Failure> {
        failure_of(TwoOn(vec![false; 5]), network, config, parts, spoil)
    }

    fn failure_of(
        program: TwoOn,
        network: &Network,
        config: &Config,
        parts: usize,
        spoil: fn(&mut Switches<StallTimer>),
    ) -> Option<Failure> {
        let policy = StallTimer::always_on(network.classes.len());
        let source = Box::new(program);
        let placement = (0..5).map(NodeId).collect();
        let workload = Workload::Jobs(vec![Job { name: "ring".into(), source, placement, start: Time::ZERO }]);
        let mut simulation = Simulation::in_partitions(network, config, &policy, workload, parts).expect("a machine");
        simulation.lend().1.iter_mut().for_each(|shard| spoil(&mut shard.fabric.switches));
        simulation.advance(u64::MAX).err()
    }

    fn without_datelines(switches: &mut Switches<StallTimer>) {
        switches.links.hot.iter_mut().for_each(Channel::forget_dateline);
    }

    fn ring() -> Network {
        let ring = Torus::new(vec![5], PerDimension::All(1), 1);
        TopologySpec::Torus(ring).build().expect("a ring")
    }

    /// With a bubble, one virtual channel suffices, with queues at outputs, too; where packets may enter the ring without
    /// leaving one, it fills up.
    #[test]
    fn a_ring_without_bubble() {
        let (network, mut config) = (ring(), config(&ring()));
        config.switch.vcs = VirtualChannels::grid(0, 1);
        (config.switch.escape, config.switch.buffer_flits, config.switch.padding) = (Escape::Bubble, 16, true);
        // Every node has sent two packets before the first arrives at the next switch.
        config.classes.iter_mut().for_each(|class| class.hop = Time(24_000));
        let at_outputs = Queues::Output(OutputQueues { room_flits: 16, speedup: 2, paths: 1 });
        for (queues, parts) in
            [Queues::Input, at_outputs].into_iter().flat_map(|queues| [1, 2, 5].map(|parts| (queues, parts)))
        {
            config.switch.queues = queues;
            assert_eq!(failure(&network, &config, parts, |_| ()), None);
            let Some(Failure::Deadlock(deadlock)) =
                failure(&network, &config, parts, |switches| switches.rules.bubble = 0)
            else {
                panic!("no deadlock in {parts} parts with {queues:?}")
            };
            assert_eq!((deadlock.what, deadlock.members.len()), (Standstill::PacketCircle, 5));
        }
    }

    /// In audit mode, the first packet that waits where the proof does not know of it ends the run.
    #[test]
    #[should_panic(expected = "is no edge of the proven channel dependency graph")]
    fn the_audit_holds_packets_to_the_proof() {
        let network = ring();
        failure(&network, &config(&network), 1, without_datelines);
    }

    /// So does the first packet that has gone where the proof does not know of it, although it never waits: the last
    /// node's alone.
    #[test]
    #[should_panic(expected = "is no edge of the proven channel dependency graph")]
    fn the_audit_holds_a_lone_packet_to_the_proof() {
        let (network, mut config) = (ring(), config(&ring()));
        (config.switch.packet_flits, config.switch.buffer_flits) = (64, 256);
        failure_of(TwoOn(vec![true, true, true, true, false]), &network, &config, 1, without_datelines);
    }

    /// A ring without its dateline deadlocks: every switch's packet waits for the room that the next one's takes.
    #[test]
    fn a_ring_without_dateline() {
        let (network, mut config) = (ring(), config(&ring()));
        assert_eq!(failure(&network, &config, 1, |_| ()), None);
        // The audit would not let it come to that.
        config.audit = false;
        for parts in [1, 2, 5] {
            let Some(Failure::Deadlock(deadlock)) = failure(&network, &config, parts, without_datelines) else {
                panic!("no deadlock in {parts} parts")
            };
            assert_eq!(deadlock.what, Standstill::PacketCircle);
            // Each switch sends up: what comes from the switch below waits for the one above.
            let (ports, mut lines) = (network.first_port.clone(), Vec::new());
            for switch in 0..5u32 {
                let [below, above] = [(switch + 4) % 5, (switch + 1) % 5];
                let towards = |end: u32| {
                    let leads = |port: &u32| match network.target(ChannelId(*port)) {
                        End::Port(PortId(peer)) => network.port_switch(peer as usize) == end,
                        End::Node(_) => false,
                    };
                    (ports[switch as usize]..ports[switch as usize + 1])
                        .find(leads)
                        .map_or(0, |p| p - ports[switch as usize])
                };
                lines.push(format!(
                    "switch {switch}, input {} from switch {below}, virtual channel 0: a packet of 8 flits to node {above} \
                     waits for room at switch {above} behind output {}, virtual channel 0",
                    towards(below),
                    towards(above)
                ));
            }
            let mut members = deadlock.members.clone();
            members.sort();
            assert_eq!(members, lines);
        }
    }
}
