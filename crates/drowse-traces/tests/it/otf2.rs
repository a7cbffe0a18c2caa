//! OTF2 archives of Score-P. `otf2-print` counted what is expected here.

use std::fs;
use std::path::{Path, PathBuf};

use drowse_core::model::units::Time;
use drowse_core::workload::operation::{Collective, Operation, SendMode};
use drowse_traces::Trace;
use liblzma::read::XzDecoder;

use crate::otf2_file::{Archive, Form, USUAL, kind};
use crate::sample::{COMPUTE, Folder, data, operations};

/// Unpacks an archive of the tests' data. Returns its anchor file.
fn unpacked(folder: &Folder, name: &str) -> PathBuf {
    let file = fs::File::open(data(name)).unwrap();
    tar::Archive::new(XzDecoder::new(file)).unpack(folder.path()).unwrap();
    folder.path().join("traces.otf2")
}

fn opened(path: &Path) -> (Trace, Vec<Vec<Operation>>) {
    let trace = Trace::open(path).unwrap();
    let program = operations(&mut *trace.operations(COMPUTE)).unwrap();
    (trace, program)
}

/// The root of a broadcast says that it sends 16,384 B to 4 ranks, and each that it receives 4,096.
#[test]
fn sizes_are_those_of_one_rank() {
    let (trace, program) = opened(&data("otf2/bcast_4.tar.xz"));
    let info = trace.info().unwrap();
    assert_eq!((info.format, info.ranks, info.total_operations(), info.messages.count), ("otf2", 4, 80, 0));
    let bcast = Operation::collective(Collective::Bcast { root: 0, bytes: 4_096, count: 4_096 });
    for rank in program {
        let communicates: Vec<_> = rank.iter().filter(|step| !matches!(step, Operation::Compute(_))).collect();
        assert_eq!(communicates, [&bcast]);
    }
}

#[test]
fn messages_and_collectives_of_communicators() {
    let (trace, program) = opened(&data("otf2/mixed_10.tar.xz"));
    let info = trace.info().unwrap();
    info.check_simulable().unwrap();
    assert_eq!((info.ranks, info.total_operations()), (10, 22_180));
    assert_eq!((info.messages.count, info.messages.bytes), (1_440, 23_592_600));
    let count = |is: fn(&Operation) -> bool| program.iter().flatten().filter(|step| is(step)).count();
    assert_eq!(count(|step| matches!(step, Operation::Isend { .. })), 1_440);
    assert_eq!(count(|step| matches!(step, Operation::Irecv { from: Some(_), tag: Some(_), .. })), 1_440);
    assert_eq!(count(|step| matches!(step, Operation::Wait { .. })), 2_880);
    // Of 1,200 calls, 480 are of communicators of one rank, which communicate with nobody.
    assert_eq!(count(|step| step.called().is_some()), 720);
}

/// An archive as a folder, by its anchor, and packed: one trace.
#[test]
fn folders_anchors_and_packed_archives_are_one_trace() {
    let folder = Folder::new(&[]);
    let anchor = unpacked(&folder, "otf2/bcast_4.tar.xz");
    let prints = [anchor.as_path(), folder.path(), &data("otf2/bcast_4.tar.xz")]
        .map(|path| Trace::open(path).unwrap().fingerprint().unwrap());
    assert_eq!([prints[0]; 3], prints);
}

/// Files that are cut, empty or not there: one message, and no crash.
#[test]
fn damaged_archives_are_refused() {
    for name in ["traces.otf2", "traces.def", "traces/2.def", "traces/2.evt"] {
        for keep in [None, Some(0), Some(1), Some(2)] {
            let folder = Folder::new(&[]);
            let anchor = unpacked(&folder, "otf2/bcast_4.tar.xz");
            let file = folder.path().join(name);
            let bytes = fs::read(&file).unwrap();
            match keep {
                None => fs::remove_file(&file).unwrap(),
                Some(thirds) => fs::write(&file, &bytes[..bytes.len() * thirds / 3]).unwrap(),
            }
            let error = Trace::open(&anchor).err().unwrap_or_else(|| panic!("{name} {keep:?} is read"));
            println!("{name} {keep:?}: {}", folder.message(&error));
            assert_eq!(error.to_string().lines().count(), 1);
        }
    }
}

/// The fingerprint hashes times and numbers of all events, as libotf2 3.0.2 gave them.
#[test]
fn events_are_those_that_libotf2_reads() {
    for (name, fingerprint) in
        [("otf2/bcast_4.tar.xz", 0x9813_ddce_94f0_9aa8), ("otf2/mixed_10.tar.xz", 0x3a4e_9bba_fba4_e531)]
    {
        assert_eq!(Trace::open(data(name)).unwrap().fingerprint().unwrap(), fingerprint, "{name}");
    }
}

/// What [`Archive::ping`] does, by hand.
fn ping() -> Vec<Vec<Operation>> {
    let (compute, comm) = (|nanoseconds: u64| Operation::Compute(Time(nanoseconds * 1_000)), 0);
    let send = Operation::Send { to: 1, tag: 7, comm, mode: SendMode::Standard, bytes: 8 };
    let receive = Operation::Recv { from: Some(0), tag: Some(7), comm };
    vec![vec![compute(1_000), send, compute(1_000)], vec![compute(500), receive, compute(900)]]
}

/// Files of both orders of bytes, in one chunk and in many: one trace.
#[test]
fn orders_of_bytes_and_chunks() {
    let forms = [USUAL, Form { is_big: true, ..USUAL }, Form { chunk: 64, ..USUAL }, Form { is_big: true, chunk: 67 }];
    let mut prints = forms.map(|form| {
        let folder = Archive::ping(form).folder();
        let (trace, program) = opened(folder.path());
        assert_eq!(program, ping());
        trace.fingerprint().unwrap()
    });
    prints.sort_unstable();
    assert_eq!(prints[0], prints[3]);
}

/// A location with ids of its own for regions and communicators, and a clock that is 500 ticks late at first and then 700:
/// the same trace.
#[test]
fn ids_and_clocks_of_locations() {
    let mut archive = Archive::ping(USUAL);
    let number = |number| USUAL.number(number);
    archive.ranks[1].1 = vec![
        USUAL.event(500, kind::ENTER, &number(2)),
        USUAL.event(1_000, kind::ENTER, &number(1)),
        USUAL.event(2_500, kind::RECV, &USUAL.numbers(&[0, 9, 7, 8])),
        USUAL.event(2_500, kind::LEAVE, &number(1)),
        // 200 more in 1,000 ticks: 100 in 500.
        USUAL.event(3_000, kind::LEAVE, &number(2)),
    ];
    let clock = |time: u64, offset| [USUAL.whole(time.to_le_bytes()), number(offset), vec![0; 8]].concat();
    archive.ranks[1].0 = vec![
        USUAL.record(kind::ID_MAP, &[&[3][..], &number(3), &[0], &USUAL.numbers(&[3, 2, 0])].concat()),
        USUAL.record(kind::ID_MAP, &[&[6][..], &number(1), &[1], &USUAL.numbers(&[9, 0])].concat()),
        USUAL.record(kind::CLOCK_OFFSET, &clock(0, 500)),
        USUAL.record(kind::CLOCK_OFFSET, &clock(2_500, 500)),
        USUAL.record(kind::CLOCK_OFFSET, &clock(3_500, 700)),
    ];
    let (_, program) = opened(archive.folder().path());
    let mut expected = ping();
    // The receive ends at 3,000, and main at 3,000 + 600.
    expected[1][2] = Operation::Compute(Time(600_000));
    assert_eq!(program, expected);
}

/// What later versions may add is passed over, and counted where it is an event.
#[test]
fn unknown_records_are_passed_over() {
    let mut archive = Archive::ping(USUAL);
    archive.definitions.insert(0, USUAL.record(250, &[7; 300]));
    archive.ranks[0].0.push(USUAL.record(251, &[7; 3]));
    let attributes = USUAL.record(kind::ATTRIBUTES, &[1, 1, 1, 3, 9, 1, 5]);
    archive.ranks[1].1[2].splice(9..9, attributes);
    // The number of events of rank 0 is told behind its name and kind.
    let location = USUAL.record(kind::LOCATION, &[&USUAL.numbers(&[0, 0])[..], &[1], &USUAL.numbers(&[7, 0])].concat());
    archive.definitions.push(location);
    archive.ranks[0].1.insert(1, USUAL.event(1_100, 200, &[9; 255]));
    archive.ranks[0].1.insert(1, USUAL.event(1_100, 201, &[]));
    let (trace, program) = opened(archive.folder().path());
    let info = trace.info().unwrap();
    assert_eq!((program, info.operations["other"], info.total_operations()), (ping(), 2, 12));
}

/// An allreduce that does not block, as OTF2 3 records it. Score-P counts the data of all ranks.
#[test]
fn collectives_that_do_not_block() {
    let events = |number: u64| {
        let ends = [&[11][..], &USUAL.numbers(&[0, 0, 16, 16, number])].concat();
        vec![
            USUAL.event(1_000, kind::ENTER, &USUAL.number(3)),
            USUAL.event(1_000, kind::ICOLLECTIVE_REQUEST, &USUAL.number(number)),
            USUAL.event(1_000, kind::LEAVE, &USUAL.number(3)),
            USUAL.event(2_000, kind::ICOLLECTIVE_COMPLETE, &ends),
        ]
    };
    let (_, program) = opened(Archive::new(USUAL, vec![events(5), events(1 << 40)]).folder().path());
    for rank in program {
        let [
            Operation::Icollective { request, collective, .. },
            Operation::Compute(time),
            Operation::Wait { request: waits },
        ] = &rank[..]
        else {
            panic!("{rank:?}")
        };
        assert_eq!((request, *time), (waits, Time(1_000_000)));
        assert!(matches!(**collective, Collective::Allreduce { bytes: 8, .. }), "{collective:?}");
    }
}

/// Three communicators of one group, as MPI_Comm_dup makes them: a call in one does not meet a call in another.
#[test]
fn communicators_of_one_group_are_several() {
    let barrier = |communicator| [&[0][..], &USUAL.numbers(&[communicator, 0, 0, 0])].concat();
    let events: Vec<_> = [0, 5, 3, 5].map(|id| USUAL.event(1_000, kind::COLLECTIVE_END, &barrier(id))).into();
    let mut archive = Archive::new(USUAL, vec![events.clone(), events]);
    archive.definitions.extend([5, 3].map(|id| USUAL.record(kind::COMMUNICATOR, &USUAL.numbers(&[id, 0, 1, 0, 0]))));
    let (_, program) = opened(archive.folder().path());
    let called = |step: &Operation| match step {
        Operation::Collective { comm, .. } => Some(*comm),
        _ => None,
    };
    for rank in program {
        assert_eq!(rank.iter().filter_map(called).collect::<Vec<_>>(), [0, 2, 1, 2]);
    }
}
