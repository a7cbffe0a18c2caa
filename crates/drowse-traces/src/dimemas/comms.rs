//! The communicators of a file, by its ids.
//!
//! In a collective, an id names a communicator. In a send or receive it does so in old traces; `prv2dim` writes an id
//! of the message there, which both ends share. An id that is no communicator of both ends is taken as the message's:
//! it then takes the tag's place, in a communicator of its own.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use drowse_core::workload::collectives::Member;
use drowse_core::workload::communicators::{ALL, CommId, Communicators};

use crate::line_error::LineError;

/// The communicators.
pub(crate) struct Comms {
    table: Arc<Communicators>,
    of: FxHashMap<u64, CommId>,
    /// That of messages with ids.
    by_id: CommId,
}

impl Comms {
    /// Makes those of a number of tasks.
    pub fn new(tasks: u32) -> Self {
        let mut table = Communicators::of(tasks);
        let by_id = table.add((0..tasks).collect()).unwrap_or(ALL);
        Comms { table: Arc::new(table), of: FxHashMap::default(), by_id }
    }

    /// Returns all of them.
    pub const fn table(&self) -> &Arc<Communicators> {
        &self.table
    }

    /// Returns how many the file defines.
    pub fn defined(&self) -> u64 {
        self.of.len() as u64
    }

    /// Defines a communicator.
    pub fn define(&mut self, id: u64, tasks: Vec<u32>) -> Result<(), LineError> {
        if self.of.contains_key(&id) {
            return Err(LineError::Record(format!("communicator {id} is there twice; give each its own id")));
        }
        let whole =
            self.table.size(ALL) == Some(tasks.len() as u32) && (0..).zip(&tasks).all(|(place, &task)| place == task);
        let comm = if whole {
            ALL
        } else {
            let added = Arc::make_mut(&mut self.table).add(tasks);
            added.map_err(|error| LineError::Record(format!("{error}; correct the list of tasks")))?
        };
        self.of.insert(id, comm);
        Ok(())
    }

    /// Returns a communicator that calls a collective, and the task's place in it. Where a file defines none, all ids
    /// name all tasks.
    pub fn collective(&self, id: u64, task: u32) -> Result<(CommId, Member), LineError> {
        let comm = if self.of.is_empty() { Some(ALL) } else { self.of.get(&id).copied() };
        let comm = comm.ok_or_else(|| {
            LineError::Record(format!(
                "names communicator {id}, which no line `d:1:{id}:...` defines; add it, or copy the file again"
            ))
        })?;
        let member = self.table.member(comm, task).ok_or_else(|| {
            LineError::Record(format!("task {task} is not in communicator {id}; correct one of them"))
        })?;
        Ok((comm, member))
    }

    /// Returns in which communicator, and with which tag, a message is matched.
    pub fn message(
        &self,
        id: u64,
        tag: Option<u32>,
        task: u32,
        peer: Option<u32>,
    ) -> Result<(CommId, Option<u32>), LineError> {
        if self.of.is_empty() {
            return Ok((ALL, tag));
        }
        let has_all =
            |comm| [Some(task), peer].into_iter().flatten().all(|task| self.table.member(comm, task).is_some());
        if let Some(&comm) = self.of.get(&id)
            && has_all(comm)
        {
            return Ok((comm, tag));
        }
        let id = u32::try_from(id).map_err(|_| {
            LineError::Record(format!("names communicator {id}, which no line `d:1:{id}:...` defines; correct the id"))
        })?;
        Ok((self.by_id, Some(id)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The only communicator with an id that both ends are in is one; other ids are those of messages.
    #[test]
    fn ids_of_communicators_and_messages() {
        let mut comms = Comms::new(4);
        assert_eq!(comms.message(7, Some(5), 0, Some(1)), Ok((ALL, Some(5))), "nothing is defined");
        comms.define(1, vec![0, 1, 2, 3]).unwrap();
        comms.define(2, vec![3, 1]).unwrap();
        let of = |id, task, peer| comms.message(id, Some(5), task, peer).map(|(comm, tag)| (comm, tag.unwrap()));
        let (by_id, pair) = (comms.by_id, comms.of[&2]);
        assert!(by_id != ALL && by_id != pair);
        assert_eq!(
            [of(1, 0, Some(3)), of(2, 1, Some(3)), of(2, 3, None)],
            [Ok((ALL, 5)), Ok((pair, 5)), Ok((pair, 5))]
        );
        assert_eq!(
            [of(2, 0, Some(3)), of(2, 3, Some(0)), of(9, 0, None)],
            [Ok((by_id, 2)), Ok((by_id, 2)), Ok((by_id, 9))]
        );
        assert!(
            of(1 << 32, 0, None).is_err() && comms.define(2, vec![0]).is_err() && comms.define(3, vec![4]).is_err()
        );
        assert_eq!(comms.collective(2, 1).map(|(comm, member)| (comm, member.rank)), Ok((pair, 1)));
        assert!(comms.collective(2, 0).is_err() && comms.collective(9, 0).is_err());
    }
}
