//! Programs in all formats that are written: what is read again is what was written.

use drowse_core::model::units::Time;
use drowse_core::workload::communicators::ALL;
use drowse_core::workload::operation::{Collective, Operation, SendMode};
use drowse_traces::{Format, Trace};
use insta::assert_snapshot;
use proptest::prelude::*;

use crate::any_program::{
    COMPUTE, EVERYWHERE, Event, MODES, Program, RANKS, SPEED, WRITTEN, comes_back, eager, eager_before, plain, program,
    read, write,
};
use crate::sample::{Folder, data, operations, shipped};

fn round_trip(program: &Program, format: &str) -> Program {
    let (text, _) = write(program, format).unwrap_or_else(|error| panic!("{error}"));
    read(Folder::new(&[]).path(), &text, format).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

fn event(comms: std::ops::Range<u32>, collectives: usize, starts: bool) -> impl Strategy<Value = Event> {
    let modes = prop::sample::select(MODES.to_vec());
    let rank = || prop::sample::select(EVERYWHERE.to_vec());
    let message = (rank(), rank(), 0_u32..3, comms.clone(), 0_u64..99, any::<[bool; 3]>(), modes).prop_map(
        |(from, to, tag, comm, bytes, [immediate, posted, waits_at_end], mode)| Event::Message {
            from,
            to,
            tag,
            comm,
            bytes,
            immediate,
            posted,
            waits_at_end,
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

/// A format that is written, and the events of a program that it can say.
fn written() -> impl Strategy<Value = (usize, Vec<Event>)> {
    (0..WRITTEN.len()).prop_flat_map(|place| {
        let written = &WRITTEN[place];
        let with = event(0..written.comms, written.kinds, written.starts);
        let without = event(0..written.comms, 0, false);
        let events = prop_oneof![2 => prop::collection::vec(with, 0..25), 1 => prop::collection::vec(without, 0..25)];
        (Just(place), events)
    })
}

/// Every format that is written is among those that programs are drawn for.
#[test]
fn all_formats_that_are_written_are_drawn() {
    let written = drowse_traces::FORMATS.iter().filter(|format| format.is_written());
    let lacking: Vec<_> =
        written.map(|format| format.name).filter(|name| WRITTEN.iter().all(|other| other.format != *name)).collect();
    assert_eq!(lacking, Vec::<&str>::new());
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_program_comes_back((place, events) in written()) {
        comes_back(Folder::new(&[]).path(), &WRITTEN[place], &events);
    }

    /// SimGrid's texts tell all that such programs do.
    #[test]
    fn simgrid_ti_leaves_nothing_untold(events in prop::collection::vec(event(0..1, 15, false), 0..25)) {
        if let Ok((_, notes)) = write(&program(&events), "simgrid-ti") {
            let notes: Vec<_> = notes.iter().filter(|note| !note.contains("buffered or ready")).collect();
            prop_assert_eq!(notes, Vec::<&String>::new());
        }
    }

    /// Ranks that all send before they receive go on as before in every format, whatever waits for what.
    #[test]
    fn rings_do_not_stop(
        rings in prop::collection::vec((1..RANKS, prop::sample::select(MODES.to_vec()), 0_u64..99, any::<bool>()), 1..6),
    ) {
        let mut program: Program = vec![Vec::new(); RANKS as usize];
        for (request, &(shift, mode, bytes, immediate)) in (0..).zip(&rings) {
            // A ring of synchronous sends stops every run.
            let mode = if mode == SendMode::Synchronous && !immediate { SendMode::Ready } else { mode };
            for (rank, operations) in (0..).zip(&mut program) {
                let (to, tag, comm, from) = ((rank + shift) % RANKS, 0, ALL, (rank + RANKS - shift) % RANKS);
                if immediate {
                    operations.push(Operation::Isend { to, tag, comm, mode, bytes, request: Some(request) });
                    operations.push(Operation::recv(from, tag));
                    operations.push(Operation::Wait { request });
                } else {
                    operations.extend([Operation::Send { to, tag, comm, mode, bytes }, Operation::recv(from, tag)]);
                }
            }
        }
        let folder = Folder::new(&[]);
        let needed = eager_before(folder.path(), &program);
        for format in ["simgrid-ti", "dimemas", "goal", "vef"] {
            match write(&program, format) {
                Ok((text, _)) => drop(read(folder.path(), &text, format).unwrap()),
                Err(error) => {
                    prop_assert!(error.contains("for a later one"), "{}", error);
                    continue;
                }
            }
            prop_assert!(eager(&folder.path().join("written")) <= needed, "{}: {:?}", format, program);
        }
    }
}

/// ASTRA-sim's all-reduce in a ring: each rank sends without waiting for its receiver, and so it does in every format.
#[test]
fn a_ring_of_ready_sends_in_all_formats() {
    let trace = Trace::open(data("chakra/ring_8.tar.gz")).unwrap();
    for format in ["drowse", "simgrid-ti", "dimemas", "goal", "vef"] {
        let mut text = Vec::new();
        let notes = Format::named(format).unwrap().write(&|| trace.operations(COMPUTE), SPEED, &mut text).unwrap();
        let folder = Folder::new(&[]);
        let again = Trace::open(folder.write("written", &text)).unwrap();
        assert_eq!(again.info().unwrap().messages.bytes, 8 * 14 * 131_072, "{format}");
        let findings = again.check(9).unwrap();
        assert_eq!((findings.total, findings.eager), (0, None), "{format}: {:?}", findings.first);
        assert_eq!(notes.is_empty(), format == "drowse", "{format}");
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
            let again = read(Folder::new(&[]).path(), &String::from_utf8(text).unwrap(), format).unwrap();
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
