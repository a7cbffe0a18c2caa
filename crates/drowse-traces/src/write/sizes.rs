//! The sizes of messages at their receivers, for formats whose receives name them.

use std::collections::VecDeque;

use drowse_core::workload::communicators::CommId;
use drowse_core::workload::operation::Operation;
use rustc_hash::FxHashMap;

use super::program::Program;
use crate::write_error::WriteError;

/// A kind of messages: communicator, sender, receiver, tag.
type Kind = (CommId, u32, u32, u32);

/// Sizes of messages in the order in which they are sent, with the number of consecutive ones of a size.
#[derive(Default)]
pub(crate) struct Sizes(FxHashMap<Kind, VecDeque<(u64, u64)>>);

impl Sizes {
    /// Reads the sizes of all messages of a program.
    pub fn of(program: &Program) -> Result<Self, WriteError> {
        let mut sizes = Sizes::default();
        program.each_of_all(|at| {
            if let Operation::Send { to, tag, comm, bytes, .. } | Operation::Isend { to, tag, comm, bytes, .. } =
                *at.operation
            {
                sizes.add((comm, at.rank, to, tag), bytes);
            }
            Ok(())
        })?;
        Ok(sizes)
    }

    fn add(&mut self, kind: Kind, bytes: u64) {
        let queue = self.0.entry(kind).or_default();
        match queue.back_mut() {
            Some((same, count)) if *same == bytes => *count += 1,
            _ => queue.push_back((bytes, 1)),
        }
    }

    /// Returns the size of the next message that a receive takes.
    pub fn next(&mut self, kind: Kind) -> Option<u64> {
        let queue = self.0.get_mut(&kind)?;
        let (bytes, count) = queue.front_mut()?;
        let (bytes, last) = (*bytes, *count == 1);
        *count -= 1;
        if last {
            queue.pop_front();
        }
        Some(bytes)
    }
}
