//! Members of folders and archives that may be compressed themselves.

use std::io::{self, Read};
use std::sync::Arc;

use super::byte_file::ByteFile;
use super::container::{self, Content, HEAD_BYTES};
use super::found::{Found, look_at};
use super::lines::{Location, RankText};
use super::not_unpacked::not_decompressed;
use super::spool::{Spool, SpoolWriter};
use crate::error::TraceError;

/// The bytes of a member of an archive.
struct MemberBytes<'m> {
    text: &'m RankText,
    spool: &'m Spool,
    offset: u64,
}

impl Read for MemberBytes<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.text.read_at(Some(self.spool), self.offset, buffer);
        let read = read.map_err(|error| io::Error::other(error.to_string()))?;
        self.offset += read as u64;
        Ok(read)
    }
}

/// Returns the first bytes of a member, decompressed.
pub(crate) fn unpacked_head(found: &Found, name: &str) -> Result<Vec<u8>, TraceError> {
    let head = found.member_head(name)?;
    let Content::Compressed(compression) = container::recognise(&head) else { return Ok(head) };
    if let Found::Folder(path) = found {
        return Ok(look_at(&path.join(name))?.single_head()?.unwrap_or_default());
    }
    let text = found.member(name);
    let Some(spool) = found.spool() else { return Ok(head) };
    let bytes = MemberBytes { text: &text, spool, offset: 0 };
    let mut unpacked = Vec::with_capacity(HEAD_BYTES);
    let read =
        compression.decompress(bytes).and_then(|stream| stream.take(HEAD_BYTES as u64).read_to_end(&mut unpacked));
    read.map_err(|source| not_decompressed(&text.label, source))?;
    Ok(unpacked)
}

/// Makes members of a folder or an archive readable, decompressed.
pub(crate) fn unpacked_members(found: Found, names: &[String]) -> Result<Vec<ByteFile>, TraceError> {
    match found {
        Found::Folder(path) => {
            names.iter().map(|name| look_at(&path.join(name))?.into_single().map(ByteFile::alone)).collect()
        }
        Found::File(_) => Ok(Vec::new()),
        Found::Archive(archive) => {
            let texts: Vec<RankText> = names.iter().map(|name| archive.member(name)).collect();
            let spool = Arc::new(archive.spool);
            texts.into_iter().map(|text| unpacked(text, &spool)).collect()
        }
    }
}

/// Makes a member of an archive readable. A compressed one is decompressed into a spool of its own.
fn unpacked(text: RankText, spool: &Arc<Spool>) -> Result<ByteFile, TraceError> {
    let mut head = vec![0; HEAD_BYTES];
    let filled = text.read_at(Some(spool), 0, &mut head)?;
    let Content::Compressed(compression) = container::recognise(&head[..filled]) else {
        return Ok(ByteFile::new(text, Some(Arc::clone(spool))));
    };
    let label = text.label.clone();
    let packed = match &text.location {
        Location::Spooled(extents) => extents.iter().map(|extent| extent.length).sum(),
        Location::File(_) | Location::Part(..) => 0,
    };
    let mut writer = SpoolWriter::new();
    let bytes = MemberBytes { text: &text, spool, offset: 0 };
    let mut stream = compression.decompress(bytes).map_err(|source| not_decompressed(&label, source))?;
    let extent = writer.copy(&mut stream, packed).map_err(|error| error.of_file(&label))?;
    drop(stream);
    let own = writer.finish().map_err(|source| TraceError::Spool { file: label.clone(), source })?;
    let text = RankText { label, location: Location::Spooled(vec![extent]) };
    Ok(ByteFile::new(text, Some(Arc::new(own))))
}
