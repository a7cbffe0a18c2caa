//! Queues at outputs: what a lone packet takes, what full output queueing carries, and when a link idles.

use drowse_core::model::config::{Arbitration, Forwarding, Injection, OutputQueues, Queues, VirtualChannels};
use drowse_core::model::ids::ChannelId;
use drowse_core::routing::RoutingKind;
use drowse_core::topology::{SlimFly, TableKind, TopologySpec};

use crate::common::*;
use crate::store_and_forward::cycles;
use crate::virtual_output::{carried, full_load, overtaking, switch};

fn output(room_flits: u16, speedup: u16) -> Queues {
    with_paths(room_flits, speedup, 1)
}

fn with_paths(room_flits: u16, speedup: u16, paths: u8) -> Queues {
    Queues::Output(OutputQueues { room_flits, speedup, paths })
}

/// Returns the share of their bandwidth that outputs carry whose inputs always have packets, each for any output alike.
fn saturated(nodes: u32, queues: Queues) -> f64 {
    let (network, mut config) = switch(nodes, 8, queues);
    config.switch.arbitration = Arbitration::Random;
    carried(&network, &config, [30_000, 200_000])
}

/// Karol, Hluchyj and Morgan 1987: queues at outputs, which take all that comes, carry all; queues at inputs 0.6184 of
/// eight. A speedup of 2 comes close to the first (Chuang et al. 1999), one of 1 is no better than the second but for what
/// lies in the queues of outputs.
#[test]
fn queues_at_outputs_carry_all() {
    let all = saturated(8, output(8_000, 8));
    assert!(all > 0.99, "speedup 8: {all}");
    let twice = saturated(8, output(8_000, 2));
    assert!(twice > 0.97, "speedup 2: {twice}");
    let once = saturated(8, output(8, 1));
    assert!((once - 0.6184).abs() < 0.1, "speedup 1: {once}");
}

/// A lone packet takes one cycle more at each of the H + 1 switches of its way than without output queues, however fast
/// the crossbar is, and each packet behind it comes one length later. Where switches store, they store at their inputs.
#[test]
fn zero_load_latency() {
    let network = torus(&[8, 8, 8], 1, 1);
    for (to, distance) in [(1, 1), (4, 4), (4 + 8 * 4 + 64 * 4, 12)] {
        for (pipeline, packets, speedup) in [(1, 1, 1), (3, 1, 2), (20, 1, 8), (3, 2, 1), (20, 10, 2), (20, 10, 3)] {
            let mut config = config(&network, pipeline);
            config.switch.queues = output(64, speedup);
            let heads = 1 + (pipeline + 2) * (distance + 1);
            let behind = (packets - 1) * 8;
            assert_eq!(cycles(&network, &config, to, packets), heads + 8 + behind);
            config.switch.forwarding = Forwarding::StoreAndForward;
            assert_eq!(cycles(&network, &config, to, packets), heads + 8 * (distance + 2) + behind);
        }
    }
}

/// Three senders keep the output to node 4 busy. Node 0 sends ten packets there, too, and then one to node 5. This waits
/// for those before it until they have crossed to the output, which takes four packets in the time of one: at the pace
/// at which they come. Without output queues it would wait for the last of 36 others, see `virtual_output.rs`.
#[test]
fn a_busy_output_keeps_nobody_waiting() {
    let (network, mut config) = switch(6, 8, output(8_000, 4));
    config.audit = true;
    let machine = (network, config);
    let [alone, contended] = [false, true].map(|others| overtaking(&machine, others));
    // Four packets cross to the output in eight cycles: one of the others' may be before each of its own.
    assert!(contended <= alone + 8 * 1_600, "{contended} with others, {alone} alone");
}

/// A crossbar as fast as a link takes four packets to an output at a time, by a virtual channel each, or one packet. With
/// four paths, four senders always find a free one, and a packet comes every eight cycles, in which others are granted:
/// node 0's packet to node 5 comes as early as if it were alone. With a single path, seven of its own packets cross
/// before it is first on its virtual channel, which has the third and the seventh, too; three others' cross between each
/// two of these.
#[test]
fn several_paths_to_an_output() {
    let [[alone, contended], [_, contended_by_one]] = [4, 1].map(|paths| {
        let (network, mut config) = switch(6, 8, with_paths(8_000, 1, paths));
        config.switch.vcs = VirtualChannels::any(4);
        config.audit = true;
        let machine = (network, config);
        [false, true].map(|others| overtaking(&machine, others))
    });
    assert_eq!(contended, alone);
    assert!(contended_by_one >= (7 + 6 * 3) * 8 * 1_600, "{contended_by_one} with others by a single path");
}

/// Packets to a node may use the queues of all virtual channels of its port, each with room for one packet here. Three
/// packets for node 4 that come at once cross within six cycles, before the next packets come in eight. So that behind one
/// of them, for node 5, comes as early as where the two others go to node 3.
#[test]
fn packets_to_a_node_use_all_its_queues() {
    let [contended, alone] = [4, 3].map(|others| {
        let (network, mut config) = switch(6, 8, output(8, 4));
        config.switch.vcs = VirtualChannels::any(4);
        config.switch.forwarding = Forwarding::StoreAndForward;
        config.node.injection = Injection::First;
        config.audit = true;
        let receivers = [others, others, 4].map(|to| vec![send(to, 128)]);
        let [first, second, mut third] = receivers;
        third.push(send(5, 128));
        let [at_3, at_4] =
            if others == 3 { [vec![recv(0), recv(1)], vec![]] } else { [vec![], vec![recv(0), recv(1)]] };
        let at_4 = [at_4, vec![recv(2)]].concat();
        let ranks = vec![first, second, third, at_3, at_4, vec![recv(2)]];
        run(&network, &config, job(ranks, &[0, 1, 2, 3, 4, 5])).ranks[5].finish.0
    });
    assert_eq!(contended, alone);
}

/// Besta and Hoefler 2014: under Valiant's routing a Slim Fly carries half of its load, or a little less. With queues at
/// outputs its links are full then: packets take so many of the 350 channels of the 200 nodes as there are.
#[test]
fn valiant_fills_a_slim_fly() {
    let network = TopologySpec::SlimFly(SlimFly { q: 5, nodes: None, tables: TableKind::Shortest }).build().unwrap();
    let mut config = config(&network, 3);
    config.routing = RoutingKind::Valiant;
    config.switch.vcs = VirtualChannels::hop(4);
    config.switch.queues = output(256, 2);
    config.audit = false;
    let record = full_load(&network, &config, [4_000, 8_000]);
    let loads = record.open_loop.unwrap();
    let accepted = loads.delivered_flits as f64 / loads.capacity_flits;
    assert!((accepted - 0.5).abs() < 0.05, "accepted {accepted}");
    let between_switches = (0..).zip(&record.channels).filter(|&(id, _)| !network.is_node_channel(ChannelId(id)));
    let sent: Vec<u64> = between_switches.map(|(_, channel)| channel.flits).collect();
    assert_eq!(sent.len(), 350);
    let used = sent.iter().sum::<u64>() as f64 / (350.0 * 8_000.0);
    assert!(used > 0.97, "used {used}");
}
