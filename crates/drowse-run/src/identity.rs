//! The name of a case: a hash of everything that its result depends on.

use std::fmt::Debug;

use crate::inputs::Inputs;
use drowse_experiment::{Case, JobSpec, WorkloadSpec};

/// The version that results name.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Returns the case's name: equal for equal resolved experiments, however they were written and wherever they lie.
pub fn case_id(case: &Case, inputs: &Inputs) -> String {
    let system = &case.system;
    let machine = (&system.topology, &system.config, &system.policy, system.channels, &system.model);
    let priced = (&system.watts, &system.cost);
    let workload = match &case.workload {
        WorkloadSpec::Traffic(traffic) => format!("{traffic:?}"),
        WorkloadSpec::Jobs(specs) => {
            let ran = inputs.programs().zip(inputs.placements());
            let jobs: Vec<_> = specs.iter().map(job).zip(ran).collect();
            format!("{jobs:?}")
        }
    };
    format!("{:016x}", fnv1a(format!("{VERSION} {machine:?} {priced:?} {workload}").as_bytes()))
}

/// Returns what a job's result depends on beside its program and placement. All fields are named, so that a new one cannot
/// be forgotten; those left out only say how files are found.
fn job(job: &JobSpec) -> impl Debug {
    let JobSpec { name, compute, repeat, start, program: _, ranks: _, placement: _, path: _ } = job;
    (name, compute, repeat, start)
}

/// The 64-bit FNV-1a hash: short, fixed for all time, and good enough to tell cases apart.
fn fnv1a(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The test vectors of the hash's authors.
    #[test]
    fn hash_has_its_published_values() {
        assert_eq!(fnv1a(b""), 0xcbf2_9ce4_8422_2325);
        assert_eq!(fnv1a(b"a"), 0xaf63_dc4c_8601_ec8c);
        assert_eq!(fnv1a(b"foobar"), 0x8594_4171_f739_67e8);
    }
}
