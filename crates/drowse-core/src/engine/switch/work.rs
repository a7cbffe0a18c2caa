//! What the allocators have to do at the present edge.

use super::layout::Layout;
use super::rules::Rules;

/// Switches with something to examine, and the input queues to examine in each.
#[derive(Debug)]
pub struct WorkList {
    /// Switches to allocate at this edge: the first `active_len` entries.
    pub active: Vec<u32>,
    /// How many entries of `active` count.
    pub active_len: usize,
    /// For each switch: the time of the edge after the one for which it was last put into `active`.
    active_for: Vec<u64>,
    /// The last switch that is examined again at the next edge, and the number of that edge.
    pub retried: (u32, u64),
    /// Output ports that may have become available at this edge, where heads [stay
    /// blocked](super::rules::Rules::stays_blocked).
    pub woken: Vec<u32>,
    /// Outputs that may have become available at this edge, one bit each, by switch; empty unless heads that would lose
    /// [are skipped](super::rules::Rules::skips_losers).
    pub woken_of: Vec<u64>,
    /// Input queues to examine: `words` per switch, one bit per queue.
    pub examine: Vec<u64>,
}

impl WorkList {
    /// Creates an empty list for so many switches.
    pub fn new(switches: usize, layout: &Layout, rules: &Rules<'_>) -> Self {
        WorkList {
            active: vec![0; switches + 1],
            active_len: 0,
            active_for: vec![0; switches],
            retried: (0, 0),
            woken: Vec::new(),
            woken_of: vec![0; if rules.skips_losers { switches } else { 0 }],
            examine: vec![0; switches * layout.words],
        }
    }

    /// Adds a switch for the edge before time `next`, once.
    #[inline]
    pub fn activate(&mut self, switch: u32, next: u64) {
        let mark = &mut self.active_for[switch as usize];
        // Without a branch, because no predictor could guess it; counted only where the switch is new.
        self.active[self.active_len] = switch;
        self.active_len += usize::from(*mark != next);
        *mark = next;
    }

    /// Marks queues of an input port to be examined; a port's bits lie in one word.
    #[inline]
    pub fn examine_queues<const FAST: bool>(&mut self, words: usize, switch: u32, first_bit: u16, vcs: u8) {
        let word = if FAST { switch as usize } else { switch as usize * words + usize::from(first_bit) / 64 };
        self.examine[word] |= u64::from(vcs) << (first_bit % 64);
    }
}
