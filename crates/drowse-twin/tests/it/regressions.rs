//! Experiments in which the fast engine once differed from the twin.

use drowse_core::model::config::{Arbitration, SleepSelection, VirtualChannels};
use drowse_core::model::units::{Bytes, Time};
use drowse_core::power::trunk::Off;
use drowse_core::power::{Bound, Learning, Split, Trunk, Width};
use drowse_core::routing::RoutingKind;
use drowse_core::topology::{HyperX, PerDimension, Racks, Ties, TopologySpec, Torus};
use drowse_core::workload::traffic::{Count, Length, Lengths, Pattern};

use crate::equality::check;
use crate::experiments::{Experiment, Load, Rule, Sleep, Speeds, Switch};

/// Returns an experiment with small packets at moderate load. Switch channels of classes with a timer may sleep.
fn experiment(spec: TopologySpec, routing: RoutingKind, vcs: VirtualChannels) -> Experiment {
    Experiment {
        spec,
        routing,
        vcs,
        speeds: Speeds {
            clock: 1_600,
            flit: 4,
            bandwidths: (false, vec![None; 4]),
            latencies: vec![0; 4],
            hops: vec![0; 4],
            nic_latency: 0,
        },
        switch: Switch {
            packet_flits: 1,
            buffer: (1, 2),
            input_speedup: 1,
            pause: None,
            arbitration: Arbitration::RoundRobin,
            request_busy: false,
            packed: false,
            padding: false,
        },
        sleep: Sleep {
            rules: vec![Rule::Timers; 4],
            powers: vec![[50, 50]; 4],
            deepen: vec![None; 4],
            both: false,
            who: (false, true),
            states: vec![[0, 1, 0, 1]; 4],
            timers: vec![(None, None); 4],
            selection: SleepSelection::Awake,
            wake_after: None,
        },
        load: Load {
            pattern: Pattern::Uniform,
            packets: Lengths::packets(1),
            percent: 29,
            include_self: false,
            count: Count::Generated,
            warmup: 0,
            measure: 1_107,
            drain: false,
            seed: 4,
        },
    }
}

/// A packet that ignores sleep selects an output once it has credits, even if they arrive while the output wakes.
#[test]
fn credits_that_come_while_an_output_wakes() {
    let racks = TopologySpec::Racks(Racks { racks: 3, nodes_per_rack: 2, uplinks: 2 });
    let mut case = experiment(racks, RoutingKind::DModK, VirtualChannels::any(2));
    case.speeds.hops[2] = 6_401;
    case.sleep.states[2][1] = 1_601;
    case.sleep.timers[2].0 = Some(0);
    case.sleep.selection = SleepSelection::Blind;
    case.load.pattern = Pattern::Tornado;
    case.load.packets = Lengths::Two { short: Length::Bytes(Bytes(5)), long: Length::Packets(1), share: 0.25 };
    check(&case);
}

/// A packet wakes an output but cannot use it yet, because it would underrun. The output is on for other waiting
/// packets.
#[test]
fn woken_by_one_that_would_underrun() {
    let mesh = TopologySpec::Mesh(Torus::new(vec![2, 2], PerDimension::All(1), 1));
    let mut case = experiment(mesh, RoutingKind::Adaptive, VirtualChannels::grid(1, 1));
    case.speeds.bandwidths.1 = vec![None, Some(3_820_000_000), Some(11_440_000_000), None];
    case.switch.packet_flits = 6;
    case.switch.buffer = (1, 0);
    case.sleep.states[1][3] = 78_401;
    case.sleep.timers[1].0 = Some(0);
    case.load.percent = 44;
    case.load.measure = 300;
    case.load.seed = 837;
    check(&case);
}

/// A packet that requests a busy output requests another once the credits are gone, even if the busy one would
/// underrun.
#[test]
fn room_that_others_take_while_an_output_would_underrun() {
    let trunk = PerDimension::Each(vec![2, 1, 1]);
    let mesh = TopologySpec::Mesh(Torus::new(vec![2, 2, 2], trunk, 1));
    let mut case = experiment(mesh, RoutingKind::Adaptive, VirtualChannels::grid(1, 1));
    case.speeds.flit = 64;
    case.speeds.bandwidths.1 = vec![Some(10_680_000_000), Some(16_430_000_000), None, None];
    case.speeds.latencies = vec![14_278, 0, 0, 1_600];
    case.speeds.hops = vec![0, 0, 0, 41_538];
    case.speeds.nic_latency = 4_379;
    case.switch = Switch { packet_flits: 2, input_speedup: 2, request_busy: true, ..case.switch };
    case.load = Load {
        pattern: Pattern::Permutation,
        percent: 80,
        include_self: true,
        count: Count::Delivered,
        measure: 1_314,
        drain: true,
        seed: 83,
        ..case.load
    };
    check(&case);
}

/// Two read ports of an input port draw equal numbers, and their queues are in the opposite order.
#[test]
fn equal_draws_of_two_read_ports() {
    let torus = TopologySpec::Torus(Torus::new(vec![4, 2], PerDimension::All(1), 3));
    let mut case = experiment(torus, RoutingKind::Adaptive, VirtualChannels::grid(1, 2));
    case.speeds.clock = 1_601;
    case.speeds.flit = 16;
    case.speeds.bandwidths.0 = true;
    case.speeds.latencies = vec![1_600, 1_600, 0, 0];
    case.speeds.hops = vec![12_161, 0, 4_433, 0];
    case.speeds.nic_latency = 8_476;
    case.switch =
        Switch { buffer: (1, 3), input_speedup: 2, arbitration: Arbitration::Random, padding: true, ..case.switch };
    case.sleep.who = (true, false);
    case.sleep.states[0] = [4_929, 4_057, 1, 85_947];
    case.sleep.timers[0].0 = Some(77);
    case.sleep.selection = SleepSelection::Blind;
    case.load.pattern = Pattern::Permutation;
    case.load.percent = 65;
    case.load.warmup = 143;
    case.load.measure = 3_500;
    case.load.seed = 593;
    check(&case);
}

/// Time that a message waits for a coalescing channel before the measured time does not count.
#[test]
fn time_lost_before_the_measured_time() {
    let mesh = TopologySpec::Mesh(Torus::new(vec![2], PerDimension::All(1), 1));
    let mut case = experiment(mesh, RoutingKind::DimensionOrder, VirtualChannels::grid(0, 1));
    case.switch = Switch { packet_flits: 4, buffer: (1, 0), ..case.switch };
    case.sleep.rules[..2].clone_from_slice(&[Rule::Coalescing(5, 88_813), Rule::Coalescing(1, 0)]);
    case.sleep.both = true;
    case.sleep.selection = SleepSelection::Blind;
    case.sleep.who = (true, true);
    case.load = Load {
        pattern: Pattern::Tornado,
        packets: Lengths::One(Length::Bytes(Bytes(63))),
        percent: 16,
        include_self: true,
        count: Count::Delivered,
        warmup: 117,
        measure: 860,
        drain: true,
        seed: 17,
    };
    check(&case);
}

/// A packet that came over a narrow link waits for a wide output, which it would overrun, and this narrows meanwhile.
#[test]
fn an_output_that_narrows_is_available_earlier() {
    let mesh = TopologySpec::Mesh(Torus::new(vec![2, 2], PerDimension::Each(vec![2, 1]), 1));
    let mut case = experiment(mesh, RoutingKind::DimensionOrder, VirtualChannels::grid(0, 1));
    case.switch = Switch { packet_flits: 5, buffer: (2, 0), ..case.switch };
    let lanes = |window, on| {
        let thresholds = Trunk { window: Time(window), on, off: Off::Static(1), backlog: Time::NEVER, steps: 1 };
        Rule::Width(Width { lanes: 2, thresholds })
    };
    case.sleep.rules[1..3].clone_from_slice(&[lanes(800, 7), lanes(72_001, 3)]);
    case.sleep.states[1] = [0, 1, 0, 44_801];
    case.sleep.states[2] = [0, 1, 76_801, 44_801];
    case.load.percent = 6;
    case.load.measure = 300;
    case.load.seed = 288;
    check(&case);
}

/// A message of a node to itself crosses two channels, and so its share of a bound is half.
#[test]
fn messages_to_the_sender() {
    let mesh = TopologySpec::Mesh(Torus::new(vec![2], PerDimension::All(1), 1));
    let mut case = experiment(mesh, RoutingKind::DimensionOrder, VirtualChannels::grid(0, 1));
    case.speeds.clock = 160_000;
    case.switch.buffer = (1, 0);
    let bound = Bound { billionths: 593_014, split: Split::Ratio };
    let learning = Learning { bound, refresh: 2.try_into().unwrap(), correction: false, ..Learning::new(bound) };
    case.sleep.rules[0] = Rule::DynamicFastwake(learning);
    case.sleep.powers[0] = [1, 0];
    case.sleep.states[0] = [0, 10, 0, 14_080];
    case.sleep.who = (true, false);
    case.load = Load { percent: 49, include_self: true, measure: 317, seed: 52, ..case.load };
    check(&case);
}

/// A message that comes to a channel which the other end has woken has not requested it before, whatever others did.
#[test]
fn messages_that_wait_for_the_wake_of_the_other_end() {
    let mesh = TopologySpec::Mesh(Torus::new(vec![3], PerDimension::All(1), 2));
    let mut case = experiment(mesh, RoutingKind::DimensionOrder, VirtualChannels::grid(0, 1));
    case.switch.buffer = (1, 1);
    case.sleep.rules[0] = Rule::Coalescing(5, 0);
    case.sleep.both = true;
    case.sleep.who = (true, true);
    case.sleep.states[..2].copy_from_slice(&[[0, 1, 11_198, 1], [0, 3_201, 0, 1]]);
    case.sleep.timers[1] = (Some(1), None);
    case.load = Load { percent: 2, measure: 1_122, seed: 329, ..case.load };
    check(&case);
}

/// A channel that is woken on its way from shallow to deep sleep, which counts as shallow sleep, goes on counting so.
#[test]
fn woken_on_the_way_to_deep_sleep() {
    let mesh = TopologySpec::Mesh(Torus::new(vec![2], PerDimension::All(1), 1));
    let mut case = experiment(mesh, RoutingKind::DimensionOrder, VirtualChannels::grid(0, 1));
    case.switch = Switch { packet_flits: 10, buffer: (2, 4), ..case.switch };
    case.sleep.who = (true, false);
    case.sleep.deepen[0] = Some((70_685, true));
    case.sleep.states[0] = [4_826, 416, 0, 1];
    case.sleep.timers[0] = (Some(0), Some(105));
    case.load = Load { percent: 16, measure: 1_092, seed: 246, ..case.load };
    check(&case);
}

/// A packet decides on its route once its read port could send it, even if the patience of the packet before it ends
/// while that port sends another.
#[test]
fn patience_of_the_packet_before() {
    let dims = vec![3, 3];
    let hyperx = TopologySpec::HyperX(HyperX { dims, widths: PerDimension::All(2), nodes: 1 });
    let mut case = experiment(hyperx, RoutingKind::Progressive, VirtualChannels::hop(5));
    case.speeds.latencies[0] = 1_600;
    case.speeds.hops[1] = 1_601;
    case.switch = Switch {
        packet_flits: 2,
        buffer: (2, 0),
        input_speedup: 2,
        arbitration: Arbitration::Random,
        packed: true,
        ..case.switch
    };
    case.sleep.who = (true, true);
    case.sleep.states[0] = [0, 1, 64_290, 1];
    case.sleep.timers[..3].copy_from_slice(&[(None, Some(0)), (None, Some(0)), (Some(1_260), None)]);
    case.sleep.states[2] = [80_340, 43_201, 0, 1];
    case.sleep.wake_after = Some(1_601);
    case.load = Load { pattern: Pattern::Complement, percent: 13, measure: 300, drain: true, seed: 38, ..case.load };
    check(&case);
}

/// A message comes to a channel that its link's other end has woken: it waits for it, though it has not asked for it.
#[test]
fn a_message_ends_the_idle_period_of_a_channel_that_the_other_end_has_woken() {
    let torus = Torus { ties: Ties::Direct, ..Torus::new(vec![4], PerDimension::All(1), 3) };
    let mut case = experiment(TopologySpec::Torus(torus), RoutingKind::DimensionOrder, VirtualChannels::grid(0, 4));
    (case.speeds.clock, case.speeds.nic_latency) = (1_601, 7_319);
    case.speeds.latencies = vec![1_600, 4_804, 0, 0];
    case.switch.buffer = (3, 0);
    (case.sleep.both, case.sleep.who) = (true, (true, true));
    case.sleep.states[0] = [0, 689, 0, 1];
    case.sleep.timers[0] = (Some(0), None);
    case.load.pattern = Pattern::Tornado;
    (case.load.percent, case.load.warmup, case.load.measure, case.load.seed) = (12, 97, 631, 625);
    check(&case);
}

/// A port of a trunk that still sends is turned on again: a packet that waits may take it at that very edge.
#[test]
fn a_port_that_has_not_begun_to_sleep_is_free_at_once() {
    let mesh = Torus::new(vec![2, 2], PerDimension::Each(vec![2, 2]), 2);
    let mut case = experiment(TopologySpec::Mesh(mesh), RoutingKind::Adaptive, VirtualChannels::grid(1, 2));
    (case.speeds.clock, case.speeds.flit, case.speeds.hops) = (1_601, 64, vec![0, 40_026, 8_146, 0]);
    case.speeds.bandwidths = (true, vec![Some(29_150_000_000); 4]);
    (case.switch.packet_flits, case.switch.buffer) = (8, (3, 0));
    let rule =
        |window, on, off| Trunk { window: Time(window), on, off: Off::Static(off), backlog: Time(u64::MAX), steps: 1 };
    case.sleep.rules[1] = Rule::Width(Width { lanes: 2, thresholds: rule(58_437, 3, 1) });
    case.sleep.rules[2] = Rule::Trunk(rule(4_200, 9, 1));
    case.sleep.states[1..3].fill([0, 1, 0, 3_203]);
    case.load.pattern = Pattern::Complement;
    (case.load.percent, case.load.measure, case.load.seed) = (40, 579, 286);
    check(&case);
}

/// A packet has requested a busy port, which is then turned off: it requests another at that very edge.
#[test]
fn a_busy_port_that_is_turned_off_is_requested_no_longer() {
    let torus = Torus::new(vec![3, 2, 4], PerDimension::Each(vec![2, 1, 2]), 3);
    let mut case = experiment(TopologySpec::Torus(torus), RoutingKind::Adaptive, VirtualChannels::grid(1, 2));
    (case.speeds.clock, case.speeds.flit, case.speeds.hops) = (1_601, 64, vec![0, 0, 0, 48_031]);
    (case.speeds.latencies[0], case.speeds.bandwidths) = (9_607, (true, vec![Some(3_333_333_333); 4]));
    (case.switch.packet_flits, case.switch.buffer) = (5, (2, 0));
    (case.switch.input_speedup, case.switch.request_busy) = (2, true);
    let rule =
        |window, on, off| Rule::Trunk(Trunk { window: Time(window), on, off, backlog: Time(u64::MAX), steps: 1 });
    case.sleep.rules[1] = rule(800, 3, Off::Static(1));
    case.sleep.rules[2] = rule(800, 2, Off::Static(0));
    case.sleep.rules[3] = rule(39_075, 2, Off::ByPorts(1));
    case.sleep.states[3] = [0, 1, 0, 56_036];
    case.load.pattern = Pattern::Tornado;
    (case.load.percent, case.load.measure, case.load.seed) = (14, 962, 937);
    check(&case);
}

/// Coalesced packets and the other end of the link wake a channel at the same edge: it was told, and tells nobody.
#[test]
fn a_link_woken_from_both_ends_at_once() {
    let (dims, trunk) = (vec![5, 2], PerDimension::All(1));
    let torus = TopologySpec::Torus(Torus { dims, trunk, nodes: 2, rings_of_two: false, ties: Ties::Alternate });
    let mut case = experiment(torus, RoutingKind::DimensionOrder, VirtualChannels::grid(0, 4));
    case.speeds.bandwidths.0 = true;
    case.speeds.latencies = vec![1_600, 12_801, 0, 0];
    case.speeds.nic_latency = 3_994;
    case.switch.buffer = (3, 2);
    case.sleep.rules[0] = Rule::Coalescing(4, 1);
    (case.sleep.both, case.sleep.who) = (true, (true, true));
    case.sleep.timers[2] = (Some(0), None);
    (case.load.pattern, case.load.percent) = (Pattern::Permutation, 27);
    (case.load.measure, case.load.seed) = (424, 111);
    check(&case);
}

/// Packets that are coalesced at a node keep its channel from falling asleep as soon as the other end has woken it.
#[test]
fn coalesced_packets_of_a_node_whose_link_is_woken() {
    let (dims, trunk) = (vec![2, 2, 4], PerDimension::All(1));
    let mesh = TopologySpec::Mesh(Torus { dims, trunk, nodes: 2, rings_of_two: false, ties: Ties::Alternate });
    let mut case = experiment(mesh, RoutingKind::DimensionOrder, VirtualChannels::grid(0, 1));
    (case.speeds.clock, case.speeds.flit) = (1_601, 64);
    case.speeds.bandwidths.1[0] = Some(18_690_000_000);
    (case.speeds.latencies[0], case.speeds.hops[2]) = (1_600, 30_420);
    case.switch = Switch { packet_flits: 3, buffer: (3, 0), arbitration: Arbitration::Random, ..case.switch };
    case.sleep.rules = vec![Rule::Coalescing(3, 307_393), Rule::Timers, Rule::Coalescing(1, 0), Rule::Timers];
    (case.sleep.both, case.sleep.who) = (true, (true, true));
    (case.sleep.states[0][3], case.sleep.timers[1].0) = (714, Some(0));
    case.load.packets = Lengths::Two { short: Length::Bytes(Bytes(0)), long: Length::Bytes(Bytes(0)), share: 0.0 };
    case.load = Load { percent: 2, measure: 853, seed: 583, ..case.load };
    check(&case);
}

/// The other ends of two links wake both that a packet has requested, and these fall asleep again before it is looked at:
/// its patience begins anew.
#[test]
fn all_requested_links_have_slept_again() {
    let spec = TopologySpec::HyperX(HyperX { dims: vec![3, 3], widths: PerDimension::Each(vec![2, 2]), nodes: 1 });
    let mut case = experiment(spec, RoutingKind::Valiant, VirtualChannels::hop(4));
    (case.speeds.flit, case.speeds.bandwidths.0, case.speeds.hops[2]) = (16, true, 25_293);
    case.switch = Switch { packet_flits: 5, buffer: (2, 0), padding: true, ..case.switch };
    let coalescing = [(2, 89_600), (1, 0), (2, 67_201), (1, 0)];
    case.sleep.rules = coalescing.map(|(frames, timeout)| Rule::Coalescing(frames, timeout)).to_vec();
    (case.sleep.both, case.sleep.who) = (true, (true, true));
    (case.sleep.states[1][3], case.sleep.wake_after) = (12_800, Some(0));
    case.load = Load { percent: 22, measure: 300, seed: 663, ..case.load };
    check(&case);
}

/// A packet has chosen a busy output whose virtual channel is told to pause: at the next edge it takes its escape channel,
/// which is free.
#[test]
fn a_busy_output_that_pauses() {
    let mesh = Torus::new(vec![4], PerDimension::Each(vec![2]), 3);
    let mut case = experiment(TopologySpec::Mesh(mesh), RoutingKind::Adaptive, VirtualChannels::grid(1, 1));
    case.speeds.bandwidths.1[0] = Some(1_020_000_000);
    case.switch = Switch { packet_flits: 3, pause: Some((1, 0)), request_busy: true, ..case.switch };
    (case.sleep.both, case.sleep.who) = (true, (true, true));
    case.sleep.states[0] = [0, 1, 146_034, 1];
    case.sleep.timers[0] = (None, Some(0));
    case.load = Load { percent: 25, measure: 300, seed: 186, ..case.load };
    check(&case);
}
