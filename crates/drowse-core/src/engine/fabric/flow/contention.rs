//! How much of their time flows share links or wait behind each other: where they may differ from packets.

use serde::{Deserialize, Serialize};

use crate::measure::Warning;

/// Times of all flows that have been delivered, in picoseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Contention {
    /// From when the NIC began each until its last bit had passed the last channel.
    pub all: u128,
    /// In which a flow moved more slowly than it would alone.
    pub shared: u128,
    /// In which its head waited behind that of another.
    pub behind: u128,
}

impl Contention {
    /// Adds that of others.
    #[must_use]
    pub fn plus(self, other: Contention) -> Contention {
        let Contention { all, shared, behind } = other;
        Contention { all: self.all + all, shared: self.shared + shared, behind: self.behind + behind }
    }

    /// Returns what the reader must know of it; nothing where flows had links for themselves in nearly all of their
    /// time.
    pub fn warning(self) -> Option<Warning> {
        let percent = |time: u128| (time * 100 / self.all.max(1)).min(100) as u8;
        let (shared, behind) = (percent(self.shared), percent(self.behind));
        (shared + behind > 0).then_some(Warning::FlowsMeet { shared, behind })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_those_of_all_time() {
        let warned = |all, shared, behind| Contention { all, shared, behind }.warning();
        assert_eq!(warned(0, 0, 0), None);
        assert_eq!(warned(1_000, 9, 9), None);
        assert_eq!(warned(1_000, 255, 10), Some(Warning::FlowsMeet { shared: 25, behind: 1 }));
    }
}
