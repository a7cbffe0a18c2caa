//! OTF2 archives of Score-P. `otf2-print` counted what is expected here.

use std::fs;
use std::path::{Path, PathBuf};

use drowse_core::workload::operation::{Collective, Operation};
use drowse_traces::Trace;
use liblzma::read::XzDecoder;

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
