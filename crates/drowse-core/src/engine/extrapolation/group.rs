//! Jobs that use one channel, or that are linked by others that do.

/// A group of jobs.
#[derive(Clone, Debug, Default)]
pub(super) struct Group {
    /// Its jobs, in the order of their numbers.
    pub members: Vec<u32>,
    /// When the present sample began; `None` before the ranks of all jobs have come to its first mark.
    pub since: Option<u64>,
    /// The length of the last sample.
    pub length: u64,
    /// Samples in a row that were not alike.
    pub unlike: u32,
    /// Jobs that are held or to be held, in this order, and until when nothing changes, by what is known.
    pub held: Vec<u32>,
    pub until: u64,
}

impl Group {
    /// Makes the group of one job.
    pub fn of(job: u32) -> Self {
        Group { members: vec![job], ..Group::default() }
    }

    /// Returns whether jobs of it are held or to be held.
    pub fn is_held(&self) -> bool {
        !self.held.is_empty()
    }

    /// Returns a group of the jobs of both.
    pub fn with(mut self, mut other: Group) -> Self {
        self.members.append(&mut other.members);
        self.members.sort_unstable();
        Group { members: self.members, ..Group::default() }
    }
}
