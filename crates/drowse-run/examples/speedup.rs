//! What a run over several processes would gain, from measured windows and a model of what messages cost:
//!
//!     cargo run --release -p drowse-run --example speedup -- FILE PROCESSES...
//!
//! The case runs once in one partition, which says what an event costs, and once for each number of processes in as many
//! partitions, which take turns. That counts the windows, the events of the busiest partition in each of them, and what
//! crosses. Then, for latencies of 1 and 5 us:
//!
//!     time = events of the busiest partitions x time of an event + windows x (tree + letters)
//!     tree = 2 x rounds x latency, rounds = log2 of the processes, rounded up: all tell all how far they are, at best
//!     letters = latency + bytes of a process / 10 GB/s, if any are sent
//!
//! Caches that hold more of a smaller partition are left out, as is the time to write and read letters.

#![expect(clippy::print_stdout, reason = "a program")]

use std::env;
use std::error::Error;
use std::path::Path;
use std::time::Instant;

use drowse_core::engine::{Report, Shard, Simulation, Step};
use drowse_experiment::{Case, load_case};
use drowse_run::error::RunError;
use drowse_run::inputs::{self, Inputs, Traces};

/// Bytes that a process sends in a second.
const BANDWIDTH: f64 = 10e9;

/// What a run in some partitions has.
#[derive(Default)]
struct Measured {
    partitions: usize,
    events: u64,
    /// Those of the busiest partition of each window, all windows together.
    busiest: u64,
    windows: u64,
    /// Windows after which something crosses.
    crossed: u64,
    effects: u64,
    bytes: u64,
    seconds: f64,
}

impl Measured {
    /// Returns the time of a run over as many processes, where an event takes so many seconds.
    fn time(&self, event: f64, latency: f64) -> f64 {
        let rounds = f64::from(self.partitions.next_power_of_two().ilog2());
        let letters = self.crossed as f64 * latency + self.bytes as f64 / self.partitions as f64 / BANDWIDTH;
        self.busiest as f64 * event + self.windows as f64 * 2.0 * rounds * latency + letters
    }
}

/// Runs a case in some partitions, which take turns.
fn measure(case: &Case, inputs: &Inputs, partitions: usize) -> Result<Measured, RunError> {
    let (system, workload) = (&case.system, inputs.workload(case));
    let simulation = Simulation::in_partitions(&system.network, &system.config, &system.policy, workload, partitions);
    let mut simulation = simulation.map_err(|error| system.keys.error(error.key, error.reason, ""))?;
    let mut measured = Measured { partitions: simulation.shards(), ..Measured::default() };
    let began = Instant::now();
    let mut before = vec![0; measured.partitions];
    let step = loop {
        let (coordinator, shards) = simulation.lend();
        let reports: Vec<Report> = shards.iter_mut().map(Shard::report).collect();
        let events = |(report, before): (&Report, &u64)| report.events - before;
        measured.busiest += reports.iter().zip(&before).map(events).max().unwrap_or(0);
        before = reports.iter().map(|report| report.events).collect();
        deliver(shards, &mut measured);
        match coordinator.decide(reports.into_iter().fold(Report::NOTHING, Report::plus), u64::MAX) {
            Step::Advance(window) => shards.iter_mut().for_each(|shard| shard.advance(&window)),
            step => break step,
        }
        measured.windows += 1;
    };
    measured.seconds = began.elapsed().as_secs_f64();
    measured.events = before.iter().sum();
    simulation.stopped(&step)?;
    Ok(measured)
}

/// Delivers what partitions have for each other, and counts it.
fn deliver<P: drowse_core::power::Policy>(shards: &mut [Shard<'_, P>], measured: &mut Measured) {
    let mut letters = Vec::new();
    for (from, shard) in shards.iter_mut().enumerate() {
        letters.extend(shard.take_outboxes().map(|(to, mailbox)| (to, from, mailbox)));
    }
    measured.crossed += u64::from(!letters.is_empty());
    letters.sort_unstable_by_key(|&(to, from, _)| (to, from));
    for (to, _, mut mailbox) in letters {
        measured.effects += mailbox.count() as u64;
        measured.bytes += postcard::to_stdvec(&mailbox).map_or(0, |bytes| bytes.len() as u64);
        shards[to].receive(&mut mailbox);
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let Some((file, processes)) = arguments.split_first() else {
        return Err("give an experiment file, and numbers of processes".into());
    };
    let processes = processes.iter().map(|text| text.parse()).collect::<Result<Vec<usize>, _>>()?;
    let case = load_case(Path::new(file), &[])?;
    let inputs = inputs::open(&case, &Traces::default())?;
    let one = measure(&case, &inputs, 1)?;
    let event = one.seconds / one.events as f64;
    println!("{file}: {} events in {:.2} s, {:.0} ns each", one.events, one.seconds, event * 1e9);
    println!(
        "| processes | windows | events of a process in a window | balance | effects in a window | bytes in a window | 1 us | 5 us |"
    );
    println!("|---:|---:|---:|---:|---:|---:|---:|---:|");
    for count in processes {
        let run = measure(&case, &inputs, count)?;
        let (windows, parts) = (run.windows as f64, run.partitions as f64);
        println!(
            "| {} | {} | {:.0} | {:.0} % | {:.0} | {:.0} | {:.2} | {:.2} |",
            run.partitions,
            run.windows,
            run.events as f64 / windows / parts,
            100.0 * run.events as f64 / parts / run.busiest as f64,
            run.effects as f64 / windows,
            run.bytes as f64 / windows,
            one.seconds / run.time(event, 1e-6),
            one.seconds / run.time(event, 5e-6),
        );
    }
    Ok(())
}
