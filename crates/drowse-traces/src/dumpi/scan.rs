//! Counts what a trace holds: in the pass that surveys it, or in one of its own where calls mean something only after
//! that.

use std::collections::BTreeMap;

use drowse_core::model::units::{FlopRate, Time};
use drowse_core::workload::operation::Operation;

use super::NAME;
use super::calls::{ignored, is_collective};
use super::functions::{END, name};
use super::problem::Problem;
use super::reading::{Block, RankFile};
use super::record::Record;
use super::survey::Survey;
use super::translate::{Counted, RankState, Translator};
use crate::agreement::Agreement;
use crate::compute::ComputeModel;
use crate::error::{Place, TraceError};
use crate::info::{Computing, Coverage, NotSimulated, Noted, TraceInfo};

/// The times as they were measured.
const AS_MEASURED: ComputeModel =
    ComputeModel { flops_per_second: FlopRate(1), scale: 1.0, drop_multiples: None, wait_multiples: None };

/// Counts over all ranks.
pub(super) struct Scan {
    /// Calls by function.
    calls: Vec<u64>,
    counted: Counted,
    computed: u128,
    agreement: Agreement,
    not_simulated: BTreeMap<String, NotSimulated>,
    operations: Vec<Operation>,
}

impl Default for Scan {
    fn default() -> Self {
        Scan {
            calls: vec![0; usize::from(END)],
            counted: Counted::default(),
            computed: 0,
            agreement: Agreement::default(),
            not_simulated: BTreeMap::new(),
            operations: Vec::new(),
        }
    }
}

/// Counts what a trace holds. Everything that a simulation could find wrong is found here.
pub(super) fn scan(files: &[RankFile], survey: &Survey) -> Result<TraceInfo, TraceError> {
    let (mut scan, mut block) = (Scan::default(), Block::default());
    for ((rank, file), known) in (0..).zip(files).zip(&survey.ranks) {
        let mut state = RankState::new(file, known);
        file.for_each(&mut block, |offset, record| {
            let Err(problem) = scan.add(rank, &mut state, survey, record) else { return Ok(()) };
            let Some((action, obstacle)) = obstacle(&problem, survey.incomplete().is_some()) else {
                return Err(file.error(offset, problem));
            };
            // Files without lines are named with the byte.
            let first = Place { file: format!("{}: byte {offset}", file.file.label()), line: 0 };
            let new = || NotSimulated { action: action.clone(), obstacle, first, occurrences: 0 };
            scan.not_simulated.entry(action.clone()).or_insert_with(new).occurrences += 1;
            Ok(())
        })?;
        scan.end_rank(rank, &state);
    }
    Ok(scan.finish(files, survey))
}

/// Returns what cannot be simulated and why, if the file is right all the same.
fn obstacle(problem: &Problem, incomplete: bool) -> Option<(String, &'static str)> {
    match problem {
        Problem::UnknownCommunicator { function, maker: Some(maker), why, .. } => {
            Some((format!("MPI_{function} in a communicator of MPI_{maker}"), why))
        }
        Problem::UnknownCommunicator { function, why, .. } => Some((format!("MPI_{function}"), why)),
        Problem::OtherCommunicator { .. } | Problem::NoSuchRank { .. } | Problem::WrongList { .. } if incomplete => {
            Some(("calls of several ranks".into(), INCOMPLETE))
        }
        _ => None,
    }
}

const INCOMPLETE: &str = "the trace has fewer files than the program has ranks";

impl Scan {
    /// Counts a call of a rank.
    pub fn add(&mut self, rank: u32, state: &mut RankState, survey: &Survey, record: &Record) -> Result<(), Problem> {
        self.calls[usize::from(record.function)] += 1;
        self.operations.clear();
        let operations = &mut self.operations;
        Translator { rank, state, survey, compute: &AS_MEASURED, operations }.translate(record)?;
        self.operations.iter().for_each(|operation| self.agreement.add(rank, operation));
        Ok(())
    }

    /// Counts what a rank has done in all.
    pub fn end_rank(&mut self, rank: u32, state: &RankState) {
        self.agreement.end_rank(rank);
        self.counted.add(&state.counted);
        self.computed += u128::from(state.counted.computed.0);
        self.counted.computed = Time::ZERO;
    }

    /// Returns what the trace of these files holds.
    pub fn finish(self, files: &[RankFile], survey: &Survey) -> TraceInfo {
        let ranks = files.len() as u32;
        let of = |wanted: fn(u16) -> bool| {
            let called = (0..END).zip(&self.calls).filter(|&(function, &count)| count > 0 && wanted(function));
            called.map(|(function, &count)| (name(function).to_owned(), count)).collect::<BTreeMap<_, _>>()
        };
        let (operations, collectives) = (of(|_| true), of(is_collective));
        let mut left_out: BTreeMap<&str, u64> = BTreeMap::new();
        for (function, &count) in (0..END).zip(&self.calls) {
            if let Some(what) = ignored(function).filter(|_| count > 0) {
                *left_out.entry(what).or_default() += count;
            }
        }
        let left_out = left_out.into_iter().filter_map(|(what, count)| Noted::some(count, what));
        let ignored: Vec<_> = self.counted.notes().chain(left_out).collect();
        let total: u64 = operations.values().sum();
        let simulated = total.saturating_sub(ignored.iter().map(|noted| noted.count).sum());
        let coverage = Coverage { simulated, approximated: Vec::new(), ignored };
        let (different, unpaired) = self.agreement.finish(&survey.communicators);
        let mut not_simulated: Vec<_> = self.not_simulated.into_values().collect();
        let mut warnings = Vec::new();
        let communicates = self.counted.messages.count > 0 || !collectives.is_empty();
        if let Some(all) = survey.incomplete() {
            let rank = survey.rank.filter(|_| ranks == 1).map_or(String::new(), |rank| format!("rank {rank}, "));
            warnings.push(format!("the trace holds {rank}{ranks} of {all} ranks: it can be counted, not run"));
            if communicates && not_simulated.is_empty() {
                let first = Place { file: files[0].file.label().to_owned(), line: 0 };
                let action = "calls of several ranks".to_owned();
                not_simulated.push(NotSimulated { action, obstacle: INCOMPLETE, first, occurrences: 1 });
            }
        } else {
            warnings.extend(different.clone());
            warnings.extend(unpaired);
        }
        warnings.extend(coverage.warnings());
        TraceInfo {
            format: NAME,
            ranks,
            operations,
            messages: self.counted.messages,
            collectives,
            compute: Computing::Picoseconds(self.computed),
            coverage,
            warnings,
            not_simulated,
            different_collectives: different,
        }
    }
}
