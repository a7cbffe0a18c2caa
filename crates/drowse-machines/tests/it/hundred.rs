//! The first machines, at every change. `cargo xtask machines` examines many more.

use std::path::Path;

use drowse_machines::{Machine, Verdict, examine, generate};

/// Examines the machines of the first seeds; returns how many are refused, and how many packets were sent.
fn examined(seeds: u64, draw: fn(u64, &Path) -> Machine) -> (u64, u64) {
    let folder = tempfile::tempdir().expect("a folder");
    let (mut refused, mut packets) = (0, 0);
    for seed in 0..seeds {
        let machine = draw(seed, folder.path());
        match examine(&machine, folder.path()) {
            Verdict::Passed { packets: more } => packets += more,
            Verdict::Refused(_) => refused += 1,
            Verdict::Failed(finding) => panic!("seed {seed}: {}\n{}\n\n{machine}", finding.law, finding.text),
        }
    }
    (refused, packets)
}

#[test]
fn a_hundred_machines_keep_all_laws() {
    let (refused, packets) = examined(100, generate::machine);
    // Flows refuse what they do not model, devices what nobody sells, and nodes that answer what contradicts them.
    assert!(refused < 30, "{refused} of 100 machines say nothing, since the schema refuses them");
    assert!(packets > 10_000, "only {packets} packets have been sent");
}

#[test]
fn sixty_machines_of_flows_keep_all_laws() {
    let (refused, packets) = examined(60, generate::machine_of_flows);
    assert!(refused < 20, "{refused} of 60 machines say nothing, since the schema refuses them");
    assert!(packets > 10_000, "only {packets} packets would have been sent");
}

/// One number is one machine, on any computer and at any time.
#[test]
fn a_seed_makes_the_same_machine_again() {
    let [a, b] = [(); 2].map(|()| tempfile::tempdir().unwrap());
    for seed in 0..50 {
        assert_eq!(generate::machine(seed, a.path()), generate::machine(seed, b.path()));
    }
}
