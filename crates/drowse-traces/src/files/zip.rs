//! Unpacks a zip archive once into a spool, as [`super::archive`] does with tar.
//!
//! The crate `zip` reads the directory, one entry at a time: a directory that lies about the number of its entries takes
//! no memory. It ends a member that is longer than its entry says, and compares checksums. What is left to do here:
//! members that overlap are refused, as are those that end too early and paths that lead out; links are skipped.

use std::fs::File;
use std::io::{self, BufReader};
use std::path::Path;

use rustc_hash::FxHashMap;
use zip::read::{Config, ZipFileEntry};
use zip::result::ZipError;
use zip::unstable::read::ZipIterable;
use zip::{CompressionMethod, ZipReadOptions};

use super::archive::{Archive, ends_early, leads_out, normalize};
use super::not_unpacked::not_unpacked;
use super::refusal::Refusal;
use super::spool::{Extent, SpoolWriter};
use crate::error::{TraceError, shortened};

/// Unpacks the archive at `path`.
pub(crate) fn unpack(path: &Path) -> Result<Archive, TraceError> {
    let label = path.display().to_string();
    let open = || File::open(path).map(BufReader::new);
    let unreadable = |source| TraceError::Unreadable { file: label.clone(), source };
    let (directory, mut bodies) = (open().map_err(unreadable)?, open().map_err(unreadable)?);
    let packed = bodies.get_ref().metadata().map_or(u64::MAX, |metadata| metadata.len());
    let mut at = "its end".to_owned();
    let failed = |at: &str, error: ZipError| not_unpacked(&label, at, io_error(error));
    let mut archive =
        ZipIterable::try_new(directory, Config::default()).map_err(no_directory).map_err(|error| failed(&at, error))?;
    let (mut writer, mut members, mut sum) = (SpoolWriter::new(), FxHashMap::default(), 0_u64);
    for entry in archive.files().map_err(|error| failed("its directory", error))? {
        let entry = entry.map_err(|error| failed(&at, error))?;
        let name = entry.name().map_err(|error| failed(&at, error))?.replace('\\', "/");
        at = format!("member {}", shortened(&name));
        let refuse = |refusal: Refusal| not_unpacked(&label, &at, refusal.into());
        sum = sum.saturating_add(entry.compressed_size());
        if sum > packed {
            return Err(refuse(Refusal::Overlap));
        }
        if entry.is_dir() || entry.is_symlink() {
            continue;
        }
        if leads_out(&name) {
            return Err(refuse(Refusal::Path));
        }
        if !matches!(entry.compression(), CompressionMethod::Stored | CompressionMethod::Deflated) {
            return Err(refuse(Refusal::Method));
        }
        let extent = unpack_member(entry, &mut bodies, &mut writer, packed, (&label, &at))?;
        members.insert(normalize(&name), extent);
    }
    let spool = writer.finish().map_err(|source| TraceError::Spool { file: label.clone(), source })?;
    Ok(Archive { label, members, spool })
}

/// Copies a member of an archive of a length into the spool. Errors name the file and the member.
fn unpack_member(
    entry: ZipFileEntry<'_>,
    bodies: &mut BufReader<File>,
    writer: &mut SpoolWriter,
    packed: u64,
    (label, at): (&str, &str),
) -> Result<Extent, TraceError> {
    let told = entry.size();
    let opened = entry.with_reader(bodies, ZipReadOptions::new());
    let mut member = opened.map_err(|error| not_unpacked(label, at, io_error(error)))?;
    let extent = writer.copy(&mut member, packed).map_err(|error| error.of(label, at))?;
    if extent.length < told {
        return Err(not_unpacked(label, at, ends_early()));
    }
    Ok(extent)
}

/// Says of an archive without a directory, which is mostly one that is cut off, what is missing.
fn no_directory(error: ZipError) -> ZipError {
    match error {
        ZipError::InvalidArchive(what) => ZipError::InvalidArchive(format!("no directory is found ({what})").into()),
        error => error,
    }
}

/// Returns what an error of the crate is.
fn io_error(error: ZipError) -> io::Error {
    match error {
        ZipError::UnsupportedArchive(ZipError::PASSWORD_REQUIRED) => Refusal::Encrypted.into(),
        ZipError::InvalidArchive(what) => io::Error::new(io::ErrorKind::InvalidData, what.into_owned()),
        error => error.into(),
    }
}
