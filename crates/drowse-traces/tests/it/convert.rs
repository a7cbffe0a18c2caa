//! Programs in all formats that are written: what is read again is what was written.

use std::collections::BTreeSet;
use std::sync::Arc;

use drowse_core::model::units::{FlopRate, Time};
use drowse_core::workload::algorithms::Algorithms;
use drowse_core::workload::collectives::expand_in;
use drowse_core::workload::communicators::Communicators;
use drowse_core::workload::operation::{Collective, Operation, SendMode};
use drowse_traces::{ComputeModel, Format, Trace};
use insta::assert_snapshot;
use proptest::prelude::*;

use crate::sample::{Folder, Memory, data, operations, shipped};

type Program = Vec<Vec<Operation>>;

const RANKS: u32 = 4;
const SPEED: FlopRate = FlopRate(10_000_000_000);
const COMPUTE: ComputeModel = ComputeModel::TEN_GIGAFLOPS;

/// The communicators of random programs: all ranks, some of them, and all in their order again.
fn communicators() -> Arc<Communicators> {
    let mut communicators = Communicators::of(RANKS);
    communicators.add(vec![3, 0, 1]).unwrap();
    communicators.add((0..RANKS).collect()).unwrap();
    Arc::new(communicators)
}

/// Writes a program, and returns the text and what it does not tell.
fn write(program: &Program, format: &str) -> Result<(String, Vec<String>), String> {
    let memory = || Memory { communicators: communicators(), program: program.clone() };
    let mut text = Vec::new();
    let format = Format::named(format).unwrap();
    let notes = format.write(&|| Box::new(memory()), SPEED, &mut text).map_err(|error| error.to_string())?;
    Ok((String::from_utf8(text).unwrap(), notes))
}

/// Reads a text again, which must be of a format.
fn read(text: &str, format: &str) -> Result<Program, String> {
    let folder = Folder::new(&[("t", text)]);
    let trace = Trace::open(folder.path().join("t")).map_err(|error| folder.message(&error))?;
    let info = trace.info().map_err(|error| folder.message(&error))?;
    assert_eq!(info.format, format);
    let findings = trace.check(1_000).unwrap().first;
    // Sends for which nothing waits have requests in some formats.
    let lacking: Vec<_> = findings.iter().filter(|finding| !finding.what.starts_with("nothing waits")).collect();
    assert!(lacking.is_empty(), "the ranks do not fit together any more: {lacking:?}");
    operations(&mut *trace.operations(COMPUTE)).map_err(|error| folder.message(&error))
}

fn round_trip(program: &Program, format: &str) -> Program {
    let (text, _) = write(program, format).unwrap_or_else(|error| panic!("{error}"));
    read(&text, format).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// Numbers requests by their starts, and leaves out what has no effect: empty computations, marks, and waits for what is
/// not pending.
fn plain(program: &Program) -> Program {
    let of_rank = |operations: &Vec<Operation>| {
        let (mut pending, mut next, mut plain) = (std::collections::BTreeMap::new(), 0, Vec::new());
        for operation in operations {
            let mut operation = operation.clone();
            match &mut operation {
                Operation::Isend { request: Some(request), .. }
                | Operation::Irecv { request, .. }
                | Operation::Icollective { request, .. } => {
                    pending.insert(*request, next);
                    *request = next;
                    next += 1;
                }
                Operation::Wait { request } => match pending.remove(request) {
                    Some(number) => *request = number,
                    None => continue,
                },
                Operation::WaitAll => pending.clear(),
                Operation::Compute(Time::ZERO) | Operation::Iteration => continue,
                _ => {}
            }
            plain.push(operation);
        }
        plain
    };
    program.iter().map(of_rank).collect()
}

/// What happens in a random program.
#[derive(Clone, Debug)]
enum Event {
    Compute(u32, u64),
    Message {
        from: u32,
        to: u32,
        tag: u32,
        comm: u32,
        bytes: u64,
        immediate: bool,
        posted: bool,
        late: bool,
        mode: SendMode,
    },
    Collective {
        kind: usize,
        root: u32,
        bytes: u64,
        comm: u32,
        started: bool,
        compute: u64,
    },
    WaitAll(u32),
}

fn event(comms: std::ops::Range<u32>, collectives: usize, starts: bool) -> impl Strategy<Value = Event> {
    let modes = prop::sample::select(vec![SendMode::Standard, SendMode::Synchronous]);
    // Ranks that are in all communicators.
    let rank = || prop::sample::select(vec![0_u32, 1, 3]);
    let message = (rank(), rank(), 0_u32..3, comms.clone(), 0_u64..99, any::<[bool; 3]>(), modes).prop_map(
        |(from, to, tag, comm, bytes, [immediate, posted, late], mode)| Event::Message {
            from,
            to,
            tag,
            comm,
            bytes,
            immediate,
            posted,
            late,
            mode,
        },
    );
    let collective = (0..collectives.max(1), 0_u32..3, 1_u64..99, comms, any::<bool>(), 0_u64..50).prop_map(
        move |(kind, root, bytes, comm, started, compute)| Event::Collective {
            kind,
            root,
            bytes,
            comm,
            started: started && starts,
            compute: if started && starts { 0 } else { compute },
        },
    );
    let weight = u32::from(collectives > 0);
    prop_oneof![
        3 => (0..RANKS, 0_u64..99).prop_map(|(rank, time)| Event::Compute(rank, time)),
        6 => message,
        2 * weight => collective,
        1 => (0..RANKS).prop_map(Event::WaitAll),
    ]
}

fn collective(kind: usize, root: u32, bytes: u64, ranks: u64, compute: Time) -> Collective {
    let sizes: Box<[u64]> = (1..=ranks).map(|rank| rank * bytes).collect();
    match kind {
        0 => Collective::Barrier,
        1 => Collective::Bcast { root, bytes, count: bytes },
        2 => Collective::Reduce { root, bytes, count: bytes, compute },
        3 => Collective::Allreduce { bytes, count: bytes, compute },
        4 => Collective::Gather { root, bytes },
        5 => Collective::Gatherv { root, bytes: sizes },
        6 => Collective::Scatter { root, bytes },
        7 => Collective::Scatterv { root, bytes: sizes },
        8 => Collective::Allgather { bytes },
        9 => Collective::Allgatherv { bytes: sizes },
        10 => Collective::Alltoall { bytes },
        11 => Collective::Alltoallv {
            bytes: (0..ranks).map(|to| bytes / ranks + u64::from(to < bytes % ranks)).collect(),
        },
        12 => Collective::ReduceScatter { bytes: sizes, compute },
        13 => Collective::Scan { bytes, compute },
        _ => Collective::Exscan { bytes, compute },
    }
}

/// Makes the program of events. Requests are waited for at once, or by a wait for all at the end.
fn program(events: &[Event]) -> Program {
    let comms = communicators();
    let mut program = vec![Vec::new(); RANKS as usize];
    for (event, request) in events.iter().zip((0..).step_by(2)) {
        match *event {
            Event::Compute(rank, time) => program[rank as usize].push(Operation::Compute(Time::from_ns(time))),
            Event::WaitAll(rank) => program[rank as usize].push(Operation::WaitAll),
            Event::Message { from, to, tag, comm, bytes, immediate, posted, late, mode } => {
                // A blocking message of a rank to itself would wait for itself.
                let immediate = immediate || from == to;
                let sender = &mut program[from as usize];
                if immediate {
                    sender.push(Operation::Isend { to, tag, comm, mode, bytes, request: Some(request) });
                } else {
                    sender.push(Operation::Send { to, tag, comm, mode, bytes });
                }
                let (from_rank, tag) = (Some(from), Some(tag));
                let receiver = &mut program[to as usize];
                if posted {
                    receiver.push(Operation::Irecv { from: from_rank, tag, comm, request: request + 1 });
                } else {
                    receiver.push(Operation::Recv { from: from_rank, tag, comm });
                }
                if !late && posted {
                    receiver.push(Operation::Wait { request: request + 1 });
                }
                if !late && immediate {
                    program[from as usize].push(Operation::Wait { request });
                }
            }
            Event::Collective { kind, root, bytes, comm, started, compute } => {
                let size = comms.size(comm).unwrap();
                let call = collective(kind, root, bytes, size.into(), Time::from_ns(compute));
                for rank in (0..size).map(|place| comms.rank(comm, place).unwrap() as usize) {
                    if started {
                        program[rank].push(Operation::Icollective {
                            comm,
                            request,
                            collective: Box::new(call.clone()),
                        });
                    } else {
                        program[rank].push(Operation::Collective { comm, collective: call.clone() });
                    }
                }
            }
        }
    }
    program.iter_mut().for_each(|operations| operations.push(Operation::WaitAll));
    program
}

/// Waits of a late request with an earlier one of its kind are refused; without late ones, none is.
fn is_ordered(error: &str) -> bool {
    error.contains("for a later one")
}

/// What Dimemas tells of a program: sends are not waited for, waits for all are waits for each, communicators come after
/// that of messages with ids, and combining takes time after its collective.
fn as_dimemas(program: &Program) -> Program {
    let of_rank = |operations: &Vec<Operation>| {
        let (mut sends, mut pending, mut told) = (BTreeSet::new(), Vec::new(), Vec::new());
        // The communicator of all ranks again has its tags as ids of messages.
        let named = |comm: u32| if comm == 1 { 2 } else { u32::from(comm == 2) };
        for operation in operations {
            let mut operation = operation.clone();
            match &mut operation {
                Operation::Isend { request, comm, .. } => {
                    sends.extend(request.take());
                    *comm = named(*comm);
                }
                Operation::Send { comm, .. } | Operation::Recv { comm, .. } => *comm = named(*comm),
                Operation::Irecv { request, comm, .. } => {
                    pending.push(*request);
                    *comm = named(*comm);
                }
                Operation::Icollective { request, comm, .. } => {
                    pending.push(*request);
                    *comm = if *comm == 1 { 2 } else { 0 };
                }
                Operation::Collective { comm, collective } => {
                    *comm = if *comm == 1 { 2 } else { 0 };
                    let time = collective.compute().unwrap_or_default();
                    clear_compute(collective);
                    told.push(operation);
                    told.push(Operation::Compute(time));
                    continue;
                }
                Operation::Wait { request } if sends.remove(request) => continue,
                Operation::Wait { request } => pending.retain(|other| other != request),
                Operation::WaitAll => {
                    told.extend(pending.drain(..).map(|request| Operation::Wait { request }));
                    continue;
                }
                _ => {}
            }
            told.push(operation);
        }
        told
    };
    plain(&program.iter().map(of_rank).collect())
}

fn clear_compute(collective: &mut Collective) {
    match collective {
        Collective::Reduce { compute, .. }
        | Collective::Allreduce { compute, .. }
        | Collective::ReduceScatter { compute, .. }
        | Collective::Scan { compute, .. }
        | Collective::Exscan { compute, .. } => *compute = Time::ZERO,
        _ => {}
    }
}

/// What a GOAL text tells: each message and computation in order, and which messages were complete before it.
fn as_goal(program: &Program) -> Vec<Vec<(String, BTreeSet<usize>)>> {
    let of_rank = |operations: &Vec<Operation>| {
        let (mut done, mut pending) = (BTreeSet::new(), std::collections::BTreeMap::new());
        let mut told: Vec<(String, BTreeSet<usize>)> = Vec::new();
        for operation in operations {
            let number = told.len();
            let mut start = |what: String, done: &BTreeSet<usize>| told.push((what, done.clone()));
            match *operation {
                Operation::Compute(Time::ZERO) => {}
                Operation::Compute(time) => start(format!("compute {time}"), &done),
                Operation::Send { to, bytes, .. } | Operation::Isend { to, bytes, .. } => {
                    start(format!("send {to} {bytes}"), &done);
                }
                Operation::Recv { from, .. } | Operation::Irecv { from, .. } => start(format!("recv {from:?}"), &done),
                Operation::Wait { ref request } => done.extend(pending.remove(request)),
                Operation::WaitAll => done.extend(std::mem::take(&mut pending).into_values()),
                _ => {}
            }
            match *operation {
                Operation::Send { .. } | Operation::Recv { .. } => drop(done.insert(number)),
                Operation::Isend { request: Some(request), .. } | Operation::Irecv { request, .. } => {
                    pending.insert(request, number);
                }
                _ => {}
            }
        }
        told
    };
    program.iter().map(of_rank).collect()
}

/// What each rank sends, and the collectives that it calls.
fn sent(program: &Program) -> Vec<Vec<Operation>> {
    let told = |operation: &Operation| match *operation {
        Operation::Send { to, bytes, .. } | Operation::Isend { to, bytes, .. } => Some(Operation::send(to, 0, bytes)),
        Operation::Collective { comm, ref collective } => Some(in_comm(comm, collective.clone())),
        Operation::Icollective { comm, ref collective, .. } => Some(in_comm(comm, (**collective).clone())),
        _ => None,
    };
    program.iter().map(|operations| operations.iter().filter_map(told).collect()).collect()
}

fn in_comm(comm: u32, mut collective: Collective) -> Operation {
    clear_compute(&mut collective);
    if let Collective::Alltoallv { bytes } = &collective
        && bytes.iter().all(|size| *size == bytes[0])
    {
        collective = Collective::Alltoall { bytes: bytes[0] };
    }
    Operation::Collective { comm, collective }
}

fn events(comms: std::ops::Range<u32>, kinds: usize, starts: bool) -> impl Strategy<Value = Vec<Event>> {
    prop::collection::vec(event(comms, kinds, starts), 0..25)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_program_as_simgrid_ti(events in events(0..1, 15, false)) {
        let program = program(&events);
        match write(&program, "simgrid-ti") {
            Ok((text, notes)) => {
                prop_assert_eq!(plain(&read(&text, "simgrid-ti").unwrap()), plain(&program));
                prop_assert_eq!(notes, Vec::<String>::new());
            }
            Err(error) => prop_assert!(is_ordered(&error), "{}", error),
        }
    }

    #[test]
    fn any_program_as_dimemas(events in events(0..3, 14, true)) {
        let program = program(&events);
        match write(&program, "dimemas") {
            Ok((text, _)) => prop_assert_eq!(plain(&read(&text, "dimemas").unwrap()), as_dimemas(&program), "{}", text),
            Err(error) => prop_assert!(is_ordered(&error), "{}", error),
        }
    }

    #[test]
    fn any_messages_as_goal(events in events(0..3, 0, false)) {
        let program = program(&events);
        prop_assert_eq!(as_goal(&round_trip(&program, "goal")), as_goal(&program));
    }

    /// Collectives come as the messages that a simulation makes of them, in their order.
    #[test]
    fn any_collectives_as_goal(events in events(0..3, 15, false)) {
        let program = program(&events);
        let comms = communicators();
        let mut expanded = vec![Vec::new(); RANKS as usize];
        for (rank, operations) in (0..).zip(&program) {
            for operation in operations {
                match operation {
                    Operation::Collective { comm, collective } => {
                        let operations = &mut expanded[rank as usize];
                        expand_in(&comms, &Algorithms::default(), None, *comm, rank, collective, operations);
                    }
                    other => expanded[rank as usize].push(other.clone()),
                }
            }
        }
        let messages = |program: &Program| -> Vec<Vec<String>> {
            as_goal(program).into_iter().map(|rank| rank.into_iter().map(|(what, _)| what).collect()).collect()
        };
        prop_assert_eq!(messages(&round_trip(&program, "goal")), messages(&expanded));
    }

    /// A VEF trace tells what is sent and called, and one event before each; what was read from one is written whole.
    #[test]
    fn any_program_as_vef(events in events(0..2, 12, true)) {
        let program = program(&events);
        let once = round_trip(&program, "vef");
        prop_assert_eq!(sent(&once), sent(&program));
        let receives = |program: &Program| -> Vec<usize> {
            let is_receive = |operation: &&Operation| matches!(operation, Operation::Recv { .. } | Operation::Irecv { .. });
            program.iter().map(|operations| operations.iter().filter(is_receive).count()).collect()
        };
        prop_assert_eq!(receives(&once), receives(&program));
    }
}

/// In a VEF trace, computations and what they follow stay where each receive is followed by a message.
#[test]
fn a_chain_of_messages_as_vef() {
    let compute = |time| Operation::Compute(Time::from_ns(time));
    let program = vec![
        vec![
            Operation::send(1, 5, 10),
            compute(7),
            Operation::send(1, 5, 11),
            Operation::recv(1, 6),
            compute(3),
            Operation::send(2, 0, 1),
        ],
        vec![Operation::recv(0, 5), compute(4), Operation::send(0, 6, 12), Operation::recv(0, 5)],
        vec![Operation::recv(0, 0)],
        vec![],
    ];
    let (text, notes) = write(&program, "vef").unwrap();
    assert_snapshot!(text, @r"
    VEF3 4 4 3 0 0 FALSE
    C0 0 1 2 3
    C1 3 0 1
    C2 0 1 2 3
    0 0 1 10 0 0 -1
    1 0 1 11 1 7 0
    2 1 0 12 2 4 0
    3 0 2 1 2 3 2
    ");
    assert_eq!(notes, Vec::<String>::new());
}

/// The messages of a reduce-scatter have the highest tag, which means any in a GOAL text.
#[test]
fn the_highest_tag_is_no_wildcard() {
    let events = [Event::Collective { kind: 12, root: 0, bytes: 1, comm: 1, started: false, compute: 0 }];
    let again = round_trip(&program(&events), "goal");
    let any = |operation: &&Operation| matches!(operation, Operation::Irecv { tag: None, .. });
    assert_eq!(again.iter().flatten().find(any), None);
    assert_ne!(again[3], []);
}

#[test]
fn what_formats_cannot_say() {
    let of = |operations: Vec<Operation>, format: &str| {
        let mut program = vec![vec![]; RANKS as usize];
        program[0] = operations;
        write(&program, format).unwrap_err()
    };
    let any = || vec![Operation::Compute(Time(1)), Operation::irecv(None, 3, 0)];
    assert_snapshot!(of(any(), "goal"), @"rank 0, operation 2 (`irecv any tag 3 as 0`): a receive of a GOAL text names the size of its message, which is not known for any sender or tag");
    assert_snapshot!(of(any(), "vef"), @"rank 0, operation 2 (`irecv any tag 3 as 0`): a record names the message that it follows, which is not known for any sender or tag");
    let call = |collective| vec![Operation::collective(collective)];
    assert_snapshot!(of(call(Collective::Alltoallv { bytes: [1, 2, 3, 4].into() }), "dimemas"), @"rank 0, operation 1 (`alltoallv 1 2 3 4`): Dimemas only knows how much a rank sends to all others together, and this one sends unequal shares");
    assert_snapshot!(of(call(Collective::Scan { bytes: 1, compute: Time(0) }), "vef"), @"rank 0, operation 1 (`scan 1`): VEF has no such collective");
    assert_snapshot!(of(call(Collective::Bcast { root: 0, bytes: 10, count: 3 }), "simgrid-ti"), @"rank 0, operation 1 (`bcast 0 10 count 3`): SimGrid has no datatype by which 3 elements are 10 B");
    assert_snapshot!(of(vec![Operation::WaitAny([1].into())], "simgrid-ti"), @"rank 0, operation 1 (`waitany 1`): SimGrid replays no such operation");
    let twice = vec![Operation::irecv(1, 3, 0), Operation::irecv(1, 3, 1), Operation::Wait { request: 1 }];
    assert_snapshot!(of(twice, "simgrid-ti"), @"rank 0, operation 3 (`wait 1`): a wait of a SimGrid TI trace is for the oldest request of a sender, receiver and tag, and this one is for a later one");
    assert_snapshot!(of(vec![Operation::recv(1, 3)], "vef"), @"rank 0 waits for a message of rank 1 with tag 3 that does not come; `drowse trace check` says more");
}

/// Real programs, in each format that can say them, hold the same messages; exact formats the same operations.
#[test]
fn real_programs_come_back() {
    for path in [
        shipped("cg.A.16.tar.zst"),
        data("is_16.dim.gz"),
        data("is_16.goal.gz"),
        data("is_16.vef.gz"),
        data("dumpi/is.S.16.tar.gz"),
    ] {
        let trace = Trace::open(&path).unwrap();
        let program = operations(&mut *trace.operations(COMPUTE)).unwrap();
        let volume = |program: &Program| -> (usize, u64) {
            let bytes: Vec<u64> = program
                .iter()
                .flatten()
                .filter(|operation| operation.called().is_none())
                .filter(|operation| matches!(operation, Operation::Send { .. } | Operation::Isend { .. }))
                .map(Operation::largest)
                .collect();
            (bytes.len(), bytes.iter().sum())
        };
        let mut said = Vec::new();
        for format in ["vef", "dimemas", "goal", "simgrid-ti"] {
            let mut text = Vec::new();
            let written = Format::named(format).unwrap().write(&|| trace.operations(COMPUTE), SPEED, &mut text);
            let Ok(_) = written else { continue };
            let again = read(&String::from_utf8(text).unwrap(), format).unwrap();
            said.push(format);
            // Collectives are messages in a GOAL text.
            if format != "goal" {
                assert_eq!(volume(&again), volume(&program), "{} as {format}", path.display());
            }
            if format == "simgrid-ti" && trace.info().unwrap().format == format {
                assert_eq!(plain(&again), plain(&program), "{}", path.display());
            }
        }
        println!("{}: {said:?}", path.display());
        assert!(said.contains(&"goal"), "{}: {said:?}", path.display());
    }
}
