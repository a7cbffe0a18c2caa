//! Packets packed onto the first links of a trunk, against packets balanced over all.

use drowse_core::measure::{ChannelRecord, Record};
use drowse_core::model::config::{Config, TrunkChoice, VirtualChannels};
use drowse_core::model::units::{BitRate, Time};
use drowse_core::power::{LinkState, StallTimer};
use drowse_core::topology::{Network, PerDimension, TopologySpec, Torus};
use drowse_core::workload::Workload;
use drowse_core::workload::traffic::{Count, Lengths, Pattern, Traffic};

use crate::common::*;
use crate::sleeping::sends;

const US: u64 = 1_000_000;

/// Two switches that are joined by a trunk of four links, all four virtual channels for any packet.
fn two_switches(nodes: u32, trunks: TrunkChoice) -> (Network, Config) {
    let network = mesh(&[2], 4, nodes);
    let mut config = config(&network, 1);
    config.switch.trunks = trunks;
    (network, config)
}

/// Returns the channels of the trunk that leads from switch 0 to switch 1, in the order of the ports.
fn trunk<'a>(network: &Network, record: &'a Record) -> Vec<&'a ChannelRecord> {
    let ports = 0..network.first_port[1] as usize;
    ports.filter(|&port| network.port_class[port] != 0).map(|port| &record.channels[port]).collect()
}

fn packets(network: &Network, record: &Record) -> Vec<u64> {
    trunk(network, record).iter().map(|channel| channel.packets).collect()
}

/// All links carry the same number of packets, except those that were busy when they had priority.
fn assert_balanced(packets: &[u64]) {
    let all = packets.iter().sum::<u64>();
    assert!(packets.iter().all(|of| of.abs_diff(all / 4) < all / 50), "{packets:?}");
}

#[test]
fn places_count_the_links_of_each_trunk() {
    // A ring of three switches of two nodes: ports of nodes are trunks of their own, each switch has two trunks of two
    // links.
    let network = torus(&[3], 2, 2);
    let (places, trunks) = (network.trunk_places(), network.trunks());
    for port in 0..network.ports() as usize {
        let before = (0..port).filter(|&other| trunks[other] == trunks[port]).count();
        assert_eq!(usize::from(places[port]), before, "port {port}");
    }
    let first = |place| trunks.iter().zip(&places).filter(|&(_, &of)| of == place).count();
    assert_eq!([first(0), first(1), first(2)], [12, 6, 0]);
    // Trunks are told by where links lead, whatever lies between them: here a ring of two with its two trunks as one.
    let two_cables = Torus { rings_of_two: true, ..Torus::new(vec![2], PerDimension::All(2), 1) };
    let network = TopologySpec::Torus(two_cables).build().unwrap();
    let places = network.trunk_places();
    let of_links: Vec<u16> = (0..5).filter(|&port| network.port_class[port] != 0).map(|port| places[port]).collect();
    assert_eq!(of_links, [0, 1, 2, 3]);
}

/// A node sends packets back to back over links of the m-th part of its bandwidth: each is busy for m packets, so m
/// links carry the same, and the others nothing.
#[test]
fn one_sender_needs_as_many_links_as_its_bandwidth() {
    for links in 1..=4u64 {
        let (network, mut config) = two_switches(1, TrunkChoice::Packed);
        // As many packets leave the input port at a time.
        config.switch.input_speedup = links as u8;
        config.switch.vcs = VirtualChannels::grid(0, links as u8);
        config.classes[0].bandwidth = BitRate::from_bytes_per_second(12_000_000_000);
        config.classes[1].bandwidth = BitRate::from_bytes_per_second(12_000_000_000 / links);
        // Five messages without a rendezvous.
        let messages = [(0, 8 * 240); 5];
        let record = run(&network, &config, sends(1, &messages));
        let expected: Vec<u64> = (0..4).map(|place| if place < links { 1_200 / links } else { 0 }).collect();
        assert_eq!(packets(&network, &record), expected, "{links} links");
        config.switch.trunks = TrunkChoice::Balanced;
        let record = run(&network, &config, sends(1, &messages));
        assert_balanced(&packets(&network, &record));
    }
}

/// Messages 10 us apart keep one link awake whose timer is 50 us; balanced, they keep all four awake.
#[test]
fn links_that_no_packet_takes_sleep_by_their_own_timers() {
    let messages: Vec<(u64, u64)> = (1..=40).map(|number| (number * 10 * US, 8)).collect();
    for (trunks, sleeps) in [(TrunkChoice::Packed, [false, true, true, true]), (TrunkChoice::Balanced, [false; 4])] {
        let (network, mut config) = two_switches(1, trunks);
        // With one virtual channel, the priority goes from link to link with each packet.
        config.switch.vcs = VirtualChannels::grid(0, 1);
        config.classes[0].states = None;
        let policy = StallTimer::uniform(network.classes.len(), None, Some(Time(50 * US)));
        let record = run_with(&network, &config, &policy, sends(1, &messages));
        for (place, (channel, sleeps)) in trunk(&network, &record).into_iter().zip(sleeps).enumerate() {
            let enter = STATES.deep.enter;
            let asleep = record.measured - Time(50 * US) - enter;
            let expected = if sleeps { [enter, asleep] } else { [Time::ZERO; 2] };
            let times = [LinkState::Entering, LinkState::Deep].map(|state| channel.time_in(state));
            assert_eq!((times, channel.wakes), (expected, 0), "{trunks:?}, link {place}");
        }
    }
}

/// Four senders as fast as the links: what comes while the first link is busy goes to the next ones. Packets that come
/// independently of each other, a of them in the time that one takes, would find the first link free in 1 of 1 + a
/// cases (Erlang); those of four senders get less into each other's way.
#[test]
fn the_first_links_carry_more() {
    let load = |share| Traffic {
        pattern: Pattern::Complement,
        packets: Lengths::packets(1),
        load: share,
        include_self: false,
        count: Count::Generated,
        warmup: Time::ZERO,
        measure: Time(400 * US),
        drain: true,
    };
    for share in [0.05, 0.4, 0.8] {
        let carried = [TrunkChoice::Balanced, TrunkChoice::Packed].map(|trunks| {
            let (network, config) = two_switches(4, trunks);
            packets(&network, &run(&network, &config, Workload::OpenLoop(load(share))))
        });
        let [balanced, packed] = &carried;
        let [all, of_packed] = [balanced, packed].map(|packets| packets.iter().sum::<u64>());
        assert_eq!(all, of_packed, "the same packets at {share}");
        assert!(packed.is_sorted_by(|a, b| a > b), "{packed:?} at {share}");
        assert_balanced(balanced);
        let at_once = 4.0 * share;
        assert!(packed[0] as f64 >= all as f64 / (1.0 + at_once), "{packed:?} at {share}");
    }
}

/// Four senders send a packet each at once. Whether or not packets may request busy links, each takes the first link that
/// is free.
#[test]
fn busy_links_come_after_free_ones() {
    for request_busy in [false, true] {
        let (network, mut config) = two_switches(4, TrunkChoice::Packed);
        config.switch.vcs = VirtualChannels::grid(0, 1);
        config.switch.request_busy = request_busy;
        for senders in 1..=4 {
            let ranks = (0..8u32).map(|rank| match rank {
                0..4 if rank < senders => vec![send(rank + 4, 8 * 16)],
                4.. if rank - 4 < senders => vec![recv(rank - 4)],
                _ => vec![],
            });
            let record = run(&network, &config, job(ranks.collect(), &[0, 1, 2, 3, 4, 5, 6, 7]));
            let expected: Vec<u64> = (0..4).map(|place| u64::from(place < senders)).collect();
            assert_eq!(packets(&network, &record), expected, "{senders} senders, busy: {request_busy}");
        }
    }
}
