//! Reads big-endian numbers from a part of a file.

/// Why nothing can be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Lack {
    /// The part ends too early; the file goes on.
    Part,
    /// What is announced is longer than the rest of the section.
    Section,
}

/// A position in a part of a file.
pub(crate) struct Bytes<'a> {
    part: &'a [u8],
    at: usize,
    /// The bytes from the beginning of the part to the end of the section.
    section: u64,
}

impl<'a> Bytes<'a> {
    /// Reads from the beginning of a part of a section that has so many bytes left.
    pub fn new(part: &'a [u8], section: u64) -> Self {
        Bytes { part, at: 0, section }
    }

    /// Returns the number of bytes that were read.
    pub fn at(&self) -> usize {
        self.at
    }

    /// Returns the next bytes.
    pub fn take(&mut self, length: u64) -> Result<&'a [u8], Lack> {
        if self.at as u64 + length > self.section {
            return Err(Lack::Section);
        }
        let end = self.at + length as usize;
        let bytes = self.part.get(self.at..end).ok_or(Lack::Part)?;
        self.at = end;
        Ok(bytes)
    }

    /// Returns the bytes of a list of elements of a size, after their number.
    pub fn list(&mut self, size: u64) -> Result<&'a [u8], Lack> {
        let count = self.u32()?;
        self.take(u64::from(count) * size)
    }

    /// Reads a number of 8 bits.
    pub fn u8(&mut self) -> Result<u8, Lack> {
        self.array().map(u8::from_be_bytes)
    }

    /// Reads a number of 16 bits.
    pub fn u16(&mut self) -> Result<u16, Lack> {
        self.array().map(u16::from_be_bytes)
    }

    /// Reads a number of 32 bits.
    pub fn u32(&mut self) -> Result<u32, Lack> {
        self.array().map(u32::from_be_bytes)
    }

    /// Reads a signed number of 32 bits.
    pub fn i32(&mut self) -> Result<i32, Lack> {
        self.array().map(i32::from_be_bytes)
    }

    /// Reads a number of 64 bits.
    pub fn u64(&mut self) -> Result<u64, Lack> {
        self.array().map(u64::from_be_bytes)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], Lack> {
        let bytes = self.take(N as u64)?;
        let mut array = [0; N];
        array.copy_from_slice(bytes);
        Ok(array)
    }
}
