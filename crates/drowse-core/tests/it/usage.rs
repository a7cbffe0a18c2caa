//! Usage: traffic counted without time equals the traffic of a simulation.

use drowse_core::model::config::{Config, VirtualChannels};
use drowse_core::model::ids::{ChannelId, NodeId};
use drowse_core::routing::RoutingKind::{self, Adaptive, DModK, DimensionOrder, Minimal, Random, Valiant};
use drowse_core::topology::{
    End, Full, HyperX, Network, PerDimension, Percs, Racks, ThinTree, Ties, TopologySpec, Torus,
};
use drowse_core::usage::{Account, MOST_ROUTES, Matrix, Sender, Traffic};
use drowse_core::workload::operation::Operation;
use drowse_core::workload::programs::{AllToAll, Flow, Stencil};
use proptest::prelude::*;

use crate::common::*;

/// A message: sender, receiver, bytes.
type Message = (u32, u32, u64);

fn networks() -> Vec<(Network, RoutingKind, VirtualChannels)> {
    let grid =
        |spec: TopologySpec, routing, adaptive| (spec.build().unwrap(), routing, VirtualChannels::grid(adaptive, 2));
    let tree = |spec: TopologySpec, routing| (spec.build().unwrap(), routing, VirtualChannels::any(2));
    let low_diameter = |spec: TopologySpec, routing, hops| (spec.build().unwrap(), routing, VirtualChannels::hop(hops));
    let torus = |dims: &[u32], trunk| Torus::new(dims.to_vec(), PerDimension::All(trunk), 2);
    let rings = Torus { rings_of_two: true, ties: Ties::Direct, ..torus(&[2, 4], 1) };
    let hyperx = HyperX { dims: vec![3, 3], widths: PerDimension::All(1), nodes: 1 };
    let thin = TopologySpec::ThinTree(ThinTree { down: 3, up: 2, levels: 3 });
    vec![
        grid(TopologySpec::Torus(torus(&[4, 3], 1)), DimensionOrder, 0),
        grid(TopologySpec::Torus(rings), DimensionOrder, 0),
        grid(TopologySpec::Mesh(torus(&[3, 2], 1)), DimensionOrder, 0),
        grid(TopologySpec::Torus(torus(&[4, 4], 2)), Adaptive, 2),
        tree(thin.clone(), DModK),
        tree(thin.clone(), Random),
        tree(thin, Adaptive),
        tree(TopologySpec::Racks(Racks { racks: 6, nodes_per_rack: 3, uplinks: 1 }), DModK),
        low_diameter(TopologySpec::Percs(Percs { supernodes: 2 }), Minimal, 3),
        low_diameter(TopologySpec::Full(Full { switches: 6, nodes: 2 }), Minimal, 1),
        low_diameter(TopologySpec::Full(Full { switches: 6, nodes: 2 }), Valiant, 2),
        tree(TopologySpec::HyperX(hyperx.clone()), DimensionOrder),
        low_diameter(TopologySpec::HyperX(hyperx), Minimal, 2),
    ]
}

/// Counts messages between ranks; rank i is on node i.
fn count<'a>(network: &'a Network, config: &Config, messages: &[Message]) -> Account<'a> {
    let placement: Vec<NodeId> = (0..network.nodes).map(NodeId).collect();
    let (mut account, mut matrix) = (Account::new(network, config), Matrix::new(network.nodes));
    let sent = Sender::new(&placement, &config.switch).send(1, &mut account, &mut matrix, |rank, visit| {
        let of_rank = messages.iter().filter(|message| message.0 == rank);
        of_rank.for_each(|&(_, to, bytes)| visit(Flow { to, messages: 1, bytes }));
        Ok::<(), ()>(())
    });
    sent.unwrap();
    account
}

/// Simulates all messages at once. Returns the packets of each channel.
fn simulate(network: &Network, config: &Config, messages: &[Message]) -> Vec<u64> {
    let program = |rank: u32| {
        let sends = (0..).zip(messages).filter(|(_, message)| message.0 == rank);
        let sends = sends.map(|(number, &(_, to, bytes))| isend(to, number, bytes, number));
        let receives = (0..).zip(messages).filter(|(_, message)| message.1 == rank);
        let receives = receives.map(|(number, &(from, ..))| irecv(from, number, 1_000 + number));
        receives.chain(sends).chain([Operation::WaitAll]).collect()
    };
    let nodes: Vec<u32> = (0..network.nodes).collect();
    let record = run(network, config, job(nodes.iter().map(|&rank| program(rank)).collect(), &nodes));
    record.channels.iter().map(|channel| channel.packets).collect()
}

proptest! {
    #![proptest_config(proptest_config(12))]

    /// With a single route per pair, every channel carries exactly the packets of a simulation; otherwise, every class
    /// of channels does. Valiant's non-minimal routes differ in length, so only their injection is compared.
    #[test]
    fn channels_carry_what_they_do_in_a_simulation(
        drawn in prop::collection::vec((any::<u32>(), any::<u32>(), 0u64..2_000), 1..60),
    ) {
        for (network, routing, vcs) in networks() {
            let messages: Vec<Message> =
                drawn.iter().map(|&(from, to, bytes)| (from % network.nodes, to % network.nodes, bytes)).collect();
            let mut config = config(&network, 2);
            (config.routing, config.switch.vcs) = (routing, vcs);
            let account = count(&network, &config, &messages);
            let simulated = simulate(&network, &config, &messages);
            let counted: Vec<u64> = (0..network.channels()).map(|id| account.of(ChannelId(id)).packets).collect();
            let single = matches!(routing, DimensionOrder | DModK) || network.classes.contains(&"D".to_owned());
            if single {
                prop_assert_eq!(&counted, &simulated, "{:?} by {:?}", network.classes, routing);
            }
            let classes = if routing == Valiant { 1 } else { network.classes.len() as u8 };
            for class in 0..classes {
                let of_class = |packets: &[u64]| -> u64 {
                    (0..).map(ChannelId).zip(packets).filter(|(id, _)| network.channel_class(*id) == class).map(|(_, p)| p).sum()
                };
                prop_assert_eq!(of_class(&counted), of_class(&simulated), "{:?} by {:?}", network.classes, routing);
            }
        }
    }

    /// The shares of all routes add up to the whole traffic.
    #[test]
    fn nothing_is_lost_over_several_routes(bytes in 0u64..1_000_000, messages in 1u64..1_000) {
        let network = torus(&[4, 4], 2, 1);
        let mut config = config(&network, 2);
        config.routing = Adaptive;
        config.switch.vcs = VirtualChannels::grid(2, 2);
        let traffic = Traffic::of(messages, bytes, &config.switch);
        let mut account = Account::new(&network, &config);
        account.send(NodeId(0), NodeId(10), traffic, MOST_ROUTES);
        prop_assert_eq!(account.sent(), traffic);
        prop_assert_eq!(account.of(ChannelId(network.ports())), traffic, "at the injection");
        let mut hops = Traffic::default();
        (0..network.ports()).filter(|&id| !network.is_node_channel(ChannelId(id))).for_each(|id| hops += account.of(ChannelId(id)));
        prop_assert_eq!(hops, traffic.times(4), "over two channels in each dimension");
    }

    /// All-to-all traffic counted at once equals its messages counted one by one, for any placement.
    #[test]
    fn to_all_is_to_each(ranks in 1u32..40, bytes in 0u64..300, nodes in prop::collection::vec(0u32..12, 40)) {
        let network = torus(&[4, 3], 1, 1);
        let mut config = config(&network, 2);
        config.switch.vcs = VirtualChannels::grid(0, 2);
        let placement: Vec<NodeId> = nodes[..ranks as usize].iter().map(|&node| NodeId(node)).collect();
        let (mut at_once, mut one_by_one) = (Account::new(&network, &config), Account::new(&network, &config));
        let (mut matrix, mut other) = (Matrix::new(ranks + 5), Matrix::new(ranks + 5));
        [&mut matrix, &mut other].into_iter().for_each(|matrix| matrix.begin_at(5));
        let mut sender = Sender::new(&placement, &config.switch);
        sender.send_at_once(&AllToAll::new(ranks, bytes).unwrap(), 3, &mut at_once, &mut matrix);
        let mut plain = Sender::new(&placement, &config.switch);
        plain.send(3, &mut one_by_one, &mut other, |_, visit| {
            (0..ranks).for_each(|to| visit(Flow { to, messages: 1, bytes }));
            Ok::<(), ()>(())
        }).unwrap();
        prop_assert_eq!(at_once.sent(), one_by_one.sent());
        prop_assert_eq!(sender.within(), plain.within());
        for id in (0..network.channels()).map(ChannelId) {
            prop_assert_eq!(at_once.of(id), one_by_one.of(id));
        }
        for (from, to) in (0..matrix.blocks()).flat_map(|from| (0..matrix.blocks()).map(move |to| (from, to))) {
            prop_assert_eq!(matrix.of(from, to), other.of(from, to));
        }
    }
}

/// Non-minimal routes through random switches of a full mesh take two channels. They use all channels but those from a
/// sender to its receiver.
#[test]
fn non_minimal_routes_use_all_but_the_minimal_channels() {
    let network = TopologySpec::Full(Full { switches: 8, nodes: 1 }).build().unwrap();
    let mut config = config(&network, 2);
    (config.routing, config.switch.vcs) = (Valiant, VirtualChannels::hop(2));
    let messages: Vec<Message> = (0..8).map(|rank| (rank, (rank + 1) % 8, 1_000_000)).collect();
    let account = count(&network, &config, &messages);
    let mut packets = 0;
    for id in (0..network.ports()).map(ChannelId).filter(|&id| !network.is_node_channel(id)) {
        let End::Port(port) = network.target(id) else { panic!("{id:?} ends at a node") };
        let [from, to] = [id.index(), port.index()].map(|port| network.port_switch(port));
        let passed = account.of(id).packets;
        assert_eq!(passed == 0, (from + 1) % 8 == to, "{from} to {to}: {passed}");
        packets += passed;
    }
    assert_eq!(packets, 2 * account.sent().packets);
}

/// On a tree, packets climb to the level that joins their ends. Here, a leaf switch has 3 nodes and a block 3 leaf
/// switches.
#[test]
fn levels_are_those_of_the_ends() {
    let network = TopologySpec::Tree(ThinTree { down: 3, up: 3, levels: 3 }).build().unwrap();
    let mut config = config(&network, 2);
    (config.routing, config.switch.vcs) = (Adaptive, VirtualChannels::any(2));
    let messages: Vec<Message> = (0..26).map(|rank| (rank, rank + 1, 1)).collect();
    // 26 messages, 8 of them to the next leaf switch, 2 of these to the next block.
    assert_eq!(count(&network, &config, &messages).levels(), [26, 8, 2]);
}

/// A block of the matrix sums the traffic of its ranks; most neighbours lie on the diagonal of blocks.
#[test]
fn many_ranks_share_a_block() {
    let (network, ranks) = (torus(&[4], 1, 1), 1_000);
    let mut config = config(&network, 2);
    config.switch.vcs = VirtualChannels::grid(0, 2);
    let placement: Vec<NodeId> = (0..ranks).map(|rank| NodeId(rank / 250)).collect();
    let (mut account, mut matrix) = (Account::new(&network, &config), Matrix::new(ranks));
    let line = Stencil::new(vec![ranks], false, 7).unwrap();
    Sender::new(&placement, &config.switch).send_at_once(&line, 2, &mut account, &mut matrix);
    assert_eq!((matrix.block(), matrix.blocks()), (4, 250));
    for (from, to) in (0u32..250).flat_map(|from| (0u32..250).map(move |to| (from, to))) {
        let messages = match from.abs_diff(to) {
            0 => 2 * 6,
            1 => 2,
            _ => 0,
        };
        assert_eq!((matrix.of(from, to).messages, matrix.of(from, to).bytes), (messages, 7 * messages));
    }
    assert_eq!(account.sent().messages, 2 * 6, "three borders of nodes, both directions, twice");
}
