//! Tables of what was seen of channels, read back from disk.

use std::collections::{BTreeMap, HashMap};
use std::fs::{self, File};
use std::path::Path;

use drowse_core::measure::ProbeOptions;
use drowse_core::measure::series::IntervalLength;
use drowse_core::model::units::Time;
use drowse_experiment::Case;
use drowse_run::export;
use drowse_run::request::RunRequest;
use drowse_run::threads::Threads;
use drowse_tables::schema::{
    CASES, CHANNELS, IDLE_PAIRS, IDLE_PERIODS, MESSAGE_SIZES, RANK_OPERATIONS, RANKS, Schema, TIMELINE, TIMERS, WAITING,
};
use drowse_tables::{Row, csv};
use tempfile::TempDir;

use crate::support::{NETWORK, TRAFFIC, case};

const ALL: ProbeOptions = ProbeOptions {
    idle_periods: true,
    idle_pairs: true,
    timers: true,
    timeline: true,
    waiting: Some(WINDOW),
    message_sizes: true,
    rank_operations: true,
    rank_waits: true,
    wakes: true,
    power: Some(IntervalLength::OfRun),
};
const TABLES: [&Schema; 7] =
    [&IDLE_PERIODS, &IDLE_PAIRS, &TIMERS, &TIMELINE, &WAITING, &MESSAGE_SIZES, &RANK_OPERATIONS];
/// An eighth of the measured time.
const WINDOW: Time = Time(200_000);
/// Of the traffic of the tests: 100 cycles of warm-up, then 1,000.
const MEASURED: [u64; 2] = [160_000, 1_760_000];

/// A torus under light load, whose links sleep in both states, those of nodes too.
fn sleepy() -> Case {
    let power = "[power]\nchannels = \"all\"\npolicy = { kind = \"stall-timer\", shallow = \"20 ns\", deep = \"100 ns\" }\n\
                 states = { shallow = { enter = \"3 ns\", wake = \"5 ns\" }, deep = { enter = \"30 ns\", wake = \"50 ns\" } }\n";
    case(&format!("{NETWORK}{power}{}", TRAFFIC.replace("0.3", "0.01")))
}

/// Runs a case and its baseline, and writes what was wanted.
fn written(case: &Case, wanted: ProbeOptions, threads: usize) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let always_on = case.always_on();
    let (baseline, threads) = (Some(&always_on), Threads::exactly(threads));
    let outcomes = RunRequest { baseline, probes: wanted, threads, ..RunRequest::new(case) }.run().unwrap();
    export::write(folder.path(), &outcomes.all()).unwrap();
    folder
}

fn read(folder: &Path, schema: &Schema) -> Vec<Row> {
    csv::read(schema, File::open(folder.join(schema.file)).unwrap()).unwrap()
}

/// The case and the channel of a row.
fn channel(row: &Row) -> (String, u64) {
    (row.get("case_id").unwrap().to_string(), integer(row, "channel"))
}

fn integer(row: &Row, name: &str) -> u64 {
    row.get(name).unwrap_or_else(|| panic!("{name} is absent")).to_string().parse().unwrap()
}

/// The rows of the timeline, added up by state, are the residencies of `channels.csv`, also in the baseline.
#[test]
fn the_timeline_adds_up_to_the_residencies() {
    let folder = written(&sleepy(), ALL, 1);
    let mut sums: HashMap<((String, u64), String), u64> = HashMap::new();
    let rows = read(folder.path(), &TIMELINE);
    for (index, row) in rows.iter().enumerate() {
        let next = rows.get(index + 1).filter(|next| channel(next) == channel(row));
        if index == 0 || channel(&rows[index - 1]) != channel(row) {
            assert_eq!(integer(row, "time_ps"), MEASURED[0]);
        }
        let lasts = next.map_or(MEASURED[1], |next| integer(next, "time_ps")) - integer(row, "time_ps");
        *sums.entry((channel(row), row.get("state").unwrap().to_string())).or_default() += lasts;
    }
    let (mut channels, mut asleep) = (0, 0);
    for row in read(folder.path(), &CHANNELS) {
        for state in ["on", "entering", "shallow", "deep", "waking"] {
            let sum = sums.get(&(channel(&row), state.to_owned())).copied().unwrap_or(0);
            assert_eq!(sum, integer(&row, &format!("{state}_ps")), "{:?} {state}", channel(&row));
            asleep += if state == "deep" { sum } else { 0 };
        }
        channels += 1;
    }
    assert!(channels == 2 * (64 + 32) && asleep > 0);
}

#[test]
fn idle_periods_and_pairs_are_the_same_periods() {
    let folder = written(&sleepy(), ALL, 1);
    let (periods, pairs) = (read(folder.path(), &IDLE_PERIODS), read(folder.path(), &IDLE_PAIRS));
    let sum = |rows: &[Row], name: &str| -> u64 { rows.iter().map(|row| integer(row, name)).sum() };
    let mut channels: Vec<_> = periods.iter().map(channel).collect();
    channels.dedup();
    // Every channel idles some time in a thousand cycles, and its last period has no next one.
    assert_eq!(channels.len(), 2 * (64 + 32));
    // Each period that a packet ends makes a pair with the one of its channel before.
    let mut ended: BTreeMap<_, u64> = BTreeMap::new();
    for row in &periods {
        *ended.entry(channel(row)).or_default() += integer(row, "count") - integer(row, "unfinished");
    }
    let expected: u64 = ended.values().map(|count| count.saturating_sub(1)).sum();
    assert_eq!(sum(&pairs, "count"), expected);
    assert!(expected > 0);
    for row in &pairs {
        let (from, count) = (integer(row, "from_ps") as f64, integer(row, "count") as f64);
        let idle = 1e12 * row.number("idle_s").unwrap();
        let most = row.number("to_ps").map_or(f64::INFINITY, |to| to * count);
        assert!(idle > 0.0 && from * count * (1.0 - 1e-9) <= idle && idle <= most * (1.0 + 1e-9), "{idle} ps");
    }
    for row in &periods {
        let (from, count, idle) = (integer(row, "from_ps"), integer(row, "count"), integer(row, "idle_ps"));
        assert!(from * count <= idle && row.number("to_ps").is_none_or(|to| idle as f64 <= to * count as f64));
    }
}

#[test]
fn tables_do_not_depend_on_threads_nor_on_each_other() {
    let text = |folder: &TempDir, schema: &Schema| fs::read_to_string(folder.path().join(schema.file)).unwrap();
    let all = written(&sleepy(), ALL, 1);
    let cut = written(&sleepy(), ALL, 6);
    let none = written(&sleepy(), ProbeOptions::default(), 1);
    for schema in TABLES {
        assert_eq!(text(&all, schema), text(&cut, schema), "{}", schema.file);
        assert!(!none.path().join(schema.file).exists());
    }
    assert_eq!(text(&all, &CHANNELS), text(&none, &CHANNELS), "to look on changes nothing");
    let one = written(&sleepy(), ProbeOptions { timers: true, ..ProbeOptions::default() }, 2);
    assert_eq!(text(&one, &TIMERS), text(&all, &TIMERS));
    assert!(!one.path().join(TIMELINE.file).exists());
}

/// Stall timers do not change; they are told after each period of 1 us or more, of channels that may sleep.
#[test]
fn timers_are_told_after_long_periods() {
    let folder = written(&sleepy(), ALL, 1);
    let timers = read(folder.path(), &TIMERS);
    let periods = read(folder.path(), &IDLE_PERIODS);
    let mine = |rows: &[Row], row: &Row| rows.iter().filter(|other| channel(other) == channel(row)).count() as u64;
    assert!(!timers.is_empty());
    for row in &timers {
        assert_eq!((integer(row, "shallow_ps"), integer(row, "deep_ps")), (20_000, 100_000));
        assert!(integer(row, "period") <= mine(&timers, row));
        let long = periods.iter().filter(|other| channel(other) == channel(row) && integer(other, "from_ps") > 0);
        let ended = |other: &Row| integer(other, "count") - integer(other, "unfinished");
        assert_eq!(long.map(ended).sum::<u64>(), mine(&timers, row));
    }
}

/// Each table names the class of a channel as `channels.csv` does.
#[test]
fn classes_are_those_of_the_channels() {
    let folder = written(&sleepy(), ALL, 1);
    let classes: HashMap<_, _> = read(folder.path(), &CHANNELS)
        .iter()
        .map(|row| (channel(row), row.get("class").unwrap().to_string()))
        .collect();
    assert!(classes.values().any(|class| class == "node") && classes.values().any(|class| class == "dim-1"));
    let mut found = 0;
    for row in TABLES.iter().filter(|&&schema| schema != &IDLE_PAIRS).flat_map(|schema| read(folder.path(), schema)) {
        if let Some(class) = row.get("class") {
            assert_eq!(class.to_string(), classes[&channel(&row)]);
            found += 1;
        }
    }
    assert!(found > 0);
}

/// A busiest window has no less than the mean and no more than the channel can send, nor more than is sent in all.
/// Links that never sleep keep nobody waiting by sleep; those that sleep do.
#[test]
fn waiting_and_the_busiest_window() {
    let folder = written(&sleepy(), ALL, 1);
    let (rows, channels) = (read(folder.path(), &WAITING), read(folder.path(), &CHANNELS));
    assert_eq!(rows.len(), channels.len());
    let cases: Vec<String> = read(folder.path(), &CASES).iter().map(|row| row.text("case_id")).collect();
    let mut asleep = [0, 0];
    for (row, of_channel) in rows.iter().zip(&channels) {
        assert_eq!(channel(row), channel(of_channel));
        let (peak, mean) = (row.number("peak_utilisation").unwrap(), of_channel.number("utilisation").unwrap());
        let windows = (MEASURED[1] - MEASURED[0]) as f64 / WINDOW.0 as f64;
        assert_eq!(integer(row, "peak_window_ps"), WINDOW.0);
        // A packet that began in the measured time may end after it.
        let packet = 8.0 * 1_600.0 / WINDOW.0 as f64;
        assert!(mean - packet / windows <= peak && peak <= 1.0 && peak <= mean * windows + packet, "{peak} {mean}");
        let case = cases.iter().position(|id| *id == row.text("case_id")).unwrap();
        asleep[case] += integer(row, "waiting_asleep_ps");
    }
    assert!(asleep[0] > 0 && asleep[1] == 0, "{asleep:?}");
}

/// What a rank spends by kind of operation sums to its row in `ranks.csv`, and by cause to its waiting.
/// A run of no time, of a rank that sends to no other, has no busiest window.
#[test]
fn no_peak_of_no_time() {
    let job = "[[job]]\napp = { kind = \"all-to-all\", ranks = 1, bytes = \"1 KiB\" }\n";
    let folder = written(&case(&format!("{NETWORK}{job}")), ALL, 1);
    let rows = read(folder.path(), &WAITING);
    assert!(!rows.is_empty());
    assert!(rows.iter().all(|row| row.get("peak_utilisation").is_none() && integer(row, "peak_window_ps") == 0));
}

#[test]
fn operations_sum_to_the_ranks() {
    let power = "[power]\npolicy = { kind = \"stall-timer\", deep = \"1 us\" }\n";
    let job = "[[job]]\napp = { kind = \"milc\", dims = [2, 2, 2, 2], compute = \"20 us\", iterations = 3 }\n";
    let folder = written(&case(&format!("{NETWORK}{power}{job}")), ALL, 1);
    let own = |row: &Row| (row.text("case_id"), integer(row, "rank"));
    let operations = read(folder.path(), &RANK_OPERATIONS);
    let mut waking = 0;
    for rank in read(folder.path(), &RANKS) {
        let mine: Vec<&Row> = operations.iter().filter(|row| own(row) == own(&rank)).collect();
        assert!(mine.len() > 2);
        let times =
            RANKS.columns.iter().map(|column| column.name).filter(|name| RANK_OPERATIONS.column(name).is_some());
        for name in times.filter(|name| name.ends_with("_ps")) {
            assert_eq!(mine.iter().map(|row| integer(row, name)).sum::<u64>(), integer(&rank, name), "{name}");
        }
        let sum = |names: &[&str]| names.iter().map(|name| integer(&rank, &format!("{name}_ps"))).sum::<u64>();
        let waits =
            ["partner_working", "partner_waiting", "network", "memory", "waking"].map(|of| format!("wait_{of}"));
        let waits = sum(&waits.each_ref().map(String::as_str));
        assert_eq!(waits, sum(&["sending", "receiving", "collectives"]));
        assert_eq!(waits + sum(&["running", "overhead"]), integer(&rank, "finish_ps"));
        waking += integer(&rank, "wait_waking_ps");
    }
    assert!(waking > 0);
}

/// The sizes are a division of all messages: counts and latencies sum to those of the case.
#[test]
fn message_sizes_sum_to_the_case() {
    let folder = written(&sleepy(), ALL, 1);
    let sizes = read(folder.path(), &MESSAGE_SIZES);
    for case in read(folder.path(), &CASES) {
        let mine: Vec<&Row> = sizes.iter().filter(|row| row.text("case_id") == case.text("case_id")).collect();
        let figure = |row: &Row, name: &str| row.number(name).unwrap();
        let messages: f64 = mine.iter().map(|row| figure(row, "messages")).sum();
        let sum: f64 = mine.iter().map(|row| figure(row, "messages") * figure(row, "latency.mean_ns")).sum();
        assert!((sum / messages / figure(&case, "latency.message.mean_ns") - 1.0).abs() < 1e-9);
        let most = mine.iter().map(|row| figure(row, "latency.max_ns")).fold(0.0, f64::max);
        assert!((most / figure(&case, "latency.message.max_ns") - 1.0).abs() < 1e-9);
        for row in mine {
            let bytes = figure(row, "bytes") / figure(row, "messages");
            assert!(figure(row, "from_bytes") <= bytes && bytes <= figure(row, "to_bytes"));
            let order = ["p50", "p90", "p99"].map(|name| figure(row, &format!("latency.{name}_ns")));
            assert!(order.is_sorted() && order[2] <= figure(row, "latency.max_ns") * 1.008);
        }
    }
}
