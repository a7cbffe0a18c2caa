//! The engine equals the twin on random machines of each sort of network, with policies that the twin has. `machines twin
//! FROM COUNT` compares many more, and makes those small that differ.

use std::thread;

use drowse_machines::{Machine, Verdict, examine_beside_twin, generate};

/// Machines that are drawn at each change.
const MACHINES: u64 = 600;

#[test]
fn the_engine_equals_the_twin() {
    let fewer: u64 = std::env::var("DROWSE_FEWER_CASES").ok().and_then(|fewer| fewer.parse().ok()).unwrap_or(1);
    let count = MACHINES.div_ceil(fewer);
    let halves = [0..count / 2, count / 2..count];
    let compared: Vec<Machine> = thread::scope(|scope| {
        let halves = halves.map(|seeds| scope.spawn(|| seeds.filter_map(compared).collect::<Vec<Machine>>()));
        halves.into_iter().flat_map(|half| half.join().unwrap()).collect()
    });
    let sent = compared.len() as u64;
    assert!(2 * sent > count, "only {sent} of {count} machines send packets");
    for said in ["balance = \"spray", "[switch.marking]", "flow_control = \"drop", "flow_control = \"trim"] {
        let say = compared.iter().filter(|machine| machine.to_string().contains(said)).count() as u64;
        assert!(40 * say > count, "only {say} of {count} machines say {said}");
    }
}

/// Compares the machine of a seed; returns it if packets have been sent.
fn compared(seed: u64) -> Option<Machine> {
    let folder = tempfile::tempdir().unwrap_or_else(|error| panic!("{error}"));
    let machine = generate::machine_of_twin(seed, folder.path());
    match examine_beside_twin(&machine, folder.path()) {
        Verdict::Passed { packets } => (packets > 0).then_some(machine),
        Verdict::Refused(_) => None,
        Verdict::Failed(finding) => panic!("seed {seed}: {}\n{}\n\n{machine}", finding.law, finding.text),
    }
}
