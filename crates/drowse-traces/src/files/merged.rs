//! Splits one merged file, whose lines name their rank in the first column, into one text per rank.
//!
//! The file is read once. Each rank's lines gather in a small buffer and go to the spool in pieces. In place of the
//! rank, which is known from then on, a stored line carries its number in the merged file, so that an error in it can
//! still be found.

use std::io::Write;

use rustc_hash::FxHashMap;

use super::first_column::first_column;
use super::lines::{Location, RankText};
use super::spool::{Extent, Spool, SpoolWriter};
use crate::error::{Place, TraceError};
use crate::line_error::LineError;

/// A rank's lines go to the spool in pieces of about this size.
const PIECE_BYTES: usize = 16 << 10;
/// All ranks' buffers together go to the spool when they reach this size.
const GATHERED_BYTES: usize = 64 << 20;

/// One rank's lines while the merged file is being read.
#[derive(Default)]
struct Gathering {
    buffer: Vec<u8>,
    extents: Vec<Extent>,
}

impl Gathering {
    /// Moves the buffer to the spool.
    fn flush(&mut self, spool: &mut SpoolWriter) -> std::io::Result<()> {
        if !self.buffer.is_empty() {
            self.extents.push(spool.append(&self.buffer)?);
            self.buffer.clear();
        }
        Ok(())
    }
}

/// Splits the merged file `text` into one text per rank, held by a spool of their own.
pub(crate) fn split(text: &RankText, spool: Option<&Spool>) -> Result<(Vec<RankText>, Spool), TraceError> {
    let spool_error = |source| TraceError::Spool { file: text.label.clone(), source };
    let mut gatherings: FxHashMap<u32, Gathering> = FxHashMap::default();
    let mut writer = SpoolWriter::new();
    let mut gathered = 0;
    text.for_each_line(spool, |number, line| {
        let Some((rank, rest)) = first_column(line) else { return Ok(()) };
        let rank = rank.map_err(|found| TraceError::Line {
            place: Place { file: text.label.clone(), line: number },
            problem: LineError::NotARank { found: String::from_utf8_lossy(found).into_owned() },
        })?;
        let gathering = gatherings.entry(rank).or_default();
        let before = gathering.buffer.len();
        write!(gathering.buffer, "{number}").map_err(spool_error)?;
        gathering.buffer.extend_from_slice(rest);
        gathering.buffer.push(b'\n');
        gathered += gathering.buffer.len() - before;
        if gathering.buffer.len() >= PIECE_BYTES {
            gathered -= gathering.buffer.len();
            gathering.flush(&mut writer).map_err(spool_error)?;
        } else if gathered >= GATHERED_BYTES {
            gatherings.values_mut().try_for_each(|g| g.flush(&mut writer)).map_err(spool_error)?;
            gathered = 0;
        }
        Ok(())
    })?;
    let Some(&highest) = gatherings.keys().max() else {
        return Err(TraceError::NoActions { file: text.label.clone() });
    };
    let mut texts = Vec::new();
    for rank in 0..=highest {
        let Some(mut gathering) = gatherings.remove(&rank) else {
            return Err(TraceError::MissingRank { file: text.label.clone(), rank, highest });
        };
        gathering.flush(&mut writer).map_err(spool_error)?;
        texts.push(RankText { label: text.label.clone(), location: Location::Spooled(gathering.extents) });
    }
    Ok((texts, writer.finish().map_err(spool_error)?))
}
