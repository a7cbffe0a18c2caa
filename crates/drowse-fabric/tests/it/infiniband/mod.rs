//! Tests of InfiniBand fabrics. `tests/data/infiniband` says where the files come from.

mod faults;
mod formats;
mod hand;
mod mutated;
mod verdicts;
mod walks;
mod wrong;

use std::fs::{self, File};
use std::io::{self, BufReader};
use std::path::{Path, PathBuf};

use flate2::read::GzDecoder;

use drowse_fabric::infiniband::{LaneTables, Options, ServiceLevels, Subnet, Tables};

/// The path of a file; of a large one, which is kept packed, that of an unpacked copy.
fn path(file: &str) -> PathBuf {
    let kept = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/infiniband");
    let Ok(packed) = File::open(kept.join(format!("{file}.gz"))) else { return kept.join(file) };
    // Tests unpack it side by side.
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let mut copy = tempfile::NamedTempFile::new_in(folder).expect("a temporary file");
    io::copy(&mut GzDecoder::new(packed), &mut copy).unwrap_or_else(|error| panic!("{file}: {error}"));
    copy.persist(folder.join(file)).expect("a name");
    folder.join(file)
}

fn text(file: &str) -> String {
    fs::read_to_string(path(file)).unwrap_or_else(|error| panic!("{file}: {error}"))
}

fn open(file: &str) -> BufReader<File> {
    BufReader::new(File::open(path(file)).unwrap_or_else(|error| panic!("{file}: {error}")))
}

fn subnet(file: &str) -> Subnet {
    Subnet::parse(&text(file), &Options::default()).unwrap_or_else(|wrong| panic!("{file}: {wrong}"))
}

fn tables(file: &str) -> Tables {
    Tables::read(open(file)).unwrap_or_else(|wrong| panic!("{file}: {wrong}"))
}

fn lanes(name: &str) -> (ServiceLevels, LaneTables) {
    let levels = ServiceLevels::read(open(&format!("{name}.sl"))).expect("service levels");
    (levels, LaneTables::read(open(&format!("{name}.sl2vl"))).expect("lanes"))
}
