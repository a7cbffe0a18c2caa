//! Paraver traces: what records become, what is refused, and the same run as other formats tell it.

use drowse_core::model::units::Time;
use drowse_core::workload::communicators::ALL;
use drowse_core::workload::operation::{Collective, Operation, SendMode};
use drowse_traces::{Computing, Trace, TraceInfo};
use insta::assert_snapshot;
use proptest::prelude::*;

use crate::sample::{COMPUTE, Folder, data, operations};

type Program = Vec<Vec<Operation>>;

fn read(text: &str) -> Result<(Program, TraceInfo), String> {
    let folder = Folder::new(&[("a.prv", text)]);
    let trace = Trace::open(folder.path().join("a.prv")).map_err(|error| folder.message(&error))?;
    let mut info = trace.info().map_err(|error| folder.message(&error))?;
    info.warnings = info.warnings.iter().map(|warning| folder.message(warning)).collect();
    Ok((operations(&mut *trace.operations(COMPUTE)).map_err(|error| folder.message(&error))?, info))
}

const HEADER: &str =
    "#Paraver (20/11/2026 at 21:35):9000_ns:1(2):1:2(1:1,1:1),2\n# a comment\nc:1:1:2:1:2\nc:1:2:1:2\n";

/// Sends of four kinds; a blocking and two posted receives, of which one is waited for with another at once.
#[test]
fn calls_and_messages() {
    let text = "1:1:1:1:1:0:100:1\n2:1:1:1:1:0:40000001:1\n\
        2:1:1:1:1:100:50000001:1\n3:1:1:1:1:100:150:2:1:2:1:50:160:8:7\n2:1:1:1:1:150:50000001:0\n\
        2:1:1:1:1:150:50000001:3\n3:1:1:1:1:150:160:2:1:2:1:30:400:9:7\n2:1:1:1:1:160:50000001:0\n\
        2:1:1:1:1:200:50000001:34\n3:1:1:1:1:200:300:2:1:2:1:40:400:10:8\n2:1:1:1:1:300:50000001:0\n\
        2:2:1:2:1:30:50000001:4\n2:2:1:2:1:32:50000001:0\n2:2:1:2:1:40:50000001:4\n2:2:1:2:1:41:50000001:0\n\
        2:2:1:2:1:50:50000001:2\n2:2:1:2:1:160:50000001:0\n2:2:1:2:1:350:50000001:6\n2:2:1:2:1:400:50000001:0\n\
        2:2:1:2:1:410:50000003:32\n2:2:1:2:1:420:50000003:0\n";
    let (ranks, info) = read(&format!("{HEADER}{text}")).unwrap();
    let ns = |time| Operation::Compute(Time::from_ns(time));
    let (to, comm, wait) = (1, ALL, |request| Operation::Wait { request });
    assert_eq!(
        ranks[0],
        [
            ns(100),
            Operation::send(1, 7, 8),
            Operation::Isend { to, tag: 7, comm, mode: SendMode::Standard, bytes: 9, request: None },
            ns(40),
            Operation::Send { to, tag: 8, comm, mode: SendMode::Synchronous, bytes: 10 },
        ]
    );
    assert_eq!(
        ranks[1],
        [
            ns(30),
            Operation::irecv(0, 7, 0),
            ns(8),
            Operation::irecv(0, 8, 1),
            ns(9),
            Operation::recv(0, 7),
            ns(190),
            wait(0),
            wait(1),
            ns(10),
        ]
    );
    assert_eq!((info.format, info.messages.count, info.messages.bytes), ("paraver", 3, 27));
    assert_eq!((info.compute, info.total_operations()), (Computing::Picoseconds(387_000), 21));
    assert_eq!((info.coverage.simulated, info.warnings), (21, Vec::<String>::new()));
}

/// An exchange is a posted receive, a send, and a wait. Times may be microseconds.
#[test]
fn send_and_receive_at_once() {
    let header = HEADER.replace("_ns", "");
    let text = "2:1:1:1:1:5:50000001:41\n2:2:1:2:1:6:50000001:41\n3:1:1:1:1:5:6:2:1:2:1:6:9:8:1\n3:2:1:2:1:6:7:1:1:1:1:5:8:4:2\n\
                2:1:1:1:1:8:50000001:0\n2:2:1:2:1:9:50000001:0\n";
    let (ranks, _) = read(&format!("{header}{text}")).unwrap();
    let first = [
        Operation::Compute(Time::from_us(5)),
        Operation::irecv(1, 2, 0),
        Operation::send(1, 1, 8),
        Operation::Wait { request: 0 },
    ];
    assert_eq!(ranks[0], first);
}

#[test]
fn collectives() {
    let of = |value: u32, parts: [(u8, u64, u64); 2]| {
        let lines: String = (1..)
            .zip(parts)
            .map(|(task, (root, sends, receives))| {
                let root = if root > 0 { ":50100003:1" } else { "" };
                format!(
                    "2:1:1:{task}:1:5:50000002:{value}:50100001:{sends}:50100002:{receives}:50100004:1{root}\n\
                         2:1:1:{task}:1:5:50000002:0\n"
                )
            })
            .collect();
        let (ranks, _) = read(&format!("{HEADER}{lines}")).unwrap();
        assert_eq!(ranks[0].len(), 2);
        match &ranks[1][..] {
            [_, Operation::Collective { comm: ALL, collective }] => collective.clone(),
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(of(8, [(0, 0, 0); 2]), Collective::Barrier);
    assert_eq!(of(7, [(0, 0, 9), (1, 9, 0)]), Collective::Bcast { root: 1, bytes: 9, count: 9 });
    assert_eq!(of(14, [(1, 5, 11), (0, 6, 0)]), Collective::Gatherv { root: 0, bytes: [5, 6].into() });
    assert_eq!(of(11, [(0, 4, 8); 2]), Collective::Alltoall { bytes: 4 });
    assert_eq!(of(12, [(0, 4, 8); 2]), Collective::Alltoallv { bytes: [2, 2].into() });
}

/// A trace that is cut at a time, or has several applications, says so.
#[test]
fn cut_traces() {
    let header = HEADER.replace(":1:2(1:1,1:1),2", ":2:2(1:1,1:1):1(2:1),2");
    let text = "2:1:1:1:1:3:50000001:0\n3:1:1:1:1:1:2:2:1:2:1:2:3:8:7\n1:1:2:1:1:0:9:1\n2:1:2:1:1:4:50000001:1\n2:2:1:2:1:5:50000002:8\n";
    let (ranks, info) = read(&format!("{header}{text}")).unwrap();
    assert_eq!(ranks[0].len(), 2);
    assert_snapshot!(info.warnings.join("\n"), @r"
    2 records of other applications than the first are left out
    2 ends of messages are in no call, as where a trace is cut: they are taken as immediate
    a.prv:9: task 1 calls barrier, but only 1 tasks of the communicator do: the trace is cut off, or the communicator is wrong; copy it again
    ");
    assert!(info.check_simulable().unwrap_err().to_string().contains("a.prv:9: task 1 calls barrier"));
    let other = read(&format!("{HEADER}2:1:1:1:1:3:50000002:77\n2:1:1:1:2:4:50000001:1\n")).unwrap().1;
    assert_snapshot!(other.not_simulated.iter().map(|one| format!("{}: {}", one.action, one.obstacle)).collect::<Vec<_>>().join("\n"), @r"
    collective 77: it is not known which collective has this number
    thread: threads other than the first of their task call MPI, and only the first is simulated
    ");
}

/// Calls of which the trace holds no message do nothing, and are said.
#[test]
fn calls_without_their_message() {
    let text = "2:1:1:1:1:10000:50000001:1\n2:1:1:1:1:12000:50000001:0\n2:1:1:1:1:13000:50000001:41\n\
        2:1:1:1:1:14000:50000001:0\n2:2:1:2:1:5000:50000001:2\n2:2:1:2:1:15000:50000001:0\n\
        2:2:1:2:1:16000:50000001:5\n2:2:1:2:1:17000:50000001:0\n";
    let (ranks, info) = read(&format!("{HEADER}{text}")).unwrap();
    assert_eq!(ranks[0], [10, 1].map(|time| Operation::Compute(Time::from_us(time))));
    assert_eq!((info.coverage.omissions(), info.coverage.simulated), (4, 4));
    assert_snapshot!(info.warnings.join("\n"), @r"
    1 calls of MPI_Send have no message in the trace (not recorded, or with MPI_PROC_NULL): they are left out
    1 calls of MPI_Recv have no message in the trace (not recorded, or with MPI_PROC_NULL): they are left out
    2 calls of MPI_Sendrecv have no message in the trace (not recorded, or with MPI_PROC_NULL): they are left out
    ");
}

/// Extrae writes the end of MPI_Irecv as the begin of its receive, also where the next call begins at that time.
#[test]
fn posted_receives_begin_where_their_call_ends() {
    let text = "2:1:1:1:1:1:50000001:1\n3:1:1:1:1:1:2:2:1:2:1:12:30:8:7\n3:1:1:1:1:1:2:2:1:2:1:14:30:8:8\n\
        2:2:1:2:1:10:50000001:4\n2:2:1:2:1:12:50000001:0\n2:2:1:2:1:12:50000001:4\n2:2:1:2:1:14:50000001:0\n\
        2:2:1:2:1:20:50000001:6\n2:2:1:2:1:30:50000001:0\n";
    let (ranks, info) = read(&format!("{HEADER}{text}")).unwrap();
    let ns = |time| Operation::Compute(Time::from_ns(time));
    let [first, second] = [0, 1].map(|request| Operation::Wait { request });
    assert_eq!(ranks[1], [ns(10), Operation::irecv(0, 7, 0), Operation::irecv(0, 8, 1), ns(6), first, second]);
    assert_eq!(info.warnings, Vec::<String>::new());
}

/// What comes after the last call is computing: until the last event, the end of the last state that runs, or the
/// event that ends the rank.
#[test]
fn computing_behind_the_last_call() {
    let call = "2:1:1:1:1:10000:50000003:19\n2:1:1:1:1:12000:50000003:0\n";
    let us = |text: &str| match read(&format!("{HEADER}{call}{text}")).unwrap().1.compute {
        Computing::Picoseconds(time) => time / 1_000_000,
        Computing::Flops(_) => panic!("time is computed"),
    };
    assert_eq!(us(""), 10);
    assert_eq!(us("2:1:1:1:1:90000:99:1\n"), 88);
    assert_eq!(us("1:1:1:1:1:12000:50000:1\n1:1:1:1:1:50000:90000:0\n"), 48);
    assert_eq!(us("2:1:1:1:1:40000:40000001:0\n2:1:1:1:1:90000:99:1\n"), 38);
    // Another thread, and another event of the call.
    assert_eq!(us("2:1:1:1:2:90000:99:1\n1:1:1:1:2:0:90000:1\n"), 10);
}

/// Tasks run, by their states and counters, and call no MPI. The other application's records are left out.
#[test]
fn tasks_that_call_no_mpi() {
    let header = HEADER.replace(":1:2(1:1,1:1),2", ":2:3(1:1,1:1,1:1):1(1:1),2");
    let text = "1:1:1:1:1:2500:150000000:1\n2:1:1:1:1:2500:42000050:0\n2:1:1:1:1:2500:50000001:0:42000050:5996\n\
        1:2:1:2:1:0:1000:1\n1:2:1:2:1:1000:5000:0\n1:2:1:2:1:5000:148500000:1\n\
        2:3:1:3:1:7000:42000050:9\n2:3:2:1:1:1000000:220:80000\n";
    let (ranks, info) = read(&format!("{header}{text}")).unwrap();
    let ran = |nanoseconds| vec![Operation::Compute(Time::from_ns(nanoseconds))];
    assert_eq!(ranks, [ran(150_000_000 - 2_500), ran(1_000 + 148_500_000 - 5_000), ran(7_000)]);
    assert_snapshot!(info.warnings.join("\n"), @r"
    1 records of other applications than the first are left out
    3 tasks call no MPI: they compute as long as they run
    ");
    let silent = read("#Paraver (20/11/2026 at 21:35):9000_ns:1(2):1:2(1:1,1:1),2\n").unwrap().1;
    assert_snapshot!(silent.warnings.join("\n"), @"2 tasks have no records: they do nothing");
}

/// One-sided communication is left out, and files take their time.
#[test]
fn calls_of_other_kinds() {
    let text = "2:1:1:1:1:10:50000004:65\n2:1:1:1:1:20:50000004:0\n2:1:1:1:1:30:50000005:143\n\
        2:1:1:1:1:40:50000005:0\n";
    let (ranks, info) = read(&format!("{HEADER}{text}")).unwrap();
    assert_eq!(ranks[0], [10, 20].map(|time| Operation::Compute(Time::from_ns(time))));
    assert_snapshot!(info.warnings.join("\n"), @r"
    1 events of one-sided communication (MPI_Put, MPI_Win_fence, ...) are left out
    1 events of files (MPI_File_read, ...) have no effect: their calls count as computing
    1 tasks have no records: they do nothing
    ");
}

#[test]
fn wrong_files() {
    let of = |line: &str| read(&format!("{HEADER}2:1:1:1:1:7:50000001:1\n{line}\n")).unwrap_err();
    assert_snapshot!(of("1:1:1:1:1:5"), @"a.prv:6: lacks the time; the line is cut off or not of a Paraver trace: copy it again");
    assert_snapshot!(read(&HEADER.replace('\n', "\r")).unwrap_err(), @r"a.prv:1: ends with a carriage return alone, as on old machines; write line ends anew: `tr '\r' '\n'`");
    assert_snapshot!(of("4:1"), @"a.prv:6: is no record of a Paraver trace: these begin with 1 (state), 2 (events) or 3 (message)");
    assert_snapshot!(of("2:1:1:3:1:7:50000001:0"), @"a.prv:6: names task 3, but the header has 2, from 1; correct one of them");
    assert_snapshot!(of("2:1:2:1:1:7:50000001:0"), @"a.prv:6: names application 2, but the header has 1, from 1; correct one of them");
    assert_snapshot!(of("2:1:1:1:1:7:50000001"), @"a.prv:6: lacks the value of an event; the line is cut off or not of a Paraver trace: copy it again");
    assert_snapshot!(of("2:1:1:1:1:6:50000001:0"), @"a.prv:6: ends a call before it begins; copy the file again");
    assert_snapshot!(of("2:1:1:1:1:6:50000001:1"), @"a.prv:6: begins a call before the one above it: a trace is in order of time; sort it");
    assert_snapshot!(of("3:1:1:1:1:1:2:2:1:2:1:2:3:99999999999:7"), @"a.prv:6: 99999999999 B are sent at once, and the most is 34359738368 B (32 GiB); check the count and the datatype");
    assert_snapshot!(of("3:1:1:1:1:99999999999999999999:2"), @"a.prv:6: the time is `99999999999999999999`; it must be a whole number that is not negative");
    assert_snapshot!(of("2:1:1:1:1:99999999999999999:50000001:0"), @"a.prv:6: the time is too large to be simulated; check the count and the compute rate");
    assert_snapshot!(of("c:1:3:2:1"), @"a.prv:6: names a size of 2 and lists 1 tasks; correct one of them");
    assert_snapshot!(of("2:1:1:1:1:8:50000002:8:50100004:9"), @"a.prv:6: names communicator 9, which no line `c:1:9:...` gives to its task; correct the id, or copy the file again");
    assert_snapshot!(read("#Paraver (20/11/2026 at 21:35):9000_ns:1(2):1:3(1:1,1:1),2\n").unwrap_err(), @"a.prv:1: names 3 tasks and the threads of 2; a header is `#Paraver (date):time_ns:nodes(processors):applications:tasks(threads:node,...)`");
}

/// What a rank does, without times, and without the barrier that `prv2dim` writes for MPI_Init.
fn told(path: &std::path::Path) -> (Vec<Vec<String>>, u128) {
    let trace = Trace::open(path).unwrap();
    let mut source = trace.operations(COMPUTE);
    let mut computed = 0;
    let program = operations(&mut *source).unwrap();
    let words = |operation: &Operation| match operation {
        Operation::Compute(time) => {
            computed += u128::from(time.0);
            None
        }
        Operation::Send { to, bytes, .. } => Some(format!("send {to} {bytes}")),
        Operation::Isend { to, bytes, .. } => Some(format!("isend {to} {bytes}")),
        Operation::Recv { from, .. } => Some(format!("recv {from:?}")),
        Operation::Irecv { from, .. } => Some(format!("irecv {from:?}")),
        Operation::Wait { .. } => Some("wait".to_owned()),
        Operation::Collective { collective: Collective::Barrier, .. } => None,
        Operation::Collective { collective, .. } => Some(format!("{collective:?}")),
        other => panic!("{other:?}"),
    };
    let mut words = words;
    (program.iter().map(|rank| rank.iter().filter_map(&mut words).collect()).collect(), computed)
}

/// One run, recorded by Extrae and translated by prv2dim: the same operations, and the same computing.
#[test]
fn paraver_and_dimemas_tell_the_same() {
    let (paraver, dimemas) = (told(&data("is_16.prv.gz")), told(&data("is_16.dim.gz")));
    assert_eq!(paraver.0, dimemas.0);
    assert_eq!(paraver.1, dimemas.1);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn damaged_texts_do_not_panic(changes in prop::collection::vec((0_usize..600, any::<u8>()), 1..8)) {
        let text = format!("{HEADER}2:1:1:1:1:5:50000001:41\n2:2:1:2:1:6:50000001:4\n3:1:1:1:1:5:6:2:1:2:1:6:9:8:1\n\
                            2:1:1:1:1:8:50000001:0\n2:2:1:2:1:9:50000001:5\n2:2:1:2:1:9:50000001:0\n\
                            2:1:1:1:1:9:50000002:7:50100001:4:50100002:0:50100004:1:50100003:1\n2:2:1:2:1:12:50000002:7\n");
        let mut bytes = text.into_bytes();
        for &(at, value) in &changes {
            let length = bytes.len();
            bytes[at % length] = value;
        }
        let folder = Folder::new(&[]);
        let path = folder.write("t", &bytes);
        if let Ok(trace) = Trace::open(&path) {
            let _ = trace.info();
            if trace.ranks() < 1_000 {
                let _ = operations(&mut *trace.operations(COMPUTE));
            }
        }
    }
}
