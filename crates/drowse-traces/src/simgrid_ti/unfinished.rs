//! Ranks whose text ends before their program.

/// Ranks that call `init` and not `finalize`. SMPI's traces always have both, so the end of their text is missing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unfinished {
    first: Option<u32>,
    others: u32,
}

impl Unfinished {
    /// Adds a rank. A rank that calls neither was written by hand and is complete.
    pub fn add(&mut self, rank: u32, init: bool, finalize: bool) {
        if init && !finalize {
            match self.first {
                None => self.first = Some(rank),
                Some(first) => {
                    self.first = Some(first.min(rank));
                    self.others += 1;
                }
            }
        }
    }

    /// Returns a warning about these ranks.
    pub fn warning(self) -> Option<String> {
        let others = match self.others {
            0 => String::new(),
            1 => " (and that of one more rank)".to_owned(),
            others => format!(" (and those of {others} more ranks)"),
        };
        self.first.map(|rank| format!("rank {rank}'s part{others} ends without finalize: the trace may be cut off"))
    }
}
