//! The formats that traces may have where other crates add theirs.

use std::fmt::{self, Debug, Formatter};
use std::path::Path;
use std::sync::Arc;

use crate::error::TraceError;
use crate::files;
use crate::format::{FORMATS, Format};
use crate::opened::Trace;

/// A trace format of another crate.
#[derive(Clone, Copy, Debug)]
pub struct OtherFormat {
    /// The name in experiments and results.
    pub name: &'static str,
    /// Returns whether a file that begins with these bytes, decompressed, is of this format. At least a page of a longer file is
    /// given. Formats of other crates are asked first.
    pub recognises: fn(&[u8]) -> bool,
    /// Opens a trace, as a rule by [`Trace::of_program`].
    pub open: fn(&Path) -> Result<Trace, TraceError>,
}

/// The formats that traces may have: [`FORMATS`], and those of other crates.
#[derive(Clone, Default)]
pub struct Formats {
    others: Arc<[OtherFormat]>,
}

impl Formats {
    /// Adds a format.
    #[must_use]
    pub fn with(&self, other: OtherFormat) -> Self {
        Formats { others: self.others.iter().copied().chain([other]).collect() }
    }

    /// Returns the names of all formats.
    pub fn names(&self) -> impl Iterator<Item = &'static str> {
        FORMATS.iter().map(|format| format.name).chain(self.others.iter().map(|other| other.name))
    }

    /// Opens a trace as one of the format that is named, by default as that which is recognised.
    pub fn open(&self, path: &Path, name: Option<&str>) -> Result<Trace, TraceError> {
        if let Some(format) = name.and_then(Format::named) {
            return Trace::open_as(path, format);
        }
        match self.other(path, name)? {
            Some(other) => (other.open)(path),
            None => Trace::open(path),
        }
    }

    /// Finds the format of another crate that is named, or that recognises a file.
    fn other(&self, path: &Path, name: Option<&str>) -> Result<Option<&OtherFormat>, TraceError> {
        if let Some(name) = name {
            return Ok(self.others.iter().find(|other| other.name == name));
        }
        if self.others.is_empty() {
            return Ok(None);
        }
        let head = files::look_at(path)?.single_head()?;
        Ok(head.and_then(|head| self.others.iter().find(|other| (other.recognises)(&head))))
    }
}

impl PartialEq for Formats {
    fn eq(&self, other: &Self) -> bool {
        self.names().eq(other.names())
    }
}

impl Debug for Formats {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        formatter.debug_list().entries(self.names()).finish()
    }
}
