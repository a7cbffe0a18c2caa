//! What is fuzzed. A trace format is a target as soon as it is in `FORMATS`; for others, add a line to [`all`].

use std::path::Path;

use drowse_traces::FORMATS;

use crate::{programs, texts, traces};

/// One reader and what it may take.
pub struct Target {
    pub name: &'static str,
    /// Reads bytes as a file of the folder. Returns the number of ranks; `None` where that is not known.
    pub read: Box<dyn Fn(&Path, &[u8]) -> Option<u32> + Send + Sync>,
    pub bound: Bound,
}

/// The most memory that reading a file may take, in bytes.
#[derive(Clone, Copy)]
pub struct Bound {
    /// For any file.
    fixed: usize,
    per_rank: usize,
    /// For each byte of the file.
    per_byte: usize,
}

/// The most ranks of a trace.
const MOST_RANKS: u32 = 1 << 20;

impl Bound {
    /// Returns the bound for a file of a length.
    pub fn of(self, length: usize, ranks: Option<u32>) -> usize {
        self.fixed + self.per_rank * ranks.unwrap_or(MOST_RANKS) as usize + self.per_byte * length
    }
}

const TRACE: Bound = Bound { fixed: 4 << 20, per_rank: 256, per_byte: 1 << 10 };
/// Process groups of one file become those of all ranks.
const ALIKE: Bound = Bound { fixed: 512 << 20, ..TRACE };
const TEXT: Bound = Bound { fixed: 64 << 20, per_rank: 0, per_byte: 1 << 12 };

/// Returns all targets.
pub fn all() -> Vec<Target> {
    let of_format = |format: &'static drowse_traces::Format| {
        let read = move |folder: &Path, bytes: &[u8]| traces::read(folder, bytes, Some(format));
        let bound = if format.name == "kineto-one-rank" { ALIKE } else { TRACE };
        Target { name: format.name, read: Box::new(read), bound }
    };
    let mut targets: Vec<_> = FORMATS.iter().map(of_format).collect();
    let archive = |folder: &Path, bytes: &[u8]| traces::read(folder, bytes, None);
    targets.push(Target { name: "archive", read: Box::new(archive), bound: TRACE });
    let mut add = |name, read: fn(&Path, &[u8]) -> bool| {
        let read = move |folder: &Path, bytes: &[u8]| {
            read(folder, bytes);
            None
        };
        targets.push(Target { name, read: Box::new(read), bound: TEXT });
    };
    add("writers", |folder, bytes| {
        programs::of_bytes(folder, bytes);
        true
    });
    add("edges", |folder, bytes| texts::graph(folder, bytes, "txt"));
    add("graphml", |folder, bytes| texts::graph(folder, bytes, "graphml"));
    add("dot", |folder, bytes| texts::graph(folder, bytes, "dot"));
    // All formats of networks, by their content: the kept files have small ones of each.
    add("network", |folder, bytes| texts::graph(folder, bytes, "txt"));
    add("slurm", texts::slurm);
    add("tables", |folder, bytes| texts::dump(folder, bytes, "tables"));
    add("service_levels", |folder, bytes| texts::dump(folder, bytes, "service_levels"));
    add("lane_maps", |folder, bytes| texts::dump(folder, bytes, "lane_maps"));
    // All formats of logs of jobs, by their content, too.
    add("jobs", texts::jobs);
    add("experiment", texts::experiment);
    targets
}
