//! Monotone laws: faster links never cost time; and the smallest cases in which that does not hold, and in which sleep makes
//! a run shorter, because packets meet or links differ. `drowse-machines` has the other laws.

use drowse_core::model::config::{Config, VirtualChannels};
use drowse_core::model::units::{BitRate, Time};
use drowse_core::power::StallTimer;
use drowse_core::routing::RoutingKind;
use drowse_core::topology::{Geometry, Network};
use proptest::prelude::*;

use crate::common::*;
use crate::sleeping::{CYCLE, HOP, WIRE};
use crate::small;

proptest! {
    #![proptest_config(proptest_config(150))]

    /// Links that are all faster by one factor never slow a lone packet, on any network and routing but Valiant's on a
    /// HyperX: on the way to its intermediate switch one order of dimensions may lead past the destination, where the
    /// packet leaves, and which order it takes depends on which outputs it finds free. Arbiters do not draw, for their
    /// draws differ from edge to edge.
    #[test]
    fn faster_links_never_slow_a_lone_packet(
        small in prop::sample::select(small::all()),
        rates in prop::collection::vec(50u64..3_000, 5),
        (from, to) in any::<(u32, u32)>(),
        (share, factor) in (1u64..=100, 2u64..=9),
    ) {
        let network = small.network();
        let mut config = Config { audit: false, ..small.config(&network) };
        let rates = rates.into_iter().map(|rate| BitRate::from_bytes_per_second(rate * 10_000_000));
        config.classes.iter_mut().zip(rates).for_each(|(class, rate)| class.bandwidth = rate);
        config.classes.iter_mut().for_each(|class| class.states = None);
        let (from, to) = (from % network.nodes, to % network.nodes);
        prop_assume!(from != to);
        if matches!(network.geometry, Geometry::HyperX(_)) && config.routing == RoutingKind::Valiant {
            return Ok(());
        }
        let bytes = config.switch.flit.0 * u64::from(config.switch.packet_flits) * share / 100;
        let lone = |config: &Config| {
            run(&network, config, job(vec![vec![send(1, bytes)], vec![recv(0)]], &[from, to])).makespan
        };
        let slow = lone(&config);
        config.classes.iter_mut().for_each(|class| class.bandwidth = BitRate(class.bandwidth.0 * factor));
        prop_assert!(lone(&config) <= slow);
    }
}

/// Two switches with two nodes each, one virtual channel; only the links between the switches may sleep.
fn two_switches() -> (Network, Config) {
    let network = mesh(&[2], 1, 2);
    let mut config = config(&network, 1);
    config.switch.vcs = VirtualChannels::grid(0, 1);
    config.classes[0].states = None;
    (network, config)
}

/// The smallest run that sleep makes shorter: two messages that meet.
///
/// Node 0 and, three cycles later, node 3 send a packet to node 2, which computes once it has that of node 3. With all
/// links on, the packet of node 0 is at the last switch a cycle earlier and goes first. When it has to wake the link
/// between the switches, that of node 3 does not wait: the run ends seven cycles earlier.
#[test]
fn sleep_may_shorten_a_run_in_which_packets_meet() {
    let (network, config) = two_switches();
    let (start, long) = (Time::from_us(16).0, Time::from_us(20).0);
    let workload = || {
        let first = vec![compute(Time(start)), send(2, 128)];
        let second = vec![compute(Time(start + 3 * CYCLE)), send(2, 128)];
        job(vec![first, second, vec![recv(1), compute(Time(long)), recv(0)]], &[0, 3, 2])
    };
    let policy = StallTimer::uniform(2, None, Some(Time::from_us(1)));
    let asleep = run_with(&network, &config, &policy, workload());
    let on = run(&network, &config, workload());
    let meets = start + WIRE + HOP;
    assert_eq!(on.makespan, Some(Time(meets + 16 * CYCLE + HOP + long)));
    assert_eq!(asleep.makespan, Some(Time(meets + 9 * CYCLE + HOP + long)));
}

/// A link that is faster than those around it costs time: it may not run ahead of the slower link before it, so the
/// head of a packet waits, and the slower link behind begins later.
#[test]
fn a_fast_link_between_slow_ones_costs_time() {
    for (factor, waits) in [(1, 0), (2, 4), (4, 6), (8, 7)] {
        let (network, mut config) = two_switches();
        config.classes[1].states = None;
        config.classes[1].bandwidth = BitRate(config.classes[1].bandwidth.0 * factor);
        let record = run(&network, &config, job(vec![vec![send(1, 128)], vec![recv(0)]], &[0, 2]));
        assert_eq!(record.makespan, Some(Time(WIRE + waits * CYCLE + HOP + 8 * CYCLE + HOP)), "{factor} times as fast");
    }
}
