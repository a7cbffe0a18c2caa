//! The barrier at which the threads of a run meet after each window, and where it is decided what comes next.
//!
//! Each thread brings its shard's report; the last to come lets the coordinator decide and sets the others free. A thread that
//! waits looks again and again for a while, which costs the least where all threads have a core for themselves, and then
//! sleeps. Where looking was in vain, because another program uses a core that was thought to be free, it sleeps at once in
//! the next meetings: who has slept is served soon. Threads that are more than the cores give their core to each other before they
//! sleep.

use std::hint;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

use drowse_core::engine::{Coordinator, Report, Step};

/// How often a waiting thread looks: some tens of microseconds, as long as windows of shards with the same work differ, and
/// as long as it takes to be woken.
const LOOKS: u32 = 2_000;
/// How often a thread that shares a core gives it away; each takes a microsecond where nobody else is ready.
const YIELDS: u32 = 64;
/// After looking in vain so many times in a row (as a power of two), a thread does not try more seldom any more.
const MOST_IN_VAIN: u32 = 6;

/// Something on cache lines of its own, so that who writes it does not slow those down who use what lies beside it. Processors
/// fetch lines in pairs.
#[derive(Debug, Default)]
#[repr(align(128))]
pub struct Apart<T>(pub T);

/// Where the threads of a run meet.
pub struct Meeting<'c, 'n> {
    threads: usize,
    crowded: bool,
    state: Apart<Mutex<State<'c, 'n>>>,
    /// Counts the meetings; those who wait look at it.
    held: Apart<AtomicU64>,
    /// Wakes those who sleep.
    bell: Condvar,
}

struct State<'c, 'n> {
    coordinator: &'c mut Coordinator<'n>,
    /// The run pauses when so many events have been handled.
    until: u64,
    present: usize,
    asleep: bool,
    /// The reports of those who are present.
    all: Report,
    /// What the last meeting has decided.
    step: Step,
    /// A thread will not come any more.
    broken: bool,
}

impl<'c, 'n> Meeting<'c, 'n> {
    /// Prepares meetings of so many threads; they have a core each unless they are `crowded`.
    pub fn new(coordinator: &'c mut Coordinator<'n>, until: u64, threads: usize, crowded: bool) -> Self {
        let state = State {
            coordinator,
            until,
            present: 0,
            asleep: false,
            all: Report::NOTHING,
            step: Step::Pause,
            broken: false,
        };
        Meeting {
            threads,
            crowded,
            state: Apart(Mutex::new(state)),
            held: Apart(AtomicU64::new(0)),
            bell: Condvar::new(),
        }
    }

    /// Ends a meeting at which all are present.
    fn decide(&self, mut state: MutexGuard<'_, State<'c, 'n>>) -> Step {
        let until = state.until;
        let all = std::mem::replace(&mut state.all, Report::NOTHING);
        let step = state.coordinator.decide(all, until);
        let asleep = std::mem::take(&mut state.asleep);
        (state.present, state.step) = (0, step.clone());
        self.held.0.fetch_add(1, Ordering::Release);
        drop(state);
        if asleep {
            self.bell.notify_all();
        }
        step
    }

    /// Sleeps until a meeting has ended, if it has not already, and gives what has been decided.
    fn sleep(&self, held: u64) -> Step {
        let mut state = self.lock();
        while self.held.0.load(Ordering::Relaxed) == held && !state.broken {
            state.asleep = true;
            state = self.bell.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        if state.broken { Step::End } else { state.step.clone() }
    }

    /// Sends everybody home: somebody will not come any more.
    pub fn break_up(&self) {
        self.lock().broken = true;
        self.held.0.fetch_add(1, Ordering::Release);
        self.bell.notify_all();
    }

    fn lock(&self) -> MutexGuard<'_, State<'c, 'n>> {
        self.state.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A thread at the meetings. They are broken up when it panics, so that nobody waits for it for ever.
pub struct Member<'m, 'c, 'n> {
    meeting: &'m Meeting<'c, 'n>,
    /// How often in a row it has looked in vain.
    in_vain: u32,
    /// For so many meetings it does not look.
    looks_away: u32,
}

impl<'m, 'c, 'n> Member<'m, 'c, 'n> {
    /// Joins the meetings.
    pub fn new(meeting: &'m Meeting<'c, 'n>) -> Self {
        Member { meeting, in_vain: 0, looks_away: 0 }
    }

    /// Waits for all threads and gives what has been decided; [`Step::End`] if one of them will not come any more.
    pub fn attend(&mut self, report: Report) -> Step {
        let mut state = self.meeting.lock();
        if state.broken {
            return Step::End;
        }
        let others = std::mem::replace(&mut state.all, Report::NOTHING);
        state.all = others.plus(report);
        state.present += 1;
        if state.present == self.meeting.threads {
            return self.meeting.decide(state);
        }
        // While the lock is held, this meeting cannot end.
        let held = self.meeting.held.0.load(Ordering::Relaxed);
        drop(state);
        self.linger(held);
        self.meeting.sleep(held)
    }

    /// Waits a while for a meeting to end without sleeping.
    fn linger(&mut self, held: u64) {
        let over_after = |pause: fn()| {
            pause();
            self.meeting.held.0.load(Ordering::Acquire) != held
        };
        if self.meeting.crowded {
            (0..YIELDS).any(|_| over_after(thread::yield_now));
        } else if self.looks_away > 0 {
            self.looks_away -= 1;
        } else if (0..LOOKS).any(|_| over_after(hint::spin_loop)) {
            self.in_vain = 0;
        } else {
            self.in_vain = (self.in_vain + 1).min(MOST_IN_VAIN);
            self.looks_away = (1 << self.in_vain) - 1;
        }
    }
}

impl Drop for Member<'_, '_, '_> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.meeting.break_up();
        }
    }
}
