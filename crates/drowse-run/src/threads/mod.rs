//! One run in several partitions, on one thread or more: each has some of the shards, with a barrier after every window.
//!
//! The core defines what may run side by side ([`Simulation::lend`]), and that the result depends neither on the
//! partitions nor on the threads.

mod barrier;
mod cache_line;
mod choice;
mod mailboxes;

pub use choice::{Share, Threads};

use std::io;
use std::panic;
use std::thread;

use drowse_core::engine::{Failure, Progress, Report, Shard, Simulation, Step};
use drowse_core::power::Policy;
use drowse_experiment::machine::thread_cpu_ns;

use crate::cancel::Cancel;
use barrier::{Barrier, Waiter};
use mailboxes::Mailboxes;

/// How far a run has come, and its cost.
pub struct Advanced {
    /// As [`Simulation::advance`] returns it.
    pub progress: Result<Progress, Failure>,
    /// CPU time of the other threads in nanoseconds, where the system reports it.
    pub others_cpu_ns: Option<u64>,
}

/// Handles about so many events on the threads of a share, this one included; each has about equally many shards. Fewer
/// are handled if it is cancelled.
///
/// Fails where the system does not provide the threads; the simulation is of no use then.
pub fn advance<P>(
    simulation: &mut Simulation<'_, P>,
    events: u64,
    share: Share,
    cancel: &Cancel,
) -> io::Result<Advanced>
where
    P: Policy + Sync,
    P::State: Send,
{
    let until = simulation.events().saturating_add(events);
    let (coordinator, shards) = simulation.lend();
    let mailboxes = &Mailboxes::new(shards.len());
    let each = shards.len().div_ceil(share.threads);
    let threads = shards.len().div_ceil(each);
    let barrier = &Barrier::new(coordinator, until, cancel, threads, share.oversubscribed);
    let (step, others_cpu_ns) = thread::scope(|scope| {
        let mut hands = (0..).step_by(each).zip(shards.chunks_mut(each));
        let own = hands.next();
        let mut handles = Vec::new();
        for (first, shards) in hands {
            let helper = move || {
                let step = work(shards, first, barrier, mailboxes);
                // Yielding the core updates the system's account of this thread.
                thread::yield_now();
                (step, thread_cpu_ns())
            };
            let name = format!("shard {first}");
            let spawned = thread::Builder::new().name(name).spawn_scoped(scope, helper);
            handles.push(spawned.inspect_err(|_| barrier.break_up())?);
        }
        let step = own.map_or(Step::End, |(first, shards)| work(shards, first, barrier, mailboxes));
        let join = |handle: thread::ScopedJoinHandle<'_, (Step, Option<u64>)>| {
            handle.join().unwrap_or_else(|panic| panic::resume_unwind(panic)).1
        };
        io::Result::Ok((step, handles.into_iter().map(join).sum()))
    })?;
    Ok(Advanced { progress: simulation.stopped(&step), others_cpu_ns })
}

/// Advances the shards of a thread, numbered from `first` on, until the run pauses or ends, and returns which.
fn work<P: Policy>(
    shards: &mut [Shard<'_, P>],
    first: usize,
    barrier: &Barrier<'_, '_>,
    mailboxes: &Mailboxes,
) -> Step {
    let mut waiter = Waiter::new(barrier);
    let mut window = 0;
    loop {
        let mut report = Report::NOTHING;
        for (number, shard) in (first..).zip(&mut *shards) {
            report = report.plus(shard.report());
            mailboxes.send(window, number, shard);
        }
        let step = waiter.wait(report);
        for (number, shard) in (first..).zip(&mut *shards) {
            mailboxes.deliver(window, number, shard);
            if let Step::Advance(stretch) = &step {
                shard.advance(stretch);
            }
        }
        match step {
            Step::Advance(_) => window = 1 - window,
            step => return step,
        }
    }
}
