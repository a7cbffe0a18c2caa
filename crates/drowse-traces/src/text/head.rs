//! What stands before the first rank of a trace: the number of ranks and the communicators.

use std::sync::Arc;

use drowse_core::workload::communicators::{ALL, CommId, Communicators};
use rustc_hash::FxHashMap;

use super::words::{Words, number};
use super::wrong::Wrong;
use crate::error::shortened;

/// The most ranks of all communicators together.
const MOST_MEMBERS: usize = 1 << 24;

/// What stands before the first rank.
pub(crate) struct Head {
    pub ranks: u32,
    pub communicators: Arc<Communicators>,
    names: FxHashMap<String, CommId>,
    /// The ranks of all communicators.
    members: usize,
}

impl Head {
    /// Creates the head of a program of so many ranks, which has declared no communicator yet.
    pub fn new(ranks: u32) -> Self {
        Head { ranks, communicators: Arc::new(Communicators::of(ranks)), names: FxHashMap::default(), members: 0 }
    }

    /// Returns a communicator by its name.
    pub fn communicator(&self, name: &str) -> Result<CommId, Wrong> {
        match self.names.get(name) {
            Some(&comm) => Ok(comm),
            None if name == "all" => Ok(ALL),
            None => Err(Wrong::NoCommunicator { name: shortened(name) }),
        }
    }

    /// Reads the name and the ranks of a communicator.
    pub(super) fn declare(&mut self, mut words: Words) -> Result<(), Wrong> {
        words.expect("communicator NAME RANK... (or FIRST-LAST)");
        let name = words.word("the name")?;
        if name == "all" || self.names.contains_key(name) {
            return Err(Wrong::Twice { name: shortened(name) });
        }
        let mut ranks = Vec::new();
        while let Some(word) = words.next() {
            let (first, last) = range(word)?;
            if last >= self.ranks {
                return Err(Wrong::NoSuchRank { rank: last, ranks: self.ranks });
            }
            self.members += (last - first) as usize + 1;
            if self.members > MOST_MEMBERS {
                return Err(Wrong::TooManyMembers { most: MOST_MEMBERS });
            }
            ranks.extend(first..=last);
        }
        let communicators = Arc::make_mut(&mut self.communicators);
        let comm = communicators.add(ranks).map_err(Wrong::Group)?;
        communicators.set_name(comm, name);
        self.names.insert(name.to_owned(), comm);
        Ok(())
    }
}

/// Reads a number, or two with a dash between them.
pub(super) fn range(word: &str) -> Result<(u32, u32), Wrong> {
    let (first, last) = word.split_once('-').unwrap_or((word, word));
    let (first, last) = (number("the rank", first)?, number("the rank", last)?);
    if first <= last {
        return Ok((first, last));
    }
    Err(Wrong::NoNumber { what: "the range of ranks", word: shortened(word), expected: "the lower rank first" })
}
