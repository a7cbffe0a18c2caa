//! VEF traces: what records become, what is refused, and what is said of approximations.

use drowse_core::model::units::Time;
use drowse_core::workload::operation::{Collective, Operation, SendMode};
use drowse_traces::{Computing, Trace, TraceInfo};
use insta::assert_snapshot;

use crate::sample::{COMPUTE, Folder, gzip, operations, tar, xz, zstd};

/// Reads a text.
fn read(text: &str) -> Result<(Vec<Vec<Operation>>, TraceInfo), String> {
    let folder = Folder::new(&[("a.vef", text)]);
    let trace = Trace::open(folder.path().join("a.vef")).map_err(|error| folder.message(&error))?;
    let info = trace.info().map_err(|error| folder.message(&error))?;
    Ok((operations(&mut *trace.operations(COMPUTE)).map_err(|error| folder.message(&error))?, info))
}

fn refused(text: &str) -> String {
    read(text).unwrap_err()
}

fn send(to: u32, tag: u32, bytes: u64) -> Operation {
    Operation::Isend { to, tag, comm: 0, mode: SendMode::Ready, bytes, request: None }
}

fn compute(nanoseconds: u64) -> Operation {
    Operation::Compute(Time::from_ns(nanoseconds))
}

/// Ids need not count up; a message on which nothing depends is received beside the program.
#[test]
fn records_become_operations() {
    let (ranks, info) =
        read("VEF3 2 4 0 0 0 FALSE\n\n7 0 1 10 0 900 -1\n5 0 1 20 1 30 7\n3 1 0 8 2 40 5\n9 0 0 0 2 50 3\n").unwrap();
    let of_0 = [send(1, 0, 10), compute(30), send(1, 1, 20), Operation::recv(1, 2), compute(50), send(0, 3, 0)];
    let end = [Operation::irecv(0, 3, 3), Operation::WaitAll];
    assert_eq!(ranks[0], [&of_0[..], &end].concat());
    let of_1 = [Operation::irecv(0, 0, 0), Operation::recv(0, 1), compute(40), send(0, 2, 8), Operation::WaitAll];
    assert_eq!(ranks[1], of_1);
    assert_eq!((info.format, info.ranks, info.messages.count, info.messages.bytes), ("vef", 2, 4, 38));
    assert_eq!((info.compute, info.total_operations()), (Computing::Picoseconds(120_000), 4));
    assert_eq!((info.coverage.simulated, info.warnings), (4, vec![]));
}

/// Roots are those who send or receive; sizes that differ make the variants with lists.
#[test]
fn collectives_have_roots_and_sizes() {
    let of = |operation: u64, sizes: [(u64, u64); 3]| {
        let parts = ["0 ", "1 ", "2 "]
            .iter()
            .zip(sizes)
            .map(|(task, (sends, receives))| format!("G4 1 {operation} {task}{sends} {receives} 0 0 -1\n"));
        let text = format!("VEF3 3 0 1 1 3 TRUE\nC1 2 0 1\n{}", parts.collect::<String>());
        let (ranks, info) = read(&text).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(info.collectives.values().sum::<u64>(), 3);
        ranks
            .into_iter()
            .map(|operations| match &operations[..] {
                [Operation::Collective { comm, collective }] if *comm == 1 => collective.clone(),
                other => panic!("{other:?}"),
            })
            .collect::<Vec<_>>()
    };
    // Task 1 is rank 2 of the communicator.
    let compute = Time::ZERO;
    assert_eq!(of(0, [(0, 9), (9, 0), (0, 9)]), vec![Collective::Bcast { root: 2, bytes: 9, count: 9 }; 3]);
    assert_eq!(of(0, [(0, 0), (0, 0), (0, 0)]), vec![Collective::Bcast { root: 0, bytes: 0, count: 0 }; 3]);
    assert_eq!(of(1, [(9, 0), (0, 9), (9, 0)]), vec![Collective::Reduce { root: 2, bytes: 9, count: 9, compute }; 3]);
    assert_eq!(of(2, [(9, 9); 3]), vec![Collective::Allreduce { bytes: 9, count: 9, compute }; 3]);
    assert_eq!(of(3, [(5, 15), (5, 0), (5, 0)]), vec![Collective::Gather { root: 1, bytes: 5 }; 3]);
    assert_eq!(of(3, [(5, 18), (6, 0), (7, 0)]), vec![Collective::Gatherv { root: 1, bytes: [7, 5, 6].into() }; 3]);
    assert_eq!(of(4, [(15, 5), (0, 5), (0, 5)]), vec![Collective::Scatter { root: 1, bytes: 5 }; 3]);
    assert_eq!(of(4, [(18, 5), (0, 6), (0, 7)]), vec![Collective::Scatterv { root: 1, bytes: [7, 5, 6].into() }; 3]);
    assert_eq!(of(5, [(5, 15); 3]), vec![Collective::Allgather { bytes: 5 }; 3]);
    assert_eq!(of(5, [(5, 18), (6, 18), (7, 18)]), vec![Collective::Allgatherv { bytes: [7, 5, 6].into() }; 3]);
    assert_eq!(of(6, [(0, 0); 3]), vec![Collective::Barrier; 3]);
    assert_eq!(of(7, [(5, 0); 3]), vec![Collective::Alltoall { bytes: 5 }; 3]);
    assert_eq!(of(7, [(6, 1); 3]), vec![Collective::Alltoall { bytes: 2 }; 3]);
    assert_eq!(of(7, [(7, 1); 3]), vec![Collective::Alltoallv { bytes: [3, 2, 2].into() }; 3]);
    let each = |bytes| Collective::Alltoallv { bytes: [bytes; 3].into() };
    assert_eq!(of(7, [(5, 0), (6, 0), (7, 0)]), [each(5), each(6), each(7)]);
}

/// A record after another wait than the one that it depends on, and one that is listed after a later one.
#[test]
fn approximations_are_counted() {
    // Task 1 sends 100 after the late message 1, and 20 after the early message 0, which it lists second.
    let text =
        "VEF3 2 5 0 0 0 FALSE\n0 0 1 8 0 0 -1\n1 0 1 8 1 500 0\n2 1 0 8 2 100 1\n3 1 0 8 2 20 0\n4 1 0 8 0 50 -1\n";
    let (ranks, info) = read(text).unwrap();
    let of_1 = [
        Operation::recv(0, 1),
        compute(100),
        send(0, 2, 8),
        Operation::recv(0, 0),
        compute(20),
        send(0, 3, 8),
        send(0, 4, 8),
    ];
    assert_eq!(ranks[1], of_1);
    assert_snapshot!(info.warnings.join("\n"), @"1 records depend on an event before another wait of their task: they come after that wait");
    assert_eq!((info.coverage.simulated, info.coverage.approximations()), (4, 1));
    let (_, info) = read("VEF3 1 2 0 0 0 TRUE\n0 0 0 8 0 50 -1\n1 0 0 8 0 20 -1\n").unwrap();
    assert_snapshot!(info.warnings.join("\n"), @"1 records follow one of their task that begins later: they begin with that one");
}

/// Dependencies hold in any order of the file.
#[test]
fn orders_that_cannot_run_are_changed() {
    let (ranks, info) = read("VEF3 2 2 0 0 0 FALSE\n0 0 1 8 1 100 1\n1 0 1 8 0 0 -1\n").unwrap();
    assert_eq!(ranks[0], [send(1, 1, 8), compute(100), send(1, 0, 8)]);
    assert_snapshot!(info.warnings.join("\n"), @"the tasks cannot run in the order of the file, so its records were put in the order of their times");
    assert_snapshot!(refused("VEF3 2 2 0 0 0 FALSE\n0 0 1 8 1 100 1\n1 0 1 8 1 0 0\n"), @"a.vef:2: can never begin: it depends on records that depend on it; correct the ids of the dependencies");
    assert_snapshot!(refused("VEF3 2 2 0 0 0 FALSE\n0 0 1 8 2 1 1\n1 1 0 8 2 1 0\n"), @"a.vef:2: can never begin: it depends on records that depend on it; correct the ids of the dependencies");
    // Two barriers, which the tasks call in different orders.
    let barriers = "VEF3 2 0 1 2 4 TRUE\nC0 0 1\nG0 0 6 0 0 0 0 0 -1\nG1 0 6 1 0 0 0 0 -1\nG1 0 6 0 0 0 0 5 -1\nG0 0 6 1 0 0 0 5 -1\n";
    assert_snapshot!(refused(barriers), @"a.vef:5: comes in another order than at other tasks of its communicator; call collectives in the same order everywhere");
}

#[test]
fn wrong_headers_and_counts() {
    assert_snapshot!(refused("VEF3 2 1\n"), @"a.vef:1: lacks the number of communicators; a header is `VEF3 tasks messages communicators collectives parts onlySend`");
    assert_snapshot!(refused("VEF3 0 0 0 0 0 TRUE\n"), @"a.vef:1: names 0 tasks; a trace has from 1 to 1048576");
    assert_snapshot!(refused("VEF3 99999999999 0 0 0 0 TRUE\n"), @"a.vef:1: names 99999999999 tasks; a trace has from 1 to 1048576");
    assert_snapshot!(refused("VEF3 2 0 0 0 0 perhaps\n"), @"a.vef:1: onlySend is `PERHAPS`; write TRUE or FALSE");
    assert_snapshot!(refused("VEF3 2 x 0 0 0\n"), @"a.vef:1: the number of messages is `x`; it must be a whole number that is not negative");
    assert_snapshot!(refused("VEF3 2 2 0 0 0 TRUE\n0 0 1 8 0 0 -1\n"), @"a.vef:1: names 2 messages, but the file holds 1: it is cut off, or the header is wrong; copy it again or correct the header");
    assert_snapshot!(refused("VEF3 2 0 1 0 0 TRUE\n"), @"a.vef:1: names 1 communicators, but the file holds 0: it is cut off, or the header is wrong; copy it again or correct the header");
    assert_snapshot!(refused("VEF3 1 0 1 2 1 TRUE\nC0 0\nG0 0 6 0 0 0 0 0 -1\n"), @"a.vef:1: names 2 collectives, but the file holds 1: it is cut off, or the header is wrong; copy it again or correct the header");
    let noted =
        |header: &str| read(&format!("{header}\n0 0 1 8 0 0 -1\n1 1 0 8 2 0 0\n")).unwrap().1.warnings.join("\n");
    assert_snapshot!(noted("VEF3 2 2 0 0 0 true 1000 ps"), @"
    the header says that no message depends on a receipt (onlySend), but that of line 3 does
    the header ends with `1000 ps`, whose meaning is not known: times are taken as nanoseconds, and all wrong in another unit
    ");
    assert_eq!([noted("VEF 2 2 0 0 0"), noted("VEF12 2 2 0 0 0 0")], ["", ""]);
}

#[test]
fn wrong_records() {
    let of = |line: &str| refused(&format!("VEF3 2 2 1 0 0 FALSE\nC0 0 1\n0 0 1 8 0 0 -1\n{line}\n"));
    assert_snapshot!(of("1 0 1 8 0 0"), @"a.vef:4: lacks the id that it depends on; write it like `id from to bytes dependency time onId`");
    assert_snapshot!(of("1 0 1 8 0 0 -1 4"), @"a.vef:4: has too many fields; write it like `id from to bytes dependency time onId`");
    assert_snapshot!(of("0 0 1 8 0 0 -1"), @"a.vef:4: message 0 is there twice; give each its own id");
    assert_snapshot!(of("1 0 2 8 0 0 -1"), @"a.vef:4: the receiver is 2, but the header names 2, from 0; correct one of them");
    assert_snapshot!(of("1 0 1 -8 0 0 -1"), @"a.vef:4: the size is `-8`; it must be a whole number that is not negative");
    assert_snapshot!(of("1 0 1 99999999999 0 0 -1"), @"a.vef:4: 99999999999 B are sent at once, and the most is 34359738368 B (32 GiB); check the count and the datatype");
    assert_snapshot!(of("1 0 1 8 4 0 0"), @"a.vef:4: the dependency is 4; it is 0 (independent), 1 (a send), 2 (a receipt) or 3 (a collective)");
    assert_snapshot!(of("1 0 1 8 0 9999999999999999 -1"), @"a.vef:4: the time is too large to be simulated; check the count and the compute rate");
    assert_snapshot!(of("1 0 1 8 1 0 9"), @"a.vef:4: depends on message 9, which is not there; correct the id");
    assert_snapshot!(of("1 1 0 8 1 0 0"), @"a.vef:4: depends on the sending of message 0, which task 0 sends and not task 1; correct the id, or make it dependency 2");
    assert_snapshot!(of("1 0 1 8 2 0 0"), @"a.vef:4: depends on the receipt of message 0, which task 1 receives and not task 0; correct the id, or make it dependency 1");
    assert_snapshot!(of("1 0 1 8 3 0 G0"), @"a.vef:4: depends on G0, which is not there; correct the id");
    assert_snapshot!(of("1 0 1 8 2 0 G0"), @"a.vef:4: the id that it depends on is `G0`; it must be a whole number that is not negative");
    assert_snapshot!(of("C0 0 1"), @"a.vef:4: communicator 0 is there twice; give each its own id");
    assert_snapshot!(of("C1 0 0"), @"a.vef:4: a communicator holds rank 0 twice; correct the list of tasks");
    assert_snapshot!(of("C1"), @"a.vef:4: a communicator without ranks; correct the list of tasks");
    assert_snapshot!(of("a message"), @"a.vef:4: the id is `a`; it must be a whole number that is not negative");
}

#[test]
fn wrong_collectives() {
    let of = |lines: &[&str]| {
        let parts = lines.len();
        refused(&format!("VEF3 3 0 2 1 {parts} TRUE\nC0 0 1 2\nC1 0 1\n{}\n", lines.join("\n")))
    };
    assert_snapshot!(of(&["G0 2 6 0 0 0 0 0 -1"]), @"a.vef:4: communicator 2 is not there; add its line `C2 tasks`");
    assert_snapshot!(of(&["G0 1 6 0 0 0 0 0 -1", "G0 1 6 2 0 0 0 0 -1"]), @"a.vef:5: task 2 is not in communicator 1; correct one of them");
    assert_snapshot!(of(&["G0 1 6 0 0 0 0 0 -1", "G0 1 6 0 0 0 0 0 -1"]), @"a.vef:5: task 0 takes part in G0 twice; give each collective its own id");
    assert_snapshot!(of(&["G0 0 6 0 0 0 0 0 -1", "G0 0 6 1 0 0 0 0 -1"]), @"a.vef:4: 2 tasks take part in G0, but communicator 0 has 3; add the others");
    assert_snapshot!(of(&["G0 1 6 0 0 0 0 0 -1", "G0 0 6 1 0 0 0 0 -1"]), @"a.vef:5: G0 is in communicator 0 here and in 1 before");
    assert_snapshot!(of(&["G0 1 6 0 0 0 0 0 -1", "G0 1 2 1 0 0 0 0 -1"]), @"a.vef:4: begins a collective that is barrier here and allreduce (or with another flag) at task 1; make them the same");
    assert_snapshot!(of(&["G0 1 0 0 8 0 0 0 -1", "G0 1 0 1 8 0 0 0 -1"]), @"a.vef:4: begins a broadcast with two roots, task 0 and task 1; only the root sends");
    assert_snapshot!(of(&["G0 1 8 0 8 0 0 0 -1", "G0 1 8 1 8 0 0 0 -1"]), @"a.vef:4: operation 8 is none; they are 0 (broadcast) to 7 (alltoall)");
    assert_snapshot!(of(&["G0 1 6 0 0 0 0 0 -1", "G0 1 6 1 0 0 3 0 G0"]), @"a.vef:5: can never begin: it depends on records that depend on it; correct the ids of the dependencies");
}

/// A trace gives the same operations whether it is packed or not.
#[test]
fn operations_do_not_depend_on_the_container() {
    let text = "VEF3 2 2 0 0 0 FALSE\n0 0 1 8 0 0 -1\n1 1 0 8 2 5 0\n";
    let (expected, info) = read(text).unwrap();
    let folder = Folder::new(&[]);
    let packed = [
        ("a.gz", gzip(text.as_bytes())),
        ("a", xz(text.as_bytes())),
        ("b", zstd(text.as_bytes())),
        ("a.tar", tar(&[("x/y.vef", text)])),
        ("a.tar.zst", zstd(&tar(&[("x/y.vef", text)]))),
    ];
    for (name, bytes) in packed {
        let trace = Trace::open(folder.write(name, &bytes)).unwrap();
        assert_eq!(operations(&mut *trace.operations(COMPUTE)).unwrap(), expected, "{name}");
        assert_eq!(trace.info().unwrap(), info);
    }
}
