//! One run on several threads: a shard each, which meet after every window.
//!
//! The core says what may be done side by side ([`Simulation::lend`]), and that the result does not depend on who does it.

mod choice;
mod meeting;

pub use choice::Share;
pub use choice::Threads;

use std::io;
use std::mem;
use std::sync::{Mutex, PoisonError};
use std::thread;

use drowse_core::engine::{Failure, Mailbox, Progress, Shard, Simulation, Step};
use drowse_core::power::Policy;

use drowse_experiment::machine::thread_cpu_ns;
use meeting::{Apart, Meeting, Member};

/// The mail of all shards for all others. What one window sends is read while the next one's is written, so there are two of each.
struct Post {
    shards: usize,
    /// By window (even, odd), sender and receiver. A lock is taken once in a window, by a thread that has not to wait for it.
    boxes: Vec<Apart<Mutex<Mailbox>>>,
}

impl Post {
    fn new(shards: usize) -> Self {
        Post { shards, boxes: (0..2 * shards * shards).map(|_| Apart::default()).collect() }
    }

    /// Lets a thread use a box.
    fn with(&self, window: usize, from: usize, to: usize, what: impl FnOnce(&mut Mailbox)) {
        let mailbox = &self.boxes[(window * self.shards + from) * self.shards + to].0;
        what(&mut mailbox.lock().unwrap_or_else(PoisonError::into_inner));
    }

    /// Takes what a shard has for the others.
    fn send<P: Policy>(&self, window: usize, from: usize, shard: &mut Shard<'_, P>) {
        for to in (0..self.shards).filter(|&to| to != from) {
            // The box holds an empty mail that has the room it once grew to.
            self.with(window, from, to, |mail| mem::swap(mail, shard.outbox(to)));
        }
    }

    /// Returns a shard what the others have for it, in their order.
    fn deliver<P: Policy>(&self, window: usize, to: usize, shard: &mut Shard<'_, P>) {
        for from in (0..self.shards).filter(|&from| from != to) {
            self.with(window, from, to, |mail| shard.receive(mail));
        }
    }
}

/// How far a run has come, and what that has cost.
pub struct Advanced {
    /// As [`Simulation::advance`] tells it.
    pub progress: Result<Progress, Failure>,
    /// CPU time of the other threads in nanoseconds, where the system tells it.
    pub others_cpu_ns: Option<u64>,
}

/// Handles about so many events, with a thread for each shard, this one included; they share cores if they are `crowded`.
///
/// Fails where the system does not give the threads; the simulation is of no use then.
pub fn advance<P>(simulation: &mut Simulation<'_, P>, events: u64, crowded: bool) -> io::Result<Advanced>
where
    P: Policy + Sync,
    P::State: Send,
{
    let until = simulation.events().saturating_add(events);
    let (coordinator, shards) = simulation.lend();
    let threads = shards.len();
    let (meeting, post) = (&Meeting::new(coordinator, until, threads, crowded), &Post::new(threads));
    let (step, others_cpu_ns) = thread::scope(|scope| {
        let mut shards = (0..).zip(shards);
        let first = shards.next();
        let mut handles = Vec::new();
        for (number, shard) in shards {
            let helper = move || {
                let step = work(shard, number, meeting, post);
                // To give the core away brings the system's account of this thread up to date.
                thread::yield_now();
                (step, thread_cpu_ns())
            };
            let name = format!("shard {number}");
            let spawned = thread::Builder::new().name(name).spawn_scoped(scope, helper);
            handles.push(spawned.inspect_err(|_| meeting.break_up())?);
        }
        let step = first.map_or(Step::End, |(number, shard)| work(shard, number, meeting, post));
        let join = |handle: thread::ScopedJoinHandle<'_, (Step, Option<u64>)>| {
            handle.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)).1
        };
        io::Result::Ok((step, handles.into_iter().map(join).sum()))
    })?;
    Ok(Advanced { progress: simulation.stopped(&step), others_cpu_ns })
}

/// Lets a shard advance until the run pauses or ends, and tells which.
fn work<P: Policy>(shard: &mut Shard<'_, P>, number: usize, meeting: &Meeting<'_, '_>, post: &Post) -> Step {
    let mut member = Member::new(meeting);
    let mut window = 0;
    loop {
        let report = shard.report();
        post.send(window, number, shard);
        let step = member.attend(report);
        post.deliver(window, number, shard);
        match step {
            Step::Advance(stretch) => shard.advance(&stretch),
            step => return step,
        }
        window = 1 - window;
    }
}
