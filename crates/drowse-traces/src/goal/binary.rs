//! Reads the binary form, as `txt2bin` of LogGOPSim writes it: a table of where each rank's statements are, and for each
//! rank its statements, 39 bytes each, and the lists of those that wait for them. All numbers are little-endian.

use super::counts::Counts;
use super::graph::{Does, Graph};
use super::order::{Step, order};
use super::parse::MOST_RANKS;
use super::source::Program;
use crate::error::TraceError;
use crate::files::{FNV_OFFSET, Stored, fnv1a};
use drowse_core::workload::operation::MOST_BYTES;

/// The first eight bytes.
pub(super) const MAGIC: [u8; 8] = 4223u64.to_le_bytes();

/// The bytes of a statement.
const STATEMENT: usize = 39;

/// The most bytes of a rank; more is a lie or too much to be put into order.
const MOST_OF_RANK: u64 = 8 << 30;

/// Reads a trace.
pub(super) fn load(stored: &Stored) -> Result<Program, TraceError> {
    let file = File(stored);
    let head = file.read(8, 6)?;
    let ranks = word(&head, 0);
    if !(1..=MOST_RANKS).contains(&u64::from(ranks)) {
        return Err(file.wrong(8, format!("{ranks} ranks: the number is from 1 to {MOST_RANKS}")));
    }
    let table = file.read(14, u64::from(ranks) * 16)?;
    let (mut counts, mut programs, mut fingerprint) =
        (Counts::default(), Vec::with_capacity(ranks as usize), FNV_OFFSET);
    for rank in 0..ranks {
        let entry = rank as usize * 16;
        let (begin, end) = (long(&table, entry), long(&table, entry + 8));
        // Positions count from behind the first eight bytes; the end may be left out.
        let (begin, end) = (begin.saturating_add(8), end.saturating_add(8));
        if end < begin || end - begin > MOST_OF_RANK {
            let place = 14 + entry as u64;
            return Err(file.wrong(place, format!("rank {rank} is said to lie from byte {begin} to byte {end}")));
        }
        let bytes = file.read(begin, end - begin)?;
        fingerprint = bytes.iter().fold(fingerprint, |hash, &byte| fnv1a(hash, byte));
        let graph = graph(&bytes, (rank, ranks), &mut counts);
        let graph = graph.map_err(|(at, problem)| file.wrong(begin + at as u64, format!("rank {rank}: {problem}")))?;
        let ordered = order(&graph).map_err(|place| {
            let problem = format!("statement {place} of rank {rank} can never start: its dependencies form a circle");
            file.wrong(begin, problem)
        })?;
        counts.approximated += ordered.approximated;
        programs.push(ordered.steps as Vec<Step>);
    }
    let label = stored.text.label.clone();
    Ok(Program::new((label, None), &counts, fingerprint, programs))
}

/// The bytes of a file.
struct File<'s>(&'s Stored);

impl File<'_> {
    /// Returns so many bytes from a position on.
    fn read(&self, from: u64, count: u64) -> Result<Vec<u8>, TraceError> {
        // Grows with what is there, not with what a lying file says.
        let (mut bytes, mut block) = (Vec::new(), vec![0; 1 << 20]);
        while (bytes.len() as u64) < count {
            let left = (count - bytes.len() as u64).min(block.len() as u64) as usize;
            let at = from + bytes.len() as u64;
            let read = self.0.text.read_at(self.0.spool.as_ref(), at, &mut block[..left])?;
            if read == 0 {
                return Err(self.wrong(at, "the file ends here, and more is said to follow; copy it again".into()));
            }
            bytes.extend_from_slice(&block[..read]);
        }
        Ok(bytes)
    }

    fn wrong(&self, at: u64, problem: String) -> TraceError {
        TraceError::Bytes { file: self.0.text.label.clone(), offset: at, problem }
    }
}

/// Reads the statements of a rank. Fails with a position in its bytes.
fn graph(bytes: &[u8], (rank, ranks): (u32, u32), counts: &mut Counts) -> Result<Graph, (usize, String)> {
    let short = |at: usize| (at, "it ends before its last statement; copy the file again".to_owned());
    if bytes.len() < 8 {
        return Err(short(bytes.len()));
    }
    let (count, roots) = (word(bytes, 0) as usize, word(bytes, 4) as usize);
    let first = 8 + 4 * roots;
    let lists = first + STATEMENT * count;
    if lists > bytes.len() {
        return Err(short(bytes.len()));
    }
    let mut graph = Graph::default();
    for place in 0..count {
        let at = first + STATEMENT * place;
        let (does, cpu) = statement(&bytes[at..at + STATEMENT], ranks).map_err(|problem| (at, problem))?;
        counts.add(rank, does, cpu);
        graph.add(None, does);
    }
    for place in 0..count {
        let at = first + STATEMENT * place;
        for (pair, ends) in [(at + 23, true), (at + 31, false)] {
            let (waiting, from) = (word(bytes, pair) as usize, word(bytes, pair + 4) as usize);
            let list = (lists as u64).saturating_add(4 * from as u64);
            if waiting > 0 && list.saturating_add(4 * waiting as u64) > bytes.len() as u64 {
                return Err((pair, "a list of statements that wait lies behind the rank's end".to_owned()));
            }
            for entry in 0..waiting {
                let entry = list as usize + 4 * entry;
                let waits = word(bytes, entry) as usize;
                let Some(statement) = graph.statements.get_mut(waits) else {
                    return Err((entry, format!("statement {waits} waits, but there are {count}, from 0")));
                };
                if ends { &mut statement.requires } else { &mut statement.needs_started }.push(place as u32);
            }
        }
    }
    Ok(graph)
}

/// Reads a statement, and its processor.
fn statement(bytes: &[u8], ranks: u32) -> Result<(Does, u64), String> {
    let (kind, peer, size, tag, cpu) = (bytes[4], word(bytes, 5), long(bytes, 9), word(bytes, 17), bytes[21]);
    let any = |number: u32| (number != u32::MAX).then_some(number);
    let known = |peer: u32| {
        if peer < ranks { Ok(peer) } else { Err(format!("its peer is rank {peer}, but there are {ranks}, from 0")) }
    };
    if kind != 3 && size > MOST_BYTES {
        return Err(format!("{size} B are sent at once, and the most is {MOST_BYTES} B (32 GiB)"));
    }
    let does = match kind {
        1 => Does::Send { to: known(peer)?, tag, bytes: size },
        2 => Does::Receive { from: any(peer).map(known).transpose()?, tag: any(tag) },
        3 => Does::Calculate(size),
        other => return Err(format!("statement of kind {other}; there are 1 (send), 2 (recv) and 3 (calc)")),
    };
    Ok((does, cpu.into()))
}

/// Returns the number in four bytes; 0 where they are not there.
fn word(bytes: &[u8], at: usize) -> u32 {
    bytes.get(at..at + 4).and_then(|bytes| bytes.try_into().ok()).map_or(0, u32::from_le_bytes)
}

/// Returns the number in eight bytes; 0 where they are not there.
fn long(bytes: &[u8], at: usize) -> u64 {
    bytes.get(at..at + 8).and_then(|bytes| bytes.try_into().ok()).map_or(0, u64::from_le_bytes)
}
