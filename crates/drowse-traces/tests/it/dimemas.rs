//! Dimemas traces: what records become, and what is refused.

use drowse_core::model::units::Time;
use drowse_core::workload::operation::{Collective, Operation, SendMode};
use drowse_traces::{Computing, Trace, TraceInfo};
use insta::assert_snapshot;

use crate::sample::{COMPUTE, Folder, operations};

/// Reads a text.
fn read(text: &str) -> Result<(Vec<Vec<Operation>>, TraceInfo), String> {
    let folder = Folder::new(&[("a.dim", text)]);
    let trace = Trace::open(folder.path().join("a.dim")).map_err(|error| folder.message(&error))?;
    let info = trace.info().map_err(|error| folder.message(&error))?;
    Ok((operations(&mut *trace.operations(COMPUTE)).map_err(|error| folder.message(&error))?, info))
}

fn refused(text: &str) -> String {
    read(text).unwrap_err()
}

/// Sends of all modes, in new and old traces.
#[test]
fn sends_and_receives() {
    let (new, info) = read(
        "#DIMEMAS:\"a\":0:2(1,1),1,0,0\nd:1:1:2:0:1\nd:2:0:file\n\n0:0:0\n1:0:0:0.000000000\n1:0:0:0.000001500\n20:0:0:40000001:1\n\
         2:0:0:1:-1:80:7:1:0\n2:0:0:1:-1:80:7:1:1\n2:0:0:1:-1:80:7:1:2\n2:0:0:1:-1:80:7:1:3\n11:0:0:0.5\n\
         3:1:0:0:-1:80:7:1:1\n3:1:0:-1:-2:80:-1:1:1\n3:1:0:-1:-2:80:-1:1:2\n3:1:0:0:-1:80:7:1:3\n3:1:0:0:-1:80:7:1:2\n\
         3:1:0:0:-1:80:7:1:0\n3:1:0:-1:-1:80:9:1:0\n101:1:0:1:2\n",
    )
    .unwrap();
    let (old, _) = read(
        "#DIMEMAS:a:0:2(1,1),0\n1:0:0:1.5e-6\n2:0:0:1:80:7:0:0\n2:0:0:1:80:7:0:1\n2:0:0:1:80:7:0:2\n2:0:0:1:80:7:0:3\n11:0:0:0.5\n\
         3:1:0:0:80:7:0:1\n3:1:0:-1:80:-1:0:1\n3:1:0:-1:80:-1:0:2\n3:1:0:0:80:7:0:3\n3:1:0:0:80:7:0:0\n3:1:0:-1:80:9:0:0\n",
    )
    .unwrap();
    assert_eq!(new, old);
    let send = |mode| Operation::Send { to: 1, tag: 7, comm: 0, mode, bytes: 80 };
    let isend = |mode| Operation::Isend { to: 1, tag: 7, comm: 0, mode, bytes: 80, request: None };
    let modes = [SendMode::Standard, SendMode::Synchronous];
    let sends = [modes.map(send), modes.map(isend)].concat();
    let burst = |nanoseconds| vec![Operation::Compute(Time::from_ns(nanoseconds))];
    assert_eq!(new[0], [burst(1_500), sends, burst(500_000_000)].concat());
    let wait = |request| Operation::Wait { request };
    let of_1 = [
        Operation::irecv(0, 7, 0),
        Operation::irecv(None, None, 1),
        wait(1),
        wait(0),
        Operation::recv(0, 7),
        Operation::recv(None, 9),
    ];
    assert_eq!(new[1], of_1);
    assert_eq!((info.format, info.messages.count, info.messages.bytes), ("dimemas", 4, 320));
    assert_eq!((info.compute, info.total_operations()), (Computing::Picoseconds(500_001_500_000), 17));
    assert_snapshot!(info.warnings.join("\n"), @"
    1 file and one-sided operations are left out
    1 waits find no receive or collective to wait for: they return at once
    1 bursts of a GPU are computed by the task itself
    ");
    assert_eq!((info.coverage.simulated, info.coverage.approximations(), info.coverage.omissions()), (12, 1, 2));
}

/// An id that no line defines is that of a message: it is matched alone, whatever the tag and the order.
#[test]
fn ids_of_messages() {
    let (ranks, _) = read(
        "#DIMEMAS:\"a\":0:2(1,1),1,0,0\nd:1:1:2:0:1\n2:0:0:1:-1:8:7:50:2\n2:0:0:1:-1:8:7:51:2\n\
         3:1:0:0:-1:8:-1:51:1\n3:1:0:0:-1:8:7:50:0\n3:1:0:0:-1:8:-1:51:2\n",
    )
    .unwrap();
    let send = |tag| Operation::Isend { to: 1, tag, comm: 1, mode: SendMode::Standard, bytes: 8, request: None };
    assert_eq!(ranks[0], [send(50), send(51)]);
    let (from, comm) = (Some(0), 1);
    let of_1 = [
        Operation::Irecv { from, tag: Some(51), comm, request: 0 },
        Operation::Recv { from, tag: Some(50), comm },
        Operation::Wait { request: 0 },
    ];
    assert_eq!(ranks[1], of_1);
}

/// Only the root says that it is, in its own record; sizes that differ make the variants with lists.
#[test]
fn collectives_have_roots_and_sizes() {
    let of = |operation: u64, parts: [(u8, u64, u64); 3]| {
        let lines: String = (0..)
            .zip(parts)
            .map(|(task, (root, sends, receives))| format!("10:{task}:0:{operation}:4:{root}:0:{sends}:{receives}:1\n"))
            .collect();
        let (ranks, _) = read(&format!("#DIMEMAS:\"a\":0:3(1,1,1),1,0,0\nd:1:4:3:2:0:1\n{lines}")).unwrap();
        ranks
            .into_iter()
            .map(|operations| match &operations[..] {
                [Operation::Collective { comm: 2, collective }] => collective.clone(),
                other => panic!("{other:?}"),
            })
            .collect::<Vec<_>>()
    };
    // Task 1 is rank 2 of the communicator.
    let (compute, list) = (Time::ZERO, || Box::from([7, 5, 6]));
    let all = |collective: Collective| vec![collective; 3];
    assert_eq!(of(0, [(0, 0, 0); 3]), all(Collective::Barrier));
    assert_eq!(of(1, [(0, 0, 9), (1, 9, 0), (0, 0, 9)]), all(Collective::Bcast { root: 2, bytes: 9, count: 9 }));
    assert_eq!(of(2, [(1, 5, 15), (0, 5, 0), (0, 5, 0)]), all(Collective::Gather { root: 1, bytes: 5 }));
    assert_eq!(of(3, [(1, 5, 18), (0, 6, 0), (0, 7, 0)]), all(Collective::Gatherv { root: 1, bytes: list() }));
    assert_eq!(of(4, [(1, 15, 5), (0, 0, 5), (0, 0, 5)]), all(Collective::Scatter { root: 1, bytes: 5 }));
    assert_eq!(of(5, [(1, 18, 5), (0, 0, 6), (0, 0, 7)]), all(Collective::Scatterv { root: 1, bytes: list() }));
    assert_eq!(of(6, [(0, 5, 15); 3]), all(Collective::Allgather { bytes: 5 }));
    assert_eq!(of(7, [(0, 5, 18), (0, 6, 18), (0, 7, 18)]), all(Collective::Allgatherv { bytes: list() }));
    assert_eq!(of(8, [(0, 4, 12); 3]), all(Collective::Alltoall { bytes: 4 }));
    assert_eq!(of(8, [(0, 12, 12); 3]), all(Collective::Alltoall { bytes: 4 }));
    assert_eq!(of(9, [(0, 10, 9); 3]), all(Collective::Alltoallv { bytes: [4, 3, 3].into() }));
    assert_eq!(
        of(10, [(0, 9, 0), (1, 0, 9), (0, 9, 0)]),
        all(Collective::Reduce { root: 2, bytes: 9, count: 9, compute })
    );
    assert_eq!(of(11, [(0, 9, 9); 3]), all(Collective::Allreduce { bytes: 9, count: 9, compute }));
    assert_eq!(of(12, [(0, 18, 5), (0, 18, 6), (0, 18, 7)]), all(Collective::ReduceScatter { bytes: list(), compute }));
    assert_eq!(of(13, [(0, 15, 5); 3]), all(Collective::ReduceScatter { bytes: [5; 3].into(), compute }));
    assert_eq!(of(14, [(0, 9, 9); 3]), all(Collective::Scan { bytes: 9, compute }));
}

/// Immediate ones go on until their wait, in the order of their starts.
#[test]
fn immediate_collectives() {
    let (ranks, info) = read(
        "#DIMEMAS:\"a\":0:1(1),1,0,0\nd:1:1:1:0\n10:0:0:27:1:0:0:8:8:0\n10:0:0:16:1:0:0:0:0:0\n10:0:0:27:1:0:0:4:4:0\n\
         10:0:0:27:1:0:0:8:8:2\n10:0:0:16:1:0:0:0:0:2\n10:0:0:27:1:0:0:4:4:2\n10:0:0:27:1:0:0:4:4:2\n",
    )
    .unwrap();
    let start =
        |request, collective: Collective| Operation::Icollective { comm: 0, request, collective: Box::new(collective) };
    let allreduce = |bytes| Collective::Allreduce { bytes, count: bytes, compute: Time::ZERO };
    let waits = [0, 1, 2].map(|request| Operation::Wait { request });
    let starts = [start(0, allreduce(8)), start(1, Collective::Barrier), start(2, allreduce(4))];
    assert_eq!(ranks[0], [starts, waits].concat());
    assert_eq!((info.coverage.omissions(), info.collectives["iallreduce"]), (1, 2));
    let (old, _) = read("#DIMEMAS:\"a\":0:1(1),0\n10:0:0:13:0:0:0:8:8\n").unwrap();
    assert_eq!(old[0], [Operation::collective(Collective::Scan { bytes: 8, compute: Time::ZERO })]);
}

/// Only the first thread of a task runs.
#[test]
fn threads() {
    let text = "#DIMEMAS:\"a\":0:2(2,1),0\n1:0:0:1\n1:0:1:2\n2:0:1:1:8:7:0:0\n1:1:0:3\n";
    let folder = Folder::new(&[("a.dim", text)]);
    let trace = Trace::open(folder.path().join("a.dim")).unwrap();
    let info = trace.info().unwrap();
    assert_eq!(info.compute, Computing::Picoseconds(4_000_000_000_000));
    assert_snapshot!(folder.message(&info.check_simulable().unwrap_err()), @"a.dim:4: `thread` cannot be simulated and occurs 1 times: threads other than the first of their task communicate, and only the first is simulated; choose a trace without it");
    assert_snapshot!(info.warnings.join("\n"), @"1 bursts of threads other than the first of their task are left out");
}

#[test]
fn wrong_files() {
    let body = "1:0:0:1\n1:1:0:1\n";
    assert_snapshot!(refused("#DIMEMAS:\"a\":2:1(1),0\n1:0:0:1\n"), @r#"a.dim:1: has an offset table that is neither 0 nor 1; a header is `#DIMEMAS:"name":1,offset:tasks(threads of each),communicators`"#);
    assert_snapshot!(refused(&format!("#DIMEMAS:\"a\":0:3(1,1,1),0\n{body}")), @"a.dim:1: names 3 tasks, but the file holds records of 2: the file is cut off, or the header is wrong; copy it again");
    assert_snapshot!(refused(&format!("#DIMEMAS:\"a\":0:2(1,1),1\n{body}")), @"a.dim:1: names 1 communicators, but the file defines 0: the file is cut off, or the header is wrong; copy it again");
    assert_snapshot!(refused(&format!("#DIMEMAS:\"a\":1,40:2(1,1),0\n{body}s:0:27\n")), @"a.dim:1: says that offsets of 2 tasks follow, but there are 1: the file is cut off, or the header is wrong; copy it again");
    assert_snapshot!(refused(&format!("#DIMEMAS:\"a\":0:2(1,1),0\n{body}1:0:0:1\n")), @"a.dim:4: belongs to task 0, whose records began in line 2 and ended; put all records of a task together");
}

/// A table of offsets that does not fit is not used. A run says so, too.
#[test]
fn wrong_offsets() {
    let warnings = |table: u64, [one, two]: [u64; 2]| {
        let text = format!("#DIMEMAS:\"a\":1,{table}:2(1,1),0\n1:0:0:1\n1:1:0:1\ns:0:{one}\ns:1:{two}\n");
        let folder = Folder::new(&[("a.dim", &text)]);
        let trace = Trace::open(folder.path().join("a.dim")).unwrap();
        let [of_info, of_run] = [trace.info().unwrap().warnings, trace.operations(COMPUTE).warnings()];
        assert_eq!(of_info, of_run);
        of_run.join("\n")
    };
    assert_eq!(warnings(43, [27, 35]), "");
    assert_snapshot!(warnings(43, [28, 35]), @"1 offsets are wrong and not used, as if the file had been changed: line 4 names another one than that of its task's records");
    assert_snapshot!(warnings(43, [28, 0]), @"2 offsets are wrong and not used, as if the file had been changed: line 4 names another one than that of its task's records");
    assert_snapshot!(warnings(42, [27, 35]), @"1 offsets are wrong and not used, as if the file had been changed: line 1 names another one than that of the table of offsets");
}

#[test]
fn wrong_records() {
    let of = |line: &str| refused(&format!("#DIMEMAS:\"a\":0:2(1,1),1,0,0\nd:1:1:2:0:1\n1:0:0:1\n{line}\n1:1:0:1\n"));
    assert_snapshot!(of("1:0:0:x"), @"a.dim:4: the time is `x`; it must be a number of seconds that is not negative");
    assert_snapshot!(of("1:0:0:-1"), @"a.dim:4: the time is `-1`; it must be a number of seconds that is not negative");
    assert_snapshot!(of("1:0:0:9999999"), @"a.dim:4: the time is too large to be simulated; check the count and the compute rate");
    assert_snapshot!(of("1:0:0:999999.5"), @"a.dim:4: up to here rank 0 computes for 1000000.5 s, and the most is 1000000 s; check the counts and the compute rate");
    assert_snapshot!(of("1:0:0"), @"a.dim:4: lacks the time; the line is cut off or not of a Dimemas trace: copy it again");
    assert_snapshot!(of("4:0:0:1"), @"a.dim:4: is a record of kind 4, which Dimemas does not have; correct or remove the line");
    assert_snapshot!(of("1:2:0:1"), @"a.dim:4: the task is 2, but the header names 2, from 0; correct one of them");
    assert_snapshot!(of("2:0:0:5:-1:8:7:1:0"), @"a.dim:4: the receiver is 5, but the header names 2, from 0; correct one of them");
    assert_snapshot!(of("2:0:0:1:-1:8:7:1:4"), @"a.dim:4: sync is 4; for a send it is from 0 to 3");
    assert_snapshot!(of("2:0:0:1:-1:8:7"), @"a.dim:4: has 7 fields; a send or receive has 8 or 9: kind, task, thread, peer, its thread (in new traces), bytes, tag, communicator and sync");
    assert_snapshot!(of("3:0:0:1:-1:8:7:1:4"), @"a.dim:4: the type is 4; for a receive it is from 0 to 3");
    assert_snapshot!(of("2:0:0:1:-1:8:7:99999999999:0"), @"a.dim:4: names communicator 99999999999, which no line `d:1:99999999999:...` defines; correct the id");
    assert_snapshot!(of("10:0:0:32:1:0:0:0:0"), @"a.dim:4: operation 32 is no collective; they are 0 (barrier) to 31");
    assert_snapshot!(of("10:0:0:0:9:0:0:0:0"), @"a.dim:4: names communicator 9, which no line `d:1:9:...` defines; add it, or copy the file again");
    assert_snapshot!(of("10:0:0:0:1:0:0:0:0"), @"a.dim:4: task 0 calls barrier, but only 1 tasks of the communicator do: the trace is cut off, or the communicator is wrong; copy it again");
    assert_snapshot!(of("10:0:0:0:1:0:0:0:0\n10:1:0:11:1:0:0:8:8"), @"a.dim:5: task 1 calls allreduce where task 0 calls barrier (line 4); all tasks of a communicator must call the same collectives in the same order");
    assert_snapshot!(of("10:0:0:1:1:1:0:8:8\n10:1:0:1:1:1:0:8:8"), @"a.dim:5: says that it is the root of a bcast, and so does rank 0 of the communicator; correct one of them");
    let defined =
        |line: &str| refused(&format!("#DIMEMAS:\"a\":0:2(1,1),1,0,0\nd:1:1:2:0:1\n{line}\n1:0:0:1\n1:1:0:1\n"));
    assert_snapshot!(defined("d:1:2:2:0"), @"a.dim:3: names a size of 2 and lists 1 tasks; correct one of them");
    assert_snapshot!(defined("d:1:1:1:0"), @"a.dim:3: communicator 1 is there twice; give each its own id");
    assert_snapshot!(defined("d:4:1"), @"a.dim:3: defines what Dimemas does not have; write `d:1:id:size:tasks`");
}
