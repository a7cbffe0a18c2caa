//! What must hold of any experiment, network, dump of a fabric or log of jobs: the answer is a case, or a message that
//! says where.
//!
//! The tests read the kept corpus so, and `fuzz` the files that it makes.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use drowse_experiment::{Source, network_bytes};

/// The largest network that is built: a larger one is no defect, but takes long.
const MOST_BYTES: u64 = 1 << 20;

/// Reads bytes as the graph of an experiment; returns whether it is one.
pub fn graph(folder: &Path, bytes: &[u8], ending: &str) -> bool {
    let file = folder.join(format!("graph.{ending}"));
    fs::write(&file, bytes).unwrap();
    resolve(folder, format!("network = {{ kind = \"graph\", file = \"graph.{ending}\" }}\n{TRAFFIC}"))
}

/// Reads bytes as a network of Slurm, which does not say how many links there are; returns whether it is one.
pub fn slurm(folder: &Path, bytes: &[u8]) -> bool {
    fs::write(folder.join("slurm.conf"), bytes).unwrap();
    let network = "network = { kind = \"graph\", file = \"slurm.conf\", uplinks = 2, speed = \"100 Gb/s\" }\n";
    resolve(folder, format!("{network}{TRAFFIC}"))
}

/// Reads bytes as one of the dumps of a subnet of eight switches in a ring, whose other dumps are as OpenSM wrote them;
/// returns whether it is one.
pub fn dump(folder: &Path, bytes: &[u8], key: &str) -> bool {
    fs::write(folder.join("ring.topo"), RING).unwrap();
    for (known, dumped) in DUMPS {
        fs::write(folder.join(known), if known == key { bytes } else { dumped }).unwrap();
    }
    let keys = DUMPS.map(|(known, _)| format!("{known} = \"{known}\"")).join(", ");
    let network = format!("network = {{ kind = \"graph\", routing = \"table\", file = \"ring.topo\", {keys} }}\n");
    resolve(folder, format!("{network}{TRAFFIC}"))
}

/// Reads bytes as the log of jobs of a scheduler; returns whether it is one.
pub fn jobs(folder: &Path, bytes: &[u8]) -> bool {
    fs::write(folder.join("log.swf"), bytes).unwrap();
    resolve(folder, format!("{NETWORK}{SCHEDULER}[[job]]\n{APP}"))
}

/// Reads bytes as an experiment; returns whether it is one.
pub fn experiment(folder: &Path, bytes: &[u8]) -> bool {
    std::str::from_utf8(bytes).is_ok_and(|text| resolve(folder, text.to_owned()))
}

/// A subnet that OpenSM routed by dfsssp, so that lanes keep it free of deadlock.
const RING: &[u8] = include_bytes!("../../../drowse-fabric/tests/data/infiniband/ring8.topo");
const DUMPS: [(&str, &[u8]); 3] = [
    ("tables", include_bytes!("../../../drowse-fabric/tests/data/infiniband/ring8_dfsssp.lft")),
    ("service_levels", include_bytes!("../../../drowse-fabric/tests/data/infiniband/ring8_dfsssp.sl")),
    ("lane_maps", include_bytes!("../../../drowse-fabric/tests/data/infiniband/ring8_dfsssp.sl2vl")),
];
const NETWORK: &str = "network = { kind = \"torus\", dims = [4, 4] }\n";
const SCHEDULER: &str =
    "node = { cores = 4 }\n[scheduler]\nkind = \"easy-backfilling\"\nlog = { file = \"log.swf\" }\n";
const TRAFFIC: &str = "traffic = { load = 0.3, warmup = \"100 cycles\", measure = \"1000 cycles\" }\n";
const APP: &str = "app = { kind = \"stencil\", dims = [8, 8], bytes = \"8 KiB\", iterations = 2 }\n";

fn resolve(folder: &Path, text: String) -> bool {
    let Ok(source) = Source::new(&folder.join("x.toml"), text, &[]).map(Arc::new) else { return false };
    if network_bytes(&source).is_ok_and(|bytes| bytes > MOST_BYTES) {
        return false;
    }
    let Err(error) = drowse_experiment::case(&source) else { return true };
    let message = error.to_string();
    assert!(message.contains(": error"), "`{message}` is no message");
    false
}
