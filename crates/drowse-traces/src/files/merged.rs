//! Splits a merged file, whose lines name their rank in the first column, into one text per rank.
//!
//! The file is read once. Each rank's lines collect in a small buffer and go to the spool in pieces. A stored line
//! holds its number in the merged file in place of the rank, so that errors can name the original line.

use std::io::Write;

use rustc_hash::FxHashMap;

use super::first_column::first_column;
use super::lines::{Location, RankText};
use super::spool::{Extent, Spool, SpoolWriter};
use crate::error::{Place, TraceError, shortened};
use crate::line_error::LineError;

/// The approximate size of the pieces that go to the spool.
const PIECE_BYTES: usize = 16 << 10;
/// The total size of buffers at which all go to the spool.
const BUFFERED_BYTES: usize = 64 << 20;

/// One rank's lines while the merged file is being read.
#[derive(Default)]
struct RankBuffer {
    lines: Vec<u8>,
    extents: Vec<Extent>,
}

impl RankBuffer {
    /// Moves the lines to the spool.
    fn flush(&mut self, spool: &mut SpoolWriter) -> std::io::Result<()> {
        if !self.lines.is_empty() {
            self.extents.push(spool.append(&self.lines)?);
            self.lines.clear();
        }
        Ok(())
    }
}

/// Splits the merged file `text` into one text per rank, held by a spool of their own. Where the user has not `named`
/// the file, messages quote nothing of it that is no trace.
pub(crate) fn split(text: &RankText, spool: Option<&Spool>, named: bool) -> Result<(Vec<RankText>, Spool), TraceError> {
    let spool_error = |source| TraceError::Spool { file: text.label.clone(), source };
    let mut buffers: FxHashMap<u32, RankBuffer> = FxHashMap::default();
    let mut writer = SpoolWriter::new();
    let mut buffered = 0;
    text.for_each_line(spool, |number, line| {
        let Some((rank, rest)) = first_column(line) else { return Ok(()) };
        let rank = rank.map_err(|found| TraceError::Line {
            place: Place { file: text.label.clone(), line: number },
            problem: if named {
                LineError::NotARank { found: shortened(&String::from_utf8_lossy(found)) }
            } else {
                LineError::NoRank
            },
        })?;
        let rank_buffer = buffers.entry(rank).or_default();
        let before = rank_buffer.lines.len();
        write!(rank_buffer.lines, "{number}").map_err(spool_error)?;
        rank_buffer.lines.extend_from_slice(rest);
        rank_buffer.lines.push(b'\n');
        buffered += rank_buffer.lines.len() - before;
        if rank_buffer.lines.len() >= PIECE_BYTES {
            buffered -= rank_buffer.lines.len();
            rank_buffer.flush(&mut writer).map_err(spool_error)?;
        } else if buffered >= BUFFERED_BYTES {
            buffers.values_mut().try_for_each(|buffer| buffer.flush(&mut writer)).map_err(spool_error)?;
            buffered = 0;
        }
        Ok(())
    })?;
    let Some(&highest) = buffers.keys().max() else {
        return Err(TraceError::NoActions { file: text.label.clone() });
    };
    let mut texts = Vec::new();
    for rank in 0..=highest {
        let Some(mut rank_buffer) = buffers.remove(&rank) else {
            return Err(TraceError::MissingRank { file: text.label.clone(), rank, highest });
        };
        rank_buffer.flush(&mut writer).map_err(spool_error)?;
        texts.push(RankText { label: text.label.clone(), location: Location::Spooled(rank_buffer.extents) });
    }
    Ok((texts, writer.finish().map_err(spool_error)?))
}
