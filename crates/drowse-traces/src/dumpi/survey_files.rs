//! Surveys all files of a trace in one pass.
//!
//! It keeps only calls that make communicators or groups, in memory until these are rebuilt. Where there are none, and
//! nothing is cancelled, the same pass counts what the files hold.

use std::sync::Arc;

use drowse_core::model::units::Time;
use rustc_hash::FxHashSet;

use super::calls::{Transfer, is_persistent, started, starts, transfer};
use super::clock::Clock;
use super::comm_calls::{CommCall, OWN, Step, WORLD};
use super::functions::id;
use super::reading::{Block, Place, RankFile, SCAN_BYTES};
use super::rebuild::rebuild;
use super::record::Record;
use super::requests::{Requests, Side, completed};
use super::scan::Scan;
use super::survey::{RankSurvey, Survey};
use super::translate::RankState;
use crate::error::TraceError;
use crate::files::{FNV_OFFSET, fnv1a};

/// What one file tells.
#[derive(Default)]
struct FileSurvey {
    calls: Vec<CommCall>,
    uses_own: bool,
    cancels: bool,
    requests: Requests,
    cancelled: FxHashSet<u32>,
    world: Option<u32>,
    rank: Option<u32>,
    clock: Clock,
    /// When the first call begins and the last ends, in nanoseconds.
    span: Option<(u64, u64)>,
}

/// Reads all files once. Returns what is known of all ranks, a hash of their calls, and the counts where they need no
/// second pass.
pub(super) fn survey_files(files: &[RankFile]) -> Result<(Survey, u64, Option<Scan>), TraceError> {
    let provisional = Survey::of_world_only(files.len());
    let mut scan = Some(Scan::default());
    let (mut block, mut hash) = (Block::default(), FNV_OFFSET);
    let (mut calls, mut uses_own, mut ranks) = (Vec::new(), Vec::new(), Vec::new());
    let (mut world, mut rank) = (None, None);
    for (number, file) in (0..).zip(files) {
        let mut survey = FileSurvey::default();
        let mut state = RankState::new(file, &provisional.ranks[number as usize]);
        let mut place = Place::Start;
        loop {
            let goes_on = file.read(&mut place, &mut block, SCAN_BYTES, |_, record| {
                survey.add(record);
                let counted = scan.as_mut().filter(|_| !survey.needs_all());
                let counted = counted.is_some_and(|scan| scan.add(number, &mut state, &provisional, record).is_ok());
                if !counted {
                    scan = None;
                }
                Ok(())
            })?;
            hash = block.last().iter().fold(hash, |hash, &byte| fnv1a(hash, byte));
            if !goes_on {
                break;
            }
        }
        hash = file.layout.hash(hash);
        if let Some(scan) = &mut scan {
            scan.end_rank(number, &state);
        }
        world = world.max(survey.world);
        rank = survey.rank;
        let recorded = survey.span.map(|(first, last)| Time((last - first).saturating_mul(1_000)));
        ranks.push(RankSurvey { cancelled: survey.cancelled, recorded, ..RankSurvey::default() });
        calls.push(survey.calls);
        uses_own.push(survey.uses_own);
    }
    let rebuilt = rebuild(&calls, &uses_own);
    for ((rank, own), made) in ranks.iter_mut().zip(rebuilt.own).zip(rebuilt.made) {
        (rank.own, rank.made) = (own, made);
    }
    Ok((Survey { communicators: Arc::new(rebuilt.communicators), ranks, world, rank }, hash, scan))
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
        self.follow_requests(record);
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

    /// Finds receives that are cancelled, by their order among the requests.
    fn follow_requests(&mut self, record: &Record) {
        let (requests, cancelled) = (&mut self.requests, &mut self.cancelled);
        for (handle, is_send) in handles(record, requests) {
            requests.start(handle, is_send, true);
        }
        completed(record, |handle, is_cancelled| {
            if let Some(started) = requests.complete(handle).filter(|started| is_cancelled && !started.is_send) {
                cancelled.insert(started.order);
            }
        });
    }

    /// Returns whether calls of this file mean something only when all files are read.
    fn needs_all(&self) -> bool {
        self.uses_own || self.cancels || !self.calls.is_empty()
    }
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
