//! What must hold of any file that is opened as a trace: reading ends without a panic, and an error names the file.
//!
//! The tests read the kept corpus so, and `fuzz` the files that it makes. Several files are written as one, with
//! [`SEPARATOR`] between them.

use std::fs;
use std::path::Path;

use drowse_core::model::units::FlopRate;
use drowse_core::workload::operation::OperationSource;
use drowse_traces::{ComputeModel, Format, Trace};

/// Stands between the files of a folder.
pub const SEPARATOR: &[u8] = b"\n=FILE=\n";

/// The name of a file of a folder, by its place.
type FileName = fn(usize) -> String;

/// Formats that are folders of files, and the files' names.
const FOLDERS: &[(&str, FileName)] = &[
    ("dumpi", |rank| format!("t-{rank:04}.bin")),
    ("chakra", |rank| format!("t.{rank}.et")),
    ("simgrid-ti", |place| if place == 0 { "trace.ti".into() } else { format!("r{}", place - 1) }),
    ("otf2", otf2_name),
    ("kineto", |rank| format!("rank_{rank}.json")),
    ("execution-trace", |rank| format!("rank_{rank}.json")),
];

/// The anchor, the definitions, and the two files of each location.
fn otf2_name(place: usize) -> String {
    match place {
        0 => "traces.otf2".to_owned(),
        1 => "traces.def".to_owned(),
        place if place % 2 == 0 => format!("traces/{}.def", place / 2 - 1),
        place => format!("traces/{}.evt", place / 2 - 1),
    }
}

/// Ranks of a trace that is counted and checked, and ranks and blocks of operations that are read: a few bytes may
/// stand for a program of a million ranks.
const MOST_COUNTED: u32 = 4096;
const MOST_RANKS: u32 = 64;
const MOST_BLOCKS: usize = 1_000;

const COMPUTE: ComputeModel =
    ComputeModel { flops_per_second: FlopRate(10_000_000_000), scale: 1.0, drop_multiples: None, wait_multiples: None };

/// Writes bytes as a file in a folder, or as several below it, and reads them in every way; as a trace of a format, or
/// of the one that is recognised. Returns the number of ranks; `None` where the file is refused.
pub fn read(folder: &Path, bytes: &[u8], format: Option<&Format>) -> Option<u32> {
    let files = split(bytes);
    let path = folder.join("trace");
    let names = FOLDERS.iter().find(|(name, _)| format.is_some_and(|format| format.name == *name));
    let _ = fs::remove_dir_all(&path).or_else(|_| fs::remove_file(&path));
    match names {
        Some((_, name)) if files.len() > 1 => {
            for (place, file) in files.iter().enumerate() {
                let path = path.join(name(place));
                fs::create_dir_all(path.parent().unwrap()).unwrap();
                fs::write(path, file).unwrap();
            }
        }
        _ => fs::write(&path, bytes).unwrap(),
    }
    let opened = match format {
        Some(format) => Trace::open_as(&path, format),
        None => Trace::open(&path),
    };
    match opened {
        Ok(trace) => {
            read_trace(&trace);
            Some(trace.ranks())
        }
        Err(error) => {
            let message = error.to_string();
            assert!(message.contains(&*path.to_string_lossy()), "`{message}` names no file");
            None
        }
    }
}

/// Splits bytes at each separator.
fn split(mut bytes: &[u8]) -> Vec<&[u8]> {
    let mut files = Vec::new();
    while let Some(at) = bytes.windows(SEPARATOR.len()).position(|window| window == SEPARATOR) {
        files.push(&bytes[..at]);
        bytes = &bytes[at + SEPARATOR.len()..];
    }
    files.push(bytes);
    files
}

/// Reads an open trace in every way. What has been counted and can be simulated must be read to its end.
fn read_trace(trace: &Trace) {
    let _ = trace.fingerprint();
    let mut source = trace.operations(COMPUTE);
    let ended = read_operations(source.as_mut());
    let _ = source.warnings();
    if trace.ranks() > MOST_COUNTED {
        return;
    }
    let _ = trace.check(3);
    let counted = trace.info().map(|info| info.check_simulable());
    if let (Ok(Ok(())), Err(error)) = (counted, ended) {
        // What is counted does not depend on the speed at which operations become time.
        let of_speed = error.contains("too large to be simulated") || error.contains("computes for");
        assert!(of_speed, "{error}, of which nothing is said when the trace is counted");
    }
}

/// Reads the operations of the first ranks.
fn read_operations(source: &mut dyn OperationSource) -> Result<(), String> {
    let mut operations = Vec::new();
    for rank in 0..source.ranks().min(MOST_RANKS) {
        for _ in 0..MOST_BLOCKS {
            operations.clear();
            source.refill(rank, &mut operations).map_err(|error| error.to_string())?;
            if operations.is_empty() {
                break;
            }
        }
    }
    Ok(())
}
