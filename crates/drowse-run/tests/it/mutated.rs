//! Whatever numbers an experiment or a trace holds, the answer is a result or a message: no panic, no overflow, no end
//! that never comes.
//!
//! Numbers of examples are changed at random. What is truly large is bounded here, so that a case that takes long is a
//! defect: networks by the bytes of their tables, runs by the number of events.

use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, mpsc};
use std::thread;
use std::time::Duration;

use drowse_experiment::machine::thread_cpu_ns;
use drowse_experiment::{Case, Source, Sweep, network_bytes};
use drowse_run::cancel::Cancel;
use drowse_run::error::RunError;
use drowse_run::inputs::{self, Traces};
use drowse_run::request::RunRequest;
use proptest::prelude::*;

use crate::support::root;

/// The largest network that is built.
const MOST_BYTES: u64 = 8 << 20;
/// The longest that a case may take, in CPU time and in passed time; the longest took a tenth of it.
const LONGEST_CPU: Duration = Duration::from_mins(1);
const LONGEST: Duration = Duration::from_mins(5);

/// Runs a case until it ends, or has handled some 200,000 events.
fn run_some(case: &Case) -> Result<(), RunError> {
    let inputs = inputs::open(case, &Traces::default())?;
    drowse_run::check(case, &inputs)?;
    let enough = Cancel::default();
    let events = AtomicU64::new(0);
    let observer = |_, _| {
        if events.fetch_add(1, Ordering::Relaxed) == 3 {
            enough.cancel();
        }
    };
    match (RunRequest { observer: &observer, cancel: enough.clone(), ..RunRequest::new(case) }).run() {
        Err(RunError::Cancelled) => Ok(()),
        ended => ended.map(|_| ()),
    }
}

/// Resolves an experiment and runs some of its first case; returns the message where something is wrong.
fn try_out(path: &Path, text: String) -> Result<(), String> {
    let source = Arc::new(Source::new(path, text, &[]).map_err(|error| error.to_string())?);
    if network_bytes(&source).map_err(|error| error.to_string())? > MOST_BYTES {
        return Ok(());
    }
    let case = match Sweep::new(&source) {
        Ok(sweep) => sweep.case(0),
        Err(error) => Err(error),
    };
    run_some(&case.map_err(|error| error.to_string())?).map_err(|error| error.to_string())
}

/// Does so in a time that is bounded.
fn answers(path: PathBuf, text: String) {
    let (sender, receiver) = mpsc::channel();
    let what = format!("{}:\n{text}", path.display());
    let worker = thread::spawn(move || {
        let start = thread_cpu_ns();
        let answer = try_out(&path, text);
        let taken = thread_cpu_ns().zip(start).map_or(0, |(end, start)| end - start);
        sender.send((answer, Duration::from_nanos(taken)))
    });
    match receiver.recv_timeout(LONGEST) {
        Ok((answer, taken)) => {
            assert!(taken < LONGEST_CPU, "takes {taken:?}: {what}");
            assert!(answer.err().is_none_or(|message| message.len() > 10), "{what}");
        }
        Err(mpsc::RecvTimeoutError::Timeout) => panic!("does not end: {what}"),
        Err(mpsc::RecvTimeoutError::Disconnected) => {
            drop(worker.join());
            panic!("panics: {what}");
        }
    }
}

/// Returns where the numbers of a text are, those in comments left out.
fn numbers(text: &str) -> Vec<Range<usize>> {
    let mut numbers = Vec::new();
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let code = line.split('#').next().unwrap_or_default();
        let mut before = ' ';
        let mut number: Option<usize> = None;
        for (at, c) in code.char_indices().chain([(code.len(), ' ')]) {
            let inside = c.is_ascii_digit() || (number.is_some() && (c == '.' || c == '_'));
            match number {
                None if inside && !before.is_alphanumeric() && before != '_' && before != '-' => number = Some(at),
                Some(begin) if !inside => {
                    numbers.push(start + begin..start + at);
                    number = None;
                }
                _ => {}
            }
            before = c;
        }
        start += line.len();
    }
    numbers
}

/// What becomes of a number.
#[derive(Clone, Debug)]
enum Change {
    To(String),
    Digit(prop::sample::Index, char),
    Insert(prop::sample::Index, char),
    Around(&'static str, &'static str),
}

impl Change {
    fn apply(&self, number: &str) -> String {
        let mut digits: Vec<char> = number.chars().collect();
        match self {
            Change::To(other) => return other.clone(),
            Change::Digit(place, digit) => digits[place.index(number.len())] = *digit,
            Change::Insert(place, digit) => digits.insert(place.index(number.len() + 1), *digit),
            Change::Around(before, after) => return format!("{before}{number}{after}"),
        }
        digits.into_iter().collect()
    }
}

fn change() -> impl Strategy<Value = Change> {
    let edges = "0 1 2 3 7 8 255 256 65535 65536 1000000 4294967295 4294967296 4611686018427387903 \
                 9223372036854775807 18446744073709551615 99999999999999999999 1e9 9e18 1e300 1e-300 1e400 0.0 -0.0 \
                 0.5 0.999999999 1.5 nan inf 0x10 007 1_000 1__0";
    let edges: Vec<String> = edges.split_whitespace().map(str::to_owned).collect();
    let digit = || prop::char::range('0', '9');
    let before = prop::sample::select(vec!["", "-", "+"]);
    let after =
        prop::sample::select(vec!["", "0", "000", "000000", "000000000", "e3", "e-3", "e9", "e300", ".5", "_0"]);
    prop_oneof![
        3 => prop::sample::select(edges).prop_map(Change::To),
        1 => "[0-9]{1,20}".prop_map(Change::To),
        2 => (any::<prop::sample::Index>(), digit()).prop_map(|(place, digit)| Change::Digit(place, digit)),
        2 => (any::<prop::sample::Index>(), digit()).prop_map(|(place, digit)| Change::Insert(place, digit)),
        2 => (before, after).prop_map(|(before, after)| Change::Around(before, after)),
    ]
}

/// Changes of some numbers of a text.
fn changes() -> impl Strategy<Value = Vec<(prop::sample::Index, Change)>> {
    prop::collection::vec((any::<prop::sample::Index>(), change()), 1..4)
}

fn changed(text: &str, changes: &[(prop::sample::Index, Change)]) -> String {
    let mut text = text.to_owned();
    for (which, change) in changes {
        let all = numbers(&text);
        if let Some(place) = (!all.is_empty()).then(|| all[which.index(all.len())].clone()) {
            let number = change.apply(&text[place.clone()]);
            text.replace_range(place, &number);
        }
    }
    text
}

/// The examples in which something runs.
fn examples() -> Vec<PathBuf> {
    let entries = fs::read_dir(root("examples")).unwrap();
    let runs = |path: &PathBuf| {
        path.extension().is_some_and(|ending| ending == "toml") && {
            let text = fs::read_to_string(path).unwrap();
            text.contains("[[job]]") || text.contains("[traffic]")
        }
    };
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).filter(runs).collect();
    paths.sort();
    paths
}

/// A trace with most kinds of operations, for two ranks.
const TRACE: &str = "0 init\n0 compute 100000\n0 sleep 0.001\n0 irecv 1 7 8 0\n0 isend 1 7 100 0\n0 wait 1 0 7\n\
    0 waitall 2\n0 send 1 3 100000 0\n0 sendRecv 8 1 8 1 0 0\n0 barrier\n0 bcast 5000 0 0\n0 reduce 5000 100 1 0\n\
    0 allreduce 20000 10 0\n0 alltoall 100 100 0 0\n0 allgather 10 10 0 0\n0 gather 10 10 0 0 0\n\
    0 scatter 10 10 1 0 0\n0 alltoallv 3 1 2 3 1 2 0 0\n0 gatherv 1 1 2 0 0 0\n0 reducescatter 1 2 5 0\n0 scan 4 5 0\n\
    0 finalize\n";

fn trace() -> String {
    let other = TRACE.replace("irecv 1", "irecv 0").replace("isend 1", "isend 0").replace("wait 1 0", "wait 0 1");
    let other = other.replace("send 1 3 100000 0", "recv 0 3 100000 0").replace("sendRecv 8 1 8 1", "sendRecv 8 0 8 0");
    TRACE.to_owned() + &other.replace("\n0 ", "\n1 ").replacen("0 init", "1 init", 1)
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn numbers_of_examples(which in any::<prop::sample::Index>(), changes in changes()) {
        let examples = examples();
        let path = &examples[which.index(examples.len())];
        answers(path.clone(), changed(&fs::read_to_string(path).unwrap(), &changes));
    }

    #[test]
    fn numbers_of_traces(changes in changes(), speed in change()) {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("a.ti"), changed(&trace(), &changes)).unwrap();
        let speed = speed.apply("10");
        let text = format!("[network]\nkind = \"torus\"\ndims = [2]\n[[job]]\ntrace = \"a.ti\"\nrepeat = 2\n\
            compute.flops_per_second = \"{speed} Gflop/s\"\n");
        answers(folder.path().join("x.toml"), text);
    }
}

#[test]
fn what_is_not_changed_runs() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("a.ti"), trace()).unwrap();
    let text = "[network]\nkind = \"torus\"\ndims = [2]\n[[job]]\ntrace = \"a.ti\"\nrepeat = 2\n";
    assert_eq!(try_out(&folder.path().join("x.toml"), text.into()), Ok(()));
    assert_eq!(numbers("a1 = [4, 0.5] # 9\n\"10_0 us\" x-2\n"), [6..7, 9..12, 19..23]);
    for path in examples() {
        assert_eq!(try_out(&path, fs::read_to_string(&path).unwrap()), Ok(()), "{}", path.display());
    }
}
