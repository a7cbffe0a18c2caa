//! Timelines for viewers, read back by plain readers of the published grammars: states tile the window and sum to the
//! tables' times, and messages are the job's.

mod chrome;
mod paraver;

use std::collections::HashMap;
use std::fs;
use std::path::Path;

use drowse_core::measure::timeline::Selection;
use drowse_core::model::units::Time;
use drowse_core::power::LinkState;
use drowse_experiment::{Case, load_case};
use drowse_run::files::ResultFiles;
use drowse_run::outcome::Outcome;
use drowse_run::request::RunRequest;
use drowse_run::threads::Threads;
use drowse_run::timeline::{self, TimelineFormat, TimelineOptions};
use drowse_tables::schema::SPANS;
use drowse_tables::{Row, csv};
use tempfile::TempDir;

use crate::support::{NETWORK, TRAFFIC, case, root};

use self::chrome::{Chrome, picoseconds};

const ALL: [TimelineFormat; 3] = [TimelineFormat::Paraver, TimelineFormat::Perfetto, TimelineFormat::Table];

/// Six ranks on three nodes: they compute, send small and large messages within and between nodes, wait for any, and
/// meet in collectives, one of which goes on beside the program.
const PROGRAM: &str = "\
0 init
0 compute 1000000
0 send 1 7 100000
0 isend 2 8 500
0 recv 3 9 200000
0 allreduce 20000 0
0 compute 500000
0 barrier
0 finalize
1 init
1 recv 0 7 100000
1 compute 3000000
1 allreduce 20000 0
1 barrier
1 finalize
2 init
2 compute 4000000
2 irecv 0 8 500
2 compute 200000
2 wait 0 2 8
2 allreduce 20000 0
2 barrier
2 finalize
3 init
3 send 0 9 200000
3 allreduce 20000 0
3 barrier
3 finalize
";

/// A run of a case with its timeline, on disk.
struct Shown {
    folder: TempDir,
    outcome: Outcome,
    notes: Vec<String>,
}

impl Shown {
    fn new(case: &Case, options: &TimelineOptions, threads: usize) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let (timeline, threads) = (Some(options), Threads::exactly(threads));
        let run = RunRequest { timeline, threads, ..RunRequest::new(case) }.run();
        let outcome = run.unwrap_or_else(|error| panic!("{error}")).case;
        let mut files = ResultFiles::begin(folder.path()).unwrap();
        let notes = timeline::write(&mut files, &ALL, &[&outcome]).unwrap();
        files.finish().unwrap();
        Shown { folder, outcome, notes }
    }

    fn text(&self, name: &str) -> String {
        fs::read_to_string(self.folder.path().join(name)).unwrap()
    }

    fn chrome(&self) -> Chrome {
        Chrome::read(&self.text("timeline.perfetto.json"))
    }

    fn table(&self) -> Vec<Row> {
        csv::read(&SPANS, self.text("spans.csv").as_bytes()).unwrap()
    }
}

fn everything() -> TimelineOptions {
    TimelineOptions { window: Time::ZERO..Time::NEVER, selection: Selection::default(), limit: 10_000_000 }
}

fn example(name: &str, set: &[&str]) -> Case {
    let set: Vec<String> = set.iter().map(|&set| set.to_owned()).collect();
    load_case(&root("examples").join(name), &set).unwrap()
}

/// The program above, where only `eager` bytes and less go at once.
fn program(folder: &Path, eager: &str, more: &str) -> Case {
    fs::write(folder.join("program.ti"), PROGRAM).unwrap();
    case(&format!(
        "[network]\nkind = \"torus\"\ndims = [4]\n[node]\ncores = 2\neager_limit = \"{eager}\"\n{more}\n[power]\n\
         policy = {{ kind = \"stall-timer\", shallow = \"300 ns\", deep = \"20 us\" }}\nchannels = \"all\"\n\
         [[job]]\ntrace = '{}'\n",
        folder.join("program.ti").display()
    ))
}

/// The experiments that every law is checked on.
fn experiments(folder: &Path) -> Vec<(&'static str, Case)> {
    let overheads = "overheads = { message = \"1 us\", gap = \"2 us\", byte = \"10 ps\" }";
    let shorter = |name| example(name, &["job.0.app.iterations=3"]);
    vec![
        ("rendezvous", program(folder, "1 KiB", "")),
        ("eager", program(folder, "1 MiB", "")),
        ("overheads", program(folder, "64 KiB", overheads)),
        ("scheduler", shorter("scheduler.toml")),
        ("stencil", shorter("stencil-app.toml")),
        ("runtime", example("runtime.toml", &[])),
        ("traffic", traffic()),
    ]
}

/// Links of four lanes that narrow.
fn narrowing() -> Case {
    let policy = "power.policy={ kind = \"width\", lanes = 4, window = \"20 us\" }";
    example("stencil-app.toml", &[policy, "job.0.app.iterations=2"])
}

/// Light open-loop traffic on links that sleep.
fn traffic() -> Case {
    let power = "[power]\nchannels = \"all\"\npolicy = { kind = \"stall-timer\", shallow = \"20 ns\", deep = \"100 ns\" }\n\
                 states = { shallow = { enter = \"3 ns\", wake = \"5 ns\" }, deep = { enter = \"30 ns\", wake = \"50 ns\" } }\n";
    case(&format!("{NETWORK}{power}{}", TRAFFIC.replace("0.3", "0.01")))
}

/// A time in one state, in picoseconds.
#[derive(Clone, Debug, PartialEq)]
struct Slice {
    from: u64,
    to: u64,
    state: String,
}

/// A message: sender, receiver, when it was called and received, its bytes.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Message {
    from: (String, String),
    to: (String, String),
    times: [u64; 2],
    bytes: u64,
}

/// Whether slices follow each other without gaps from a time to another.
fn tile(slices: &[Slice], from: u64, to: u64) {
    assert_eq!(slices.first().map_or(from, |first| first.from), from);
    assert_eq!(slices.last().map_or(from, |last| last.to), to);
    assert!(slices.iter().all(|slice| slice.from < slice.to));
    assert!(slices.windows(2).all(|pair| pair[0].to == pair[1].from && pair[0].state != pair[1].state), "{slices:?}");
}

fn time_in(slices: &[Slice], state: &str) -> u64 {
    slices.iter().filter(|slice| slice.state == state).map(|slice| slice.to - slice.from).sum()
}

/// States of ranks tile their time and sum to their times by kind; those of links sum to the residencies; the messages
/// are all that ranks have sent.
#[test]
fn timelines_add_up_to_the_tables() {
    let folder = tempfile::tempdir().unwrap();
    let mut used: HashMap<String, u64> = HashMap::new();
    for (name, case) in experiments(folder.path()) {
        let shown = Shown::new(&case, &everything(), 1);
        let (chrome, record) = (shown.chrome(), &shown.outcome.record);
        assert!(shown.notes.is_empty(), "{name}: {:?}", shown.notes);
        let mut first = 0;
        for job in &record.jobs {
            for (rank, of_rank) in (0..job.ranks).zip(&record.ranks[first..]) {
                let slices = &chrome.tracks[&(job.name.clone(), format!("rank {rank}"))];
                tile(slices, job.start.0, of_rank.finish.0);
                let times = &of_rank.times;
                for (state, time) in [
                    ("computing", times.computing),
                    ("busy with messages", times.overhead),
                    ("waiting until sends are complete", times.sending),
                    ("waiting for messages", times.receiving),
                    ("in collectives", times.collectives),
                ] {
                    assert_eq!(time_in(slices, state), time.0, "{name}: {} rank {rank} {state}", job.name);
                    *used.entry(state.into()).or_default() += time.0;
                }
            }
            first += job.ranks as usize;
        }
        let start = if name == "traffic" { 160_000 } else { 0 };
        for ((process, thread), slices) in chrome.tracks.iter().filter(|((process, _), _)| process == "links") {
            let number = thread.strip_prefix("channel ").unwrap().split(':').next().unwrap();
            let channel = &record.channels[number.parse::<usize>().unwrap()];
            tile(slices, start, start + record.measured.0);
            for state in LinkState::ALL {
                let sum = time_in(slices, state.name());
                assert_eq!(sum, channel.time_in(state).0, "{name}: {process} {thread} {}", state.name());
                *used.entry(state.name().into()).or_default() += sum;
            }
        }
        assert_eq!(chrome.tracks.len(), record.channels.len() + record.ranks.len(), "{name}");
        assert_eq!(chrome.messages.len() as u64, record.ranks.iter().map(|rank| rank.messages).sum::<u64>(), "{name}");
        let bytes: u64 = chrome.messages.iter().map(|message| message.bytes).sum();
        assert_eq!(bytes, record.ranks.iter().map(|rank| rank.bytes).sum::<u64>(), "{name}");
    }
    // Every state has been seen, but for those beyond deep sleep, which no link has here.
    used.retain(|state, _| !LinkState::FURTHER.iter().any(|further| further.name() == state));
    assert!(used.len() == 10 && used.values().all(|&time| time > 0), "{used:?}");
}

/// The table has the states and messages that Perfetto shows, row by row.
#[test]
fn the_table_has_what_perfetto_shows() {
    let folder = tempfile::tempdir().unwrap();
    for (name, case) in experiments(folder.path()).into_iter().chain([("width", narrowing())]) {
        let shown = Shown::new(&case, &everything(), 1);
        let (mut chrome, mut lanes) = (shown.chrome(), 0);
        let (mut tracks, mut messages): (HashMap<_, Vec<Slice>>, _) = (HashMap::new(), Vec::new());
        let channel = |number: &str| number.split(':').next().unwrap().to_owned();
        chrome.tracks = chrome.tracks.into_iter().map(|((of, name), slices)| ((of, channel(&name)), slices)).collect();
        for row in shown.table() {
            let time = |column: &str| row.text(column).parse::<u64>().unwrap();
            let rank = |job: &str, rank: &str| (row.text(job), format!("rank {}", row.text(rank)));
            let slice = || Slice { from: time("from_ps"), to: time("to_ps"), state: row.text("state") };
            assert_eq!(row.text("case_id"), shown.outcome.case_id().to_string());
            match row.text("kind").as_str() {
                "rank" => tracks.entry(rank("job", "rank")).or_default().push(slice()),
                "link" => {
                    let track = ("links".to_owned(), format!("channel {}", row.text("channel")));
                    tracks.entry(track).or_default().push(slice());
                }
                "lanes" => {
                    assert!(row.number("lanes") > Some(0.0) && time("from_ps") < time("to_ps"));
                    lanes += 1;
                }
                "message" => messages.push(Message {
                    from: rank("job", "rank"),
                    to: rank("to_job", "to_rank"),
                    times: [time("from_ps"), time("to_ps")],
                    bytes: time("bytes"),
                }),
                other => panic!("{other} is no kind"),
            }
        }
        assert_eq!(tracks, chrome.tracks, "{name}");
        messages.sort();
        chrome.messages.sort();
        assert_eq!((messages, lanes), (chrome.messages, chrome.counters), "{name}");
        assert!(name != "width" || lanes > 0);
    }
}

/// The messages of the program, by hand: who sends, to whom, how much, and when it was called.
#[test]
fn messages_are_those_of_the_program() {
    let folder = tempfile::tempdir().unwrap();
    let shown = Shown::new(&program(folder.path(), "1 KiB", ""), &everything(), 1);
    let chrome = shown.chrome();
    let found: Vec<(&str, &str, u64)> = chrome
        .messages
        .iter()
        .filter(|message| ![20_000, 0].contains(&message.bytes) && message.bytes < 1_000_000)
        .map(|message| (message.from.1.as_str(), message.to.1.as_str(), message.bytes))
        .collect();
    for wanted in [("rank 0", "rank 1", 100_000), ("rank 0", "rank 2", 500), ("rank 3", "rank 0", 200_000)] {
        assert_eq!(found.iter().filter(|&&message| message == wanted).count(), 1, "{wanted:?} of {found:?}");
    }
    let of = |from: &str, bytes| {
        chrome.messages.iter().find(|message| message.from.1 == from && message.bytes == bytes).unwrap().times
    };
    let slices = |rank: &str| chrome.tracks.iter().find(|((_, thread), _)| thread == rank).unwrap().1.clone();
    // Rank 3 sends at once, but its receiver is busy: it waits, and the message is received when that goes on.
    let [called, received] = of("rank 3", 200_000);
    assert_eq!(called, 0);
    assert!(slices("rank 3")[0].state == "waiting until sends are complete" && slices("rank 3")[0].to > 1_000_000);
    assert!(slices("rank 0").iter().any(|slice| slice.to == received && slice.state == "waiting for messages"));
    // Rank 2 computes when its small message comes; it is received when that is over and the receive is posted.
    let [_, received] = of("rank 0", 500);
    assert_eq!(received, slices("rank 2")[0].to.min(received), "posted after the first computation");
    assert!(slices("rank 2")[0].state == "computing" && received > 0);
}

/// A window shows what the whole timeline shows of it.
#[test]
fn a_window_is_a_piece_of_the_whole() {
    let folder = tempfile::tempdir().unwrap();
    for (name, case) in experiments(folder.path()) {
        let whole = Shown::new(&case, &everything(), 1);
        let measured = whole.outcome.record.measured.0;
        let begins = if name == "traffic" { 160_000 } else { 0 };
        let [from, to] = [3, 5].map(|part| begins + measured * part / 7);
        let window = TimelineOptions { window: Time(from)..Time(to), ..everything() };
        let part = Shown::new(&case, &window, 1).chrome();
        let whole = whole.chrome();
        for (place, slices) in &whole.tracks {
            let cut = |slice: &Slice| Slice { from: slice.from.max(from), to: slice.to.min(to), ..slice.clone() };
            let cut: Vec<Slice> = slices.iter().map(cut).filter(|slice| slice.from < slice.to).collect();
            assert_eq!(part.tracks.get(place).unwrap_or(&Vec::new()), &cut, "{name}: {place:?}");
        }
        let within = |message: &&Message| message.times[0] >= from && message.times[1] <= to;
        let mut wanted: Vec<&Message> = whole.messages.iter().filter(within).collect();
        let mut found: Vec<&Message> = part.messages.iter().collect();
        wanted.sort();
        found.sort();
        assert_eq!(found, wanted, "{name}");
        let crosses = |message: &&Message| !within(message) && message.times[0] < to && message.times[1] > from;
        let crossing = part.about["messages_partly_in_window"].as_u64().unwrap();
        // One that is delivered before the window and received in it is not counted.
        assert!(crossing <= whole.messages.iter().filter(crosses).count() as u64, "{name}");
    }
}

/// What is over the limit is counted, and the timeline ends where it would no longer be whole.
#[test]
fn what_is_left_out_is_counted() {
    let folder = tempfile::tempdir().unwrap();
    let case = program(folder.path(), "1 KiB", "");
    let count = |chrome: &Chrome| chrome.messages.len() + chrome.tracks.values().map(Vec::len).sum::<usize>();
    let whole = Shown::new(&case, &everything(), 1).chrome();
    let cut = Shown::new(&case, &TimelineOptions { limit: 0, ..everything() }, 1);
    let part = cut.chrome();
    let end = picoseconds(part.about["to_us"].as_str().unwrap().parse().unwrap());
    let left_out = part.about["records_left_out"].as_u64().unwrap();
    assert!(left_out > 0 && count(&part) as u64 + left_out >= count(&whole) as u64);
    for (place, slices) in &whole.tracks {
        let cut = |slice: &Slice| Slice { to: slice.to.min(end), ..slice.clone() };
        let kept: Vec<Slice> = slices.iter().map(cut).filter(|slice| slice.from < slice.to).collect();
        assert_eq!(part.tracks[place], kept, "{place:?}");
        assert!(kept.len() <= 16, "{place:?}");
    }
    assert!(cut.notes[0].contains(&format!("leaves out {left_out} records")), "{:?}", cut.notes);
    assert!(cut.text("timeline.prv").contains(&format!("records left out: {left_out}")));
}

#[test]
fn only_what_is_selected_is_shown() {
    let case = example("scheduler.toml", &[]);
    let names: Vec<String> = vec!["small-3".into()];
    let selection = Selection { jobs: Some(names), ranks: Some(vec![0..=1, 5..=5]), channels: Some(vec![7..=8]) };
    let shown = Shown::new(&case, &TimelineOptions { selection, ..everything() }, 1).chrome();
    let mut tracks: Vec<String> = shown.tracks.keys().map(|(process, thread)| format!("{process} {thread}")).collect();
    tracks.sort();
    let starts = ["links channel 7: ", "links channel 8: ", "small-3 rank 0", "small-3 rank 1", "small-3 rank 5"];
    assert_eq!(tracks.len(), starts.len(), "{tracks:?}");
    assert!(tracks.iter().zip(starts).all(|(track, start)| track.starts_with(start)), "{tracks:?}");
    assert!(!shown.messages.is_empty() && shown.messages.iter().all(|message| message.from.0 == "small-3"));
    let none = Selection { ranks: Some(Vec::new()), channels: Some(Vec::new()), ..Selection::default() };
    let nothing = Shown::new(&case, &TimelineOptions { selection: none, ..everything() }, 1);
    assert!(nothing.notes[0].contains("shows nothing"), "{:?}", nothing.notes);
}

/// Half the lanes of an idle link go off, and on again.
#[test]
fn lanes_are_shown() {
    let shown = Shown::new(&narrowing(), &everything(), 1);
    let lanes: Vec<String> =
        shown.text("timeline.prv").lines().filter(|line| line.starts_with("2:")).map(str::to_owned).collect();
    assert_eq!(lanes.len(), shown.chrome().counters);
    for on in ["1", "2"] {
        assert!(lanes.iter().any(|line| line.ends_with(&format!(":90000001:{on}"))), "{on} of {lanes:?}");
    }
}

#[test]
fn timelines_do_not_depend_on_threads() {
    let folder = tempfile::tempdir().unwrap();
    for (name, case) in experiments(folder.path()) {
        let plain = RunRequest::new(&case).run().unwrap().case.record;
        for limit in [everything().limit, 2_000] {
            let shown = |threads| Shown::new(&case, &TimelineOptions { limit, ..everything() }, threads);
            let [one, four] = [shown(1), shown(4)];
            for file in ["timeline.prv", "timeline.pcf", "timeline.row", "timeline.perfetto.json"] {
                assert!(one.text(file) == four.text(file), "{name}: {file}");
            }
            assert_eq!(one.notes, four.notes);
            assert_eq!(one.outcome.record.ranks, four.outcome.record.ranks);
            let recorded = one.outcome.record;
            assert_eq!(plain.channels, recorded.channels, "{name}: recording changes nothing");
            assert_eq!(plain.ranks, recorded.ranks, "{name}: recording changes nothing");
        }
    }
}
