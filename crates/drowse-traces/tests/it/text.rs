//! Drowse's own format.

use std::sync::Arc;

use drowse_core::model::units::Time;
use drowse_core::workload::communicators::Communicators;
use drowse_core::workload::listed::Listed;
use drowse_core::workload::operation::{Collective, Operation, OperationSource, SendMode};
use drowse_traces::text::write;
use drowse_traces::{ComputeModel, Trace};
use proptest::prelude::*;

use crate::sample::{COMPUTE, Folder, data, gzip, operations, shipped};

/// Returns the trace of a text.
fn open(text: &str) -> Result<Trace, String> {
    let folder = Folder::new(&[("t.drowse", text)]);
    let trace = Trace::open(folder.path().join("t.drowse")).map_err(|error| folder.message(&error))?;
    // The file is read here, while it is there.
    trace.info().map_err(|error| folder.message(&error))?;
    operations(&mut *trace.operations(COMPUTE)).map_err(|error| folder.message(&error))?;
    Ok(trace)
}

/// Returns the operations of a text.
fn read(text: &str) -> Result<(Vec<Vec<Operation>>, Arc<Communicators>), String> {
    let folder = Folder::new(&[("t.drowse", text)]);
    let trace = Trace::open(folder.path().join("t.drowse")).map_err(|error| folder.message(&error))?;
    let mut source = trace.operations(COMPUTE);
    let program = operations(&mut *source).map_err(|error| folder.message(&error))?;
    Ok((program, source.communicators()))
}

/// Returns the operations of rank 0 of 4, of which 3 and 1 have a communicator with it.
fn lines(lines: &str) -> Result<Vec<Operation>, String> {
    read(&format!("drowse-trace 1\nranks 4\ncommunicator odd 3 0-1\nrank 0\n{lines}\n"))
        .map(|(mut all, _)| all.remove(0))
}

fn send(to: u32, tag: u32, comm: u32, bytes: u64, mode: SendMode) -> Operation {
    Operation::Send { to, tag, comm, mode, bytes }
}

#[test]
fn each_operation_has_a_line() {
    let us = Time::from_us;
    let collective = |collective| Operation::Collective { comm: 1, collective };
    let started = |request, collective| Operation::Icollective { comm: 0, request, collective: Box::new(collective) };
    let sizes = |sizes: &[u64]| sizes.into();
    let expected = [
        ("compute 1500", Operation::Compute(Time(1_500_000))),
        ("compute 1.5 us # a comment", Operation::Compute(Time(1_500_000))),
        ("send 1 8 KiB", send(1, 0, 0, 8192, SendMode::Standard)),
        ("ssend 1 8192 in odd tag 7", send(1, 7, 1, 8192, SendMode::Synchronous)),
        ("isend 3 1kB as 4", Operation::isend(3, 0, 1000, 4)),
        ("irsend 3 0", Operation::Isend { to: 3, tag: 0, comm: 0, mode: SendMode::Ready, bytes: 0, request: None }),
        ("recv any tag any", Operation::recv(None, None)),
        ("recv 2", Operation::recv(2, 0)),
        ("irecv 2 tag 5 as 9", Operation::irecv(2, 5, 9)),
        ("probe any", Operation::Probe { from: None, tag: Some(0), comm: 0 }),
        ("wait 4294967295", Operation::Wait { request: u32::MAX }),
        ("waitany 1 2", Operation::WaitAny([1, 2].into())),
        ("waitsome", Operation::WaitSome(Box::default())),
        ("waitall", Operation::WaitAll),
        ("iteration", Operation::Iteration),
        ("bcast 2 1 MiB in odd", collective(Collective::Bcast { root: 2, bytes: 1 << 20, count: 1 << 20 })),
        (
            "allreduce 80 count 10 compute 1 us in odd",
            collective(Collective::Allreduce { bytes: 80, count: 10, compute: us(1) }),
        ),
        ("gatherv 1 1 2 KiB 3 in odd", collective(Collective::Gatherv { root: 1, bytes: sizes(&[1, 2048, 3]) })),
        ("ibarrier as 3", started(3, Collective::Barrier)),
        ("ialltoallv 1 2 3 4 as 3", started(3, Collective::Alltoallv { bytes: sizes(&[1, 2, 3, 4]) })),
    ];
    for (line, operation) in expected {
        assert_eq!(lines(line), Ok(vec![operation]), "{line}");
    }
}

#[test]
fn sections_of_ranks_have_any_order() {
    let text = "# made by hand\n\ndrowse-trace 1\nranks 3\nrank 2\nwaitall\n  rank 0-1\nbarrier # both\nrank 2\niteration\nrank 1\nwaitall";
    let barrier = Operation::collective(Collective::Barrier);
    let expected =
        [vec![barrier.clone()], vec![barrier, Operation::WaitAll], vec![Operation::WaitAll, Operation::Iteration]];
    assert_eq!(read(text).unwrap().0, expected);
    // Also within blocks of another size: long sections are read in several.
    let long = format!("drowse-trace 1\nranks 2\nrank 0\n{}rank 1\n", "compute 1 ns # and some words\n".repeat(2_000));
    let many = [long.as_str(), &"rank 0\nwaitall\nrank 1\niteration\n".repeat(50)].concat();
    let program = read(&many).unwrap().0;
    assert_eq!((program[0].len(), program[1].len()), (2_050, 50));
}

#[test]
fn counts_of_a_text() {
    let folder =
        Folder::new(&[("t", "drowse-trace 1\nranks 2\nrank 0\nsend 1 5\ncompute 2 s\nbarrier\nrank 1\nbarrier\n")]);
    let info = drowse_traces::info(folder.path().join("t")).unwrap();
    assert_eq!((info.format, info.ranks, info.messages.bytes, info.collectives["barrier"]), ("drowse", 2, 5, 2));
    assert_eq!(
        info.warnings,
        [
            "at 1 ranks sends and receives differ: to rank 1, 1 more messages are sent than received, which take time and energy all the same"
        ]
    );
}

/// Where ranks come in their order, one pass tells all that is needed before a run. Where they do not, another counts.
#[test]
fn one_pass_counts_what_two_count() {
    let (head, sections) = (
        "drowse-trace 1\nranks 5\ncommunicator few 2 4\n",
        [
            "rank 0\nsend 2 5\ncompute 2 s\n",
            "rank 2\nrecv 0\nbarrier in few\n",
            "rank 2\nsend 0 7\n",
            "rank 4\nbarrier in few\nirecv 2 as 1\n",
        ],
    );
    let folder = Folder::new(&[]);
    let counted = |name: &str, order: [usize; 4], is_there: bool| {
        let text = order.map(|place| sections[place]).concat();
        let path = folder.write(name, (head.to_owned() + &text).as_bytes());
        let trace = Trace::open(&path).unwrap();
        if !is_there {
            std::fs::remove_file(path).unwrap();
        }
        trace.info().map_err(|error| folder.message(&error))
    };
    let once = counted("once", [0, 1, 2, 3], false).unwrap();
    assert_eq!(once.messages.bytes, 12);
    for order in [[3, 0, 1, 2], [1, 2, 3, 0], [0, 3, 1, 2]] {
        assert_eq!(counted("twice", order, true).unwrap(), once, "{order:?}");
        assert!(counted("twice", order, false).is_err(), "{order:?} needs the file once more");
    }
}

#[test]
fn collectives_that_differ_are_refused() {
    let folder =
        Folder::new(&[("t", "drowse-trace 1\nranks 2\ncommunicator a 0 1\nrank 0\nbarrier in a\nrank 1\nbarrier\n")]);
    let info = drowse_traces::info(folder.path().join("t")).unwrap();
    let refused = info.check_simulable().unwrap_err().to_string();
    assert!(refused.starts_with("rank 1 calls 1 collectives, but only 1 of 2 ranks call any"), "{refused}");
}

#[test]
fn a_compressed_text_is_read() {
    let folder = Folder::new(&[]);
    let text = "drowse-trace 1\nranks 2\nrank 1\nwaitall\nrank 0\nbarrier\nrank 1\nbarrier";
    let path = folder.write("t.gz", &gzip(text.as_bytes()));
    let trace = Trace::open(&path).unwrap();
    let program = operations(&mut *trace.operations(COMPUTE)).unwrap();
    assert_eq!(program, read(text).unwrap().0);
    let plain = folder.write("t", text.as_bytes());
    assert_eq!(Trace::open(plain).unwrap().fingerprint().unwrap(), trace.fingerprint().unwrap());
}

#[test]
fn times_are_scaled() {
    let folder = Folder::new(&[("t", "drowse-trace 1\nranks 1\nrank 0\ncompute 10\nreduce 0 8 compute 4\n")]);
    let trace = Trace::open(folder.path().join("t")).unwrap();
    let half = ComputeModel { scale: 0.5, ..COMPUTE };
    let reduce = Collective::Reduce { root: 0, bytes: 8, count: 8, compute: Time::from_ns(2) };
    let expected = [Operation::Compute(Time::from_ns(5)), Operation::collective(reduce)];
    assert_eq!(operations(&mut *trace.operations(half)).unwrap()[0], expected);
}

#[test]
fn wrong_lines_are_refused_with_their_place() {
    let head = "drowse-trace 1\nranks 4\n";
    let cases = [
        ("drowse-trace 2\n", "t.drowse:1: the first line is not `drowse-trace 1`"),
        ("drowse-trace 1\n", "t.drowse:1: the number of ranks is not given"),
        ("drowse-trace 1\nrank 0\n", "t.drowse:2: the number of ranks is not given"),
        ("drowse-trace 1\nranks 0\n", "t.drowse:2: 0 ranks are no program"),
        (
            "drowse-trace 1\nranks 99999999999\n",
            "t.drowse:2: 99999999999 ranks are no program; write 1 to 1048576 ranks",
        ),
        ("HEAD\nsend 1 5\n", "t.drowse:4: `send` belongs to no rank; write `rank N` before it"),
        ("HEADrank 4\n", "t.drowse:3: names rank 4, but there are 4 ranks"),
        ("HEADrank 2-1\n", "t.drowse:3: the range of ranks is `2-1`; it must be the lower rank first"),
        ("HEADrank 0\ncommunicator a 1\n", "t.drowse:4: `communicator` stands behind the first `rank`"),
        ("HEADcommunicator a 1 1\n", "t.drowse:3: declares a communicator holds rank 1 twice"),
        ("HEADcommunicator all 1\n", "t.drowse:3: communicator `all` is declared twice"),
        ("HEADrank 0\n\nsned 1 5\n", "t.drowse:5: `sned` is no operation"),
        ("HEADrank 0\nsend 1\n", "t.drowse:4: the size is missing; write it like `send RANK SIZE [tag N] [in COMM]`"),
        ("HEADrank 0\nsend 1 5 GB/s\n", "t.drowse:4: `GB/s` does not belong there; write it like `send RANK"),
        ("HEADrank 0\nsend 1 5 tag any\n", "t.drowse:4: `any` does not belong there"),
        ("HEADrank 0\nsend 1 5 tag 1 tag 2\n", "t.drowse:4: `tag` does not belong there"),
        ("HEADrank 0\nrecv 1 as 2\n", "t.drowse:4: `as` does not belong there; write it like `recv RANK|any"),
        ("HEADrank 0\nirecv 1\n", "t.drowse:4: the request is missing"),
        ("HEADrank 0\nsend -1 5\n", "t.drowse:4: the receiver is `-1`; it must be a whole number below 4294967296"),
        ("HEADrank 0\nsend 1 1.5\n", "t.drowse:4: `1.5 B` is not a whole number of bytes"),
        ("HEADrank 0\nsend 4 5\n", "t.drowse:4: rank 0 names rank 4, but the job has 4 ranks"),
        (
            "HEADrank 0\nsend 1 33 GiB\n",
            "t.drowse:4: rank 0 sends 35433480192 B at once, and the most is 34359738368 B",
        ),
        ("HEADrank 0\nbarrier in x\n", "t.drowse:4: communicator `x` is not declared; write `communicator x RANK...`"),
        ("HEADcommunicator a 1\nrank 0\nbarrier in a\n", "t.drowse:5: rank 0 is not in communicator a"),
        ("HEADrank 0\nalltoallv 1 2\n", "t.drowse:4: rank 0 lists sizes for 2 ranks, but the job has 4"),
        ("HEADrank 0\ncompute 999999 s\ncompute 2 s\n", "t.drowse:5: up to here the rank computes for"),
    ];
    for (text, message) in cases {
        let error = open(&text.replace("HEAD", head)).err().unwrap_or_default();
        assert!(error.starts_with(message), "{text:?}: {error}");
    }
}

/// Writes a program and reads it again.
fn round_trip(source: &mut dyn OperationSource) -> (Vec<Vec<Operation>>, Arc<Communicators>) {
    let mut text = Vec::new();
    write(source, &mut text).unwrap();
    read(&String::from_utf8(text).unwrap()).unwrap()
}

#[test]
fn real_programs_come_back() {
    for path in
        [shipped("is.A.16.tar.zst"), shipped("cg.A.16.tar.zst"), data("dumpi/testtrace"), data("dumpi/is.S.16.tar.gz")]
    {
        let trace = Trace::open(&path).unwrap();
        let program = operations(&mut *trace.operations(COMPUTE)).unwrap();
        let mut source = trace.operations(COMPUTE);
        let communicators = source.communicators();
        assert_eq!(round_trip(&mut *source), (program, communicators), "{}", path.display());
    }
}

const RANKS: u32 = 5;

/// Any operation of rank 3, which is in the communicator [4, 3, 0] too.
fn operation() -> impl Strategy<Value = Operation> {
    let comm = 0_u32..2;
    let mode =
        prop::sample::select(vec![SendMode::Standard, SendMode::Synchronous, SendMode::Buffered, SendMode::Ready]);
    let bytes = prop_oneof![0_u64..100, Just(1 << 35)];
    let perhaps = |number: std::ops::Range<u32>| prop::option::of(number);
    let requests = || prop::collection::vec(any::<u32>(), 0..4).prop_map(Vec::into_boxed_slice);
    // Ranks that are in both communicators.
    let peer = prop::sample::select(vec![0_u32, 3, 4]);
    prop_oneof![
        Just(Operation::Iteration),
        Just(Operation::WaitAll),
        (0_u64..1 << 50).prop_map(|time| Operation::Compute(Time(time))),
        (peer.clone(), any::<u32>(), comm.clone(), mode.clone(), bytes.clone())
            .prop_map(|(to, tag, comm, mode, bytes)| Operation::Send { to, tag, comm, mode, bytes }),
        (peer.clone(), any::<u32>(), comm.clone(), mode, bytes, prop::option::of(any::<u32>()))
            .prop_map(|(to, tag, comm, mode, bytes, request)| Operation::Isend { to, tag, comm, mode, bytes, request }),
        (prop::option::of(peer.clone()), perhaps(0..9), comm.clone()).prop_map(|(from, tag, comm)| Operation::Recv {
            from,
            tag,
            comm
        }),
        (prop::option::of(peer.clone()), perhaps(0..9), comm.clone(), any::<u32>())
            .prop_map(|(from, tag, comm, request)| Operation::Irecv { from, tag, comm, request }),
        (prop::option::of(peer), perhaps(0..9), comm.clone()).prop_map(|(from, tag, comm)| Operation::Probe {
            from,
            tag,
            comm
        }),
        any::<u32>().prop_map(|request| Operation::Wait { request }),
        requests().prop_map(Operation::WaitAny),
        requests().prop_map(Operation::WaitSome),
        (comm.clone(), 0_usize..15, 0_u32..3, (0_u64..99, 0_u64..99), 0_u64..9_999).prop_map(
            |(comm, kind, root, sizes, time)| Operation::Collective {
                comm,
                collective: collective(comm, kind, root, sizes, time)
            }
        ),
        (comm, 0_usize..15, 0_u32..3, (0_u64..99, 0_u64..99), 0_u64..9_999, any::<u32>()).prop_map(
            |(comm, kind, root, sizes, time, request)| Operation::Icollective {
                comm,
                request,
                collective: Box::new(collective(comm, kind, root, sizes, time)),
            }
        ),
    ]
}

fn collective(comm: u32, kind: usize, root: u32, (bytes, count): (u64, u64), time: u64) -> Collective {
    let compute = Time(time);
    let sizes: Box<[u64]> = (0..if comm == 0 { u64::from(RANKS) } else { 3 }).map(|rank| rank * bytes).collect();
    match kind {
        0 => Collective::Barrier,
        1 => Collective::Bcast { root, bytes, count },
        2 => Collective::Reduce { root, bytes, count, compute },
        3 => Collective::Allreduce { bytes, count, compute },
        4 => Collective::Gather { root, bytes },
        5 => Collective::Gatherv { root, bytes: sizes },
        6 => Collective::Scatter { root, bytes },
        7 => Collective::Scatterv { root, bytes: sizes },
        8 => Collective::Allgather { bytes },
        9 => Collective::Allgatherv { bytes: sizes },
        10 => Collective::Alltoall { bytes },
        11 => Collective::Alltoallv { bytes: sizes },
        12 => Collective::ReduceScatter { bytes: sizes, compute },
        13 => Collective::Scan { bytes, compute },
        _ => Collective::Exscan { bytes, compute },
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_program_comes_back(of_rank in prop::collection::vec(operation(), 0..30)) {
        let mut communicators = Communicators::of(RANKS);
        communicators.add(vec![4, 3, 0]).unwrap();
        let mut program = vec![Vec::new(); RANKS as usize];
        program[3] = of_rank;
        let communicators = Arc::new(communicators);
        let mut source = Listed::among(Arc::clone(&communicators), program.clone());
        prop_assert_eq!(round_trip(&mut source), (program, communicators));
    }

    /// Damage never makes the reader panic, read for ever, or take much memory.
    #[test]
    fn damaged_texts_do_not_panic(changes in prop::collection::vec((0_usize..400, any::<u8>()), 1..8), from in 0_usize..400) {
        let text = "drowse-trace 1\nranks 4\ncommunicator odd 1 3\nrank 0-3\ncompute 1.5 us\nallreduce 8 KiB compute 3\n\
                    rank 1\nisend 3 8 in odd tag 2 as 4\nwaitany 4 5\nrank 3\nirecv any in odd tag any as 1\nwaitall\n\
                    rank 0\nialltoallv 1 2 3 4 as 7\nwait 7\n";
        let mut bytes = text.as_bytes().to_vec();
        for &(at, value) in &changes {
            let length = bytes.len();
            bytes[at % length] = value;
        }
        // A line comes again.
        bytes.extend_from_within(from % text.len()..);
        let folder = Folder::new(&[]);
        let path = folder.write("t", &bytes);
        if let Ok(trace) = Trace::open(&path) {
            let _ = trace.info().map(|info| info.check_simulable().is_ok());
            if trace.ranks() < 1_000 {
                let _ = operations(&mut *trace.operations(COMPUTE));
            }
        }
    }
}
