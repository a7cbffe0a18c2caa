//! The communicators of a program: groups of ranks within which messages are matched and collective operations are called
//! (MPI 4.1, chapter 7).

use std::sync::Arc;

use super::member::Member;

/// Names a communicator of a program.
pub type CommId = u32;

/// The communicator of all ranks.
pub const ALL: CommId = 0;

/// The communicators of a program, numbered from 0, which is [`ALL`].
///
/// ```
/// use drowse_core::workload::communicators::{ALL, Communicators};
///
/// // The even ranks of eight, the highest first.
/// let mut communicators = Communicators::of(8);
/// let even = communicators.add(vec![6, 4, 2, 0])?;
/// assert_ne!(even, ALL);
/// // Rank 1 of the communicator is rank 4 of the job; rank 3 of the job is none of its members.
/// assert_eq!(communicators.rank(even, 1), Some(4));
/// assert!(communicators.member(even, 3).is_none());
/// let said = communicators.add(vec![8]).unwrap_err().to_string();
/// assert_eq!(said, "a communicator holds rank 8, but there are 8 ranks");
/// # Ok::<(), drowse_core::workload::communicators::GroupError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Communicators {
    ranks: u32,
    /// Those after [`ALL`].
    groups: Vec<Group>,
}

/// The ranks of a communicator, and of its duplicates.
#[derive(Clone, Debug)]
struct Group {
    /// The rank in the job of each rank of the communicator.
    ranks: Arc<[u32]>,
    /// Each rank of the job with its rank of the communicator, ascending.
    sorted: Arc<[(u32, u32)]>,
    /// What the program calls it.
    name: Option<Box<str>>,
}

impl PartialEq for Group {
    /// Returns whether the ranks are the same. Names are for messages only.
    fn eq(&self, other: &Self) -> bool {
        self.ranks == other.ranks
    }
}

impl Eq for Group {}

/// Why ranks are no communicator.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GroupError {
    /// It has no rank.
    #[error("a communicator without ranks")]
    Empty,
    /// The program does not have such a rank.
    #[error("a communicator holds rank {rank}, but there are {ranks} ranks")]
    NoSuchRank {
        /// The rank.
        rank: u32,
        /// The number of ranks.
        ranks: u32,
    },
    /// The program does not have such a communicator.
    #[error("there is no communicator {0}")]
    NoSuchCommunicator(CommId),
    /// A rank comes twice.
    #[error("a communicator holds rank {0} twice")]
    Twice(u32),
}

impl Communicators {
    /// Makes the communicator of all ranks.
    pub const fn of(ranks: u32) -> Self {
        Communicators { ranks, groups: Vec::new() }
    }

    /// Adds a communicator of these ranks of the job, in the order of their ranks there.
    pub fn add(&mut self, ranks: Vec<u32>) -> Result<CommId, GroupError> {
        if ranks.is_empty() {
            return Err(GroupError::Empty);
        }
        if let Some(&rank) = ranks.iter().find(|&&rank| rank >= self.ranks) {
            return Err(GroupError::NoSuchRank { rank, ranks: self.ranks });
        }
        let mut sorted: Vec<(u32, u32)> = ranks.iter().copied().zip(0..).collect();
        sorted.sort_unstable();
        if let Some(twice) = sorted.windows(2).find(|pair| pair[0].0 == pair[1].0) {
            return Err(GroupError::Twice(twice[0].0));
        }
        self.groups.push(Group { ranks: ranks.into(), sorted: sorted.into(), name: None });
        Ok(self.groups.len() as u32)
    }

    /// Adds another communicator of the ranks of one. Duplicates of all but [`ALL`] share memory.
    pub fn duplicate(&mut self, comm: CommId) -> Result<CommId, GroupError> {
        match self.group(comm).cloned() {
            Some(group) => self.groups.push(group),
            None if comm == ALL => return self.add((0..self.ranks).collect()),
            None => return Err(GroupError::NoSuchCommunicator(comm)),
        }
        Ok(self.groups.len() as u32)
    }

    /// Sets the name by which the program calls a communicator other than [`ALL`], for messages.
    pub fn set_name(&mut self, comm: CommId, name: &str) {
        let group = comm.checked_sub(1).and_then(|place| self.groups.get_mut(place as usize));
        if let Some(group) = group {
            group.name = Some(name.into());
        }
    }

    /// Returns what the program calls a communicator, else its number.
    pub fn name(&self, comm: CommId) -> String {
        self.given_name(comm).map_or_else(|| comm.to_string(), str::to_owned)
    }

    /// Returns what the program calls a communicator, if it has a name.
    pub fn given_name(&self, comm: CommId) -> Option<&str> {
        self.group(comm)?.name.as_deref()
    }

    /// Returns the number of communicators.
    pub fn count(&self) -> u32 {
        self.groups.len() as u32 + 1
    }

    /// Returns the number of ranks of a communicator; `None` if there is no such communicator.
    pub fn size(&self, comm: CommId) -> Option<u32> {
        match self.group(comm) {
            None if comm == ALL => Some(self.ranks),
            group => group.map(|group| group.ranks.len() as u32),
        }
    }

    /// Returns the place of a rank of the job in a communicator; `None` if it is not in it.
    pub fn member(&self, comm: CommId, rank: u32) -> Option<Member> {
        match self.group(comm) {
            None => (comm == ALL && rank < self.ranks).then_some(Member { rank, size: self.ranks }),
            Some(group) => {
                let place = group.sorted.binary_search_by_key(&rank, |&(rank, _)| rank).ok()?;
                Some(Member { rank: group.sorted[place].1, size: group.ranks.len() as u32 })
            }
        }
    }

    /// Returns the rank in the job of a rank of a communicator; `None` if the communicator does not have it.
    pub fn rank(&self, comm: CommId, rank: u32) -> Option<u32> {
        match self.group(comm) {
            None => (comm == ALL && rank < self.ranks).then_some(rank),
            Some(group) => group.ranks.get(rank as usize).copied(),
        }
    }

    fn group(&self, comm: CommId) -> Option<&Group> {
        self.groups.get(comm.checked_sub(1)? as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_by_communicator() {
        let mut comms = Communicators::of(5);
        let odd = comms.add(vec![3, 1]).unwrap();
        assert_eq!((comms.count(), comms.size(ALL), comms.size(odd), comms.size(2)), (2, Some(5), Some(2), None));
        let place = |comm, rank| comms.member(comm, rank).map(|member| (member.rank, member.size));
        assert_eq!([3, 1, 0].map(|rank| place(odd, rank)), [Some((0, 2)), Some((1, 2)), None]);
        assert_eq!([place(ALL, 4), place(ALL, 5), place(2, 0)], [Some((4, 5)), None, None]);
        assert_eq!([0, 1, 2].map(|rank| comms.rank(odd, rank)), [Some(3), Some(1), None]);
        assert_eq!([4, 5].map(|rank| comms.rank(ALL, rank)), [Some(4), None]);
    }

    /// A duplicate has the ranks of its original, and another number.
    #[test]
    fn duplicates_are_communicators_of_their_own() {
        let mut comms = Communicators::of(3);
        let two = comms.add(vec![2, 0]).unwrap();
        assert_eq!([two, ALL].map(|comm| comms.duplicate(comm)), [Ok(2), Ok(3)]);
        assert_eq!(comms.duplicate(9), Err(GroupError::NoSuchCommunicator(9)));
        assert_eq!([2, 3].map(|comm| comms.size(comm)), [Some(2), Some(3)]);
        assert!(Arc::ptr_eq(&comms.groups[0].ranks, &comms.groups[1].ranks), "duplicates share memory");
        assert_eq!((comms.rank(2, 0), comms.rank(3, 0), comms.count()), (Some(2), Some(0), 4));
    }

    #[test]
    fn names_are_those_of_the_program() {
        let mut comms = Communicators::of(3);
        let (row, other) = (comms.add(vec![0, 1]).unwrap(), comms.add(vec![1, 2]).unwrap());
        comms.set_name(row, "row");
        comms.set_name(ALL, "world");
        assert_eq!([ALL, row, other, 9].map(|comm| comms.name(comm)), ["0", "row", "2", "9"]);
        assert_eq!([row, other].map(|comm| comms.given_name(comm)), [Some("row"), None]);
    }

    #[test]
    fn what_is_no_communicator() {
        let mut comms = Communicators::of(3);
        assert_eq!(comms.add(vec![]), Err(GroupError::Empty));
        assert_eq!(comms.add(vec![0, 3]), Err(GroupError::NoSuchRank { rank: 3, ranks: 3 }));
        assert_eq!(comms.add(vec![2, 0, 2]), Err(GroupError::Twice(2)));
        assert_eq!(comms.count(), 1);
    }
}
