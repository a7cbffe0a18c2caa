//! Reads a JSON file from its begin to its end, so that only what is kept needs memory.

use std::io::{self, BufReader, Read};

use serde::de::DeserializeSeed;

use crate::error::TraceError;
use crate::files::{ByteFile, FNV_OFFSET, fnv1a};

/// What is read at a time.
const CHUNK: usize = 256 << 10;

/// Reads a file by a seed. Returns what that makes, and a hash of all bytes. Errors name line and column.
pub(crate) fn read<T>(
    file: &ByteFile,
    seed: impl for<'de> DeserializeSeed<'de, Value = T>,
) -> Result<(T, u64), TraceError> {
    let mut bytes = Bytes { file, offset: 0, hash: FNV_OFFSET, failed: None };
    let read = {
        let mut json = serde_json::Deserializer::from_reader(BufReader::with_capacity(CHUNK, &mut bytes));
        seed.deserialize(&mut json).and_then(|value| json.end().map(|()| value))
    };
    if let Some(error) = bytes.failed {
        return Err(error);
    }
    match read {
        Ok(value) => Ok((value, bytes.hash)),
        Err(error) => Err(wrong(file, &error)),
    }
}

/// Returns the error of a place of the file.
fn wrong(file: &ByteFile, error: &serde_json::Error) -> TraceError {
    let (line, column) = (error.line() as u64, error.column() as u64);
    let said = error.to_string();
    let said = said.strip_suffix(&format!(" at line {line} column {column}")).unwrap_or(&said);
    // What readers refuse says what to do.
    let problem = match said {
        _ if !error.is_data() => format!("{said}; copy the file again"),
        of_serde if ["invalid ", "missing field "].iter().any(|begin| of_serde.starts_with(begin)) => {
            format!("{said}; record it again")
        }
        ours => ours.to_owned(),
    };
    TraceError::Json { file: file.label().to_owned(), line, column, problem }
}

/// The bytes of a file, without a byte order mark.
struct Bytes<'f> {
    file: &'f ByteFile,
    offset: u64,
    hash: u64,
    failed: Option<TraceError>,
}

impl Read for Bytes<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.file.read_at(self.offset, buffer).map_err(|error| {
            self.failed = Some(error);
            io::Error::other("the file cannot be read")
        })?;
        self.hash = buffer[..read].iter().fold(self.hash, |hash, &byte| fnv1a(hash, byte));
        if self.offset == 0 && buffer.starts_with(b"\xef\xbb\xbf") {
            buffer[..3].fill(b' ');
        }
        self.offset += read as u64;
        Ok(read)
    }
}
