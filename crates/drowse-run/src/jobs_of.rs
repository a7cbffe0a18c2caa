//! The jobs of ranks that are numbered over the whole simulation.

use crate::outcome::Outcome;

/// A job as ranks are told by it: its name, and the number of its first rank in the whole simulation.
pub type JobOf<'o> = (&'o str, u32);

/// The jobs of a case, in the order of their ranks.
pub struct JobsOf<'o>(Vec<JobOf<'o>>);

impl<'o> JobsOf<'o> {
    /// Reads the jobs of a case.
    pub fn new(outcome: &'o Outcome) -> Self {
        let firsts = outcome.record.jobs.iter().scan(0, |first: &mut u32, job| {
            let own = *first;
            *first += job.ranks;
            Some((job.name.as_str(), own))
        });
        JobsOf(firsts.collect())
    }

    /// Returns the job of a rank; `None` where there are no jobs.
    pub fn of(&self, rank: u32) -> Option<JobOf<'o>> {
        let job = self.0.partition_point(|(_, first)| *first <= rank).checked_sub(1)?;
        Some(self.0[job])
    }
}
