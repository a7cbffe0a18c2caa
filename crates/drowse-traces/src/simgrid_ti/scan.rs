//! Counts what a trace holds, in one pass over the text of each rank.

use std::collections::BTreeMap;

use super::action::{Action, Data, RequestKey};
use super::context::LineContext;
use super::datatype::Datatype;
use super::name::ActionName;
use super::odd_waits::OddWaits;
use super::parse::{Parsed, parse_line};
use super::requests::Requests;
use super::unfinished::Unfinished;
use crate::error::{Place, TraceError};
use crate::files::{FNV_OFFSET, LineBlock, LineCursor, SCAN_BYTES, TraceFiles, add_line, fnv1a};
use crate::info::{Computing, Coverage, Messages, NotSimulated, Noted, TraceInfo};
use crate::pairs::Pairs;

/// The format's name in configurations and tables.
pub(crate) const NAME: &str = "simgrid-ti";

/// Counts what a trace holds. Also returns a hash of the lines of all ranks, so that these are read once for both.
pub(crate) fn scan(files: &TraceFiles) -> Result<(TraceInfo, u64), TraceError> {
    let (mut scan, mut hash) = (Scan::default(), FNV_OFFSET);
    let mut block = LineBlock::default();
    let ranks = files.texts.len() as u32;
    for (rank, text) in (0..ranks).zip(&files.texts) {
        let at = |line| Place { file: text.label.clone(), line };
        let mut state = RankScan::default();
        let mut cursor = LineCursor::default();
        while files.next_lines(rank, &mut cursor, &mut block, SCAN_BYTES)? {
            for (number, line) in block.lines() {
                hash = add_line(hash, line);
                let context = LineContext { rank, ranks, default: state.default };
                let parsed = parse_line(number, line, files.first_column, context);
                let parsed = parsed.map_err(|(line, problem)| TraceError::Line { place: at(line), problem })?;
                if let Some(parsed) = parsed {
                    scan.count(rank, &mut state, &parsed, at);
                }
            }
        }
        // Separates the end of a rank from the end of a line.
        hash = fnv1a(hash, 0);
        scan.end_rank(rank, &state);
    }
    Ok((scan.finish(ranks), hash))
}

/// Counts over all ranks.
#[derive(Default)]
struct Scan {
    counts: Counts,
    messages: Messages,
    compute_flops: u64,
    unnamed_datatypes: u64,
    waits: OddWaits,
    polls: u64,
    pairs: Pairs,
    blocks: Option<(u64, u64)>,
    not_simulated: BTreeMap<ActionName, NotSimulated>,
    first_rank: Option<(Counts, u64)>,
    different: Option<String>,
    unfinished: Unfinished,
}

/// Occurrences by action.
#[derive(Clone)]
struct Counts([u64; ActionName::COUNT]);

impl Default for Counts {
    fn default() -> Self {
        Counts([0; ActionName::COUNT])
    }
}

/// Counts of one rank.
struct RankScan {
    counts: Counts,
    default: Datatype,
    requests: Requests,
    /// A hash of the rank's collectives in their order, each with its root.
    collectives: u64,
    /// Whether it calls `init` and `finalize`.
    ends: (bool, bool),
}

impl Default for RankScan {
    fn default() -> Self {
        let (counts, requests) = (Counts::default(), Requests::default());
        RankScan { counts, default: Datatype::BYTE, requests, collectives: 0, ends: (false, false) }
    }
}

impl Scan {
    /// Counts one action.
    fn count(&mut self, rank: u32, state: &mut RankScan, parsed: &Parsed, at: impl Fn(u64) -> Place) {
        state.counts.0[parsed.name.index()] += 1;
        if parsed.name.is_collective() {
            state.collectives = mix(mix(state.collectives, parsed.name.index() as u64), root(&parsed.action));
        }
        self.unnamed_datatypes += u64::from(parsed.action.is_unnamed());
        if let Some(obstacle) = parsed.action.obstacle() {
            let new = || NotSimulated {
                action: parsed.name.text().to_owned(),
                obstacle,
                first: at(parsed.line),
                occurrences: 0,
            };
            self.not_simulated.entry(parsed.name).or_insert_with(new).occurrences += 1;
        }
        match parsed.action {
            Action::Init { default } => {
                state.default = default;
                state.ends.0 = true;
            }
            Action::Finalize => state.ends.1 = true,
            Action::Poll => self.polls += 1,
            Action::Compute { flops } => self.compute_flops = self.compute_flops.saturating_add(flops),
            Action::Send { to, data, .. } => self.send(rank, to, data),
            Action::Isend { to, tag, data } => {
                self.send(rank, to, data);
                state.requests.start(RequestKey { from: Some(rank), to, tag: Some(tag) });
            }
            Action::Recv { from, .. } => self.pairs.receive(from, rank),
            Action::Irecv { from, tag } => {
                self.pairs.receive(from, rank);
                state.requests.start(RequestKey { from, to: rank, tag });
            }
            Action::SendRecv { to, data, from } => {
                self.send(rank, to, data);
                self.pairs.receive(from, rank);
            }
            Action::Wait(key) => self.waits.count(state.requests.complete(rank, key)),
            Action::WaitNewest => self.waits.count(state.requests.complete_newest()),
            Action::WaitAll => state.requests.complete_all(),
            Action::Alltoall { send, .. } => {
                let (least, most) = self.blocks.unwrap_or((send.bytes, send.bytes));
                self.blocks = Some((least.min(send.bytes), most.max(send.bytes)));
            }
            _ => {}
        }
    }

    /// Counts a message.
    fn send(&mut self, from: u32, to: u32, data: Data) {
        self.messages.count += 1;
        self.messages.bytes = self.messages.bytes.saturating_add(data.bytes);
        self.pairs.send(from, to);
    }

    /// Adds a rank's counts and compares its collectives with those of the first rank.
    fn end_rank(&mut self, rank: u32, state: &RankScan) {
        for (sum, count) in self.counts.0.iter_mut().zip(state.counts.0) {
            *sum += count;
        }
        self.unfinished.add(rank, state.ends.0, state.ends.1);
        let Some((first, collectives)) = &self.first_rank else {
            self.first_rank = Some((state.counts.clone(), state.collectives));
            return;
        };
        if self.different.is_some() || *collectives == state.collectives {
            return;
        }
        let count = |counts: &Counts, name: ActionName| counts.0[name.index()];
        let unequal = ActionName::all()
            .find(|&name| name.is_collective() && count(first, name) != count(&state.counts, name))
            .map(|name| (name.text(), count(first, name), count(&state.counts, name)));
        self.different = Some(match unequal {
            Some((name, of_first, here)) => format!(
                "rank 0 calls {name} {of_first} times, rank {rank} {here} times: the trace is cut off, or the program \
                 splits its communicator, which the trace does not tell"
            ),
            None => format!(
                "rank {rank} calls its collectives in another order or with other roots than rank 0: the program \
                 splits its communicator, which the trace does not tell"
            ),
        });
    }

    /// Says how much of the trace a simulation honours.
    fn coverage(&self, operations: &BTreeMap<String, u64>) -> Coverage {
        let derived = "messages or collectives have a derived datatype of unknown size (-1), which counts as one byte: less is sent than by the program";
        let polls = Noted::some(self.polls, "polls (test, testall, …) have no effect in a simulation");
        let mut coverage = Coverage {
            simulated: operations.values().sum(),
            approximated: Noted::some(self.unnamed_datatypes, derived).into_iter().collect(),
            ignored: self.waits.noted().chain(polls).collect(),
        };
        let refused: u64 = self.not_simulated.values().map(|refused| refused.occurrences).sum();
        let others = coverage.approximations() + coverage.omissions() + refused;
        coverage.simulated = coverage.simulated.saturating_sub(others);
        coverage
    }

    /// Returns the result.
    fn finish(self, ranks: u32) -> TraceInfo {
        let named = |wanted: fn(ActionName) -> bool| {
            ActionName::all()
                .filter(|&name| wanted(name) && self.counts.0[name.index()] > 0)
                .map(|name| (name.text().to_owned(), self.counts.0[name.index()]))
                .collect()
        };
        let (operations, collectives) = (named(|_| true), named(ActionName::is_collective));
        let mut warnings = Vec::new();
        warnings.extend(self.different.clone());
        warnings.extend(self.unfinished.warning());
        warnings.extend(self.not_simulated.values().map(|lacking| {
            let NotSimulated { action, obstacle, first, occurrences } = lacking;
            format!("`{action}` occurs {occurrences} times, first at {first}, and cannot be simulated: {obstacle}")
        }));
        warnings.extend(self.blocks.filter(|(least, most)| least < most).map(|(least, most)| {
            format!(
                "alltoall is called with blocks of {least} to {most} bytes: if the program calls it in groups of its \
                 ranks, the simulation, which calls it over all ranks, moves far too much"
            )
        }));
        let coverage = self.coverage(&operations);
        warnings.extend(self.pairs.warnings());
        warnings.extend(coverage.warnings());
        TraceInfo {
            format: NAME,
            ranks,
            operations,
            messages: self.messages,
            collectives,
            compute: Computing::Flops(self.compute_flops),
            coverage,
            warnings,
            not_simulated: self.not_simulated.into_values().collect(),
            different_collectives: self.different,
        }
    }
}

/// Returns a number for the root of a collective, which is 0 if it has none.
fn root(action: &Action) -> u64 {
    match action {
        Action::Bcast { root, .. }
        | Action::Reduce { root, .. }
        | Action::Gather { root, .. }
        | Action::Gatherv { root, .. }
        | Action::Scatter { root, .. }
        | Action::Scatterv { root, .. } => u64::from(*root) + 1,
        _ => 0,
    }
}

/// Adds a value to a hash; the multiplier is that of Knuth's 64-bit linear congruential generator.
fn mix(hash: u64, value: u64) -> u64 {
    (hash.rotate_left(5) ^ value).wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1)
}
