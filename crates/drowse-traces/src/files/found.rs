//! What stands at a path: a folder, a single file, perhaps compressed, or an archive.
//!
//! Formats are recognised by what they find here: the first bytes of the one file, or those of the members of a folder
//! or an archive.

use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::{Path, PathBuf};

use super::archive::{self, Archive};
use super::container::{self, Compression, Content, HEAD_BYTES};
use super::fingerprint::{FNV_OFFSET, add_line};
use super::index::is_within;
use super::lines::{Location, MARK, RankText};
use super::not_unpacked::not_decompressed;
use super::spool::{Spool, SpoolWriter};
use super::zip;
use crate::error::{Place, TraceError};
use crate::input;
use crate::line_error::LineError;

/// What stands at a path.
pub(crate) enum Found {
    /// A folder.
    Folder(PathBuf),
    /// One file that is no archive.
    File(SingleFile),
    /// A tar or zip archive, unpacked.
    Archive(Archive),
}

/// One file that is no archive.
pub(crate) struct SingleFile {
    pub path: PathBuf,
    pub compression: Option<Compression>,
    /// Its first bytes, decompressed.
    pub head: Vec<u8>,
}

/// A file or member that can be read at any position, with the spool that holds it, if one does.
pub(crate) struct Stored {
    pub text: RankText,
    pub spool: Option<Spool>,
}

impl Stored {
    /// Reads all lines, without the blanks around them, and returns a hash of the whole. What is wrong with a line is
    /// said at its place.
    pub fn read_lines(&self, mut read: impl FnMut(u64, &[u8]) -> Result<(), LineError>) -> Result<u64, TraceError> {
        let mut hash = FNV_OFFSET;
        self.text.for_each_line(self.spool.as_ref(), |line, text| {
            hash = add_line(hash, text);
            let at = |problem| TraceError::Line { place: Place { file: self.text.label.clone(), line }, problem };
            read(line, text.trim_ascii()).map_err(at)
        })?;
        Ok(hash)
    }
}

/// Returns what stands at a path. Reads the first bytes of a file, and unpacks an archive.
pub(crate) fn look_at(path: &Path) -> Result<Found, TraceError> {
    let label = path.display().to_string();
    let unreadable = |source| TraceError::Unreadable { file: label.clone(), source };
    input::refuse_streams(path).map_err(unreadable)?;
    if std::fs::metadata(path).map_err(unreadable)?.is_dir() {
        return Ok(Found::Folder(path.to_owned()));
    }
    let head = head_of(File::open(path).map_err(unreadable)?).map_err(unreadable)?;
    let (compression, head) = match container::recognise(&head) {
        Content::Tar => return Ok(Found::Archive(archive::unpack(path, None)?)),
        Content::Zip => return Ok(Found::Archive(zip::unpack(path)?)),
        Content::Compressed(compression) => {
            let file = File::open(path).map_err(unreadable)?;
            let inner =
                compression.decompress(file).and_then(head_of).map_err(|source| not_decompressed(&label, source))?;
            if container::recognise(&inner) == Content::Tar {
                return Ok(Found::Archive(archive::unpack(path, Some(compression))?));
            }
            (Some(compression), inner)
        }
        Content::Text | Content::Binary => (None, head),
    };
    Ok(Found::File(SingleFile { path: path.to_owned(), compression, head }))
}

impl Found {
    /// Returns the name in messages.
    pub fn label(&self) -> String {
        match self {
            Found::Folder(path) | Found::File(SingleFile { path, .. }) => path.display().to_string(),
            Found::Archive(archive) => archive.label.clone(),
        }
    }

    /// Returns the first bytes of the one file: the file itself, or the only member of an archive. `None` where there
    /// are several.
    pub fn single_head(&self) -> Result<Option<Vec<u8>>, TraceError> {
        match self {
            Found::Folder(_) => Ok(None),
            Found::File(file) => Ok(Some(file.head.clone())),
            Found::Archive(archive) => match archive.only_member() {
                Some(member) => self.member_head(member).map(Some),
                None => Ok(None),
            },
        }
    }

    /// Makes the one file readable, for formats that have recognised its head. A compressed file is decompressed here.
    pub fn into_single(self) -> Result<Stored, TraceError> {
        match self {
            Found::File(file) => file.store(),
            Found::Archive(archive) => {
                let member = archive.only_member().unwrap_or_default().to_owned();
                let text = archive.member(&member);
                Ok(Stored { text, spool: Some(archive.spool) })
            }
            Found::Folder(path) => Ok(Stored { text: RankText::file(path), spool: None }),
        }
    }

    /// Returns the names of the files in a folder (not below it), or of all members of an archive, in order.
    pub fn members(&self) -> Result<Vec<String>, TraceError> {
        let mut names: Vec<String> = match self {
            Found::File(_) => Vec::new(),
            Found::Archive(archive) => archive.members.keys().cloned().collect(),
            Found::Folder(path) => {
                let unreadable = |source| TraceError::Unreadable { file: path.display().to_string(), source };
                let mut names = Vec::new();
                for entry in path.read_dir().map_err(unreadable)? {
                    let entry = entry.map_err(unreadable)?;
                    if entry.path().is_file() {
                        names.push(entry.file_name().to_string_lossy().into_owned());
                    }
                }
                names
            }
        };
        names.sort_unstable();
        Ok(names)
    }

    /// Returns whether a member of a folder is a link to a file that is not in the folder.
    pub fn leads_out(&self, name: &str) -> bool {
        matches!(self, Found::Folder(path) if !is_within(path, &path.join(name)))
    }

    /// Returns a member of a folder or of an archive. Nothing is read.
    pub fn member(&self, name: &str) -> RankText {
        match self {
            Found::Folder(path) => RankText::file(path.join(name)),
            Found::File(file) => RankText::file(file.path.with_file_name(name)),
            Found::Archive(archive) => archive.member(name),
        }
    }

    /// Returns the first bytes of a member.
    pub fn member_head(&self, name: &str) -> Result<Vec<u8>, TraceError> {
        let mut head = vec![0; HEAD_BYTES];
        let filled = self.member(name).read_at(self.spool(), 0, &mut head)?;
        head.truncate(filled);
        Ok(without_mark(head))
    }

    /// Returns what holds the members of an archive.
    pub fn spool(&self) -> Option<&Spool> {
        match self {
            Found::Archive(archive) => Some(&archive.spool),
            _ => None,
        }
    }
}

impl SingleFile {
    /// Makes the file readable at any position: a compressed one is decompressed into a spool.
    pub fn store(self) -> Result<Stored, TraceError> {
        let Some(compression) = self.compression else {
            return Ok(Stored { text: RankText::file(self.path), spool: None });
        };
        let label = self.path.display().to_string();
        let file = File::open(&self.path).map_err(|source| TraceError::Unreadable { file: label.clone(), source })?;
        let packed = file.metadata().map_or(u64::MAX, |metadata| metadata.len());
        let mut stream = compression
            .decompress(BufReader::with_capacity(1 << 16, file))
            .map_err(|source| not_decompressed(&label, source))?;
        let mut writer = SpoolWriter::new();
        let extent = writer.copy(&mut stream, packed).map_err(|error| error.of_file(&label))?;
        let spool = writer.finish().map_err(|source| TraceError::Spool { file: label.clone(), source })?;
        Ok(Stored { text: RankText { label, location: Location::Spooled(vec![extent]) }, spool: Some(spool) })
    }
}

/// Reads the first bytes of a stream.
fn head_of(stream: impl Read) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::with_capacity(HEAD_BYTES);
    stream.take(HEAD_BYTES as u64).read_to_end(&mut bytes)?;
    Ok(without_mark(bytes))
}

/// Removes the byte order mark from the first bytes of a text.
fn without_mark(mut head: Vec<u8>) -> Vec<u8> {
    if head.starts_with(MARK) {
        head.drain(..MARK.len());
    }
    head
}
