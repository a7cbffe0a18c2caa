//! The trace formats that are read: their names, how they are recognised by content, and how they are opened.
//!
//! To add a format: its folder with a [`Reader`], and a line in [`FORMATS`].

use std::sync::Arc;

use crate::dimemas;
use crate::dumpi;
use crate::error::{Place, TraceError, shortened};
use crate::files::{self, Content, Found};
use crate::foreign::foreign;
use crate::goal;
use crate::reader::Reader;
use crate::simgrid_ti;
use crate::text;
use crate::vef;

/// A trace format that is read.
pub struct Format {
    /// The name in results.
    pub name: &'static str,
    /// What it is, for messages: one of the formats that "this version reads".
    pub about: &'static str,
    recognises: fn(&Found) -> Result<bool, TraceError>,
    open: fn(Found) -> Result<Arc<dyn Reader>, TraceError>,
}

/// The formats that are read, in the order in which they are tried.
#[rustfmt::skip]
pub const FORMATS: &[Format] = &[
    Format { name: text::NAME, about: text::ABOUT, recognises: text::recognises, open: text::open },
    Format { name: dumpi::NAME, about: dumpi::ABOUT, recognises: dumpi::recognises, open: dumpi::open },
    Format { name: vef::NAME, about: vef::ABOUT, recognises: vef::recognises, open: vef::open },
    Format { name: dimemas::NAME, about: dimemas::ABOUT, recognises: dimemas::recognises, open: dimemas::open },
    Format { name: goal::NAME, about: goal::ABOUT, recognises: goal::recognises, open: goal::open },
    Format { name: simgrid_ti::NAME, about: simgrid_ti::ABOUT, recognises: simgrid_ti::recognises, open: simgrid_ti::open },
];

impl Format {
    /// Returns the format of what was found at a path. Errors name known formats that are not read.
    pub(crate) fn of(found: &Found) -> Result<&'static Format, TraceError> {
        for format in FORMATS {
            if (format.recognises)(found)? {
                return Ok(format);
            }
        }
        Err(refuse(found)?)
    }

    /// Opens a trace of this format.
    pub(crate) fn open(&self, found: Found) -> Result<Arc<dyn Reader>, TraceError> {
        (self.open)(found)
    }
}

/// Returns why nothing that was found is read.
fn refuse(found: &Found) -> Result<TraceError, TraceError> {
    let reads = reads();
    if let Some(head) = found.single_head()?
        && let Some(format) = foreign(&head)
    {
        return Ok(TraceError::OtherFormat { file: found.label(), format, reads });
    }
    for name in found.members()? {
        if let Some(format) = foreign(&found.member_head(&name)?) {
            return Ok(TraceError::OtherFormat { file: found.member(&name).label, format, reads });
        }
    }
    let file = found.label();
    let Found::File(single) = found else { return Ok(TraceError::NoIndex { file }) };
    if files::recognise(&single.head) != Content::Text {
        return Ok(TraceError::UnknownFormat { file, reads });
    }
    Ok(match simgrid_ti::first_line(&single.head) {
        Some((line, listed)) => {
            TraceError::NotATrace { place: Place { file, line }, listed: shortened(&listed), reads }
        }
        None => TraceError::UnknownFormat { file, reads },
    })
}

/// Says which formats are read.
fn reads() -> String {
    let formats: Vec<_> = FORMATS.iter().map(|format| format.about).collect();
    format!("this version reads {}", formats.join(", "))
}
