//! The files of an archive, which lie in a folder or in a packed archive: `NAME.otf2` (the anchor), `NAME.def`, and in
//! the folder `NAME` two for each location.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use super::bytes::Order;
use crate::error::TraceError;
use crate::files::{Found, Location, RankText, Spool};

/// What an anchor file begins with, after the mark of a chunk and the order of its bytes.
const NAME: &[u8] = b"OTF2\0";
/// What chunks and anchors begin with.
pub(super) const CHUNK: u8 = 3;

/// Returns the order of bytes in an anchor file that begins so; `None` where none does.
pub(super) fn is_anchor(head: &[u8]) -> Option<Order> {
    let [CHUNK, order, rest @ ..] = head else { return None };
    Order::named(*order).filter(|_| rest.starts_with(NAME))
}

/// The files of an archive.
pub(super) struct Files<'a> {
    found: &'a Found,
    /// The name of the anchor in a folder or packed archive.
    anchor: &'a str,
}

impl<'a> Files<'a> {
    /// Finds those of the one archive that was found: by its anchor file, or by the folder or packed archive around it.
    pub fn new(found: &'a Found, anchors: &'a [String]) -> Result<Self, TraceError> {
        let refuse = |problem: &str| Err(TraceError::Otf2 { file: found.label(), problem: problem.to_owned() });
        match (found, anchors) {
            (Found::File(file), _) if file.compression.is_some() => {
                refuse("is the anchor file alone, compressed; name the folder, or a tar or zip archive of it")
            }
            (Found::File(_), _) => Ok(Files { found, anchor: "" }),
            (_, [anchor]) => Ok(Files { found, anchor }),
            _ => refuse("holds no anchor file of one OTF2 archive; name its traces.otf2"),
        }
    }

    /// Returns the anchor file.
    pub fn anchor(&self) -> Result<OneFile<'a>, TraceError> {
        let text = match self.found {
            Found::File(file) => RankText::file(file.path.clone()),
            found => found.member(self.anchor),
        };
        self.file(text)?.ok_or_else(|| self.lacks(".otf2"))
    }

    /// Returns the file of what all locations share.
    pub fn definitions(&self) -> Result<OneFile<'a>, TraceError> {
        self.named(".def")?.ok_or_else(|| self.lacks(".def"))
    }

    /// Returns the file of what is of a location alone, if it is there.
    pub fn local(&self, location: u64) -> Result<Option<OneFile<'a>>, TraceError> {
        self.named(&format!("/{location}.def"))
    }

    /// Returns that a location has no such file, where others have one.
    pub fn lacks_local(&self, location: u64) -> TraceError {
        self.lacks(&format!("/{location}.def"))
    }

    /// Returns the file of a location's events.
    pub fn events(&self, location: u64) -> Result<OneFile<'a>, TraceError> {
        let ending = format!("/{location}.evt");
        self.named(&ending)?.ok_or_else(|| self.lacks(&ending))
    }

    /// Returns that the file with an ending is not there.
    fn lacks(&self, ending: &str) -> TraceError {
        let anchor = match self.found {
            Found::File(file) => Path::new(file.path.file_name().unwrap_or_default()),
            _ => Path::new(self.anchor),
        };
        let problem =
            format!("lacks its file {}; copy all files of the archive again", with_ending(anchor, ending).display());
        TraceError::Otf2 { file: self.found.label(), problem }
    }

    /// Returns the file whose path is that of the archive with an ending.
    fn named(&self, ending: &str) -> Result<Option<OneFile<'a>>, TraceError> {
        let text = match self.found {
            Found::File(file) => RankText::file(with_ending(&file.path, ending)),
            found => {
                let name = with_ending(Path::new(self.anchor), ending).to_string_lossy().into_owned();
                let text = found.member(&name);
                if matches!(&text.location, Location::File(path) if path.exists()) && found.leads_out(&name) {
                    return Err(TraceError::OutsideLink { file: text.label });
                }
                text
            }
        };
        self.file(text)
    }

    /// Returns a file, if it is there.
    fn file(&self, text: RankText) -> Result<Option<OneFile<'a>>, TraceError> {
        let length = match &text.location {
            Location::File(path) => match path.metadata() {
                Ok(metadata) => metadata.len(),
                Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
                Err(source) => return Err(TraceError::Unreadable { file: text.label, source }),
            },
            Location::Spooled(extents) if extents.is_empty() => return Ok(None),
            Location::Part(_, extent) => extent.length,
            Location::Spooled(extents) => extents.iter().map(|extent| extent.length).sum(),
        };
        Ok(Some(OneFile { text, spool: self.found.spool(), length }))
    }
}

/// Returns the path of an anchor without its ending, and with another one.
fn with_ending(anchor: &Path, ending: &str) -> PathBuf {
    let is_named = anchor.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("otf2"));
    let mut path = if is_named { anchor.with_extension("") } else { anchor.to_owned() }.into_os_string();
    path.push(ending);
    path.into()
}

/// A file of an archive.
pub(super) struct OneFile<'a> {
    text: RankText,
    spool: Option<&'a Spool>,
    pub length: u64,
}

impl OneFile<'_> {
    /// Fills a buffer with so many bytes from a position on, or with fewer at the end of the file.
    pub fn read(&self, from: u64, count: u64, buffer: &mut Vec<u8>) -> Result<(), TraceError> {
        let count = count.min(self.length.saturating_sub(from)) as usize;
        buffer.resize(count, 0);
        let filled = self.text.read_at(self.spool, from, buffer)?;
        buffer.truncate(filled);
        Ok(())
    }

    /// Returns that something is wrong at a position.
    pub fn wrong(&self, at: u64, problem: impl Into<String>) -> TraceError {
        TraceError::Bytes { file: self.text.label.clone(), offset: at, problem: problem.into() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_named_like_the_anchor() {
        let of = |anchor: &str, ending| with_ending(Path::new(anchor), ending).display().to_string();
        assert_eq!(of("traces.otf2", ".def"), "traces.def");
        assert_eq!(of("a.b/run.1.OTF2", "/3.evt"), "a.b/run.1/3.evt");
        assert_eq!(of("/anchor", ".def"), "/anchor.def");
    }

    #[test]
    fn anchors_are_of_both_orders() {
        assert_eq!(is_anchor(b"\x03BOTF2\0\x03"), Some(Order::Little));
        assert_eq!(is_anchor(b"\x03#OTF2\0\x03"), Some(Order::Big));
        for head in [&b"\x03BOTF2"[..], b"\x03COTF2\0", b"\x02BOTF2\0", b""] {
            assert_eq!(is_anchor(head), None);
        }
    }
}
