//! The processor of a rank and the NIC of a node, where messages keep them busy: o and O, g and G of the LogGOPS model.

use std::collections::VecDeque;

use crate::measure::CriticalPath;
use crate::model::units::Time;

use crate::engine::event::node::later;

/// When a NIC may begin its next message.
#[derive(Clone, Copy, Debug, Default)]
pub struct Gap {
    /// To send one.
    pub sends_at: u64,
    /// To receive one.
    pub receives_at: u64,
}

/// A message that has arrived and waits for the processor.
#[derive(Clone, Copy, Debug)]
pub struct Arrival {
    /// The message's number.
    pub message: u32,
    /// When its sender began to send it.
    pub sent: u64,
    /// When it has arrived.
    pub at: u64,
}

/// What the processor of a rank does. It does one thing at a time: it computes, sends or receives.
#[derive(Debug)]
pub struct Processor {
    /// Messages cost it time, or keep NICs busy.
    pub has_overheads: bool,
    /// Until when it is busy; kept only where there are overheads.
    pub busy_until: u64,
    /// What led to that time.
    pub path: CriticalPath,
    /// When the program's last operation began, or what ended its last wait.
    pub began: u64,
    /// Since when it is or was busy with a message.
    since: u64,
    /// Messages that wait for it, in the order in which they came.
    pub arrivals: VecDeque<Arrival>,
    /// When it looks at these again; [`u64::MAX`] when no event lies in the queue for that.
    pub next_look: u64,
    /// The time with messages that the rank's times do not hold yet.
    uncounted: u64,
}

impl Processor {
    /// Creates a processor that is free.
    pub const fn new(has_overheads: bool) -> Self {
        Processor {
            has_overheads,
            busy_until: 0,
            path: CriticalPath::NOTHING,
            began: 0,
            since: 0,
            arrivals: VecDeque::new(),
            next_look: u64::MAX,
            uncounted: 0,
        }
    }

    /// Returns whether it is free at time `t` and a message comes before what the rank does next: one that was sent
    /// before the rank's last operation began. So a rank that computes one time after another receives in between.
    pub fn receives_first(&self, t: u64) -> bool {
        self.busy_until <= t && self.arrivals.front().is_some_and(|first| first.sent <= self.began)
    }

    /// Is busy with a message for a time from `t` on; `path` led to that.
    pub fn handle(&mut self, time: Time, path: CriticalPath, t: u64) {
        if time == Time::ZERO {
            return;
        }
        self.path = path + CriticalPath { overhead: time, ..CriticalPath::NOTHING };
        (self.since, self.busy_until) = (t, later(t, time));
        self.uncounted = self.uncounted.saturating_add(time.0);
    }

    /// Computes until a time, to which `path` leads.
    pub fn compute(&mut self, until: u64, path: CriticalPath) {
        if self.has_overheads {
            (self.busy_until, self.path) = (until, path);
        }
    }

    /// Returns how long the processor has been busy with messages until time `t` since the last call. Busy time after `t`
    /// is not included: the wait for the processor counts it.
    pub fn count(&mut self, t: u64) -> Time {
        let after = self.busy_until.saturating_sub(t);
        Time(std::mem::take(&mut self.uncounted).saturating_sub(after))
    }

    /// Moves what it remembers of times by so much, to which `path` leads.
    pub fn moves(&mut self, by: u64, path: CriticalPath) {
        self.busy_until += by;
        self.began += by;
        self.since += by;
        self.path = self.path + path;
    }

    /// Notes that the program's wait has ended at time `t`.
    pub fn wait_ended(&mut self, t: u64) {
        self.began = if self.busy_until == t { self.since } else { t };
    }
}
