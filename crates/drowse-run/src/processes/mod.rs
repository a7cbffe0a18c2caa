//! One run over several processes: each simulates a partition of the network, and they exchange messages after every
//! window.
//!
//! Each process reads the same experiment, and holds the simulation of its own partition only. Its coordinator decides
//! from the reports of all, so that all decide the same. Process 0 makes the result, which is that of a run in one
//! process.

mod launch;
#[cfg(feature = "mpi")]
mod mpi;
mod peers;
mod post;

pub use launch::{Launched, launched};
pub use peers::{Letter, Peers};

use std::time::Instant;

use drowse_core::engine::{Mailbox, Report, Share, Simulation, Standing, Step};
use drowse_core::measure::Record;
use drowse_core::model::units::Time;
use drowse_core::power::Policy;
use drowse_experiment::machine::{peak_rss_bytes, thread_cpu_ns};
use serde::{Deserialize, Serialize};

use crate::cancel::Cancel;
use crate::cost::{Cost, Exchanged};
use crate::error::RunError;
use post::Post;

/// Windows between two reports of progress.
const WINDOWS_PER_REPORT: u64 = 1_000;

/// What a process has spent.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
struct Spent {
    cpu_ns: Option<u64>,
    peak_rss_bytes: Option<u64>,
    exchanged: Exchanged,
}

/// Makes sure that all processes can begin and do the same: `mine` says what this one does, or why it cannot. Fails if
/// another one cannot, or does something else.
pub fn agree(peers: &mut dyn Peers, mine: &Result<String, String>) -> Result<(), RunError> {
    let mut post = Post::new(peers);
    let number = post.number();
    for (process, theirs) in post.tell_all(mine)?.into_iter().enumerate().filter(|&(process, _)| process != number) {
        match (mine, theirs) {
            (_, Err(why)) => return Err(RunError::Machine(format!("process {process} cannot begin: {why}"))),
            (Ok(mine), Ok(theirs)) if *mine != theirs => {
                let what = format!("process {process} has another experiment, trace or build than process {number}");
                return Err(RunError::Machine(what));
            }
            _ => {}
        }
    }
    Ok(())
}

/// Runs a simulation of which each process has prepared a partition. Process 0 gets the record and what all processes
/// together have spent; the others get nothing. If one is cancelled, all are.
pub fn run<P: Policy>(
    mut simulation: Simulation<'_, P>,
    peers: &mut dyn Peers,
    cancel: &Cancel,
    mut progress: impl FnMut(&Simulation<'_, P>, Time),
) -> Result<Option<(Record, Cost)>, RunError> {
    let mut post = Post::new(peers);
    let (wall, cpu) = (Instant::now(), thread_cpu_ns());
    let step = loop {
        match window(&mut simulation, &mut post, cancel)? {
            None if post.exchanged.windows.is_multiple_of(WINDOWS_PER_REPORT) => {
                let now = simulation.lend().0.now();
                progress(&simulation, now);
            }
            None => {}
            Some(step) => break step,
        }
    };
    let standing = post.join(simulation.standing(), Standing::plus)?;
    simulation.stopped_together(&step, &standing)?;
    let cpu_ns = thread_cpu_ns().zip(cpu).map(|(end, start)| end.saturating_sub(start));
    let wall_s = wall.elapsed().as_secs_f64();
    let busy = post.join(simulation.busy_until(), Ord::max)?;
    let exchanged = post.exchanged;
    let shares =
        post.gather((simulation.take_shares(busy), Spent { cpu_ns, peak_rss_bytes: peak_rss_bytes(), exchanged }))?;
    if shares.is_empty() {
        return Ok(None);
    }
    simulation.read_for_warnings().map_err(RunError::Source)?;
    let (shares, spent): (Vec<Vec<Share>>, Vec<Spent>) = shares.into_iter().unzip();
    let record = simulation.into_record_of(shares.into_iter().flatten().collect(), busy);
    Ok(Some((record, cost(wall_s, &spent))))
}

/// Advances by one window; returns the step that is none.
fn window<P: Policy>(
    simulation: &mut Simulation<'_, P>,
    post: &mut Post<'_>,
    cancel: &Cancel,
) -> Result<Option<Step>, RunError> {
    let number = post.number();
    let (coordinator, shards) = simulation.lend();
    // There are fewer partitions than processes where there are fewer switches.
    let mut shard = shards.first_mut();
    let report = shard.as_mut().map_or(Report::NOTHING, |shard| shard.report());
    let outboxes: Vec<(usize, Mailbox)> = shard.as_mut().map_or_else(Vec::new, |shard| shard.take_outboxes().collect());
    post.exchanged.windows += 1;
    post.exchanged.effects += outboxes.iter().map(|(_, outbox)| outbox.count() as u64).sum::<u64>();
    let addressed: Vec<usize> = outboxes.iter().map(|(to, _)| *to).collect();
    let told = post.tell_all(&(report, addressed, cancel.is_cancelled()))?;
    if told.iter().any(|&(.., cancelled)| cancelled) {
        return Err(RunError::Cancelled);
    }
    let (reports, addressed): (Vec<Report>, Vec<Vec<usize>>) =
        told.into_iter().map(|(report, addressed, _)| (report, addressed)).unzip();
    let writes_here = |process: &usize| addressed[*process].contains(&number);
    let from: Vec<usize> = (0..addressed.len()).filter(writes_here).collect();
    let mailboxes = post.exchange(&outboxes, &from)?;
    let step = coordinator.decide(reports.into_iter().fold(Report::NOTHING, Report::plus), u64::MAX);
    if let Some(shard) = &mut shard {
        mailboxes.into_iter().for_each(|mut mailbox| shard.receive(&mut mailbox));
    }
    if let (Step::Advance(window), Some(shard)) = (&step, shard) {
        shard.advance(window);
    }
    Ok(Some(step).filter(|step| !matches!(step, Step::Advance(_))))
}

/// Joins what all processes have spent.
fn cost(wall_s: f64, spent: &[Spent]) -> Cost {
    let cpu_ns: Option<u64> = spent.iter().map(|spent| spent.cpu_ns).sum();
    let sum = |count: fn(&Exchanged) -> u64| spent.iter().map(|spent| count(&spent.exchanged)).sum();
    Cost {
        wall_s,
        cpu_s: cpu_ns.filter(|&ns| ns > 0).map(|ns| ns as f64 / 1e9),
        peak_rss_bytes: spent.iter().map(|spent| spent.peak_rss_bytes).max().flatten(),
        exchanged: Some(Exchanged {
            processes: spent.len() as u64,
            windows: spent.first().map_or(0, |spent| spent.exchanged.windows),
            effects: sum(|sent| sent.effects),
            bytes: sum(|sent| sent.bytes),
        }),
    }
}
