//! What a run refuses, and that it refuses no more: both sides of each bound, and the key that is named.

use std::num::NonZeroU32;

use drowse_core::engine::{self, SetupError, Simulation};
use drowse_core::model::config::{
    Config, Escape, FlowControl, Forwarding, OutputQueues, PauseLevels, Queues, SleepSelection, VirtualChannels,
};
use drowse_core::model::ids::NodeId;
use drowse_core::model::units::{BitRate, Bytes, Time};
use drowse_core::power::runtime::{Detect, Mode, Rules, Runtime};
use drowse_core::power::trunk::{Off, Trunk};
use drowse_core::power::{Bounded, ByClass, ClassPolicy, GovernorRules, Policy, StallTimer, Timers, Width};
use drowse_core::routing::RoutingKind;
use drowse_core::topology::{Full, Ideal, Network, TopologySpec};
use drowse_core::workload::traffic::{Count, Length, Lengths, Pattern, Traffic};
use drowse_core::workload::{Job, Workload};

use crate::common::*;

fn key(result: Result<(), SetupError>) -> Option<&'static str> {
    result.err().map(|error| error.key)
}

/// Returns the key that is refused under a policy: by a check alone, and before a run.
fn refused_under(
    network: &Network,
    config: &Config,
    policy: &impl Policy,
    workload: impl Fn() -> Workload,
) -> Option<&'static str> {
    let checked = key(engine::check(network, config, policy, &workload()));
    let prepared = Simulation::in_partitions(network, config, policy, workload(), 1);
    assert_eq!(checked, key(prepared.map(|_| ())));
    checked
}

fn traffic(load: f64) -> Traffic {
    Traffic {
        pattern: Pattern::Uniform,
        packets: Lengths::One(Length::Bytes(Bytes(16))),
        load,
        include_self: false,
        count: Count::Generated,
        warmup: Time::ZERO,
        measure: Time(1_600),
        drain: true,
    }
}

fn nothing() -> Workload {
    job(vec![vec![]], &[0])
}

/// Returns the key that is refused on a network, whose usual configuration is changed.
fn refused(network: &Network, change: impl Fn(&mut Config)) -> Option<&'static str> {
    let mut config = config(network, 1);
    change(&mut config);
    refused_under(network, &config, &StallTimer::always_on(network.classes.len()), nothing)
}

#[test]
fn switches_and_links() {
    let ring = torus(&[4], 1, 1);
    let on_ring = |change: fn(&mut Config)| refused(&ring, change);
    assert_eq!(on_ring(|_| ()), None);
    assert_eq!(on_ring(|config| config.switch.clock = Time::ZERO), Some("switch.clock"));
    assert_eq!(on_ring(|config| config.switch.flit = Bytes(0)), Some("switch.packet"));
    assert_eq!(on_ring(|config| config.switch.packet_flits = 0), Some("switch.packet"));
    assert_eq!(on_ring(|config| config.switch.buffer_flits = 7), Some("switch.buffer"));
    assert_eq!(on_ring(|config| config.switch.buffer_flits = 8), None);
    assert_eq!(on_ring(|config| config.classes.truncate(1)), Some("link"));
    assert_eq!(on_ring(|config| config.classes[1].bandwidth = BitRate(0)), Some("link.bandwidth"));
    assert_eq!(on_ring(|config| config.classes[1].hop = Time(1_599)), Some("switch.pipeline"));
    assert_eq!(on_ring(|config| config.classes[1].hop = Time(1_600)), None);
    assert_eq!(refused(&mesh(&[2], 1, 4_095), |_| ()), None, "4,095 nodes and a neighbour");
    assert_eq!(refused(&mesh(&[2], 1, 4_096), |_| ()), Some("network"));
}

/// A flit of f bytes at r bit/s takes 8e12 f / r ps, in lowest terms a / b; a must be below 2^64 / 2^17, as must b.
#[test]
fn times_of_flits_are_exact() {
    let ring = torus(&[4], 1, 1);
    let refused = |bytes: u64, rate: u64| {
        refused(&ring, |config| {
            (config.switch.flit, config.classes[1].bandwidth) = (Bytes(bytes), BitRate(rate));
            config.classes[0].bandwidth = BitRate(8 * bytes);
        })
    };
    // At 1 bit/s, 17 bytes take 1.36e14 ps, and 18 bytes 1.44e14; 2^47 is 1.407e14. The other class takes 1e12 ps.
    assert_eq!([refused(17, 1), refused(18, 1)], [None, Some("link.bandwidth")]);
    // The same with what is left of 7 and of 14 bit/s.
    assert_eq!([refused(17, 7), refused(18, 7), refused(18, 14)], [None, Some("link.bandwidth"), None]);
}

#[test]
fn virtual_channels() {
    let (ring, row) = (torus(&[4], 1, 1), mesh(&[4], 1, 1));
    let with = |network: &Network, routing: RoutingKind, vcs: VirtualChannels| {
        refused(network, |config| (config.routing, config.switch.vcs) = (routing, vcs))
    };
    let (order, adaptive) = (RoutingKind::DimensionOrder, RoutingKind::Adaptive);
    let grid = VirtualChannels::grid;
    let vcs = Some("switch.vcs");
    assert_eq!(
        [with(&ring, order, grid(0, 8)), with(&ring, order, grid(0, 10)), with(&row, order, grid(0, 9))],
        [None, vcs, vcs]
    );
    assert_eq!([with(&ring, order, grid(0, 0)), with(&ring, adaptive, grid(1, 0))], [vcs; 2]);
    // A ring needs two halves, a row does not.
    assert_eq!(
        [with(&ring, order, grid(0, 3)), with(&row, order, grid(0, 3)), with(&row, order, grid(0, 1))],
        [vcs, None, None]
    );
    assert_eq!(
        [with(&ring, adaptive, grid(0, 2)), with(&ring, adaptive, grid(1, 2)), with(&ring, order, grid(1, 2))],
        [vcs, None, vcs]
    );
    assert_eq!(
        [
            with(&ring, order, VirtualChannels { any: 1, ..grid(0, 2) }),
            with(&ring, order, VirtualChannels { hop: 1, ..grid(0, 2) })
        ],
        [vcs; 2]
    );
    assert_eq!(with(&ring, RoutingKind::DModK, grid(0, 2)), Some("network.routing"));
    let tree = crate::trees::thin_tree(2, 2, 2);
    let any = VirtualChannels::any;
    assert_eq!([with(&tree, RoutingKind::Random, any(1)), with(&tree, RoutingKind::Random, any(8))], [None; 2]);
    assert_eq!(with(&tree, RoutingKind::Random, VirtualChannels { escape: 1, ..any(1) }), vcs);
    // All switches are neighbours: one hop, or two by way of another.
    let full = TopologySpec::Full(Full { switches: 4, nodes: 1 }).build().unwrap();
    let hop = |kind, hop| with(&full, kind, VirtualChannels::hop(hop));
    assert_eq!([1, 2, 3].map(|vcs| hop(RoutingKind::Minimal, vcs)), [None; 3]);
    assert_eq!([1, 2, 3, 4].map(|vcs| hop(RoutingKind::Valiant, vcs)), [vcs, None, vcs, None]);
    let beside = |any| with(&full, RoutingKind::Valiant, VirtualChannels { any, ..VirtualChannels::hop(2) });
    assert_eq!([1, 6, 7].map(beside), [None, None, vcs]);
    assert_eq!(with(&full, RoutingKind::Minimal, VirtualChannels { escape: 1, ..VirtualChannels::hop(1) }), vcs);
    assert_eq!(with(&full, RoutingKind::Minimal, any(1)), vcs);
    let speedup = |speedup| refused(&ring, |config| config.switch.input_speedup = speedup);
    assert_eq!([0, 1, 4, 5].map(speedup), [Some("switch.input_speedup"), None, None, Some("switch.input_speedup")]);
}

/// Links whose channels sleep together know of packets by their heads.
#[test]
fn forwarding_and_directions() {
    let network = torus(&[4], 1, 1);
    let with = |forwarding, both| {
        refused(&network, |config| (config.switch.forwarding, config.sleep.both) = (forwarding, both))
    };
    assert_eq!([true, false].map(|both| with(Forwarding::CutThrough, both)), [None; 2]);
    assert_eq!([true, false].map(|both| with(Forwarding::StoreAndForward, both)), [Some("switch.forwarding"), None]);
}

/// Output queues hold a packet, two where a bubble needs them, and a crossbar takes time for each flit: 16 B at 10 Gb/s
/// take 12,800 ps.
#[test]
fn output_queues() {
    let network = torus(&[4], 2, 1);
    let queues = |room_flits, speedup| Queues::Output(OutputQueues { room_flits, speedup, paths: 1 });
    let with = |room, speedup| refused(&network, |config| config.switch.queues = queues(room, speedup));
    let [room, speedup] = [Some("switch.output_buffer"), Some("switch.speedup")];
    assert_eq!([with(7, 2), with(8, 2), with(8, 0), with(8, 1)], [room, None, speedup, None]);
    let by_paths = |paths| {
        let queues = Queues::Output(OutputQueues { room_flits: 8, speedup: 1, paths });
        refused(&network, |config| config.switch.queues = queues)
    };
    let paths = Some("switch.output_speedup");
    assert_eq!([0, 1, 4, 5].map(by_paths), [paths, None, None, paths]);
    let fast = |rate| {
        refused(&network, |config| {
            config.switch.queues = queues(8, 64);
            config.classes.iter_mut().for_each(|class| class.bandwidth = BitRate(rate));
        })
    };
    // 128 bits take 64 ps at 2 Tb/s.
    assert_eq!([2_000_000_000_000, 2_100_000_000_000].map(fast), [None, speedup]);
    let bubble = |room| {
        refused(&network, |config| {
            (config.switch.queues, config.switch.buffer_flits) = (queues(room, 2), 16);
            (config.switch.escape, config.switch.padding) = (Escape::Bubble, true);
        })
    };
    assert_eq!([15, 16].map(bubble), [room, None]);
}

/// There must be room for what comes until a sender pauses, 39 flits here, and it must go on sooner than it pauses. Bubbles
/// count the room of the next input.
#[test]
fn pauses() {
    let network = torus(&[4], 1, 1);
    let with = |buffer, xoff_flits, xon_flits, escape| {
        refused(&network, |config| {
            config.classes.iter_mut().for_each(|class| class.hop = Time(21 * 1_600));
            (config.switch.buffer_flits, config.switch.escape, config.switch.padding) = (buffer, escape, true);
            config.switch.flow_control = FlowControl::Pause(PauseLevels { xoff_flits, xon_flits });
        })
    };
    let [xoff, xon, escape] = ["switch.xoff", "switch.xon", "switch.escape"].map(Some);
    let line = Escape::Dateline;
    assert_eq!([with(48, 10, 9, line), with(49, 10, 9, line), with(49, 10, 10, line)], [xoff, None, xon]);
    assert_eq!(with(49, 10, 9, Escape::Bubble), escape);
}

/// Where both directions of a link go on and off, each end of a trunk must hear of the other within a window: a message
/// takes 12,800 ps, and three cycles until it is acted on. With shorter windows each could ask in answer to the other, for
/// ever, as two ends did with windows of 1.6 cycles.
#[test]
fn ends_of_trunks_hear_of_each_other() {
    let network = torus(&[4], 2, 1);
    let refused = |both: bool, window: u64| {
        let mut config = config(&network, 1);
        config.sleep.both = both;
        config.classes[1].latency = Time(12_800);
        let window = Time(window);
        let trunk = Trunk { window, on: 500_000_000, off: Off::Static(100_000_000), backlog: Time::NEVER, steps: 1 };
        let policy = ByClass::new(vec![ClassPolicy::StallTimer(Timers::NEVER), ClassPolicy::Trunk(trunk)]);
        refused_under(&network, &config, &policy, nothing)
    };
    let least = 12_800 + 3 * 1_600;
    assert_eq!([refused(true, least), refused(true, least - 1), refused(false, 1)], [None, Some("power.policy"), None]);
}

/// A bubble needs room for two packets, all as long; where there are no rings, nothing.
#[test]
fn bubbles() {
    let bubble = |network: &Network, buffer: u16, padding: bool, escape: u8| {
        refused(network, |config| {
            config.switch.escape = Escape::Bubble;
            (config.switch.buffer_flits, config.switch.padding) = (buffer, padding);
            config.switch.vcs = VirtualChannels::grid(0, escape);
        })
    };
    let (ring, row) = (torus(&[4], 1, 1), mesh(&[4], 1, 1));
    assert_eq!([bubble(&ring, 16, true, 1), bubble(&ring, 16, true, 2)], [None; 2], "no halves");
    assert_eq!(
        [bubble(&ring, 15, true, 1), bubble(&ring, 16, false, 1)],
        [Some("switch.buffer"), Some("switch.padding")]
    );
    assert_eq!(bubble(&row, 8, false, 1), None);
}

#[test]
fn places_of_ranks() {
    let ring = torus(&[4], 1, 1);
    let refused = |ranks: usize, nodes: &[u32]| {
        let job = || {
            let source = Box::new(Program::new(vec![vec![]; ranks]));
            let placement = nodes.iter().map(|&node| NodeId(node)).collect();
            Workload::Jobs(vec![Job { name: "test".into(), source, placement, start: Time::ZERO }])
        };
        refused_under(&ring, &config(&ring, 1), &StallTimer::always_on(2), job)
    };
    assert_eq!(
        [refused(2, &[0, 3]), refused(2, &[0]), refused(1, &[0, 3]), refused(1, &[4])],
        [None, Some("job.placement"), Some("job.placement"), Some("job.placement")]
    );
}

/// Ports that a trunk has shed must be avoided, unless the trunk's class may not sleep, or its links narrow instead.
#[test]
fn governed_trunks_need_aware_routing() {
    let ring = torus(&[4], 2, 1);
    let thresholds =
        Trunk { window: Time(1_000), on: 500_000_000, off: Off::Static(100_000_000), backlog: Time::NEVER, steps: 1 };
    let refused = |class: ClassPolicy, aware: bool, may_sleep: bool, rate: u64| {
        let mut config = config(&ring, 1);
        config.sleep.selection = if aware { SleepSelection::Awake } else { SleepSelection::Blind };
        config.classes[1].bandwidth = BitRate(rate);
        config.classes[1].states = config.classes[1].states.filter(|_| may_sleep);
        let policy = ByClass::new(vec![ClassPolicy::StallTimer(Timers::NEVER), class]);
        refused_under(&ring, &config, &policy, nothing)
    };
    let rate = 80_000_000_000;
    let trunk = ClassPolicy::Trunk(thresholds);
    assert_eq!(refused(trunk.clone(), true, true, rate), None);
    assert_eq!(refused(trunk.clone(), false, true, rate), Some("power.selection"));
    assert_eq!(refused(trunk.clone(), false, false, rate), None);
    // 128 bits at 16 bit/s take 8e12 ps, which is below 2^43, as a sixteenth of a link needs; at 15 bit/s a third of
    // 2.56e13.
    let width = ClassPolicy::Width(Width { lanes: 4, thresholds });
    assert_eq!([refused(width.clone(), false, true, rate), refused(width.clone(), false, true, 16)], [None; 2]);
    assert_eq!(refused(width.clone(), true, true, 15), Some("link.bandwidth"));
    assert_eq!([refused(width, true, false, 15), refused(trunk, true, true, 15)], [None; 2]);
}

#[test]
fn runtime_systems() {
    let square = torus(&[4, 4], 1, 1);
    let rules = |overhead| Rules {
        mode: Mode::Basic,
        learn: NonZeroU32::new(2).unwrap(),
        margin: Time::ZERO,
        overhead: Time(overhead),
        slowdown_billionths: 0,
        notification: None,
        detection: Detect::Free,
        balancing: None,
    };
    let commanded = |overhead| ClassPolicy::Runtime(Runtime::new(rules(overhead), &STATES));
    let refused = |second: ClassPolicy, both: bool, workload: &dyn Fn() -> Workload| {
        let mut config = config(&square, 1);
        config.sleep.both = both;
        let policy = ByClass::new(vec![ClassPolicy::StallTimer(Timers::NEVER), commanded(1), second]);
        refused_under(&square, &config, &policy, workload)
    };
    assert_eq!(refused(commanded(1), false, &nothing), None);
    assert_eq!(refused(commanded(2), false, &nothing), Some("power.class"));
    assert_eq!(refused(ClassPolicy::StallTimer(Timers::NEVER), false, &nothing), None, "other classes need no rules");
    assert_eq!(refused(commanded(1), true, &nothing), Some("power.directions"));
    assert_eq!(refused(commanded(1), false, &|| Workload::OpenLoop(traffic(0.1))), Some("power.policy"));
}

#[test]
fn governors() {
    let square = torus(&[4, 4], 1, 1);
    let governed = |bound_billionths, reaction| {
        let rules = GovernorRules { bound_billionths, reaction: Time(reaction), reserve: Time(1) };
        ClassPolicy::Bounded(Bounded { rules, wake: STATES.deep.wake })
    };
    let clock = config(&square, 1).switch.clock.0;
    let refused = |second: ClassPolicy, both: bool, workload: &dyn Fn() -> Workload| {
        let mut config = config(&square, 1);
        config.sleep.both = both;
        let policy = ByClass::new(vec![ClassPolicy::StallTimer(Timers::NEVER), governed(1, clock), second]);
        refused_under(&square, &config, &policy, workload)
    };
    assert_eq!(refused(governed(1, clock), false, &nothing), None);
    assert_eq!(refused(ClassPolicy::StallTimer(Timers::NEVER), false, &nothing), None, "other classes need no rules");
    assert_eq!(refused(governed(2, clock), false, &nothing), Some("power.class"));
    assert_eq!(refused(governed(1, clock), true, &nothing), Some("power.directions"));
    assert_eq!(refused(governed(1, clock), false, &|| Workload::OpenLoop(traffic(0.1))), Some("power.policy"));
    let never = || ClassPolicy::StallTimer(Timers::NEVER);
    let too_fast = ByClass::new(vec![never(), governed(1, clock - 1), never()]);
    assert_eq!(refused_under(&square, &config(&square, 1), &too_fast, nothing), Some("power.policy.reaction"));
}

/// On an ideal network nothing is routed.
#[test]
fn ideal_networks_have_no_routing() {
    let ideal = Ideal { nodes: 3, latency: Time(1), bandwidth: BitRate(1_000_000) };
    let ideal = TopologySpec::Ideal(ideal).build().unwrap();
    let with = |vcs| {
        refused(&ideal, |config| {
            (config.routing, config.switch.vcs) = (RoutingKind::DModK, VirtualChannels::grid(0, vcs));
        })
    };
    assert_eq!([0, 1, 3, 8, 9].map(with), [Some("switch.vcs"), None, None, None, Some("switch.vcs")]);
}

/// At most one message of one flit per node and cycle, at least one in 1e9 cycles or in a 64th of 1e18 ps; windows that
/// end with simulated time; patterns that fit the network.
#[test]
fn open_loop_traffic() {
    let ring = torus(&[4], 1, 1);
    let policy = StallTimer::always_on(2);
    let refused = |clock: u64, traffic: &Traffic| {
        let mut config = config(&ring, 1);
        config.switch.clock = Time(clock);
        config.classes.iter_mut().for_each(|class| class.hop = Time(4 * clock));
        refused_under(&ring, &config, &policy, || Workload::OpenLoop(traffic.clone()))
    };
    let load = |load| refused(1_600, &traffic(load));
    let key = Some("traffic.load");
    assert_eq!([load(1.0), load(1.001), load(1.001e-9), load(0.999e-9), load(0.0)], [None, key, None, key, key]);
    assert_eq!(load(f64::NAN), key);
    // At 10 GB/s, 625,000 flits in 1 ms.
    let slow = |share: f64| refused(1_000_000_000, &traffic(share * 64e9 / 1e18 / 625_000.0));
    assert_eq!([slow(1.001), slow(0.999)], [None, key]);
    let longest = Time::END.0;
    let window =
        |warmup, measure| refused(1_600, &Traffic { warmup: Time(warmup), measure: Time(measure), ..traffic(0.5) });
    assert_eq!(
        [window(5, longest - 5), window(6, longest - 5), window(u64::MAX, 7)],
        [None, Some("traffic.measure"), Some("traffic.measure")]
    );
    let hot = |node| {
        let pattern = Pattern::HotSpot { nodes: vec![node], share: 0.5 };
        refused(1_600, &Traffic { pattern, ..traffic(0.5) })
    };
    assert_eq!([hot(3), hot(4)], [None, Some("traffic.pattern")]);
}
