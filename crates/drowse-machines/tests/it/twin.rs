//! The engine equals the twin on random machines of each sort of network, with policies that the twin has. `machines twin
//! FROM COUNT` compares many more, and makes those small that differ.

use std::thread;

use drowse_machines::{Verdict, examine_beside_twin, generate};

/// Machines that are drawn at each change.
const MACHINES: u64 = 600;

#[test]
fn the_engine_equals_the_twin() {
    let fewer: u64 = std::env::var("DROWSE_FEWER_CASES").ok().and_then(|fewer| fewer.parse().ok()).unwrap_or(1);
    let count = MACHINES.div_ceil(fewer);
    let halves = [0..count / 2, count / 2..count];
    let compared: u64 = thread::scope(|scope| {
        let halves = halves.map(|seeds| scope.spawn(|| seeds.map(compared).sum::<u64>()));
        halves.into_iter().map(|half| half.join().unwrap()).sum()
    });
    assert!(2 * compared > count, "only {compared} of {count} machines send packets");
}

/// Compares the machine of a seed; returns whether packets have been sent.
fn compared(seed: u64) -> u64 {
    let folder = tempfile::tempdir().unwrap_or_else(|error| panic!("{error}"));
    let machine = generate::machine_of_twin(seed, folder.path());
    match examine_beside_twin(&machine, folder.path()) {
        Verdict::Passed { packets } => u64::from(packets > 0),
        Verdict::Refused(_) => 0,
        Verdict::Failed(finding) => panic!("seed {seed}: {}\n{}\n\n{machine}", finding.law, finding.text),
    }
}
