//! Stores decompressed text: in memory while it is small, else in an unnamed temporary file.

use std::fs::File;
use std::io::{self, Read, Seek, Write};

use tempfile::{SpooledData, SpooledTempFile};

use super::not_unpacked::{not_decompressed, not_unpacked};
use super::refusal::Refusal;
use crate::error::TraceError;

/// Text up to this size stays in memory.
const MEMORY_BYTES: usize = 64 << 20;

/// A range of bytes of a [`Spool`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Extent {
    pub offset: u64,
    pub length: u64,
}

/// Text being written, front to back.
pub(crate) struct SpoolWriter {
    inner: SpooledTempFile,
    length: u64,
    /// The length at which the room was looked at.
    looked: u64,
}

impl SpoolWriter {
    /// Makes an empty spool.
    pub fn new() -> Self {
        SpoolWriter { inner: SpooledTempFile::new(MEMORY_BYTES), length: 0, looked: 0 }
    }

    /// Appends bytes. Returns their position.
    pub fn append(&mut self, bytes: &[u8]) -> io::Result<Extent> {
        self.inner.write_all(bytes)?;
        let extent = Extent { offset: self.length, length: bytes.len() as u64 };
        self.length += extent.length;
        Ok(extent)
    }

    /// Copies a stream to its end, from a file of `packed` bytes. Refuses to go on where a decompression bomb would.
    pub fn copy(&mut self, stream: &mut impl Read, packed: u64) -> Result<Extent, CopyError> {
        let (offset, mut buffer) = (self.length, vec![0; 1 << 16]);
        loop {
            match stream.read(&mut buffer) {
                Ok(0) => return Ok(Extent { offset, length: self.length - offset }),
                Ok(count) => {
                    self.append(&buffer[..count]).map_err(CopyError::Write)?;
                    check_growth(self.length, packed).map_err(|bomb| CopyError::Read(bomb.into()))?;
                    self.check_room().map_err(|full| CopyError::Read(full.into()))?;
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(CopyError::Read(error)),
            }
        }
    }

    /// Refuses to go on before the disk is full. Looks now and then.
    fn check_room(&mut self) -> Result<(), Refusal> {
        if self.length < self.looked + MEMORY_BYTES as u64 {
            return Ok(());
        }
        self.looked = self.length;
        let has_room = free_bytes().is_none_or(|free| free >= 2 * MEMORY_BYTES as u64);
        if has_room { Ok(()) } else { Err(Refusal::Room) }
    }

    /// Finishes writing.
    pub fn finish(mut self) -> io::Result<Spool> {
        self.inner.rewind()?;
        Ok(match self.inner.into_inner() {
            SpooledData::InMemory(cursor) => Spool::Memory(cursor.into_inner()),
            SpooledData::OnDisk(file) => Spool::Disk(file),
        })
    }
}

/// Why a stream is not copied.
pub(crate) enum CopyError {
    /// The stream cannot be read or decompressed.
    Read(io::Error),
    /// The spool cannot be written.
    Write(io::Error),
}

impl CopyError {
    /// Returns the error of an archive at a place in it.
    pub fn of(self, file: &str, at: &str) -> TraceError {
        match self {
            CopyError::Read(source) => not_unpacked(file, at, source),
            CopyError::Write(source) => TraceError::Spool { file: file.to_owned(), source },
        }
    }

    /// Returns the error of a compressed file.
    pub fn of_file(self, file: &str) -> TraceError {
        match self {
            CopyError::Read(source) => not_decompressed(file, source),
            CopyError::Write(source) => TraceError::Spool { file: file.to_owned(), source },
        }
    }
}

/// Returns the bytes that are free where temporary files are, if the system says so.
#[cfg(unix)]
fn free_bytes() -> Option<u64> {
    let room = rustix::fs::statvfs(std::env::temp_dir()).ok()?;
    Some(room.f_bavail.saturating_mul(room.f_frsize))
}

#[cfg(not(unix))]
fn free_bytes() -> Option<u64> {
    None
}

/// The growth beyond which what is unpacked is no trace. The most repetitive traces grow a thousandfold.
const MOST_GROWTH: u64 = 10_000;
/// What may be unpacked however small the file is.
const ALWAYS_FITS: u64 = 1 << 30;

/// Refuses to go on unpacking what has become far longer than the packed file.
fn check_growth(unpacked: u64, packed: u64) -> Result<(), Refusal> {
    if unpacked <= ALWAYS_FITS || unpacked / MOST_GROWTH <= packed { Ok(()) } else { Err(Refusal::Bomb) }
}

/// Text that is written once and can be read at any position by any number of readers.
pub(crate) enum Spool {
    Memory(Vec<u8>),
    Disk(File),
}

impl Spool {
    /// Fills `buffer` from `offset` on. Returns the number of bytes, which is smaller than the buffer only at the end.
    pub fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        match self {
            Spool::Memory(bytes) => {
                let rest = usize::try_from(offset).ok().and_then(|start| bytes.get(start..)).unwrap_or_default();
                let length = rest.len().min(buffer.len());
                buffer[..length].copy_from_slice(&rest[..length]);
                Ok(length)
            }
            Spool::Disk(file) => read_full(buffer, offset, |part, at| read_positioned(file, part, at)),
        }
    }
}

/// Repeats short reads until `buffer` is full or the text ends.
pub(crate) fn read_full(
    buffer: &mut [u8],
    offset: u64,
    mut read: impl FnMut(&mut [u8], u64) -> io::Result<usize>,
) -> io::Result<usize> {
    let mut filled = 0;
    while filled < buffer.len() {
        match read(&mut buffer[filled..], offset + filled as u64) {
            Ok(0) => break,
            Ok(count) => filled += count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(filled)
}

/// Reads at a position without moving the shared file position, so that several threads can read one file.
#[cfg(unix)]
pub(crate) fn read_positioned(file: &File, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
    std::os::unix::fs::FileExt::read_at(file, buffer, offset)
}

/// Reads at a position. This moves the shared file position, which no read depends on.
#[cfg(windows)]
pub(crate) fn read_positioned(file: &File, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
    std::os::windows::fs::FileExt::seek_read(file, buffer, offset)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bombs_are_not_unpacked() {
        assert!(check_growth(1 << 30, 1).is_ok() && check_growth(1 << 40, 1 << 30).is_ok());
        assert!(check_growth((1 << 30) + 1, 1).is_err() && check_growth(1 << 40, 1 << 20).is_err());
    }

    #[test]
    fn memory_and_disk_return_the_same_bytes() {
        for roll in [false, true] {
            let mut writer = SpoolWriter::new();
            assert_eq!(writer.append(b"rank").unwrap(), Extent { offset: 0, length: 4 });
            assert_eq!(writer.append(b"0000").unwrap(), Extent { offset: 4, length: 4 });
            if roll {
                writer.inner.roll().unwrap();
            }
            let spool = writer.finish().unwrap();
            let mut buffer = [0; 6];
            assert_eq!(spool.read_at(3, &mut buffer).unwrap(), 5);
            assert_eq!(&buffer[..5], b"k0000");
            assert_eq!(spool.read_at(100, &mut buffer).unwrap(), 0);
        }
    }
}
