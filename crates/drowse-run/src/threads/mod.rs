//! One run on several threads: one shard each, with a barrier after every window.
//!
//! The core defines what may run side by side ([`Simulation::lend`]), and that the result does not depend on the
//! threads.

mod barrier;
mod cache_line;
mod choice;
mod mailboxes;

pub use choice::{Share, Threads};

use std::io;
use std::panic;
use std::thread;

use drowse_core::engine::{Failure, Progress, Shard, Simulation, Step};
use drowse_core::power::Policy;
use drowse_experiment::machine::thread_cpu_ns;

use barrier::{Barrier, Waiter};
use mailboxes::Mailboxes;

/// How far a run has come, and its cost.
pub struct Advanced {
    /// As [`Simulation::advance`] returns it.
    pub progress: Result<Progress, Failure>,
    /// CPU time of the other threads in nanoseconds, where the system reports it.
    pub others_cpu_ns: Option<u64>,
}

/// Handles about so many events, with a thread for each shard, this one included; oversubscribed threads share cores.
///
/// Fails where the system does not provide the threads; the simulation is of no use then.
pub fn advance<P>(simulation: &mut Simulation<'_, P>, events: u64, oversubscribed: bool) -> io::Result<Advanced>
where
    P: Policy + Sync,
    P::State: Send,
{
    let until = simulation.events().saturating_add(events);
    let (coordinator, shards) = simulation.lend();
    let threads = shards.len();
    let barrier = &Barrier::new(coordinator, until, threads, oversubscribed);
    let mailboxes = &Mailboxes::new(threads);
    let (step, others_cpu_ns) = thread::scope(|scope| {
        let mut shards = (0..).zip(shards);
        let first = shards.next();
        let mut handles = Vec::new();
        for (number, shard) in shards {
            let helper = move || {
                let step = work(shard, number, barrier, mailboxes);
                // Yielding the core updates the system's account of this thread.
                thread::yield_now();
                (step, thread_cpu_ns())
            };
            let name = format!("shard {number}");
            let spawned = thread::Builder::new().name(name).spawn_scoped(scope, helper);
            handles.push(spawned.inspect_err(|_| barrier.break_up())?);
        }
        let step = first.map_or(Step::End, |(number, shard)| work(shard, number, barrier, mailboxes));
        let join = |handle: thread::ScopedJoinHandle<'_, (Step, Option<u64>)>| {
            handle.join().unwrap_or_else(|panic| panic::resume_unwind(panic)).1
        };
        io::Result::Ok((step, handles.into_iter().map(join).sum()))
    })?;
    Ok(Advanced { progress: simulation.stopped(&step), others_cpu_ns })
}

/// Advances a shard until the run pauses or ends, and returns which.
fn work<P: Policy>(shard: &mut Shard<'_, P>, number: usize, barrier: &Barrier<'_, '_>, mailboxes: &Mailboxes) -> Step {
    let mut waiter = Waiter::new(barrier);
    let mut window = 0;
    loop {
        let report = shard.report();
        mailboxes.send(window, number, shard);
        let step = waiter.wait(report);
        mailboxes.deliver(window, number, shard);
        match step {
            Step::Advance(stretch) => shard.advance(&stretch),
            step => return step,
        }
        window = 1 - window;
    }
}
