//! What experiments resolve to: defaults, and the arithmetic of buffers, hops and classes.

use drowse_core::model::config::{Arbitration, Escape, SwitchModel, VirtualChannels};
use drowse_core::model::units::{BitRate, Bytes, Time};
use drowse_core::power::Timers;
use drowse_core::routing::RoutingKind;
use drowse_core::workload::traffic::{Length, Lengths, Pattern};
use drowse_experiment::{PlacementSpec, SleepingChannels, WorkloadSpec};

use crate::support::{NETWORK, TRAFFIC, case, system};

#[test]
fn defaults_are_the_switch_of_andujar_et_al() {
    let system = system(NETWORK);
    let switch = &system.config.switch;
    assert_eq!((switch.clock, switch.flit.0, switch.packet_flits), (Time(1_600), 16, 8));
    assert_eq!(switch.vcs, VirtualChannels::grid(2, 2));
    assert_eq!(switch.buffer_flits, 256);
    assert_eq!(system.config.routing, RoutingKind::Adaptive);
    assert_eq!(system.network.classes, ["node", "dim-0", "dim-1"]);
    for class in &system.config.classes {
        assert_eq!((class.hop, class.latency), (Time::from_ns(50), Time::from_ns(10)));
        assert_eq!(class.bandwidth, BitRate(80_000_000_000));
    }
    assert_eq!((system.channels, system.cores, system.config.seed), (SleepingChannels::Switch, 1, 1));
    assert_eq!(system.policy.stall_timers().unwrap(), [Timers::NEVER; 3]);
    assert_eq!(system.title, "x");
    assert!(system.model.reference.is_none());
}

#[test]
fn the_preset_of_the_defaults_changes_arbiters_only() {
    let [without, with] =
        [NETWORK.to_owned(), format!("preset = \"andujar-2019\"\n{NETWORK}")].map(|text| system(&text));
    assert_eq!(with.config.switch.arbitration, Arbitration::RoundRobin);
    let fair = SwitchModel { arbitration: Arbitration::LeastRecentlyServed, ..with.config.switch };
    assert_eq!(without.config.switch, fair);
    assert_eq!(without.config.classes, with.config.classes);
    assert_eq!(without.model, with.model);
}

#[test]
fn dimension_order_has_escape_channels_only() {
    let system = system(&format!("{NETWORK}routing = \"dimension-order\"\n"));
    assert_eq!(system.config.switch.vcs, VirtualChannels::grid(0, 2));
    assert_eq!(system.config.switch.buffer_flits, 512);
}

#[test]
fn a_mesh_needs_no_even_number_of_escape_channels() {
    let text = "[network]\nkind = \"mesh\"\ndims = [3, 3]\n[switch]\nvcs = { adaptive = 1, escape = 1 }\n";
    assert_eq!(system(text).config.switch.vcs.total(), 2);
}

#[test]
fn a_bubble_needs_no_even_number_of_escape_channels() {
    let bubble = "[switch]\nescape = \"bubble\"\npadding = true\nvcs = { adaptive = 1, escape = 1 }\n";
    let switch = system(&format!("{NETWORK}{bubble}")).config.switch;
    assert_eq!((switch.escape, switch.vcs), (Escape::Bubble, VirtualChannels::grid(1, 1)));
    assert_eq!(system(NETWORK).config.switch.escape, Escape::Dateline);
}

#[test]
fn only_channels_that_may_sleep_have_states_and_timers() {
    let power = "[power]\npolicy = { kind = \"stall-timer\", deep = \"50 us\" }\n";
    let sleeping = |channels: &str| {
        let system = system(&format!("{NETWORK}{power}channels = \"{channels}\"\n"));
        let states: Vec<bool> = system.config.classes.iter().map(|class| class.states.is_some()).collect();
        let timers: Vec<bool> =
            system.policy.stall_timers().unwrap().iter().map(|&timers| timers != Timers::NEVER).collect();
        assert_eq!(states, timers);
        states
    };
    assert_eq!(sleeping("switch"), [false, true, true]);
    assert_eq!(sleeping("node"), [true, false, false]);
    assert_eq!(sleeping("all"), [true, true, true]);
}

#[test]
fn a_class_overrides_policy_and_states() {
    let text = format!(
        "{NETWORK}[power]
        policy = {{ kind = \"stall-timer\", deep = \"50 us\" }}
        states.deep.wake = \"1 us\"
        [[power.class]]
        class = \"dim-1\"
        policy = {{ kind = \"stall-timer\", shallow = \"1 us\" }}
        states.shallow.power = 0.5\n"
    );
    let system = system(&text);
    assert_eq!(system.policy.stall_timers().unwrap()[1], Timers { shallow: Time::NEVER, deep: Time::from_us(50) });
    assert_eq!(system.policy.stall_timers().unwrap()[2], Timers { shallow: Time::from_us(1), deep: Time::NEVER });
    let states = system.config.classes[2].states.unwrap();
    assert!((states.shallow.power - 0.5).abs() < f64::EPSILON, "its own");
    assert_eq!(states.deep.wake, Time::from_us(1), "what it does not override stays");
}

#[test]
fn links_may_differ_by_class_and_be_given_in_cycles() {
    let text = format!(
        "{NETWORK}[[link]]
        bandwidth = \"5 GB/s\"
        hop_latency = \"20 cycles\"
        [[link]]
        class = \"dim-1\"
        latency = \"2 cycles\"
        hop_latency = \"40 ns\"\n"
    );
    let classes = system(&text).config.classes;
    assert_eq!(classes.iter().map(|class| class.hop.0).collect::<Vec<_>>(), [32_000, 32_000, 40_000]);
    assert_eq!(classes.iter().map(|class| class.latency.0).collect::<Vec<_>>(), [10_000, 10_000, 3_200]);
    assert!(classes.iter().all(|class| class.bandwidth == BitRate(40_000_000_000)));
}

#[test]
fn windows_are_cycles_of_the_clock() {
    let WorkloadSpec::Traffic(traffic) = case(&format!("{NETWORK}{TRAFFIC}")).workload else { panic!("traffic") };
    assert_eq!((traffic.warmup, traffic.measure), (Time(160_000), Time(1_600_000)));
    assert!(traffic.drain && !traffic.include_self);
}

#[test]
fn patterns_are_words_or_tables() {
    let pattern = |written: &str| {
        let case = case(&format!("{NETWORK}{TRAFFIC}pattern = {written}\n"));
        let WorkloadSpec::Traffic(traffic) = case.workload else { panic!("traffic") };
        traffic.pattern
    };
    let words = [
        ("uniform", Pattern::Uniform),
        ("transpose", Pattern::Transpose),
        ("complement", Pattern::Complement),
        ("bit-reversal", Pattern::BitReversal),
        ("shuffle", Pattern::Shuffle),
        ("bit-rotation", Pattern::BitRotation),
        ("tornado", Pattern::Tornado),
        ("neighbour", Pattern::Neighbour),
        ("permutation", Pattern::Permutation),
    ];
    for (word, expected) in words {
        assert_eq!(pattern(&format!("\"{word}\"")), expected);
        assert_eq!(pattern(&format!("{{ kind = \"{word}\" }}")), expected);
    }
    let hot = pattern("{ kind = \"hot-spot\", nodes = [0, 5], share = 0.2 }");
    assert_eq!(hot, Pattern::HotSpot { nodes: vec![0, 5], share: 0.2 });
}

#[test]
fn messages_have_one_or_two_lengths() {
    let lengths = |written: &str| {
        let case = case(&format!("{NETWORK}{TRAFFIC}packets = {written}\n"));
        let WorkloadSpec::Traffic(traffic) = case.workload else { panic!("traffic") };
        traffic.packets
    };
    let (flit, four) = (Length::Bytes(Bytes(16)), Length::Packets(4));
    assert_eq!(lengths("4"), Lengths::One(four));
    assert_eq!(lengths("\"16 B\""), Lengths::One(flit));
    let two = lengths("{ short = \"16 B\", long = 4, share = 0.1 }");
    assert_eq!(two, Lengths::Two { short: flit, long: four, share: 0.1 });
    let WorkloadSpec::Traffic(traffic) = case(&format!("{NETWORK}{TRAFFIC}")).workload else { panic!("traffic") };
    assert_eq!(traffic.packets, Lengths::packets(1));
}

#[test]
fn copies_and_repetitions() {
    let text = format!(
        "seed = 5\n{NETWORK}[[job]]\ntrace = \"a\"\ncount = 2\nrepeat = 3\nplacement = \"random\"
        [[job]]\ntrace = \"x/a\"\nplacement = \"random\"\nseed = 7\n[[job]]\ntrace = \"a\"\nplacement = \"round-robin\"\n"
    );
    let WorkloadSpec::Jobs(jobs) = case(&text).workload else { panic!("jobs") };
    assert_eq!(jobs.iter().map(|job| job.name.as_str()).collect::<Vec<_>>(), ["a-1", "a-2", "a", "a-3"]);
    assert_eq!(jobs.iter().map(|job| job.repeat.times()).collect::<Vec<_>>(), [3, 3, 1, 1]);
    let placements: Vec<_> = jobs.iter().map(|job| job.placement.clone()).collect();
    let (random, round_robin) = (PlacementSpec::Random, PlacementSpec::RoundRobin);
    assert_eq!(placements, [random(5), random(5), random(7), round_robin]);
}

#[test]
fn jobs_have_the_name_of_their_trace() {
    let text = format!(
        "{NETWORK}[[job]]\ntrace = \"traces/cg.tar\"\n[[job]]\nname = \"second\"\ntrace = \"a\"\nstart = \"1 ms\"\n"
    );
    let WorkloadSpec::Jobs(jobs) = case(&text).workload else { panic!("jobs") };
    assert_eq!(jobs.iter().map(|job| job.name.as_str()).collect::<Vec<_>>(), ["cg.tar", "second"]);
    assert_eq!(jobs[1].start, Time::from_us(1_000));
}
