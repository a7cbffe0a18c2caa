//! Counts what a trace holds, in one pass over all files.

use std::collections::BTreeMap;

use drowse_core::model::units::{FlopRate, Time};

use super::calls::{ignored, is_collective};
use super::functions::{END, name};
use super::problem::Problem;
use super::reading::Block;
use super::trace::{DumpiTrace, NAME};
use super::translate::{Counted, RankState, Translator};
use crate::agreement::Agreement;
use crate::compute::ComputeModel;
use crate::error::{Place, TraceError};
use crate::info::{Computing, Coverage, NotSimulated, Noted, TraceInfo};

/// The times as they were measured.
const AS_MEASURED: ComputeModel =
    ComputeModel { flops_per_second: FlopRate(1), scale: 1.0, drop_multiples: None, wait_multiples: None };

/// Counts over all ranks.
struct Scan {
    /// Calls by function.
    calls: Vec<u64>,
    counted: Counted,
    computed: u128,
    agreement: Agreement,
    not_simulated: BTreeMap<String, NotSimulated>,
}

/// Counts what a trace holds. Everything that a simulation could find wrong is found here.
pub(crate) fn scan(trace: &DumpiTrace) -> Result<TraceInfo, TraceError> {
    let mut scan = Scan {
        calls: vec![0; usize::from(END)],
        counted: Counted::default(),
        computed: 0,
        agreement: Agreement::default(),
        not_simulated: BTreeMap::new(),
    };
    let (mut block, mut operations) = (Block::default(), Vec::new());
    let survey = &trace.survey;
    for ((rank, file), known) in (0..).zip(trace.files.iter()).zip(&survey.ranks) {
        let mut state = RankState::new(file, known);
        file.for_each(&mut block, |offset, record| {
            scan.calls[usize::from(record.function)] += 1;
            operations.clear();
            let state = &mut state;
            let mut translator = Translator { rank, state, survey, compute: &AS_MEASURED, operations: &mut operations };
            match translator.translate(record) {
                Ok(()) => operations.iter().for_each(|operation| scan.agreement.add(rank, operation)),
                Err(problem) => {
                    let Some((action, obstacle)) = obstacle(&problem, survey.incomplete().is_some()) else {
                        return Err(file.error(offset, problem));
                    };
                    // Files without lines are named with the byte.
                    let first = Place { file: format!("{}: byte {offset}", file.file.label()), line: 0 };
                    let new = || NotSimulated { action: action.clone(), obstacle, first, occurrences: 0 };
                    scan.not_simulated.entry(action.clone()).or_insert_with(new).occurrences += 1;
                }
            }
            Ok(())
        })?;
        scan.agreement.end_rank(rank);
        scan.counted.add(&state.counted);
        scan.computed += u128::from(state.counted.computed.0);
        scan.counted.computed = Time::ZERO;
    }
    Ok(scan.finish(trace))
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
    fn finish(self, trace: &DumpiTrace) -> TraceInfo {
        let ranks = trace.files.len() as u32;
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
        let (different, unpaired) = self.agreement.finish(&trace.survey.communicators);
        let mut not_simulated: Vec<_> = self.not_simulated.into_values().collect();
        let mut warnings = Vec::new();
        let communicates = self.counted.messages.count > 0 || !collectives.is_empty();
        if let Some(all) = trace.survey.incomplete() {
            let rank = trace.survey.rank.filter(|_| ranks == 1).map_or(String::new(), |rank| format!("rank {rank}, "));
            warnings.push(format!("the trace holds {rank}{ranks} of {all} ranks: it can be counted, not run"));
            if communicates && not_simulated.is_empty() {
                let first = Place { file: trace.files[0].file.label().to_owned(), line: 0 };
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
