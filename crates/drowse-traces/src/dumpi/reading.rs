//! Reads the calls of a rank in blocks. Between blocks no file is open.

use super::bytes::Bytes;
use super::functions::END;
use super::layout::Layout;
use super::problem::Problem;
use super::record::{Record, Unread};
use crate::error::TraceError;
use crate::files::ByteFile;

/// The file of a rank.
pub(crate) struct RankFile {
    pub file: ByteFile,
    pub layout: Layout,
}

/// Where reading goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// Before the first call.
    Start,
    /// At a byte of the file.
    At(u64),
    /// Behind the last call.
    End,
}

/// Room for a part of a file and a call.
#[derive(Default)]
pub(crate) struct Block {
    bytes: Vec<u8>,
    record: Record,
    /// How many of the bytes are of calls that were read.
    read: usize,
}

impl Block {
    /// Returns the bytes of the calls that were read last.
    pub fn last(&self) -> &[u8] {
        &self.bytes[..self.read]
    }
}

/// The seconds before the first call: the biases of the two clocks.
const BIASES: u64 = 8;

impl RankFile {
    /// Opens the file of a rank.
    pub fn open(file: ByteFile) -> Result<Self, TraceError> {
        let layout = Layout::read(&file)?;
        Ok(RankFile { file, layout })
    }

    /// Returns the error of a problem at an offset.
    pub fn error(&self, offset: u64, problem: Problem) -> TraceError {
        TraceError::Dumpi { file: self.file.label().to_owned(), offset, problem }
    }

    /// Calls `visit` with the offset and the contents of the next calls, those that begin within about `size` bytes.
    /// Returns false at the end.
    pub fn read(
        &self,
        place: &mut Place,
        block: &mut Block,
        size: usize,
        mut visit: impl FnMut(u64, &Record) -> Result<(), TraceError>,
    ) -> Result<bool, TraceError> {
        let (mut size, body) = (size, &self.layout.body);
        let start = match *place {
            Place::Start => body.start + BIASES,
            Place::At(offset) => offset,
            Place::End => return Ok(false),
        };
        loop {
            let left = body.end.saturating_sub(start);
            let want = usize::try_from(left).unwrap_or(usize::MAX).min(size);
            if block.bytes.len() < want {
                block.bytes.resize(want, 0);
            }
            let have = self.file.read_at(start, &mut block.bytes[..want])?;
            // What the file has lost since it was opened is cut off.
            let left = if have < want { have as u64 } else { left };
            let mut bytes = Bytes::new(&block.bytes[..have], left);
            block.read = 0;
            while bytes.at() < have {
                let offset = start + bytes.at() as u64;
                match block.record.read(&mut bytes, self.layout.version) {
                    Ok(()) if block.record.function == END => {
                        *place = Place::End;
                        return Ok(block.read > 0);
                    }
                    Ok(()) => {
                        visit(offset, &block.record)?;
                        block.read = bytes.at();
                    }
                    Err(Unread::Part) => break,
                    Err(Unread::Problem(problem)) => return Err(self.error(offset, problem)),
                }
            }
            *place = Place::At(start + block.read as u64);
            if block.read > 0 {
                return Ok(true);
            }
            if have as u64 == left {
                return Err(self.error(start, Problem::NoEnd));
            }
            size *= 2;
        }
    }

    /// Calls `visit` with the offset and the contents of each call.
    pub fn for_each(
        &self,
        block: &mut Block,
        mut visit: impl FnMut(u64, &Record) -> Result<(), TraceError>,
    ) -> Result<(), TraceError> {
        let mut place = Place::Start;
        while self.read(&mut place, block, SCAN_BYTES, &mut visit)? {}
        Ok(())
    }
}

/// Block size of passes over a whole file.
pub(crate) const SCAN_BYTES: usize = 256 << 10;
