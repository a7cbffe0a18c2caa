//! The figures of a record made by hand, against arithmetic by hand.

use drowse_core::measure::{ChannelRecord, Histogram, OpenLoopRecord, RankRecord, RankTimes, Record, Warning};
use drowse_core::model::units::Time;
use drowse_core::power::runtime::Mode;
use drowse_run::cost::Cost;
use drowse_run::summary::{Summary, summarize};
use drowse_tables::Value;
use drowse_tables::schema::{CASES, ENGINE, JOBS};

use crate::support::system;

const SECOND: u64 = 1_000_000_000_000;

/// Two switches with a node each: channels 0 and 2 join the switches, 1 and 3 lead to the nodes, 4 and 5 from them.
const PAIR: &str = "[network]\nkind = \"torus\"\ndims = [2]\n[power]\npolicy = { kind = \"immediate\" }\n[power.model]\nidle_node = [0.0, 0.5]\n";

/// Returns residencies of the states on to waking, and none of further states.
fn times([on, entering, shallow, deep, waking]: [u64; 5]) -> [Time; 9] {
    [on, entering, shallow, deep, waking, 0, 0, 0, 0].map(Time)
}

/// Channel 0 is deeply asleep half of two seconds and woken once, all others are on; two ranks run 1 s and 0.5 s.
fn record() -> Record {
    let awake = ChannelRecord { residency: times([2 * SECOND, 0, 0, 0, 0]), ..Default::default() };
    let mut channels = vec![awake; 6];
    channels[0].residency = times([SECOND, 0, 0, SECOND, 0]);
    (channels[0].wakes, channels[0].delayed_messages) = (1, 2);
    (channels[0].time_lost, channels[0].flits) = (Time::from_us(6), 1_000);
    let mut latency = Histogram::default();
    latency.add(Time::from_ns(100));
    latency.add(Time::from_ns(300));
    let times = |running| RankTimes { computing: Time(running), ..Default::default() };
    let rank = |running| RankRecord { times: times(running), ..Default::default() };
    Record {
        makespan: Some(Time(2 * SECOND)),
        measured: Time(2 * SECOND),
        packets_injected: 2,
        packets_delivered: 2,
        hops: 4,
        events: 20,
        packet_latency: latency,
        channels,
        ranks: vec![rank(SECOND), rank(SECOND / 2)],
        warnings: vec![Warning::UnmatchedSends { messages: 3 }],
        ..Record::default()
    }
}

fn summary(text: &str, record: &Record) -> Summary {
    let cost = Cost { wall_s: 0.5, cpu_s: Some(0.25), peak_rss_bytes: None, exchanged: None };
    summarize(&system(text), "0123456789abcdef", record, &cost)
}

fn assert_figures(summary: &Summary, expected: &[(&str, f64)]) {
    for (name, expected) in expected {
        let figure = summary.figures.number(name).unwrap_or_else(|| panic!("{name} is absent"));
        assert!((figure - expected).abs() < 1e-12, "{name} is {figure}, not {expected}");
    }
}

/// The oracle bounds what policies save, but for those that hold messages back: these make longer idle periods.
#[test]
fn what_the_oracle_bounds() {
    let coalescing = PAIR.replace("\"immediate\"", "\"coalescing\", frames = 2, timeout = \"1 us\"");
    for (text, bounded) in [(PAIR, true), (&coalescing, false)] {
        let summary = summary(text, &record());
        assert_eq!(summary.figures.get("links.bounded_by_oracle"), Some(&Value::from(bounded)));
    }
}

/// With four lanes between the switches, a link is four ports at each end and draws as much: channel 0 draws 0.55 of
/// its four lanes, channel 2 all, and the links of nodes have a lane each.
#[test]
fn a_link_of_four_lanes_is_four_ports() {
    let wide = format!("{PAIR}[power.watts]\non = 0.5\n[[link]]\nclass = \"dim-0\"\nlanes = 4\n");
    let expected = [
        ("network.ports", 10.0),
        ("network.switch_links", 1.0),
        ("energy.w_ports", (2.0 + 4.0 * 1.55) / 10.0),
        ("energy.links.node", 2.0),
        ("energy.links.switch", 1.55),
        ("energy.links.all", 2.0 * (4.0 + 4.0 * 1.55) / 12.0),
        ("energy.links.switch_j", 2.0 * 0.5 * 4.0 * 1.55),
        ("energy.links.node_j", 2.0 * 0.5 * 4.0),
    ];
    assert_figures(&summary(&wide, &record()), &expected);
}

#[test]
fn links_by_hand() {
    let expected = [
        ("makespan_s", 2.0),
        ("network.links", 3.0),
        ("network.switch_links", 1.0),
        ("network.ports", 4.0),
        ("latency.packet.mean_ns", 200.0),
        ("latency.packet.max_ns", 300.0),
        ("ranks.running_fraction", 0.375),
        ("links.on_fraction", 0.75),
        ("links.deep_fraction", 0.25),
        ("links.by_class.node.on_fraction", 1.0),
        ("links.by_class.dim-0.deep_fraction", 0.25),
        ("links.wakes", 1.0),
        ("links.delayed_messages", 2.0),
        ("links.time_lost_s", 6e-6),
        ("links.time_lost_per_message_ns", 3_000.0),
        ("links.by_class.dim-0.wakes", 1.0),
        ("links.by_class.dim-0.delayed_messages", 2.0),
        ("links.by_class.dim-0.time_lost_s", 6e-6),
        ("links.by_class.node.wakes", 0.0),
        ("links.by_class.node.time_lost_s", 0.0),
    ];
    assert_figures(&summary(PAIR, &record()), &expected);
}

/// Deep sleep draws 0.1, so channel 0 has the mean power 0.55. Ports: (0.55 + 1 + 4/2) / 4 = 0.8875, and with the
/// paper's shares `W_net` = 0.35 + 0.65 * 0.8875 = 0.926875.
#[test]
fn power_and_energy_by_hand() {
    let w_cluster = 0.15 * 0.926_875 + 0.85 * 0.375;
    let expected = [
        ("energy.w_ports", 0.8875),
        ("energy.w_net", 0.926_875),
        ("energy.e_net", 1.853_75),
        ("energy.w_nodes[0.0]", 0.375),
        ("energy.w_nodes[0.5]", 0.6875),
        ("energy.w_cluster[0.0]", w_cluster),
        ("energy.e_cluster[0.0]", 2.0 * w_cluster),
        ("energy.edp_cluster[0.0]", 4.0 * w_cluster),
        ("energy.links.node", 2.0),
        ("energy.links.switch", 1.55),
        ("energy.links.all", 1.85),
        ("energy.edp", 3.7),
    ];
    assert_figures(&summary(PAIR, &record()), &expected);
}

/// Four channels of nodes at 1 W for 2 s; two of switches at 2 W, of which one draws a tenth for 1 s; 1,000 flits of 16
/// B at 1 nJ a bit.
#[test]
fn joules_by_hand() {
    let general = PAIR.replace("[power]", "[power]\nwatts = { on = 2.0, per_bit = 1e-9 }");
    let text = format!("{general}[[power.class]]\nclass = \"node\"\nwatts = {{ on = 1.0 }}\n");
    let switch = 2.0 + 0.2 + 4.0 + 1_000.0 * 128.0 * 1e-9;
    let expected =
        [("energy.links.node_j", 8.0), ("energy.links.switch_j", switch), ("energy.links.all_j", 8.0 + switch)];
    assert_figures(&summary(&text, &record()), &expected);
}

/// Entering and waking draw the power of transitions, here a half. Channel 0 is on for 0.25 s, enters for 0.25 s, is in
/// deep sleep for 1 s at a tenth and wakes for 0.5 s: (0.25 + 0.25 / 2 + 0.1 + 0.5 / 2) / 2 = 0.3625.
#[test]
fn transitions_draw_their_own_power() {
    let text = PAIR.replace("[power]", "[power]\nwatts = { on = 2.0 }\nstates = { transition = 0.5 }");
    let mut record = record();
    let quarter = SECOND / 4;
    record.channels[0].residency = times([quarter, quarter, 0, SECOND, 2 * quarter]);
    let expected = [
        ("energy.w_ports", (0.3625 + 1.0 + 2.0) / 4.0),
        ("energy.links.switch", 1.3625),
        ("energy.links.switch_j", 2.0 * 2.0 * 1.3625),
    ];
    assert_figures(&summary(&text, &record), &expected);
}

/// What is not written is that of the default device: 3.75 W a port, 65 % of it for the link.
#[test]
fn watts_that_are_not_written_are_published_ones() {
    let node = format!("{PAIR}[[power.class]]\nclass = \"node\"\nwatts = {{ on = 1.0 }}\n");
    let switch = 3.75 * 0.65 * (1.1 + 2.0);
    let expected =
        [("energy.links.node_j", 8.0), ("energy.links.switch_j", switch), ("energy.links.all_j", 8.0 + switch)];
    assert_figures(&summary(&node, &record()), &expected);
    let sent = PAIR.replace("[power]", "[power]\nwatts = { per_bit = 1e-9 }");
    assert_figures(&summary(&sent, &record()), &[("energy.links.switch_j", switch + 1_000.0 * 128.0 * 1e-9)]);
}

/// 20 MW for four years of 8,766 h.
#[test]
fn the_cost_of_a_system_by_hand() {
    let text = format!("{PAIR}[cost]\nsystem_power = \"20 MW\"\nprice = 0.125\nyears = 4\n");
    assert_figures(&summary(&text, &record()), &[("cost.links_fraction", 0.072), ("cost.lifetime", 87_660_000.0)]);
    assert_eq!(summary(&text, &record()).figures.get("cost.total"), None, "there is nothing to compare with");
}

#[test]
fn nobody_delayed_has_no_mean() {
    let mut record = record();
    record.channels[0].delayed_messages = 0;
    assert_eq!(summary(PAIR, &record).figures.get("links.time_lost_per_message_ns"), None);
}

#[test]
fn fractions_are_over_the_channels_that_may_sleep() {
    let all = PAIR.replace("[power]", "[power]\nchannels = \"all\"");
    assert_figures(&summary(&all, &record()), &[("links.deep_fraction", 1.0 / 12.0)]);
    let node = PAIR.replace("[power]", "[power]\nchannels = \"node\"");
    assert_figures(&summary(&node, &record()), &[("links.on_fraction", 1.0), ("links.wakes", 0.0)]);
}

#[test]
fn open_loop_has_loads_and_powers_but_no_energy() {
    let mut record = record();
    (record.makespan, record.ranks) = (None, Vec::new());
    record.open_loop = Some(OpenLoopRecord {
        generated_flits: 30,
        delivered_flits: 20,
        capacity_flits: 100.0,
        saturated: true,
        too_short: false,
    });
    let summary = summary(PAIR, &record);
    assert_figures(&summary, &[("load.offered", 0.3), ("load.accepted", 0.2), ("energy.w_ports", 0.8875)]);
    for absent in [
        "makespan_s",
        "energy.e_net",
        "energy.w_nodes[0.0]",
        "energy.links.all",
        "ranks.running_fraction",
        "energy.nodes_j",
        "energy.total_j",
    ] {
        assert_eq!(summary.figures.get(absent), None, "{absent}");
    }
}

#[test]
fn a_run_of_no_time_has_no_shares() {
    let mut record = record();
    (record.makespan, record.measured) = (Some(Time::ZERO), Time::ZERO);
    record.channels.iter_mut().for_each(|channel| channel.residency = times([0; 5]));
    let summary = summary(PAIR, &record);
    assert_eq!(summary.figures.get("links.on_fraction"), None);
    assert!(summary.figures.iter().all(|(_, value)| value.number().is_none_or(f64::is_finite)));
}

/// Every warning says what it does to results.
#[test]
fn every_warning_says_whether_results_suffer() {
    let effect = |warning: &Warning| match warning {
        Warning::Saturated => "latencies depend on the run's length",
        Warning::WindowTooShort { .. } => "too short to tell whether",
        Warning::NotDrained { .. } => "latencies leave them out",
        Warning::UnmatchedSends { .. } => "they took time and energy all the same",
        Warning::UnmatchedReceives { .. } => "they took no time",
        Warning::Stopped { .. } => "had not ended at their limits",
        Warning::NotLearned { .. } => "its links stay on",
        Warning::TurnedDown { to: Mode::On, .. } => "all links stay on",
        Warning::TurnedDown { .. } => "no more schedules",
        Warning::FlowsMeet { .. } => "may take another time",
        Warning::Source(text) => panic!("{text}: sources say it themselves, in their tests"),
    };
    let job = || "cg".to_owned();
    for warning in [
        Warning::Saturated,
        Warning::WindowTooShort { percent: 40 },
        Warning::WindowTooShort { percent: 100 },
        Warning::NotDrained { packets: 3 },
        Warning::UnmatchedSends { messages: 3 },
        Warning::UnmatchedReceives { receives: 3 },
        Warning::Stopped { jobs: 3 },
        Warning::NotLearned { job: job(), iterations: 0 },
        Warning::NotLearned { job: job(), iterations: 1 },
        Warning::TurnedDown { at: Time(1), to: Mode::On },
        Warning::TurnedDown { at: Time(1), to: Mode::Basic },
        Warning::FlowsMeet { shared: 20, behind: 1 },
    ] {
        assert!(warning.to_string().contains(effect(&warning)), "{warning}");
    }
}

#[test]
fn every_key_is_in_the_schema() {
    let summary = summary(PAIR, &record());
    let jobs = summary.job_rows().into_iter().map(|row| (row, &JOBS));
    for (row, schema) in [(summary.case_row(), &CASES), (summary.engine_row(), &ENGINE)].into_iter().chain(jobs) {
        for (name, value) in row.iter() {
            assert_eq!(schema.column(name).map(|column| column.kind), Some(value.kind()), "{name}");
        }
    }
}

#[test]
fn json_nests_and_always_has_warnings() {
    let mut record = record();
    let json = summary(PAIR, &record).to_json();
    assert_eq!(json["energy"]["w_nodes"], serde_json::json!([0.375, 0.6875]));
    assert_eq!(
        json["warnings"],
        serde_json::json!(["3 messages were sent but never received; they took time and energy all the same"])
    );
    assert_eq!(json["engine"]["hops_per_s"], serde_json::json!(16.0));
    record.warnings.clear();
    assert_eq!(summary(PAIR, &record).to_json()["warnings"], serde_json::json!([]));
}

/// A switch alone has links of nodes only: what concerns others has no value, rather than one that is no number.
#[test]
fn a_switch_alone_has_no_figures_of_links_between_switches() {
    let alone = "[network]\nkind = \"tree\"\nk = 2\nn = 1\n[power]\npolicy = { kind = \"immediate\" }\n";
    // Channels 0 and 1 lead to the nodes, 2 and 3 from them.
    let mut record = record();
    record.channels.drain(..2);
    let summary = summary(alone, &record);
    for (name, value) in summary.figures.iter() {
        assert!(value.number().is_none_or(f64::is_finite), "{name} = {value}");
    }
    for absent in ["links.on_fraction", "energy.links.switch"] {
        assert_eq!(summary.figures.get(absent), None, "{absent}");
    }
    // All is of the nodes: two seconds of channels that are on.
    assert_figures(&summary, &[("energy.links.node", 2.0), ("energy.links.all", 2.0), ("energy.w_ports", 1.0)]);
    assert_figures(&summary, &[("links.by_class.node.on_fraction", 1.0)]);
}
