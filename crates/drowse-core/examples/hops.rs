//! Runs one benchmark case and prints its packet-hops and their rate: `hops CASE`. Without a name, lists the cases.
//!
//! `cargo xtask instructions` counts the instructions per hop of the event loop, which is [`run`] here.

#![expect(clippy::unwrap_used, clippy::print_stdout, reason = "a measurement that cannot run has nothing to say")]

#[path = "../benches/cases/mod.rs"]
mod cases;

use std::time::Instant;

use drowse_core::engine::{Progress, Simulation};
use drowse_core::power::StallTimer;
use drowse_core::workload::Workload;

/// Runs the event loop, under a name that a profiler can distinguish from preparation.
#[inline(never)]
fn run(simulation: &mut Simulation<StallTimer>) {
    while simulation.advance(u64::MAX).unwrap() != Progress::Done {}
}

fn main() {
    let name = std::env::args().nth(1).unwrap_or_default();
    let Some(case) = cases::CASES.iter().find(|case| case.name == name) else {
        cases::CASES.iter().for_each(|case| println!("{}", case.name));
        return;
    };
    let network = case.network();
    let (config, policy) = (case.config(&network), cases::policy(&network));
    let mut simulation = Simulation::new(&network, &config, &policy, Workload::OpenLoop(case.traffic())).unwrap();
    let start = Instant::now();
    run(&mut simulation);
    let seconds = start.elapsed().as_secs_f64();
    let hops = simulation.into_record().hops;
    println!("{hops} hops, {:.2} million a second", hops as f64 / seconds / 1e6);
}
