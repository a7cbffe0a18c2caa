//! Six thousand damaged files of what operators have: networks of all formats, topologies of Slurm, the dumps of a subnet,
//! and logs of jobs. Each is read, or refused by a message.

use std::path::Path;

use crate::any_file::{dump, graph, jobs, slurm};
use crate::corpus::files;

/// Damaged files of each kind.
const DAMAGED: usize = 1_000;
/// The longest file that is damaged, in bytes: what stands behind is read as what stands in front.
const LONGEST: usize = 4_096;

/// Words that readers know, and numbers at which they may fail.
const PIECES: [&[u8]; 16] = [
    b"0",
    b"-1",
    b"65536",
    b"4294967296",
    b"99999999999999999999",
    b"1e300",
    b"0x0",
    b"|",
    b"\n",
    b"\t",
    b"\0",
    b"\xff",
    b"[1-999999]",
    b"\"",
    b"{",
    b"lid",
];

/// Draws numbers by a linear congruence (Knuth's MMIX), of which the high bits are used.
struct Draw(u64);

impl Draw {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % bound.max(1)
    }
}

/// Puts pieces in, takes parts out, copies parts and changes bytes, one to four times.
fn damage(bytes: &[u8], draw: &mut Draw) -> Vec<u8> {
    let mut bytes = bytes[..bytes.len().min(LONGEST)].to_vec();
    for _ in 0..=draw.below(4) {
        let start = draw.below(bytes.len() + 1);
        let end = (start + draw.below(24)).min(bytes.len());
        match draw.below(4) {
            0 => drop(bytes.splice(start..end, PIECES[draw.below(PIECES.len())].iter().copied())),
            1 => drop(bytes.drain(start..end)),
            2 => {
                let copied = bytes[start..end].to_vec();
                let to = draw.below(bytes.len() + 1);
                bytes.splice(to..to, copied);
            }
            _ => bytes[start..end].iter_mut().take(1).for_each(|byte| *byte ^= 1 << draw.below(8)),
        }
    }
    bytes
}

/// Damages the kept files of a target in turn, and reads them. Some are refused.
fn read_damaged(target: &str, read: impl Fn(&Path, &[u8]) -> bool) {
    let folder = tempfile::tempdir().unwrap();
    let mut draw = Draw(target.len() as u64);
    let kept = files(target);
    let is_refused = |bytes: &&Vec<u8>| !read(folder.path(), &damage(bytes, &mut draw));
    let refused = kept.iter().cycle().take(DAMAGED).filter(is_refused).count();
    assert!(refused > 0, "{target}");
}

#[test]
fn damaged_networks() {
    read_damaged("network", |folder, bytes| graph(folder, bytes, "txt"));
}

#[test]
fn damaged_networks_of_slurm() {
    read_damaged("slurm", slurm);
}

#[test]
fn damaged_dumps_of_a_subnet() {
    for key in ["tables", "service_levels", "lane_maps"] {
        read_damaged(key, |folder, bytes| dump(folder, bytes, key));
    }
}

#[test]
fn damaged_logs_of_jobs() {
    read_damaged("jobs", jobs);
}
