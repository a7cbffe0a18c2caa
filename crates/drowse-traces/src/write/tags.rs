//! Tags for formats whose messages have no communicator: where a program sends in several communicators, each tag of
//! each communicator becomes a tag of its own.

use std::collections::BTreeSet;

use drowse_core::workload::communicators::CommId;
use drowse_core::workload::operation::Operation;

use super::program::{At, Program};
use crate::write_error::WriteError;

/// The tags of a program.
pub(crate) struct Tags {
    /// The pairs of communicator and tag that messages have; a tag is the place of its pair. Empty where messages keep
    /// their tags: all are in one communicator, and none has the highest number.
    pairs: Vec<(CommId, u32)>,
    /// The highest tag.
    pub highest: u32,
}

impl Tags {
    /// Reads the tags of all messages that are in some of the communicators.
    pub fn of(program: &Program, of: impl Fn(CommId) -> bool) -> Result<Self, WriteError> {
        let mut pairs = BTreeSet::new();
        program.each_of_all(|at| {
            if let Operation::Send { tag, comm, .. } | Operation::Isend { tag, comm, .. } = *at.operation
                && of(comm)
            {
                pairs.insert((comm, tag));
            }
            Ok(())
        })?;
        let several = pairs.first().map(|pair| pair.0) != pairs.last().map(|pair| pair.0);
        let highest = pairs.iter().map(|pair| pair.1).max().unwrap_or(0);
        // The highest number means any tag in some formats.
        if several || highest == u32::MAX {
            let pairs: Vec<_> = pairs.into_iter().collect();
            Ok(Tags { highest: pairs.len() as u32 - 1, pairs })
        } else {
            Ok(Tags { pairs: Vec::new(), highest })
        }
    }

    /// Returns the tag of a message, or of a receive, which may take any.
    pub fn tag(&self, at: At, comm: CommId, tag: Option<u32>) -> Result<Option<u32>, WriteError> {
        let Some(tag) = tag else {
            if self.pairs.is_empty() {
                return Ok(None);
            }
            return at.refuse(
                "the program sends in several communicators, which this format does not tell but by tags, and this \
                 receive takes any tag",
            );
        };
        if self.pairs.is_empty() {
            return Ok(Some(tag));
        }
        // A receive without a message has a tag that no other has.
        let place = self.pairs.binary_search(&(comm, tag)).unwrap_or(self.pairs.len());
        Ok(Some(place as u32))
    }
}
