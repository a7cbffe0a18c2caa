//! What must be known of all ranks before one can be simulated: communicators, and receives that are cancelled.
//!
//! One pass over all files. It keeps only calls that make communicators or groups, in memory until these are rebuilt.

use std::sync::Arc;

use rustc_hash::FxHashSet;

use drowse_core::model::units::Time;
use drowse_core::workload::communicators::{CommId, Communicators};

use super::calls::{Transfer, is_persistent, started, starts, transfer};
use super::clock::Clock;
use super::comm_calls::{CommCall, OWN, Step, WORLD};
use super::functions::id;
use super::reading::{Block, RankFile};
use super::rebuild::{Made, rebuild};
use super::record::Record;
use super::requests::{Requests, Side, completed};
use crate::error::TraceError;

/// What is known of all ranks.
pub(crate) struct Survey {
    pub communicators: Arc<Communicators>,
    pub ranks: Vec<RankSurvey>,
    /// The size of the communicator of all ranks, as a rank was told.
    pub world: Option<u32>,
    /// The rank of a file that stands alone, as it was told.
    pub rank: Option<u32>,
}

/// What is known of a rank.
#[derive(Default)]
pub(crate) struct RankSurvey {
    /// The communicator of this rank alone, if it is used.
    pub own: Option<CommId>,
    /// What each call that makes a communicator returns.
    pub made: Vec<Made>,
    /// Which of its requests are receives that are cancelled, by their order.
    pub cancelled: FxHashSet<u32>,
    /// The time from its first call to the end of its last; `None` if calls have no times.
    pub recorded: Option<Time>,
}

/// What one file tells.
#[derive(Default)]
struct FileSurvey {
    calls: Vec<CommCall>,
    uses_own: bool,
    cancels: bool,
    world: Option<u32>,
    rank: Option<u32>,
    clock: Clock,
    /// When the first call begins and the last ends, in nanoseconds.
    span: Option<(u64, u64)>,
}

impl Survey {
    /// Reads all files once, and those with cancelled requests twice.
    pub fn read(files: &[RankFile]) -> Result<Self, TraceError> {
        let mut block = Block::default();
        let (mut calls, mut uses_own, mut cancelled, mut recorded) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let (mut world, mut rank) = (None, None);
        for file in files {
            let mut survey = FileSurvey::default();
            file.for_each(&mut block, |_, record| {
                survey.add(record);
                Ok(())
            })?;
            cancelled.push(if survey.cancels { cancelled_receives(file, &mut block)? } else { FxHashSet::default() });
            world = world.max(survey.world);
            rank = survey.rank;
            recorded.push(survey.span.map(|(first, last)| Time((last - first).saturating_mul(1_000))));
            calls.push(survey.calls);
            uses_own.push(survey.uses_own);
        }
        let rebuilt = rebuild(&calls, &uses_own);
        let ranks = rebuilt.own.into_iter().zip(rebuilt.made).zip(cancelled).zip(recorded);
        let survey = |(((own, made), cancelled), recorded)| RankSurvey { own, made, cancelled, recorded };
        let ranks = ranks.map(survey).collect();
        Ok(Survey { communicators: Arc::new(rebuilt.communicators), ranks, world, rank })
    }

    /// Returns the number of ranks of the program if there are more than files.
    pub fn incomplete(&self) -> Option<u32> {
        self.world.filter(|&world| world > self.ranks.len() as u32)
    }
}

impl FileSurvey {
    fn add(&mut self, record: &Record) {
        self.uses_own |= record.comm() == OWN;
        if let Some(span) = record.wall.or(record.cpu) {
            let (start, stop) = (self.clock.nanoseconds(span.start), self.clock.nanoseconds(span.stop));
            let (first, last) = self.span.unwrap_or((start, start));
            self.span = Some((first, stop.max(last)));
        }
        match record.function {
            id::COMM_SIZE if record.comm() == WORLD => self.world = u32::try_from(record.number(1)).ok(),
            id::COMM_RANK if record.comm() == WORLD => self.rank = u32::try_from(record.number(1)).ok(),
            id::CANCEL => self.cancels = true,
            _ => {}
        }
        if let Some(call) = CommCall::of(record) {
            let parent = match call.step {
                Step::Make { parent, .. } => parent,
                Step::GroupOf { comm, .. } => comm,
                _ => WORLD,
            };
            self.uses_own |= parent == OWN;
            self.calls.push(call);
        }
    }
}

/// Returns the receives of a rank that are cancelled, by their order among its requests.
fn cancelled_receives(file: &RankFile, block: &mut Block) -> Result<FxHashSet<u32>, TraceError> {
    let mut requests = Requests::default();
    let mut found = FxHashSet::default();
    file.for_each(block, |_, record| {
        for (handle, is_send) in handles(record, &mut requests) {
            requests.start(handle, is_send, true);
        }
        completed(record, |handle, cancelled| {
            if let Some(started) = requests.complete(handle).filter(|started| cancelled && !started.is_send) {
                found.insert(started.order);
            }
        });
        Ok(())
    })?;
    Ok(found)
}

/// Returns the handles that a call starts, and whether they are sends.
fn handles(record: &Record, requests: &mut Requests) -> Vec<(i32, bool)> {
    let is_send = |function| matches!(transfer(function), Some(Transfer::Send(_)));
    if starts(record.function) {
        return vec![(record.number(5) as i32, is_send(record.function))];
    }
    if is_persistent(record.function) {
        requests.keep(record.number(5) as i32, Side::of(record));
    }
    started(record).filter_map(|handle| Some((handle, is_send(requests.kept(handle)?.function)))).collect()
}
