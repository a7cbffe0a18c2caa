//! Chakra traces, run: times by hand on an ideal network, and real ones to their end on others.

use std::path::{Path, PathBuf};

use drowse_core::model::units::Time;
use drowse_run::request::RunRequest;

use crate::support::{case, root};

const IDEAL: &str = "kind = \"ideal\"\nnodes = 64\nlatency = \"500 ns\"\nbandwidth = \"1 GB/s\"";
const TORUS: &str = "kind = \"torus\"\ndims = [4, 4, 4]";
const DRAGONFLY: &str = "kind = \"dragonfly\"\np = 2\na = 4\nh = 2\ngroups = 9";

/// Returns when each rank of a trace ends.
fn ends(network: &str, trace: &Path, compute: &str) -> Vec<Time> {
    let case = case(&format!("[network]\n{network}\n[[job]]\ntrace = '{}'\n{compute}\n", trace.display()));
    let outcome = RunRequest::new(&case).run().unwrap_or_else(|error| panic!("{error}")).case;
    outcome.record.ranks.iter().map(|rank| rank.finish).collect()
}

fn real(name: &str) -> PathBuf {
    root("crates/drowse-traces/tests/data/chakra").join(format!("{name}.tar.gz"))
}

/// A ring: in each of 14 steps every rank sends 131,072 bytes to the next and waits for those of the one before; in 7 of
/// them it computes for 7 us. A sender does not wait for its receiver, or the ring would stand still.
#[test]
fn a_ring_of_sends_and_receives() {
    let step = 131_072 + 500;
    let expected = Time::from_ns(14 * step + 7 * 7_000);
    assert_eq!(ends(IDEAL, &real("ring_8"), ""), [expected; 8]);
}

/// ResNet-50 tells no sizes: its all-reduces take only latencies, and most of them go on beside the computations.
#[test]
fn computations_of_resnet() {
    let ends = ends(IDEAL, &real("resnet50_64"), "");
    let computed = Time::from_us(1_082_450);
    assert!(ends.iter().all(|&end| end >= computed && end < computed + Time::from_us(54 * 20)), "{ends:?}");
}

#[test]
fn real_traces_run_to_their_end() {
    for network in [IDEAL, TORUS, DRAGONFLY] {
        for name in ["all_to_all", "ring_8", "resnet50_64"] {
            assert!(ends(network, &real(name), "").iter().all(|&end| end > Time::ZERO), "{name} on {network}");
        }
    }
}
