//! GOAL schedules: what they become, by hand and in both forms, and what is wrong with others.

use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

use drowse_core::model::units::Time;
use drowse_core::workload::operation::Operation;
use drowse_traces::Trace;
use flate2::read::GzDecoder;
use proptest::prelude::*;

use crate::sample::{COMPUTE, Folder, operations};

const HAND: &str = "\
// Two ranks /* that
num_ranks 2
/* This is
no statement: */ rank 0 {
l1: calc 100
l2: send 8b to 1 tag 5
l3: recv 16b from -1 tag -1 cpu 0 nic 1
l4: calc 7 cpu 1
l2 requires l1
l4 irequires l3
l5: send 4b to 0
l5 requires l3
}
rank 1{
recv 8b from 0 tag 5
a:send 16b to 0
}
";

fn data(name: &str) -> Vec<u8> {
    let path: PathBuf = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(name);
    let mut bytes = Vec::new();
    GzDecoder::new(fs::File::open(path).unwrap()).read_to_end(&mut bytes).unwrap();
    bytes
}

/// Returns the error of a file, after its path.
fn error(bytes: &[u8]) -> String {
    let folder = Folder::new(&[]);
    let path = folder.path().join("x.goal");
    fs::write(&path, bytes).unwrap();
    let error = match Trace::open(&path) {
        Ok(trace) => operations(&mut *trace.operations(COMPUTE)).map(|_| ()).unwrap_err(),
        Err(error) => error.to_string(),
    };
    error.rsplit_once("x.goal:").unwrap().1.to_owned()
}

#[test]
fn statements_become_operations() {
    let folder = Folder::new(&[("x.goal", HAND)]);
    let trace = Trace::open(folder.path().join("x.goal")).unwrap();
    let wait = |request| Operation::Wait { request };
    let first = vec![
        Operation::irecv(None, None, 2),
        Operation::Compute(Time::from_ns(100)),
        Operation::isend(1, 5, 8, 1),
        Operation::Compute(Time::from_ns(7)),
        wait(2),
        Operation::isend(0, 0, 4, 4),
        Operation::WaitAll,
    ];
    let second = vec![Operation::irecv(0, 5, 0), Operation::isend(0, 0, 16, 1), Operation::WaitAll];
    assert_eq!(operations(&mut *trace.operations(COMPUTE)).unwrap(), [first, second]);
    let info = trace.info().unwrap();
    assert_eq!((info.format, info.ranks, info.total_operations()), ("goal", 2, 7));
    assert_eq!((info.messages.count, info.messages.bytes), (3, 28));
    // One calculation is on another processor.
    assert_eq!((info.coverage.simulated, info.coverage.approximations()), (6, 1));
}

/// Rank 0 takes whichever message comes first, and then one of a barrier by its tag: by Schedgen's tags, what takes any
/// leaves those of collectives. If one of these has no receive of its own, all are messages like others.
#[test]
fn receives_of_any_tag_leave_collectives() {
    let program = |barrier: &str| {
        let text = format!(
            "num_ranks 2\nrank 0 {{\na: recv 8b from -1 tag -1\nb: recv 1b from 1 tag {barrier}\nb requires a\n}}\n\
             rank 1 {{\na: send 1b to 0 tag 1000001\nb: send 8b to 0 tag 5\nb requires a\n}}\n"
        );
        let folder = Folder::new(&[("x.goal", &text)]);
        let trace = Trace::open(folder.path().join("x.goal")).unwrap();
        (operations(&mut *trace.operations(COMPUTE)).unwrap(), trace)
    };
    let comms = |program: &[Vec<Operation>]| program.iter().flatten().filter_map(Operation::comm).collect::<Vec<_>>();
    let (apart, trace) = program("1000001");
    assert_eq!(comms(&apart), [0, 1, 1, 0]);
    let info = trace.info().unwrap();
    assert_eq!((info.coverage.simulated, info.coverage.approximations()), (3, 1));
    let warnings = trace.operations(COMPUTE).warnings();
    assert_eq!(warnings, ["1 receives of any tag take no messages of collectives (tags above 1000000), as in MPI"]);
    assert_eq!(trace.check(9).unwrap().first.len(), 0);
    for other in ["-1", "1000002", "5"] {
        let (together, trace) = program(other);
        assert_eq!((comms(&together), trace.info().unwrap().coverage.approximations()), (vec![0; 4], 0), "{other}");
    }
}

/// Both forms of a real schedule are one program; its numbers are those of the text, counted by words.
#[test]
fn text_and_binary_are_the_same() {
    let folder = Folder::new(&[]);
    let open = |name: &str| {
        fs::write(folder.path().join(name), data(name)).unwrap();
        Trace::open(folder.path().join(name)).unwrap()
    };
    let [text, binary] = ["is_16.goal.gz", "is_16.goalbin.gz"].map(open);
    assert_eq!(text.info().unwrap(), binary.info().unwrap());
    let programs = [text, binary].map(|trace| operations(&mut *trace.operations(COMPUTE)).unwrap());
    assert_eq!(programs[0], programs[1]);

    let words = String::from_utf8(data("is_16.goal.gz")).unwrap();
    let of = |kind: &str| words.lines().filter(|line| line.contains(&format!(": {kind} "))).count();
    let all = programs[0].concat();
    let is = |kind: fn(&Operation) -> bool| all.iter().filter(|operation| kind(operation)).count();
    assert_eq!(is(|operation| matches!(operation, Operation::Isend { .. })), of("send"));
    assert_eq!(is(|operation| matches!(operation, Operation::Irecv { .. })), of("recv"));
    assert_eq!(is(|operation| matches!(operation, Operation::Compute(_))), of("calc"));
    assert!(of("send") > 3_000 && of("send") == of("recv"));
}

#[test]
fn what_is_wrong_with_a_text() {
    let of_rank = |statements: &str| format!("num_ranks 2\nrank 0 {{\n{statements}\n}}\nrank 1 {{\n}}\n");
    let wrong = |statements: &str| error(of_rank(statements).as_bytes());
    assert_eq!(wrong("send 8 to 1"), "3: the size is `8`; it must be bytes, such as 8b");
    assert_eq!(wrong("send 8b to 2"), "3: the receiver is 2, but the header names 2, from 0; correct one of them");
    assert_eq!(wrong("a: calc 1\na: calc 2"), "4: `a` is the label of two statements; rename one");
    assert_eq!(wrong("a: calc 1\na requires b"), "4: no statement above is called `b`");
    let circle = wrong("a: calc 1\nb: send 1b to 1\na requires b\nb requires a");
    assert_eq!(circle, "7: a of rank 0 can never start: its dependencies form a circle");
    assert_eq!(wrong("put 8b to 1"), "3: is a statement that only LogGOPSim 2 knows; write it as send, recv or calc");
    assert!(wrong("calc 18446744073709551615").contains("is too large to be simulated"));
    assert!(wrong("go home").starts_with("3: `go home` is no statement"));
    assert!(error(b"num_ranks 0\n").starts_with("1: the number of ranks is `0`"));
    assert!(error(b"num_ranks 2\nrank 1 {\n}\n").starts_with("3: rank 0 of 2 is missing"));
    assert!(error(b"num_ranks 1\nrank 0 {\ncalc 1\n").starts_with("3: rank 0 does not end"));
    assert!(error(b"num_ranks 1\nrank 0 {\n}\nrank 0 {\n}\n").starts_with("4: rank 0 is there twice"));
    assert!(error(b"num_ranks 1\nrank 0 {\n}\n/* and\nso on\n").starts_with("5: a comment `/*` does not end"));
}

/// A binary file that ends early, or that lies of its ranks, places or statements.
#[test]
fn what_is_wrong_with_a_binary_file() {
    let whole = data("is_16.goalbin.gz");
    for end in [8, 13, 14, 200, 300, whole.len() - 1] {
        let error = error(&whole[..end]);
        assert!(error.contains(" at byte ") && error.contains("copy"), "{end} bytes: {error}");
    }
    let with = |at: usize, bytes: &[u8]| {
        let mut changed = whole.clone();
        changed[at..at + bytes.len()].copy_from_slice(bytes);
        error(&changed)
    };
    assert!(with(8, &[0; 4]).contains("0 ranks: the number is from 1 to"));
    assert!(with(14, &u64::MAX.to_le_bytes()).contains("rank 0 is said to lie from byte"));
    assert!(with(22, &(1u64 << 32).to_le_bytes()).contains("the file ends here"));
    // The first rank begins with the number of its statements.
    assert!(with(270, &u32::MAX.to_le_bytes()).contains("it ends before its last statement"));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    /// Damaged files are read or refused; nothing else happens.
    #[test]
    fn damage_is_refused_or_read(
        binary in any::<bool>(),
        cut in prop::option::of(any::<prop::sample::Index>()),
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..6),
    ) {
        let mut bytes = data(if binary { "is_16.goalbin.gz" } else { "is_16.goal.gz" });
        // The first ranks only, which are quickly read.
        if !binary {
            bytes.truncate(20_000);
        }
        for (place, byte) in changes {
            let place = place.index(bytes.len());
            bytes[place] = if binary { byte } else { b"0123456789 \n{}:b-lrs"[usize::from(byte) % 20] };
        }
        if let Some(cut) = cut {
            bytes.truncate(cut.index(bytes.len()));
        }
        let folder = Folder::new(&[]);
        let path = folder.path().join("x.goal");
        fs::write(&path, bytes).unwrap();
        if let Ok(trace) = Trace::open(&path) {
            let _ = operations(&mut *trace.operations(COMPUTE));
        }
    }
}
