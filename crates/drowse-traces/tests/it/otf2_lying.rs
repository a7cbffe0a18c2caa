//! OTF2 archives that lie, or that are damaged anywhere: each gets one clear error that says where, or is a trace.

use std::fs;
use std::sync::LazyLock;

use drowse_traces::Trace;
use insta::assert_snapshot;
use proptest::prelude::*;

use crate::any_file::{SEPARATOR, read};
use crate::otf2_file::{Archive, Form, USUAL, kind};
use crate::sample::{Folder, data};

/// Returns the message of an archive that is refused.
fn message(archive: &Archive) -> String {
    let folder = archive.folder();
    folder.message(&Trace::open(folder.path()).err().unwrap())
}

/// Returns the message of a ping whose file has something else at a place.
fn changed(name: &str, at: usize, bytes: &[u8]) -> String {
    let folder = Archive::ping(USUAL).folder();
    let mut file = fs::read(folder.path().join(name)).unwrap();
    file[at..at + bytes.len()].copy_from_slice(bytes);
    folder.write(name, &file);
    folder.message(&Trace::open(folder.path()).err().unwrap())
}

#[test]
fn archives_that_are_kept_in_another_way() {
    assert_snapshot!(changed("traces.otf2", 28, &[2]), @"traces.otf2: at byte 28: the archive is in files of SIONlib; record it again with SCOREP_TRACING_USE_SION=false");
    assert_snapshot!(changed("traces.otf2", 28, &[3]), @"traces.otf2: at byte 28: the archive is in files of an unknown kind; record it again with Score-P");
    assert_snapshot!(changed("traces.otf2", 29, &[2]), @"traces.otf2: at byte 29: the files of the archive are compressed, as OTF2 no longer does; record it again");
    assert_snapshot!(changed("traces.otf2", 12, &[5, 0, 0]), @"traces.otf2: at byte 12: chunks have a length that none can have; the file is damaged: copy it again");
    assert_snapshot!(changed("traces.otf2", 7, &[0]), @"traces.otf2: at byte 7: no version writes such a file; it is damaged: copy it again");
}

#[test]
fn lengths_and_numbers_that_do_not_fit() {
    // The properties of the anchor, the length of a record, and the mark of a chunk.
    assert_snapshot!(changed("traces.otf2", 63, &[0xff; 4]), @"traces.otf2: at byte 100: the file ends here, and more must follow; copy it again");
    assert_snapshot!(changed("traces.def", 19, &[0xf0]), @"traces.def: at byte 18: the file ends before this record does; copy it again");
    assert_snapshot!(changed("traces.def", 19, &[0xff; 9]), @"traces.def: at byte 18: the file ends before this record does; copy it again");
    assert_snapshot!(changed("traces/1.evt", 0, &[4]), @"traces/1.evt: at byte 0: no chunk begins here: this file or the anchor file is damaged; copy all files of the archive again");
    assert_snapshot!(changed("traces/1.evt", 1, b"C"), @"traces/1.evt: at byte 0: no chunk begins here: this file or the anchor file is damaged; copy all files of the archive again");
    assert_snapshot!(changed("traces/1.evt", 18, &[4]), @"traces/1.evt: at byte 18: no record begins here; the file is damaged: copy it again");
    // A region whose number is said to have nine bytes, and one of five.
    assert_snapshot!(changed("traces/1.evt", 28, &[9]), @"traces/1.evt: at byte 27: a number has more bytes than its kind can have; the file is damaged: copy it again");
    assert_snapshot!(changed("traces/1.evt", 28, &[5]), @"traces/1.evt: at byte 27: a number has more bytes than its kind can have; the file is damaged: copy it again");
    let with = |kind, content: &[u8]| {
        let mut ping = Archive::ping(USUAL);
        ping.definitions.push(USUAL.record(kind, content));
        message(&ping)
    };
    // A group of 4 billion members; a second list of ranks.
    assert_snapshot!(with(kind::GROUP, &[1, 9, 0, 0, 0xff, 1, 3]), @"traces.def: at byte 196: a record ends before all that it must hold; the file is damaged: copy it again");
    assert_snapshot!(with(kind::GROUP, &[1, 9, 0, 0, 1, 1, 0, 4, 4, 0]), @"DIR: has no list of the ranks of one MPI program; record one with `scorep --mpp=mpi`");
    assert_snapshot!(with(kind::GROUP, &[1, 1, 0, 0, 1, 1, 1, 9, 5, 4, 0]), @"DIR: communicator 0: a communicator holds rank 9, but there are 2 ranks; copy all its files again");
    assert_snapshot!(with(kind::GROUP, &[0, 0, 0, 1, 2, 1, 1, 1, 1, 4, 4, 0]), @"DIR: names location 1 as two ranks; copy all its files again");
    assert_snapshot!(with(kind::GROUP, &[0, 0, 0, 1, 2, 1, 1, 1, 9, 4, 4, 0]), @"DIR: names location 9 as a rank, and does not define it; copy all its files again");
    let locally = |kind, content: &[u8]| {
        let mut ping = Archive::ping(USUAL);
        ping.ranks[1].0.push(USUAL.record(kind, content));
        message(&ping)
    };
    assert_snapshot!(locally(kind::ID_MAP, &[6, 0xff, 0, 1, 3]), @"traces/1.def: at byte 18: a record ends before all that it must hold; the file is damaged: copy it again");
    assert_snapshot!(locally(kind::ID_MAP, &[6, 1, 1, 2, 1, 3]), @"traces/1.def: at byte 18: a table of ids is written in a way that is not known; the file is damaged: copy it again");
}

#[test]
fn events_that_do_not_fit() {
    let with = |kind, numbers: &[u64]| {
        let mut ping = Archive::ping(USUAL);
        ping.ranks[1].1[2] = USUAL.event(3_000, kind, &USUAL.numbers(numbers));
        message(&ping)
    };
    assert_snapshot!(with(kind::RECV, &[0, 9, 7, 8]), @"traces/1.evt: at byte 50: rank 1 names communicator 9, which is not defined; copy all files again");
    assert_snapshot!(with(kind::RECV, &[2, 0, 7, 8]), @"traces/1.evt: at byte 50: rank 1 names rank 2 of communicator 0, which has fewer; record it again");
    assert_snapshot!(with(kind::RECV, &[0, 0, 7]), @"traces/1.evt: at byte 50: a record ends before all that it must hold; the file is damaged: copy it again");
    assert_snapshot!(with(kind::SEND, &[0, 0, 7, 1 << 40]), @"traces/1.evt: at byte 50: rank 1 sends 1099511627776 B at once, and the most is 34359738368 B (32 GiB)");
    let mut ping = Archive::ping(USUAL);
    ping.ranks[1].1[2] = USUAL.event(10, kind::RECV, &USUAL.numbers(&[0, 0, 7, 8]));
    assert_snapshot!(message(&ping), @"traces/1.evt: at byte 50: rank 1 goes back in time; copy all files again");
    ping.ranks[1].1.remove(2);
    assert_snapshot!(message(&ping), @"DIR: rank 1 has 4 events of 5; copy all files of the archive again");
}

#[test]
fn files_that_are_not_there() {
    for name in ["traces.def", "traces/1.def", "traces/1.evt"] {
        let folder = Archive::ping(USUAL).folder();
        fs::remove_file(folder.path().join(name)).unwrap();
        let message = folder.message(&Trace::open(folder.path()).err().unwrap());
        assert_eq!(message, format!("DIR: lacks its file {name}; copy all files of the archive again"));
    }
}

/// A link that leads out of the folder.
#[cfg(unix)]
#[test]
fn links_are_not_followed_out_of_a_folder() {
    let (elsewhere, folder) = (Archive::ping(USUAL).folder(), Archive::ping(USUAL).folder());
    let file = folder.path().join("traces/1.evt");
    fs::remove_file(&file).unwrap();
    std::os::unix::fs::symlink(elsewhere.path().join("traces/1.evt"), &file).unwrap();
    assert_snapshot!(folder.message(&Trace::open(folder.path()).err().unwrap()), @"traces/1.evt: is a link to a file outside its folder; put the file itself there");
}

/// The files of an archive, one behind the other.
fn joined(files: impl IntoIterator<Item = Vec<u8>>) -> Vec<u8> {
    files.into_iter().collect::<Vec<_>>().join(SEPARATOR)
}

/// A small archive, one whose files have several chunks, and a real one.
static ARCHIVES: LazyLock<[Vec<u8>; 3]> = LazyLock::new(|| {
    let of = |form| joined(Archive::ping(form).files().into_iter().map(|(_, file)| file));
    let packed = fs::File::open(data("otf2/bcast_4.tar.xz")).unwrap();
    let folder = Folder::new(&[]);
    ::tar::Archive::new(liblzma::read::XzDecoder::new(packed)).unpack(folder.path()).unwrap();
    let locations = (0..4).flat_map(|rank| [format!("traces/{rank}.def"), format!("traces/{rank}.evt")]);
    let names = ["traces.otf2".to_owned(), "traces.def".to_owned()].into_iter().chain(locations);
    let real = joined(names.map(|name| fs::read(folder.path().join(name)).unwrap()));
    [of(USUAL), of(Form { is_big: true, chunk: 64 }), real]
});

/// What becomes of some bytes.
#[derive(Clone, Debug)]
enum Change {
    Flip(u8),
    Cut,
    Repeat,
}

fn change() -> impl Strategy<Value = Change> {
    prop_oneof![4 => (0..8_u8).prop_map(Change::Flip), 1 => Just(Change::Cut), 1 => Just(Change::Repeat)]
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn damaged_archives_are_read_or_refused(
        which in 0_usize..3,
        changes in prop::collection::vec((any::<prop::sample::Index>(), 1_usize..20, change()), 1..4),
    ) {
        let mut bytes = ARCHIVES[which].clone();
        for (place, length, change) in changes {
            let at = place.index(bytes.len());
            let end = (at + length).min(bytes.len());
            match change {
                Change::Flip(bit) => bytes[at] ^= 1 << bit,
                Change::Cut => drop(bytes.drain(at..end)),
                Change::Repeat => {
                    let again = bytes[at..end].to_vec();
                    bytes.splice(at..at, again);
                }
            }
        }
        let folder = Folder::new(&[]);
        read(folder.path(), &bytes, drowse_traces::Format::named("otf2"));
    }
}
