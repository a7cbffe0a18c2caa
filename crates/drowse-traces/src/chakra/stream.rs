//! The messages of a file: each after its length, a number of seven bits a byte.

use crate::error::TraceError;
use crate::files::{ByteFile, fnv1a};

/// The most bytes of a message; more is a lie.
const MOST_BYTES: u64 = 1 << 30;

/// What is read at a time.
const CHUNK: usize = 64 << 10;

/// Reads the messages of a file, one after the other.
pub(super) struct Messages<'s> {
    file: &'s ByteFile,
    bytes: Vec<u8>,
    /// Where the next message begins in `bytes`, and where `bytes` end in the file.
    begin: usize,
    read: u64,
    /// Where the message before begins in the file.
    last: u64,
    /// A hash of all that was read.
    pub hash: u64,
}

impl<'s> Messages<'s> {
    pub fn new(file: &'s ByteFile, hash: u64) -> Self {
        Messages { file, bytes: Vec::new(), begin: 0, read: 0, last: 0, hash }
    }

    /// Returns the next message; `None` at the end of the file.
    pub fn next(&mut self) -> Result<Option<&[u8]>, TraceError> {
        self.last = self.read - (self.bytes.len() - self.begin) as u64;
        let Some(length) = self.length()? else { return Ok(None) };
        if length > MOST_BYTES {
            return Err(self.wrong(format!("a message is said to have {length} bytes; copy the file again")));
        }
        let length = length as usize;
        if !self.fill(length)? {
            return Err(self.wrong("the file ends within a message; copy it again"));
        }
        let message = self.begin..self.begin + length;
        self.begin = message.end;
        Ok(Some(&self.bytes[message]))
    }

    /// Returns the error of a problem with the last message.
    pub fn wrong(&self, problem: impl Into<String>) -> TraceError {
        wrong(self.file, self.last, problem)
    }

    /// Returns where the last message begins.
    pub fn offset(&self) -> u64 {
        self.last
    }

    /// Reads the length of a message; `None` at the end of the file.
    fn length(&mut self) -> Result<Option<u64>, TraceError> {
        let mut length = 0;
        for place in 0..10 {
            if !self.fill(1)? {
                return if place == 0 {
                    Ok(None)
                } else {
                    Err(self.wrong("the file ends within a number; copy it again"))
                };
            }
            let byte = self.bytes[self.begin];
            self.begin += 1;
            length |= u64::from(byte & 0x7f) << (7 * place).min(63);
            if byte < 0x80 {
                return Ok(Some(length));
            }
        }
        Err(self.wrong("a number has more than ten bytes; copy the file again"))
    }

    /// Reads until there are so many bytes; false if the file ends before.
    fn fill(&mut self, bytes: usize) -> Result<bool, TraceError> {
        while self.bytes.len() - self.begin < bytes {
            self.bytes.drain(..self.begin);
            self.begin = 0;
            let kept = self.bytes.len();
            self.bytes.resize(kept + CHUNK, 0);
            let read = self.file.read_at(self.read, &mut self.bytes[kept..])?;
            self.bytes.truncate(kept + read);
            self.hash = self.bytes[kept..].iter().fold(self.hash, |hash, &byte| fnv1a(hash, byte));
            self.read += read as u64;
            if read == 0 {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// Returns the error of a problem at an offset of a file.
pub(super) fn wrong(file: &ByteFile, offset: u64, problem: impl Into<String>) -> TraceError {
    TraceError::Bytes { file: file.label().to_owned(), offset, problem: problem.into() }
}
