//! Ranks whose part of a trace ends before the program does.

/// Ranks that call `init` and never `finalize`, as SMPI's traces always do: something is missing at their end.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unfinished {
    first: Option<u32>,
    others: u32,
}

impl Unfinished {
    /// Notes a rank; one that calls neither was written by hand and is whole.
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

    /// Returns what a user must know of it.
    pub fn warning(self) -> Option<String> {
        let others = match self.others {
            0 => String::new(),
            1 => " (and that of one more rank)".to_owned(),
            others => format!(" (and those of {others} more ranks)"),
        };
        self.first.map(|rank| format!("rank {rank}'s part{others} ends without finalize: the trace may be cut off"))
    }
}
