//! The records of a file, which lie in chunks of one length. A chunk tells the order of its bytes. What is left behind its
//! last record is zero. Each record begins with its type; types 5 and higher mean what the kind of the file says.

use super::bytes::{Bytes, Fault, Order};
use super::files::{CHUNK, OneFile};
use crate::error::TraceError;

/// The longest chunk; OTF2 writes none longer.
const MOST: u64 = 16 << 20;
/// The bytes before the first record of a chunk: a mark, the order of bytes, the numbers of its first and last event.
const HEADER: usize = 18;

/// Types of what is no record: what is behind the last one of a chunk, and of the file.
const END_OF_CHUNK: u8 = 0;
const END_OF_FILE: u8 = 2;
/// The first type of a record.
const FIRST: u8 = 5;

const ENDS: Fault = "the file ends here, and more must follow; copy it again";
const CUT: Fault = "the file ends before this record does; copy it again";
const NO_CHUNK: Fault =
    "no chunk begins here: this file or the anchor file is damaged; copy all files of the archive again";
const NO_RECORD: Fault = "no record begins here; the file is damaged: copy it again";
const PAST_END: Fault = "a record goes on behind the end of its chunk; the file is damaged: copy it again";

/// A file, and the place in it. One chunk is in memory.
pub(super) struct Chunks<'a> {
    file: OneFile<'a>,
    /// The length of all chunks but the last.
    size: u64,
    /// Where the chunk begins.
    begin: u64,
    chunk: Vec<u8>,
    order: Order,
    /// Where in the chunk reading goes on, and where the last record began.
    at: usize,
    record: usize,
}

impl<'a> Chunks<'a> {
    /// Begins to read a file whose chunks have a length.
    pub fn open(file: OneFile<'a>, size: u64) -> Result<Self, TraceError> {
        let mut chunks = Chunks { file, size, begin: 0, chunk: Vec::new(), order: Order::Little, at: 0, record: 0 };
        chunks.load()?;
        Ok(chunks)
    }

    /// Returns whether chunks can have a length.
    pub fn is_size(size: u64) -> bool {
        (HEADER as u64 + 1..=MOST).contains(&size)
    }

    /// Returns the type of the next record; `None` at the end of the file. What follows the type is to be read next.
    pub fn next_type(&mut self) -> Result<Option<u8>, TraceError> {
        loop {
            self.record = self.at;
            let Some(&kind) = self.chunk.get(self.at) else { return Err(self.wrong(ENDS)) };
            self.at += 1;
            match kind {
                END_OF_CHUNK => {
                    self.begin += self.size;
                    self.load()?;
                }
                END_OF_FILE => return Ok(None),
                FIRST.. => return Ok(Some(kind)),
                _ => return Err(self.wrong(NO_RECORD)),
            }
        }
    }

    /// Returns the record, whose length comes first: a byte, or 255 and eight bytes.
    pub fn record(&mut self) -> Result<Bytes<'_>, TraceError> {
        let mut length = self.take(1)?.u8().map_or(0, u64::from);
        if length == u64::from(u8::MAX) {
            length = self.take(8)?.whole_u64().unwrap_or(u64::MAX);
        }
        self.take(length)
    }

    /// Returns the record, which is one compressed number.
    pub fn number(&mut self) -> Result<Bytes<'_>, TraceError> {
        let length = match self.chunk.get(self.at) {
            Some(&length @ 0..=8) => length + 1,
            // The highest number, or one that is too long, which is said when it is read.
            _ => 1,
        };
        self.take(length.into())
    }

    /// Returns the next bytes.
    pub fn take(&mut self, length: u64) -> Result<Bytes<'_>, TraceError> {
        let end = usize::try_from(length).ok().and_then(|length| self.at.checked_add(length));
        let Some(end) = end.filter(|&end| end <= self.chunk.len()) else {
            let is_last = (self.chunk.len() as u64) < self.size;
            return Err(self.wrong(if is_last { CUT } else { PAST_END }));
        };
        let bytes = &self.chunk[self.at..end];
        self.at = end;
        Ok(Bytes::new(bytes, self.order))
    }

    /// Returns that something is wrong with the last record.
    pub fn wrong(&self, problem: impl Into<String>) -> TraceError {
        self.file.wrong(self.begin + self.record as u64, problem)
    }

    /// Reads a chunk.
    fn load(&mut self) -> Result<(), TraceError> {
        (self.at, self.record) = (HEADER, 0);
        self.file.read(self.begin, self.size, &mut self.chunk)?;
        if self.chunk.len() < HEADER {
            return Err(self.wrong(ENDS));
        }
        match Order::named(self.chunk[1]).filter(|_| self.chunk[0] == CHUNK) {
            Some(order) => self.order = order,
            None => return Err(self.wrong(NO_CHUNK)),
        }
        Ok(())
    }
}
