//! Where a time begins and ends in each rank: by the clocks of ranks whose communication costs no time.

use std::ops::Range;

use drowse_core::model::units::Time;
use drowse_core::workload::operation::{Operation, OperationSource};

use super::Part;
use super::crossing::Crossing;
use super::error::CutError;
use super::replay::Replay;

/// Reads a time of the form `3.9 s..4.2 s`; `3.9 s..` is open, and `..4.2 s` begins at the beginning.
pub fn parse(text: &str) -> Result<Range<Time>, String> {
    const HELP: &str = "write the beginning and the end with their units, as in \"3.9 s..4.2 s\", or \"3.9 s..\"";
    let (from, to) = text.split_once("..").ok_or_else(|| format!("`{text}` is no time from one to another; {HELP}"))?;
    let read = |text: &str, default: Time| match text.trim() {
        "" => Ok(default),
        text => text.parse::<Time>().map_err(|error| error.to_string()),
    };
    let (start, end) = (read(from, Time::ZERO)?, read(to, Time::NEVER)?);
    if start < end { Ok(start..end) } else { Err(format!("`{text}` ends before it begins; {HELP}")) }
}

/// Finds which operations of each rank lie in a time; and says what was moved.
pub(super) fn find(
    open: &dyn Fn() -> Box<dyn OperationSource>,
    wanted: &Range<Time>,
) -> Result<(Vec<Part>, Vec<String>), CutError> {
    let source = open();
    let mut crossing = Crossing::new(source.ranks(), source.communicators());
    let mut replay = Replay::new(source);
    let mut notes = Vec::new();
    let begins = cut(&mut replay, &mut crossing, wanted.start, &mut notes)?;
    if replay.has_ended()? {
        return Err(CutError::NoSuchTime { from: wanted.start, end: replay.clock() });
    }
    let ends = cut(&mut replay, &mut crossing, wanted.end, &mut notes)?;
    let part = |((begin, skips), (end, keeps))| Part { operations: begin..end, skips, keeps };
    Ok((begins.into_iter().zip(ends).map(part).collect(), notes))
}

/// Runs all ranks up to a time, and on to where nothing crosses the cut. Returns the operations that each has done then,
/// and what it has done of the computing that comes next.
fn cut(
    replay: &mut Replay,
    crossing: &mut Crossing,
    at: Time,
    notes: &mut Vec<String>,
) -> Result<Vec<(u64, Time)>, CutError> {
    replay.run(at, &mut |rank: u32, operation: &Operation| crossing.add(rank, operation))?;
    let (before, clock) = (replay.places(), replay.clock());
    loop {
        let forced = crossing.forced();
        if forced.is_empty() {
            break;
        }
        for rank in forced.into_keys() {
            let Some(operation) = replay.force(rank)? else { return Err(CutError::NoEnd { at, rank }) };
            crossing.add(rank, &operation);
        }
    }
    let after = replay.places();
    let moved = before.iter().zip(&after).filter(|(before, after)| before != after).count();
    if moved > 0 {
        let later = replay.clock() - clock;
        notes.push(format!("at {moved} ranks the cut at {at} is later, by up to {later}, so that nothing crosses it"));
    }
    Ok(after)
}
