//! What is still to happen to the ranks of jobs, so that one knows when they wait for each other in vain while other
//! things go on: open-loop traffic, or jobs that start again.

/// Whose activity is counted together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Group(u32);

impl Group {
    /// All jobs that end.
    pub const ENDING: Group = Group(0);

    /// Returns the group of each job, of which some start again: each of these has its own.
    pub fn of_jobs(again: impl IntoIterator<Item = bool>) -> Vec<Self> {
        let mut others = 0;
        let mut group = |again| {
            others += u32::from(again);
            if again { Group(others) } else { Group::ENDING }
        };
        again.into_iter().map(&mut group).collect()
    }

    /// Returns its place among the counts.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// By group: events in the queue at which ranks go on or look at what has arrived, and their messages that were handed
/// over here, less those that have arrived here. Only the sum over all shards means something.
#[derive(Clone, Debug, Default)]
pub struct Outstanding {
    counts: Vec<i64>,
}

impl Outstanding {
    /// Makes room for the groups of all jobs.
    pub fn prepare(&mut self, groups: &[Group]) {
        let most = groups.iter().map(|group| group.index()).max().unwrap_or(0);
        self.counts = vec![0; most + 1];
    }

    /// Counts something that is still to happen, or that has.
    #[inline]
    pub fn count(&mut self, group: Group, by: i64) {
        self.counts[group.index()] += by;
    }

    /// Returns the counts, by group.
    pub fn counts(&self) -> &[i64] {
        &self.counts
    }
}
