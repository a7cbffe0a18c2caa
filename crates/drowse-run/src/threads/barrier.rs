//! The barrier at which the threads of a run wait after each window, and where the next step is decided.
//!
//! Each thread brings the report of its shard. The last one to arrive lets the coordinator decide and releases the
//! others. A waiting thread spins for a while, which costs least where every thread has a core of its own, and then
//! sleeps. After spinning in vain, because another program uses a core, it sleeps at once for some windows.
//! Oversubscribed threads yield their core before they sleep.

use std::hint;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

use drowse_core::engine::{Coordinator, Report, Step};

use super::cache_line::CacheLine;
use crate::cancel::Cancel;

/// Spins of a waiting thread: some tens of microseconds, which is how much windows of equally loaded shards differ, and
/// how long it takes to wake a thread.
const SPINS: u32 = 2_000;
/// Yields of an oversubscribed thread; each takes a microsecond where no other thread is ready.
const YIELDS: u32 = 64;
/// The most windows without spinning after spinning in vain, as a power of two.
const MOST_IN_VAIN: u32 = 6;

/// Where the threads of a run wait for each other.
pub struct Barrier<'c, 'n> {
    cancel: &'c Cancel,
    threads: usize,
    oversubscribed: bool,
    state: CacheLine<Mutex<State<'c, 'n>>>,
    /// Counts the releases; waiting threads look at it.
    released: CacheLine<AtomicU64>,
    /// Wakes sleeping threads.
    wakeup: Condvar,
}

struct State<'c, 'n> {
    coordinator: &'c mut Coordinator<'n>,
    /// The run pauses when so many events have been handled.
    until: u64,
    arrived: usize,
    asleep: bool,
    /// The reports of the threads that have arrived.
    all: Report,
    /// The last decision.
    step: Step,
    /// A thread will not arrive any more.
    broken: bool,
}

impl<'c, 'n> Barrier<'c, 'n> {
    /// Makes a barrier for so many threads; they have a core each unless they are oversubscribed. The run pauses after so
    /// many events, and at once when it is cancelled.
    pub fn new(
        coordinator: &'c mut Coordinator<'n>,
        until: u64,
        cancel: &'c Cancel,
        threads: usize,
        oversubscribed: bool,
    ) -> Self {
        let state = State {
            coordinator,
            until,
            arrived: 0,
            asleep: false,
            all: Report::NOTHING,
            step: Step::Pause,
            broken: false,
        };
        Barrier {
            cancel,
            threads,
            oversubscribed,
            state: CacheLine(Mutex::new(state)),
            released: CacheLine(AtomicU64::new(0)),
            wakeup: Condvar::new(),
        }
    }

    /// Releases all threads for good: one of them will not arrive any more.
    pub fn break_up(&self) {
        self.lock().broken = true;
        self.released.0.fetch_add(1, Ordering::Release);
        self.wakeup.notify_all();
    }

    /// Decides the next step when all threads have arrived, and releases them.
    fn release(&self, mut state: MutexGuard<'_, State<'c, 'n>>) -> Step {
        let until = if self.cancel.is_cancelled() { 0 } else { state.until };
        let all = std::mem::replace(&mut state.all, Report::NOTHING);
        let step = state.coordinator.decide(all, until);
        let asleep = std::mem::take(&mut state.asleep);
        (state.arrived, state.step) = (0, step.clone());
        self.released.0.fetch_add(1, Ordering::Release);
        drop(state);
        if asleep {
            self.wakeup.notify_all();
        }
        step
    }

    /// Sleeps until the next release after number `released`, if that has not happened, and returns the decision.
    fn sleep(&self, released: u64) -> Step {
        let mut state = self.lock();
        while self.released.0.load(Ordering::Relaxed) == released && !state.broken {
            state.asleep = true;
            state = self.wakeup.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        if state.broken { Step::End } else { state.step.clone() }
    }

    fn lock(&self) -> MutexGuard<'_, State<'c, 'n>> {
        self.state.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A thread at the barrier. Its panic breaks the barrier up, so that no thread waits for it forever.
pub struct Waiter<'m, 'c, 'n> {
    barrier: &'m Barrier<'c, 'n>,
    /// How often in a row spinning was in vain.
    in_vain: u32,
    /// Windows left without spinning.
    pause: u32,
}

impl<'m, 'c, 'n> Waiter<'m, 'c, 'n> {
    /// Makes a thread known to the barrier.
    pub fn new(barrier: &'m Barrier<'c, 'n>) -> Self {
        Waiter { barrier, in_vain: 0, pause: 0 }
    }

    /// Waits for all threads and returns the decision; [`Step::End`] if one of them will not arrive any more.
    pub fn wait(&mut self, report: Report) -> Step {
        let mut state = self.barrier.lock();
        if state.broken {
            return Step::End;
        }
        let others = std::mem::replace(&mut state.all, Report::NOTHING);
        state.all = others.plus(report);
        state.arrived += 1;
        if state.arrived == self.barrier.threads {
            return self.barrier.release(state);
        }
        // While the lock is held, no release can happen.
        let released = self.barrier.released.0.load(Ordering::Relaxed);
        drop(state);
        self.spin(released);
        self.barrier.sleep(released)
    }

    /// Waits a while for a release without sleeping.
    fn spin(&mut self, released: u64) {
        let over_after = |pause: fn()| {
            pause();
            self.barrier.released.0.load(Ordering::Acquire) != released
        };
        if self.barrier.oversubscribed {
            (0..YIELDS).any(|_| over_after(thread::yield_now));
        } else if self.pause > 0 {
            self.pause -= 1;
        } else if (0..SPINS).any(|_| over_after(hint::spin_loop)) {
            self.in_vain = 0;
        } else {
            self.in_vain = (self.in_vain + 1).min(MOST_IN_VAIN);
            self.pause = (1 << self.in_vain) - 1;
        }
    }
}

impl Drop for Waiter<'_, '_, '_> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.barrier.break_up();
        }
    }
}
