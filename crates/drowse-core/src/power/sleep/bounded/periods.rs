//! The timer that ends so many idle periods of a channel in deep sleep as may be, the longest ones.

use super::bins::NEVER;
use super::learning::{Learning, Window};
use crate::model::units::Time;

/// The idle periods of a channel since the last refresh, and the timer that was found last.
#[derive(Clone, Debug)]
pub(crate) struct Periods {
    pub(super) window: Window,
    /// Idle periods of the window in bin `timer` and above.
    above: u16,
    timer: u8,
}

/// The upper edge of the first bin: the shortest timer.
pub(super) const SHORTEST: u8 = 1;

impl Periods {
    /// Starts with the run: there have been none, and there is no timer.
    pub fn none() -> Self {
        Periods { window: Window::new(), above: 0, timer: NEVER }
    }

    /// Returns the timer that was found last.
    pub fn timer(&self) -> u8 {
        self.timer
    }

    /// Returns the time that may have been lost to waking since the last refresh.
    pub fn allowance(&self, learning: &Learning, now: Time) -> Time {
        self.window.allowance(learning, now)
    }

    /// Returns the next shorter timer under which more periods would have ended in sleep; the same if there is none.
    pub fn next_lower(&self) -> u8 {
        let below = &self.window.counts[..usize::from(self.timer)];
        let bin = below.iter().rposition(|&count| count > 0).map(|bin| bin as u8);
        bin.map_or(self.timer, |bin| bin.max(SHORTEST))
    }

    /// Counts an idle period.
    pub fn add(&mut self, bin: usize) {
        self.window.add(bin);
        self.above += u16::from(bin >= usize::from(self.timer));
    }

    /// Finds the timer for `target` periods. The search starts at the last timer, and timers seldom move: O(1)
    /// amortised. After a refresh the timer stays for a while.
    pub fn find(&mut self, learning: &Learning, target: u64) {
        if !self.window.holds(learning) {
            self.search(target);
        }
    }

    fn search(&mut self, target: u64) {
        if target == 0 {
            (self.timer, self.above) = (NEVER, 0);
            return;
        }
        while u64::from(self.above) > target {
            self.above -= self.window.counts[usize::from(self.timer)];
            self.timer += 1;
        }
        while self.timer > SHORTEST {
            let more = self.above + self.window.counts[usize::from(self.timer) - 1];
            if u64::from(more) > target {
                break;
            }
            (self.timer, self.above) = (self.timer - 1, more);
        }
    }

    /// Starts afresh where it is time for that; returns whether it is.
    pub fn refresh(&mut self, learning: &Learning, now: Time) -> bool {
        let is_over = self.window.is_over(learning);
        if is_over {
            self.window.refresh(now);
            self.above = 0;
        }
        is_over
    }
}
