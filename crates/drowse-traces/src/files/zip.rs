//! Unpacks a zip archive once into a spool, as [`super::archive`] does with tar.
//!
//! Members are found by the directory at the end of the file; they are stored or deflated. What is read is bounded: the
//! directory and the members lie within the file and do not overlap, and a member is as long as the directory says.
//! Names that lead out of the archive are refused, and so are encrypted members and archives of 4 GiB or more (zip64).

use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::path::Path;

use flate2::Crc;
use flate2::read::DeflateDecoder;
use rustc_hash::FxHashMap;

use super::archive::{Archive, normalize};
use super::container::check_growth;
use super::spool::{Extent, SpoolWriter};
use crate::error::{TraceError, shortened};

/// The first bytes of a member, of an entry of the directory, and of its end.
const MEMBER: [u8; 4] = *b"PK\x03\x04";
const ENTRY: [u8; 4] = *b"PK\x01\x02";
const END: [u8; 4] = *b"PK\x05\x06";

/// The fixed bytes of a member's header, of an entry, and of the end of the directory.
const MEMBER_BYTES: usize = 30;
const ENTRY_BYTES: usize = 46;
const END_BYTES: usize = 22;

/// A member, as the directory names it.
struct Entry {
    name: String,
    method: u16,
    encrypted: bool,
    checksum: u32,
    packed: u64,
    unpacked: u64,
    offset: u64,
}

/// Returns whether a file begins as a zip archive, which may be empty.
pub(crate) fn is_zip(head: &[u8]) -> bool {
    head.starts_with(&MEMBER) || head.starts_with(&END)
}

/// Unpacks the archive at `path`.
pub(crate) fn unpack(path: &Path) -> Result<Archive, TraceError> {
    let label = path.display().to_string();
    let damaged = |at: &str, source| TraceError::DamagedArchive { file: label.clone(), at: at.to_owned(), source };
    let mut file = File::open(path).map_err(|source| TraceError::Unreadable { file: label.clone(), source })?;
    let length = file.seek(SeekFrom::End(0)).map_err(|source| damaged("its end", source))?;
    let entries = directory(&mut file, length).map_err(|source| damaged("its directory", source))?;
    if entries.iter().map(|entry| entry.packed).sum::<u64>() > length {
        return Err(damaged("its directory", wrong("its members overlap, as those of a decompression bomb do")));
    }
    let (mut writer, mut members) = (SpoolWriter::new(), FxHashMap::default());
    for entry in entries {
        if entry.name.ends_with('/') {
            continue;
        }
        let at = format!("member {}", shortened(&entry.name));
        if entry.name.starts_with(['/', '\\']) || entry.name.split(['/', '\\']).any(|part| part == "..") {
            return Err(damaged(&at, wrong("its path leads out of the archive")));
        }
        let offset = writer.length();
        let mut stream = open(&mut file, length, &entry).map_err(|source| damaged(&at, source))?;
        let (mut buffer, mut checksum) = (vec![0; 1 << 16], Crc::new());
        loop {
            let count = match stream.read(&mut buffer) {
                Ok(0) => break,
                Ok(count) => count,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(source) => return Err(damaged(&at, source)),
            };
            checksum.update(&buffer[..count]);
            let spooled = writer.append(&buffer[..count]);
            spooled.map_err(|source| TraceError::Spool { file: label.clone(), source })?;
            let unpacked = writer.length();
            check_growth(unpacked, length).map_err(|source| damaged(&at, source))?;
            if unpacked - offset > entry.unpacked {
                return Err(damaged(&at, wrong("it is longer than the directory says")));
            }
        }
        let unpacked = writer.length() - offset;
        if unpacked < entry.unpacked {
            return Err(damaged(&at, io::Error::new(io::ErrorKind::UnexpectedEof, "it ends too early")));
        }
        if checksum.sum() != entry.checksum {
            return Err(damaged(&at, wrong("its checksum is another")));
        }
        members.insert(normalize(&entry.name), Extent { offset, length: unpacked });
    }
    let spool = writer.finish().map_err(|source| TraceError::Spool { file: label.clone(), source })?;
    Ok(Archive { label, members, spool })
}

fn wrong(what: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, what)
}

/// Reads the directory of a file of a length.
fn directory(file: &mut File, length: u64) -> io::Result<Vec<Entry>> {
    // A comment of up to 65,535 bytes may follow the end.
    let last = read_at(file, length.saturating_sub(END_BYTES as u64 + 65_535), length)?;
    let end = last.windows(4).rposition(|bytes| bytes == END).filter(|at| last.len() - at >= END_BYTES);
    let end = &last[end.ok_or_else(|| wrong("its directory is missing"))?..];
    let (count, size, offset) = (short(end, 10), long(end, 12), long(end, 16));
    if count == u16::MAX || offset == u64::from(u32::MAX) {
        return Err(wrong("it is of the kind for 4 GiB and more (zip64); pack it as tar.zst"));
    }
    let bytes = read_at(file, offset, offset + size)?;
    let mut rest = &bytes[..];
    let mut entries = Vec::new();
    for _ in 0..count {
        let cut = || wrong("its directory is cut off");
        let fixed = rest.get(..ENTRY_BYTES).filter(|entry| entry.starts_with(&ENTRY)).ok_or_else(cut)?;
        let [name, extra, comment] = [28, 30, 32].map(|at| usize::from(short(fixed, at)));
        let text = rest.get(ENTRY_BYTES..ENTRY_BYTES + name).ok_or_else(cut)?;
        entries.push(Entry {
            name: String::from_utf8_lossy(text).into_owned(),
            method: short(fixed, 10),
            encrypted: short(fixed, 8) & 1 != 0,
            checksum: long(fixed, 16) as u32,
            packed: long(fixed, 20),
            unpacked: long(fixed, 24),
            offset: long(fixed, 42),
        });
        rest = rest.get(ENTRY_BYTES + name + extra + comment..).ok_or_else(cut)?;
    }
    Ok(entries)
}

/// Returns the bytes of a member, unpacked.
fn open<'f>(file: &'f mut File, length: u64, entry: &Entry) -> io::Result<Box<dyn Read + 'f>> {
    let header = read_at(file, entry.offset, (entry.offset + MEMBER_BYTES as u64).min(length))?;
    if header.len() < MEMBER_BYTES || !header.starts_with(&MEMBER) {
        return Err(wrong("it is not where the directory says"));
    }
    if entry.encrypted {
        return Err(wrong("it is encrypted"));
    }
    let begin = entry.offset + MEMBER_BYTES as u64 + u64::from(short(&header, 26)) + u64::from(short(&header, 28));
    file.seek(SeekFrom::Start(begin))?;
    let packed = BufReader::with_capacity(1 << 16, file).take(entry.packed);
    match entry.method {
        0 => Ok(Box::new(packed)),
        8 => Ok(Box::new(DeflateDecoder::new(packed))),
        method => Err(wrong(&format!("it is packed by method {method}; only deflate is read"))),
    }
}

/// Reads a range of a file, which must be in it.
fn read_at(file: &mut File, begin: u64, end: u64) -> io::Result<Vec<u8>> {
    file.seek(SeekFrom::Start(begin))?;
    let mut bytes = Vec::new();
    file.take(end.saturating_sub(begin)).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Returns the number in two bytes; 0 where they are not there.
fn short(bytes: &[u8], at: usize) -> u16 {
    bytes.get(at..at + 2).and_then(|bytes| bytes.try_into().ok()).map_or(0, u16::from_le_bytes)
}

/// Returns the number in four bytes; 0 where they are not there.
fn long(bytes: &[u8], at: usize) -> u64 {
    bytes.get(at..at + 4).and_then(|bytes| bytes.try_into().ok()).map_or(0, u32::from_le_bytes).into()
}
