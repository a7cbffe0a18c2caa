//! The trace formats that are read: their names, how they are recognised, and how they are opened.
//!
//! To add a format: its folder with a [`Reader`], a variant of [`Format`] with its lines here, and its first bytes in
//! `files/container.rs`.

use std::path::Path;
use std::sync::Arc;

use crate::error::TraceError;
use crate::files::{self, Found};
use crate::reader::Reader;
use crate::simgrid_ti;

/// A trace format that is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// `SimGrid`'s time-independent traces.
    SimgridTi,
}

impl Format {
    /// Returns the format's name in configurations and tables.
    pub const fn name(self) -> &'static str {
        match self {
            Format::SimgridTi => simgrid_ti::NAME,
        }
    }

    /// Returns the format of what was found at a path.
    pub(crate) const fn of(found: Found) -> Self {
        match found {
            Found::Directory | Found::Text | Found::Archive(_) => Format::SimgridTi,
        }
    }

    /// Opens a trace of this format.
    pub(crate) fn open(self, path: &Path, found: Found) -> Result<Arc<dyn Reader>, TraceError> {
        Ok(match self {
            Format::SimgridTi => Arc::new(simgrid_ti::TiTrace::open(path, found)?),
        })
    }
}

/// Returns a trace's format from the first bytes, without reading the rest. Errors name the formats that are not read.
pub fn detect(path: impl AsRef<Path>) -> Result<Format, TraceError> {
    let path = path.as_ref();
    let found = files::look_at(path)?;
    if found == Found::Directory {
        files::in_directory(path)?;
    }
    Ok(Format::of(found))
}
