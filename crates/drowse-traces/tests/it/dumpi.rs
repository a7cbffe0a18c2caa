//! DUMPI: what calls become, and what is refused.

use drowse_core::model::units::Time;
use drowse_core::workload::operation::{Collective, Operation, SendMode};
use drowse_traces::{Computing, Trace};
use proptest::prelude::*;

use crate::dumpi_file::Arg::{H, I, List, Statuses, Types};
use crate::dumpi_file::{BYTE, Calls, INT, WORLD, call, folder};
use crate::sample::{COMPUTE, Folder, data, operations};

/// The operations of all ranks without computing, and the communicators after that of all.
type Program = (Vec<Vec<Operation>>, Vec<Vec<u32>>);

/// Returns the program of files.
fn program(ranks: &[Calls]) -> Result<Program, String> {
    let folder = folder(ranks);
    let trace = Trace::open(folder.path()).map_err(|error| folder.message(&error))?;
    let mut source = trace.operations(COMPUTE);
    let mut program = operations(&mut *source).map_err(|error| folder.message(&error))?;
    program
        .iter_mut()
        .for_each(|operations| operations.retain(|operation| !matches!(operation, Operation::Compute(_))));
    let comms = source.communicators();
    let members = |comm| (0..comms.size(comm).unwrap()).map(|rank| comms.rank(comm, rank).unwrap()).collect();
    Ok((program, (1..comms.count()).map(members).collect()))
}

/// Returns the operations of the only rank.
fn alone(calls: Calls) -> Vec<Operation> {
    program(&[calls]).unwrap().0.remove(0)
}

fn bcast(root: u32, comm: u32) -> Operation {
    Operation::Collective { comm, collective: Collective::Bcast { root, bytes: 40, count: 10 } }
}

/// A call of MPI_Bcast by all ranks of a communicator.
fn call_bcast(calls: Calls, root: i32, comm: u16) -> Calls {
    calls.add(call::BCAST, &[I(10), H(INT), I(root), H(comm)])
}

/// The times are those that a second reader of the format finds, written from its description alone.
#[test]
fn a_real_trace() {
    let trace = Trace::open(data("dumpi/testtrace")).unwrap();
    let info = trace.info().unwrap();
    assert_eq!((info.format, info.ranks, info.total_operations()), ("dumpi", 4, 36));
    assert_eq!((info.messages.count, info.messages.bytes), (4, 16));
    assert_eq!(info.warnings, Vec::<String>::new());
    let program = operations(&mut *trace.operations(COMPUTE)).unwrap();
    let us = |us| Operation::Compute(Time::from_us(us));
    let allreduce = Collective::Allreduce { bytes: 4, count: 1, compute: Time::ZERO };
    let rank0 = [
        us(37),
        Operation::collective(Collective::Barrier),
        us(15),
        Operation::isend(1, 1337, 4, 0),
        us(10),
        Operation::recv(3, 1337),
        us(8),
        Operation::Wait { request: 0 },
        us(15),
        Operation::collective(allreduce),
        us(7),
    ];
    assert_eq!(program[0], rank0);
    assert_eq!(program[2][3], Operation::isend(3, 1337, 4, 0));
    assert!(matches!(info.compute, Computing::Picoseconds(_)));
}

#[test]
fn an_archive_is_a_folder() {
    let trace = Trace::open(data("dumpi/is.S.16.tar.gz")).unwrap();
    let info = trace.info().unwrap();
    assert_eq!((info.ranks, info.total_operations(), info.messages.bytes), (16, 717, 60));
    assert_eq!(info.collectives["Alltoallv"], 176);
}

#[test]
fn one_file_alone_is_counted_not_run() {
    let trace = Trace::open(data("dumpi/testtrace/testtrace-0002.bin")).unwrap();
    let info = trace.info().unwrap();
    assert_eq!((info.ranks, info.messages.count, info.messages.bytes), (1, 1, 4));
    assert_eq!(info.warnings, ["the trace holds rank 2, 1 of 4 ranks: it can be counted, not run"]);
    let refused = info.check_simulable().unwrap_err().to_string();
    assert!(refused.contains("fewer files than the program has ranks"), "{refused}");
}

#[test]
fn splits_are_rebuilt_from_all_ranks() {
    // By color, then key, then rank; the parent's numbers of ranks are its own.
    let rank = |rank: i32, color, key, new| {
        let calls = Calls::new().add(call::COMM_SPLIT, &[H(WORLD), I(color), I(key), H(new)]);
        let calls = if color < 0 { calls } else { call_bcast(calls, 1, new).add(call::COMM_RANK, &[H(new), I(rank)]) };
        calls.add(call::BARRIER, &[H(WORLD)])
    };
    let ranks = [rank(1, 7, 5, 4), rank(0, 0, 0, 9), rank(0, 7, -1, 4), rank(0, -32_766, 0, 1), rank(1, 0, 0, 4)];
    let (program, comms) = program(&ranks).unwrap();
    assert_eq!(comms, [vec![1, 4], vec![2, 0]]);
    let barrier = Operation::collective(Collective::Barrier);
    assert_eq!(program[0], [bcast(1, 2), barrier.clone()]);
    assert_eq!(program[1], [bcast(1, 1), barrier.clone()]);
    assert_eq!(program[3], [barrier]);
}

#[test]
fn peers_are_ranks_of_the_communicator() {
    let rank = |key| {
        Calls::new()
            .add(call::COMM_SPLIT, &[H(WORLD), I(0), I(key), H(4)])
            .add(call::COMM_DUP, &[H(4), H(5)])
            .add(call::SSEND, &[I(3), H(INT), I(0), I(7), H(5)])
            .add(call::COMM_FREE, &[H(5)])
    };
    let (program, comms) = program(&[rank(2), rank(1)]).unwrap();
    assert_eq!(comms, [vec![1, 0], vec![1, 0]]);
    let send = Operation::Send { to: 1, tag: 7, comm: 2, mode: SendMode::Synchronous, bytes: 12 };
    assert_eq!(program[0], [send]);
}

#[test]
fn groups_and_grids_are_rebuilt() {
    let create = |group: Vec<i32>, new| {
        let calls = Calls::new()
            .add(call::COMM_GROUP, &[H(WORLD), H(3)])
            .add(call::GROUP_INCL, &[H(3), I(i32::try_from(group.len()).unwrap()), List(group), H(4)])
            .add(call::COMM_CREATE, &[H(WORLD), H(4), H(new)]);
        calls.add(call::CART_CREATE, &[H(WORLD), I(2), List(vec![2, 2]), List(vec![0, 0]), I(1), H(7)])
    };
    let sub = |calls: Calls, remain| calls.add(call::CART_SUB, &[I(2), H(7), List(remain), H(8)]);
    let ranks = [
        sub(create(vec![3, 0], 5), vec![0, 1]),
        sub(create(vec![3, 0], 1), vec![0, 1]),
        sub(create(vec![3, 0], 1), vec![0, 1]),
        sub(create(vec![3, 0], 5), vec![0, 1]),
    ];
    // The group, the grid, and its rows: the last dimension counts fastest.
    assert_eq!(program(&ranks).unwrap().1, [vec![3, 0], vec![0, 1, 2, 3], vec![0, 1], vec![2, 3]]);
    let columns: Vec<_> = (0..4).map(|_| sub(create(vec![0], 5), vec![1, 0])).collect();
    assert_eq!(program(&columns).unwrap().1[2..], [vec![0, 2], vec![1, 3]]);
}

#[test]
fn a_communicator_of_one_rank() {
    let calls = call_bcast(Calls::new(), 0, 3);
    let (program, comms) = program(&[Calls::new(), calls]).unwrap();
    assert_eq!((comms, &program[1]), (vec![vec![1]], &vec![bcast(0, 1)]));
}

#[test]
fn communicators_that_cannot_be_rebuilt_are_refused_by_the_call() {
    let merged = || call_bcast(Calls::new().add(call::INTERCOMM_MERGE, &[H(WORLD), I(0), H(4)]), 0, 4);
    let error = program(&[merged(), merged()]).unwrap_err();
    assert_eq!(
        error,
        "run-0000.bin: at byte 39: MPI_Bcast uses communicator 4, which MPI_Intercomm_merge makes: it joins ranks of \
         several groups or programs; choose a trace without it"
    );
    let info = Trace::open(folder(&[merged(), merged()]).path()).unwrap().info().unwrap();
    assert_eq!(info.not_simulated[0].occurrences, 2);
    assert_eq!(info.not_simulated[0].action, "MPI_Bcast in a communicator of MPI_Intercomm_merge");
    let split = || call_bcast(Calls::new().add(call::COMM_SPLIT, &[H(WORLD), I(0), I(0), H(4)]), 0, 4);
    let error = program(&[split(), Calls::new()]).unwrap_err();
    assert!(error.contains("which MPI_Comm_split makes: not all ranks of its parent call it"), "{error}");
    let error = program(&[call_bcast(Calls::new(), 0, 11)]).unwrap_err();
    assert!(error.contains("communicator 11: no call of the trace makes its communicator"), "{error}");
}

/// What ranks are told of a communicator is held against what was rebuilt.
#[test]
fn other_ranks_than_the_trace_says_are_refused() {
    let dup = Calls::new().add(call::COMM_DUP, &[H(WORLD), H(4)]).add(call::COMM_SIZE, &[H(4), I(3)]);
    let error = program(&[dup]).unwrap_err();
    assert!(error.contains("MPI_Comm_size returns 3 for communicator 4, which has 1"), "{error}");
}

#[test]
fn requests_complete_as_the_trace_says() {
    let isend = |calls: Calls, request| calls.add(call::ISEND, &[I(1), H(BYTE), I(0), I(0), H(WORLD), I(request)]);
    let calls = [5, 6, 7, 8].into_iter().fold(Calls::new(), isend);
    let requests = || List(vec![5, 6, 7, 8]);
    let calls = calls
        .add(call::TEST, &[I(5), I(0)])
        .add(call::TEST, &[I(5), I(1)])
        .add(call::WAITANY, &[I(4), requests(), I(2)])
        .add(call::WAITANY, &[I(4), requests(), I(-32_766)])
        .add(call::TESTSOME, &[I(4), requests(), I(0), List(vec![])])
        .add(call::WAITSOME, &[I(4), requests(), I(1), List(vec![3])])
        .add(call::WAITALL, &[I(4), List(vec![1, 6, 1, 1])])
        .add(call::IPROBE, &[I(-1), I(-1), H(WORLD), I(0)])
        .add(call::IPROBE, &[I(0), I(-1), H(WORLD), I(1)]);
    let waits = [0, 2, 3, 1].map(|request| Operation::Wait { request });
    let operations = alone(calls);
    assert_eq!(operations[4..8], waits);
    assert_eq!(operations[8..], [Operation::Probe { from: Some(0), tag: None, comm: 0 }]);
}

#[test]
fn persistent_requests_start_again() {
    let calls = Calls::new()
        .add(call::SEND_INIT, &[I(2), H(INT), I(0), I(3), H(WORLD), I(5)])
        .add(call::RECV_INIT, &[I(2), H(INT), I(-1), I(3), H(WORLD), I(6)]);
    let round = |calls: Calls| {
        calls.add(call::STARTALL, &[I(2), List(vec![5, 6])]).add(call::WAITALL, &[I(2), List(vec![5, 6])])
    };
    let expected =
        |request| [Operation::isend(0, 3, 8, request), Operation::irecv(None, 3, request + 1), Operation::WaitAll];
    assert_eq!(alone(round(round(calls))), [expected(0), expected(2)].concat());
}

#[test]
fn nothing_is_exchanged_with_no_rank() {
    let none = || I(-2);
    let calls = Calls::new()
        .add(call::SEND, &[I(1), H(BYTE), none(), I(0), H(WORLD)])
        .add(call::RECV, &[I(1), H(BYTE), none(), I(0), H(WORLD)])
        .add(call::IRECV, &[I(1), H(BYTE), none(), I(0), H(WORLD), I(4)])
        .add(call::WAIT, &[I(4)])
        .add(call::SENDRECV, &[I(1), H(BYTE), I(0), I(9), I(1), H(BYTE), none(), I(9), H(WORLD)]);
    assert_eq!(alone(calls), [Operation::isend(0, 9, 1, 1), Operation::Wait { request: 1 }]);
}

/// A receive that is never matched would wait for ever.
#[test]
fn cancelled_receives_are_left_out() {
    let calls = Calls::new()
        .add(call::IRECV, &[I(1), H(BYTE), I(0), I(0), H(WORLD), I(4)])
        .add(call::IRECV, &[I(1), H(BYTE), I(0), I(1), H(WORLD), I(5)])
        .add(call::CANCEL, &[I(4)])
        .add(call::WAITALL, &[I(2), List(vec![4, 5]), Statuses(vec![true, false])]);
    assert_eq!(alone(calls), [Operation::irecv(0, 1, 1), Operation::Wait { request: 1 }]);
}

/// A number of a datatype may stand for another one later; the list at the end of the file has the last.
#[test]
fn datatypes_have_the_size_of_their_last_making() {
    let send = |calls: Calls, datatype| calls.add(call::SEND, &[I(10), H(datatype), I(0), I(0), H(WORLD)]);
    let calls = send(Calls::new().add(call::TYPE_CONTIGUOUS, &[I(3), H(INT), H(28)]), 28);
    let lengths = || List(vec![2, 1]);
    let calls = calls.add(call::TYPE_STRUCT, &[I(2), lengths(), List(vec![0, 24]), Types(vec![28, 5]), H(29)]);
    let calls = send(calls, 29).add(call::TYPE_CONTIGUOUS, &[I(1), H(BYTE), H(28)]);
    let mut sizes = vec![4; 31];
    (sizes[5], sizes[28]) = (1, 1);
    let bytes: Vec<u64> = alone(send(send(calls, 28), 30).sizes(&sizes)).iter().map(Operation::largest).collect();
    assert_eq!(bytes, [120, 250, 10, 40]);
    let error = program(&[send(Calls::new(), 77)]).unwrap_err();
    assert!(error.contains("MPI_Send has datatype 77, whose size the trace does not tell"), "{error}");
}

#[test]
fn lists_are_those_of_the_communicator() {
    let alltoallv = |list: Vec<i32>| {
        let arguments =
            [I(2), List(list.clone()), List(vec![0; 2]), H(INT), List(list), List(vec![0; 2]), H(INT), H(WORLD)];
        Calls::new().add(call::ALLTOALLV, &arguments)
    };
    let (mut operations, _) = program(&[alltoallv(vec![1, 2]), alltoallv(vec![3, 4])]).unwrap();
    let sizes = |bytes: [u64; 2]| vec![Operation::collective(Collective::Alltoallv { bytes: bytes.into() })];
    assert_eq!(operations, [sizes([4, 8]), sizes([12, 16])]);
    let error = program(&[alltoallv(vec![1]), alltoallv(vec![3])]).unwrap_err();
    assert!(error.contains("MPI_Alltoallv lists 1 counts in a communicator of 2 ranks"), "{error}");
    let error = program(&[alltoallv(vec![-1, 0]), alltoallv(vec![3, 4])]).unwrap_err();
    assert!(error.contains("MPI_Alltoallv has a count of -1"), "{error}");
    // At the root, a list; elsewhere, the own count.
    let gatherv = |rank, more: &[crate::dumpi_file::Arg]| {
        let own = [I(rank), I(2), I(5), H(INT), I(1), H(WORLD)];
        Calls::new().add(call::GATHERV, &[&own, more, &[H(BYTE)]].concat())
    };
    operations = program(&[gatherv(0, &[]), gatherv(1, &[List(vec![20, 9]), List(vec![0, 20])])]).unwrap().0;
    let sizes = |bytes: [u64; 2]| vec![Operation::collective(Collective::Gatherv { root: 1, bytes: bytes.into() })];
    assert_eq!(operations, [sizes([20, 0]), sizes([20, 9])]);
}

#[test]
fn what_is_left_out_is_counted() {
    let put = Calls::new().add(call::PUT, &[I(1), H(INT), I(0), I(0), I(1), H(INT), H(0)]);
    let put = put.add(call::TEST, &[I(9), I(0)]).add(call::WAIT, &[I(9)]);
    let info = Trace::open(folder(&[put]).path()).unwrap().info().unwrap();
    assert_eq!((info.coverage.simulated, info.coverage.omissions()), (0, 3));
    assert!(info.warnings.iter().any(|warning| warning.starts_with("1 one-sided calls are left out")));
}

#[test]
fn wrong_files_are_refused_with_their_place() {
    let rank = std::fs::read(data("dumpi/testtrace/testtrace-0000.bin")).unwrap();
    let read = |bytes: &[u8]| {
        let folder = Folder::new(&[]);
        let path = folder.write("x.bin", bytes);
        Trace::open(path).and_then(|trace| trace.info()).map(drop).map_err(|error| folder.message(&error))
    };
    assert_eq!(read(&rank), Ok(()));
    // The index, which is cut, looks like the shorter one of older files.
    let index = rank.len() - 56;
    for length in 8..rank.len() {
        let error = read(&rank[..length]).expect_err("a file without its end");
        let whole = format!("x.bin: at byte {length}: the file does not end with the index of a DUMPI file");
        assert!(error.starts_with(if length < index { &whole } else { "x.bin: at byte " }), "{error}");
    }
    let with = |at: usize, bytes: &[u8]| {
        let mut rank = rank.clone();
        rank[at..at + bytes.len()].copy_from_slice(bytes);
        read(&rank).unwrap_err()
    };
    let end = rank.len();
    // The function of the second call, its clock left as it is.
    let error = with(58, &[0x01, 0x22]);
    assert_eq!(
        error,
        "x.bin: at byte 58: 290 is the number of no MPI function that DUMPI records; the file is damaged: copy it again"
    );
    let error = with(end - 24, &[0, 0, 1, 0, 0, 0, 0, 0]);
    assert!(error.contains("the index says that the body begins at byte"), "{error}");
    // A text of four gigabytes among the arguments of MPI_Init.
    let init = rank.windows(5).position(|bytes| bytes == b"./mpi").unwrap() - 4;
    let error = with(init, &[0xff; 4]);
    assert_eq!(
        error,
        "x.bin: at byte 16: a call goes on behind the end of its section; the file is damaged: copy it again"
    );
}

/// What a trace is depends on its calls and their rank, and on the sizes of datatypes; not on how it is stored.
#[test]
fn what_a_trace_is() {
    let print = |ranks: &[Calls]| Trace::open(folder(ranks).path()).unwrap().fingerprint().unwrap();
    let send = |bytes, to| Calls::new().add(call::SEND, &[I(bytes), H(BYTE), I(to), I(0), H(WORLD)]);
    let all = [
        print(&[send(1, 1), Calls::new()]),
        print(&[send(2, 1), Calls::new()]),
        print(&[send(1, 0), Calls::new()]),
        print(&[Calls::new(), send(1, 1)]),
        print(&[send(1, 1).sizes(&[4; 31]), Calls::new()]),
        print(&[send(1, 1), Calls::new().sizes(&[4; 31])]),
        print(&[send(1, 1)]),
    ];
    assert_eq!(all.iter().collect::<std::collections::BTreeSet<_>>().len(), all.len());
    assert_eq!(all[0], print(&[send(1, 1), Calls::new()]));
}

#[test]
fn files_of_all_ranks_must_be_there() {
    let folder = folder(&[Calls::new(), Calls::new(), Calls::new()]);
    let refused = || Trace::open(folder.path()).err().map(|error| folder.message(&error)).unwrap();
    std::fs::remove_file(folder.path().join("run-0001.bin")).unwrap();
    assert_eq!(refused(), "DIR: has no file of rank 1, but one of rank 2; add it, or choose one file alone");
    folder.write("other-0000.bin", &Calls::new().file());
    let several = "DIR: holds files of several traces (other, run); keep one trace in a folder, or name the .meta file of \
                   one (SST-DUMPI)";
    assert_eq!(refused(), several);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    /// Damage never makes the reader panic, or read for ever.
    #[test]
    fn damaged_files_do_not_panic(
        changes in prop::collection::vec((0_usize..3_000, value()), 1..6),
        rank in 0..4,
    ) {
        let folder = Folder::new(&[]);
        for one in 0..4 {
            let name = format!("testtrace-{one:04}.bin");
            let mut bytes = std::fs::read(data("dumpi/testtrace").join(&name)).unwrap();
            if one == rank {
                for (at, value) in &changes {
                    let at = at % (bytes.len() - 4);
                    bytes[at..at + value.len()].copy_from_slice(value);
                }
            }
            folder.write(&name, &bytes);
        }
        if let Ok(trace) = Trace::open(folder.path()) {
            let _ = trace.info().map(|info| info.check_simulable().is_ok());
            let _ = trace.fingerprint();
            let _ = operations(&mut *trace.operations(COMPUTE));
        }
    }
}

/// One byte, or the number of a function, or a count that does not fit.
fn value() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![
        any::<u8>().prop_map(|byte| vec![byte]),
        (0_u16..300).prop_map(|function| function.to_be_bytes().to_vec()),
        prop::sample::select(vec![0, 1, 100, 1 << 20, i32::MAX, -1, i32::MIN])
            .prop_map(|count| count.to_be_bytes().to_vec()),
    ]
}
