//! Lines of dumps, which may have gigabytes: read one after another into one buffer.

use std::io::BufRead;

use super::error::DumpError;

/// The longest line: names have at most 64 bytes.
const LONGEST: u64 = 1 << 16;

/// Reads the lines of a stream.
pub(super) struct Lines<R> {
    input: R,
    buffer: Vec<u8>,
    /// The number of the line at hand, from 1 on.
    pub number: u64,
}

impl<R: BufRead> Lines<R> {
    pub fn new(input: R) -> Self {
        Lines { input, buffer: Vec::new(), number: 0 }
    }

    /// Returns the next line without what ends it, and its number; nothing at the end.
    pub fn next(&mut self) -> Result<Option<(&[u8], u64)>, DumpError> {
        self.buffer.clear();
        let read = std::io::Read::take(&mut self.input, LONGEST).read_until(b'\n', &mut self.buffer)?;
        if read == 0 {
            return Ok(None);
        }
        self.number += 1;
        if read as u64 == LONGEST {
            let help = "name a file of text that a tool of InfiniBand wrote";
            return Err(DumpError::new(self.number, "this line is longer than 65,535 bytes", help));
        }
        let line = self.buffer.trim_ascii_end();
        let line = if self.number == 1 { line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line) } else { line };
        Ok(Some((line, self.number)))
    }
}

/// Reads a hexadecimal number behind `0x` at the beginning. Returns it and what follows.
pub(super) fn hex(text: &[u8]) -> Option<(u64, &[u8])> {
    let digits = text.strip_prefix(b"0x")?;
    let end = digits.iter().position(|byte| !byte.is_ascii_hexdigit()).unwrap_or(digits.len());
    if end == 0 || end > 16 {
        return None;
    }
    let digit = |byte: &u8| u64::from((*byte as char).to_digit(16).unwrap_or_default());
    let number = digits[..end].iter().fold(0, |number, byte| number << 4 | digit(byte));
    Some((number, &digits[end..]))
}

/// Reads a decimal number at the beginning. Returns it and what follows.
pub(super) fn decimal(text: &[u8]) -> Option<(u64, &[u8])> {
    let end = text.iter().position(|byte| !byte.is_ascii_digit()).unwrap_or(text.len());
    if end == 0 || end > 18 {
        return None;
    }
    let number = text[..end].iter().fold(0, |number, byte| number * 10 + u64::from(byte - b'0'));
    Some((number, &text[end..]))
}

/// Returns a text without blanks and tabs at its beginning.
pub(super) fn trimmed(text: &[u8]) -> &[u8] {
    text.trim_ascii_start()
}

/// Returns what follows a text within another.
pub(super) fn behind<'t>(text: &'t [u8], mark: &[u8]) -> Option<&'t [u8]> {
    let at = text.windows(mark.len()).position(|window| window == mark)?;
    Some(&text[at + mark.len()..])
}
