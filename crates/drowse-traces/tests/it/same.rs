//! A trace gives the same operations however it is stored.

use std::fmt::Write as _;

use drowse_core::model::units::Time;
use drowse_core::workload::communicators::ALL;
use drowse_core::workload::operation::{Collective, Operation, SendMode};
use drowse_traces::{Trace, detect, open};

use crate::sample::{COMPUTE, Folder, gzip, operations, tar, xz, zstd};

const RANK0: &str = "0 init\n# a comment\n0 compute 6e3\n0 isend 1 7 100 6\n0 test 0 1 7\n0 wait 0 1 7\n0 wait 0 1 7\n\
                     0 recv 1 8 999 6\n0 allreduce 4 2 0\n\n0 finalize\n";
const RANK1: &str = "1 init 1\n1 irecv -333 7 999 6\n1 wait 0 1 7\n1 send 0 8 5\n1 allreduce 4 2 0\n1 finalize";
const FILES: &[(&str, &str)] =
    &[("trace.ti", "ranks/r0.txt\n\nranks/r1.txt\n"), ("ranks/r0.txt", RANK0), ("ranks/r1.txt", RANK1)];

fn expected() -> Vec<Vec<Operation>> {
    let allreduce = Operation::collective(Collective::Allreduce { bytes: 32, count: 4, compute: Time(2_000) });
    vec![
        vec![
            Operation::Compute(Time::from_us(6)),
            Operation::isend(1, 7, 100, 0),
            Operation::Wait { request: 0 },
            Operation::recv(1, 8),
            allreduce.clone(),
        ],
        vec![Operation::irecv(None, 7, 0), Operation::Wait { request: 0 }, Operation::send(0, 8, 40), allreduce],
    ]
}

/// Puts the lines of both ranks into one file, in turn.
fn merged() -> String {
    let (mut rank0, mut rank1) = (RANK0.lines(), RANK1.lines());
    let mut text = String::new();
    for _ in 0..RANK0.lines().count() {
        for line in [rank0.next(), rank1.next()].into_iter().flatten() {
            writeln!(text, "{}", line.replacen("1 ", "p1 ", usize::from(line.starts_with("1 ")))).unwrap();
        }
    }
    text
}

#[test]
fn operations_do_not_depend_on_the_container() {
    let folder = Folder::new(FILES);
    let in_folder: Vec<_> = FILES.iter().rev().map(|(name, text)| (format!("app/{name}"), *text)).collect();
    let in_folder: Vec<_> = in_folder.iter().map(|(name, text)| (name.as_str(), *text)).collect();
    let archive = tar(&in_folder);
    let merged = merged();
    let twice = [("two/below/all.txt", merged.as_str()), ("two/t.index", "@below/all.txt\n@below/all.txt\n")];
    let shared = Folder::new(&[&[("all.txt", merged.as_str()), ("one.ti", "all.txt\n")][..], &twice].concat());
    let paths = [
        folder.path().to_owned(),
        folder.path().join("trace.ti"),
        folder.write("packed/a", &archive),
        folder.write("packed/a.tar.gz", &gzip(&archive)),
        folder.write("packed/a.tar.zst", &zstd(&archive)),
        folder.write("packed/a.tar.xz", &xz(&archive)),
        folder.write("packed/merged.tar.zst", &zstd(&tar(&[("t.ti", "all.txt"), ("all.txt", &merged)]))),
        shared.path().join("all.txt"),
        folder.write("packed/all.txt.gz", &gzip(merged.as_bytes())),
        folder.write("packed/all.txt.xz", &xz(merged.as_bytes())),
        folder.write("packed/all.txt.zst", &zstd(merged.as_bytes())),
        shared.path().join("one.ti"),
        shared.path().join("two"),
    ];
    for path in paths {
        let at = path.display();
        assert_eq!(detect(&path).unwrap().name, "simgrid-ti", "{at}");
        let mut source = open(&path, COMPUTE).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(operations(&mut *source).unwrap(), expected(), "{at}");
        assert_eq!(source.warnings().len(), 2, "{at}");
        let info = Trace::open(&path).unwrap().info().unwrap();
        assert_eq!((info.ranks, info.total_operations(), info.messages.bytes), (2, 15, 140), "{at}");
    }
}

#[test]
fn long_texts_read_the_same_in_blocks() {
    let lines = 20_000;
    let mut text = [String::new(), String::new()];
    for line in 0..lines {
        writeln!(text[0], "0 compute {line}").unwrap();
        writeln!(text[1], "1 compute {}", 2 * line).unwrap();
    }
    let shuffled: String = text[0].lines().zip(text[1].lines()).map(|(a, b)| format!("{a}\n{b}\n")).collect();
    let folder = Folder::new(&[("t.ti", "0\n1"), ("0", &text[0]), ("1", &text[1]), ("all", &shuffled)]);
    let apart = operations(&mut *open(folder.path(), COMPUTE).unwrap()).unwrap();
    let together = operations(&mut *open(folder.path().join("all"), COMPUTE).unwrap()).unwrap();
    assert_eq!(apart, together);
    assert_eq!(apart[1][9_999], Operation::Compute(Time::from_ns(20_000)));
}

#[test]
fn send_and_receive_at_once_is_two_requests() {
    let folder = Folder::new(&[("all", "0 init\n0 sendRecv 3 1 99 1 6 6\n1 sendRecv 4 0 99 0\n")]);
    let both = operations(&mut *open(folder.path().join("all"), COMPUTE).unwrap()).unwrap();
    assert_eq!(
        both[1],
        [
            Operation::irecv(0, 0, 0),
            Operation::isend(0, 0, 4, 1),
            Operation::Wait { request: 0 },
            Operation::Wait { request: 1 },
        ]
    );
}

#[test]
fn polling_time_is_dropped_when_asked() {
    let folder = Folder::new(&[("all", "0 compute 3e6\n0 compute 3000001\n0 sleep 1e-6\n")]);
    let compute = drowse_traces::ComputeModel { drop_multiples: Some(1_000_000), ..COMPUTE };
    let mut source = open(folder.path().join("all"), compute).unwrap();
    let left = operations(&mut *source).unwrap();
    assert_eq!(left[0], [Operation::Compute(Time::from_ns(3_000_001)), Operation::Compute(Time::from_us(1))]);
    assert_eq!(
        source.warnings(),
        [
            "1 computations of exact multiples of 1000000 flop were left out, 0.003 s over all ranks, by which they compute less than the trace says"
        ]
    );
}

/// Time spent polling becomes a probe of the message that is received next, before what is computed after it. Polls
/// that no receive follows are left out, and those before a receive that does not wait: its message may be sent in
/// answer to what the rank does next.
#[test]
fn polling_time_becomes_waiting_when_asked() {
    let text = "0 compute 7\n0 compute 3e6\n0 compute 5\n0 compute 2e6\n0 compute 9\n0 recv 1 4 8\n0 compute 1e6\n\
                0 compute 11\n0 barrier\n0 compute 1e6\n0 sleep 1e-9\n0 irecv 1 5 8\n0 compute 1e6\n0 compute 13\n";
    let folder = Folder::new(&[("all", &format!("{text}1 compute 1\n"))]);
    let compute = drowse_traces::ComputeModel { wait_multiples: Some(1_000_000), ..COMPUTE };
    let mut source = open(folder.path().join("all"), compute).unwrap();
    let found = operations(&mut *source).unwrap();
    let pause = |ns| Operation::Compute(Time::from_ns(ns));
    let probe = |tag| Operation::Probe { from: Some(1), tag: Some(tag), comm: ALL };
    let expected = [
        pause(7),
        pause(5),
        probe(4),
        pause(9),
        Operation::recv(1, 4),
        pause(11),
        Operation::collective(Collective::Barrier),
        pause(1),
        Operation::irecv(1, 5, 0),
        pause(13),
    ];
    assert_eq!(found[0], expected);
    assert_eq!(
        source.warnings(),
        ["5 computations of exact multiples of 1000000 flop, 0.008 s over all ranks, are polls: ranks wait for the \
          messages that they receive next"]
    );
}

/// Sends that wait for their receivers, whatever they are called.
#[test]
fn synchronous_sends() {
    let folder =
        Folder::new(&[("all.txt", "0 init\n1 init\n0 Ssend 1 7 3 6\n0 issend 1 7 3 6\n1 recv 0 7 3\n1 recv 0 7 3\n")]);
    let trace = Trace::open(folder.path().join("all.txt")).unwrap();
    let (to, tag, comm, mode, bytes) = (1, 7, ALL, SendMode::Synchronous, 3);
    let sent = [
        Operation::Send { to, tag, comm, mode, bytes },
        Operation::Isend { to, tag, comm, mode, bytes, request: Some(0) },
    ];
    assert_eq!(operations(&mut *trace.operations(COMPUTE)).unwrap()[0], sent);
}
