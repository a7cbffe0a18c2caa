//! What ranks have done, once the run is over.

use crate::measure::RankRecord;
use crate::model::units::Time;

use super::rank::{PROGRAM, Rank};
use super::rank_end::RankEnd;
use super::ranks::Ranks;

impl Ranks {
    /// Returns the ranks here, each with its number in the whole simulation.
    pub fn iter(&self) -> impl Iterator<Item = (u32, &Rank)> {
        self.numbers.iter().copied().zip(&self.ranks)
    }

    /// Notes that a rank has ended.
    pub(super) fn note_end(&mut self, number: u32, t: u64) {
        let rank = &self.ranks[self.positions[number as usize] as usize];
        if let Some(ends) = &mut self.ends {
            ends.push(RankEnd { job: rank.job, at: Time(rank.finish) });
        }
        self.marks.iter_mut().for_each(|marks| marks.ended(rank.job));
        // One that starts again does not finish.
        let finishes = !self.jobs[rank.job as usize].is_again();
        if let Some(reporter) = self.reporter.as_mut().filter(|_| finishes) {
            reporter.finished(number, t);
        }
        if let Some(reports) = self.wake_delay_reports.as_mut().filter(|_| finishes) {
            reports.finished(number, t);
        }
    }

    /// Notes the ends of ranks from now on, for somebody who takes them.
    pub fn note_ends(&mut self) {
        self.ends = Some(Vec::new());
    }

    /// Returns whether somebody takes the ends of ranks.
    pub fn notes_ends(&self) -> bool {
        self.ends.is_some()
    }

    /// Takes the ends of ranks that have not been taken.
    pub fn take_ends(&mut self) -> Vec<RankEnd> {
        self.ends.as_mut().map(std::mem::take).unwrap_or_default()
    }

    /// Returns the number of messages that nobody received.
    pub fn unreceived(&self) -> u64 {
        self.of_whole_jobs().map(|rank| rank.matcher.unreceived() as u64).sum()
    }

    /// Returns the number of receives that no message answered.
    pub fn unanswered(&self) -> u64 {
        self.of_whole_jobs().map(|rank| rank.matcher.unmatched() as u64).sum()
    }

    /// Returns the results of the ranks here, each with its number in the whole simulation.
    pub fn records(&self) -> impl Iterator<Item = (u32, RankRecord)> {
        self.iter().map(|(number, rank)| {
            let record = RankRecord {
                node: rank.node,
                finish: Time(rank.finish),
                times: rank.times,
                path: rank.path(PROGRAM),
                operations: rank.operations_begun(),
                messages: rank.messages,
                bytes: rank.bytes,
            };
            (number, record)
        })
    }

    /// Returns the ranks here of jobs that end by themselves.
    fn of_whole_jobs(&self) -> impl Iterator<Item = &Rank> {
        self.of_jobs_that_end().filter(|rank| !self.stopped.contains(&rank.job))
    }

    /// Returns the ranks here of jobs that end.
    pub fn of_jobs_that_end(&self) -> impl Iterator<Item = &Rank> {
        self.ranks.iter().filter(|rank| !self.jobs[rank.job as usize].is_again())
    }

    /// Returns when the last rank here of the jobs that end has finished.
    pub fn finish(&self) -> u64 {
        self.of_jobs_that_end().map(|rank| rank.finish).max().unwrap_or(0)
    }
}
