//! The trace formats that are read: their names, how they are recognised by content, and how they are opened.
//!
//! To add a format: its folder with a [`Reader`], and a line in [`FORMATS`].

use std::ffi::OsStr;
use std::io::Write;
use std::path::Path;
use std::sync::Arc;

use drowse_core::model::units::FlopRate;
use drowse_core::workload::operation::OperationSource;

use crate::chakra;
use crate::dimemas;
use crate::dumpi;
use crate::error::{Place, TraceError, shortened};
use crate::execution_trace;
use crate::files::{self, Content, Found};
use crate::goal;
use crate::kineto::{self, one_rank};
use crate::line_error::LineError;
use crate::otf2;
use crate::paraver;
use crate::reader::Reader;
use crate::registry::{self, Head, KnownFormat, REFUSED};
use crate::simgrid_ti;
use crate::text;
use crate::vef;
use crate::write::Program;
use crate::write_error::WriteError;

/// A trace format that is read.
///
/// A trace is converted by writing its operations in another format:
///
/// ```
/// use drowse_core::model::units::FlopRate;
/// use drowse_traces::{ComputeModel, Format, Trace};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let folder = tempfile::tempdir()?;
/// # let (from, to) = (folder.path().join("ring.drowse"), folder.path().join("ring.goal"));
/// let rank = |rank| format!("rank {rank}\nisend {} 100 B as 0\nrecv {}\nwait 0\n", (rank + 1) % 3, (rank + 2) % 3);
/// std::fs::write(&from, format!("drowse-trace 1\nranks 3\n{}{}{}", rank(0), rank(1), rank(2)))?;
/// let trace = Trace::open(&from)?;
/// let goal = Format::of_ending(&to);
/// goal.write(&|| trace.operations(ComputeModel::TEN_GIGAFLOPS), FlopRate(1), &mut std::fs::File::create(&to)?)?;
/// // The same messages are read from it: one of each rank.
/// let info = Trace::open(&to)?.info()?;
/// assert_eq!((info.format, info.messages.count, info.messages.bytes), ("goal", 3, 300));
/// # Ok(())
/// # }
/// ```
pub struct Format {
    /// The name in results.
    pub name: &'static str,
    /// What it is, for messages: one of the formats that "this version reads".
    pub about: &'static str,
    recognises: fn(&Found) -> Result<bool, TraceError>,
    open: fn(Found) -> Result<Arc<dyn Reader>, TraceError>,
    /// How it is written, and the ending of its files, if it is.
    writer: Option<Writer>,
}

/// How a format is written.
struct Writer {
    ending: &'static str,
    write: fn(&Program, &mut dyn Write) -> Result<Vec<String>, WriteError>,
}

/// Makes the line of a format from the folder of its reader.
macro_rules! entry {
    ($folder:ident, $writer:expr) => {
        Format {
            name: $folder::NAME,
            about: $folder::ABOUT,
            recognises: $folder::recognises,
            open: $folder::open,
            writer: $writer,
        }
    };
}

/// The formats that are read, in the order in which they are tried.
pub const FORMATS: &[Format] = &[
    entry!(text, Some(Writer { ending: "drowse", write: write_text })),
    entry!(dumpi, None),
    entry!(vef, Some(Writer { ending: "vef", write: vef::write })),
    entry!(dimemas, Some(Writer { ending: "dim", write: dimemas::write })),
    entry!(paraver, None),
    entry!(goal, Some(Writer { ending: "goal", write: goal::write })),
    entry!(otf2, None),
    entry!(chakra, None),
    entry!(kineto, None),
    entry!(one_rank, None),
    entry!(execution_trace, None),
    entry!(simgrid_ti, Some(Writer { ending: "ti", write: simgrid_ti::write })),
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

    /// Returns a format by its name.
    pub fn named(name: &str) -> Option<&'static Format> {
        FORMATS.iter().find(|format| format.name == name)
    }

    /// Returns the format that is written to a file: that of its ending, else Drowse's own.
    pub fn of_ending(path: &Path) -> &'static Format {
        let ending = path.extension().and_then(OsStr::to_str).unwrap_or_default();
        let has_ending = |format: &&Format| format.writer.as_ref().is_some_and(|writer| writer.ending == ending);
        FORMATS.iter().find(has_ending).unwrap_or(&FORMATS[0])
    }

    /// Returns whether programs can be written in this format.
    pub fn is_written(&self) -> bool {
        self.writer.is_some()
    }

    /// Writes a program, which is read as often as the format needs it; computations were made of operations at a
    /// speed. Returns what the format does not tell. What it cannot tell is refused.
    pub fn write(
        &self,
        open: &dyn Fn() -> Box<dyn OperationSource>,
        speed: FlopRate,
        out: &mut dyn Write,
    ) -> Result<Vec<String>, WriteError> {
        let Some(writer) = &self.writer else {
            let why = format!("{} traces are not written; choose another format", self.name);
            return Err(drowse_core::workload::operation::SourceError(why).into());
        };
        (writer.write)(&Program { open, speed }, out)
    }

    /// Opens a trace of this format.
    pub(crate) fn open(&self, found: Found) -> Result<Arc<dyn Reader>, TraceError> {
        (self.open)(found)
    }
}

/// Writes a program as Drowse's own text, which tells all of it.
fn write_text(program: &Program, out: &mut dyn Write) -> Result<Vec<String>, WriteError> {
    text::write((program.open)().as_mut(), out)?;
    Ok(Vec::new())
}

/// Returns all formats that are recognised: those that are read, and those that are refused with what to do.
pub fn known_formats() -> impl Iterator<Item = KnownFormat> {
    let read = FORMATS.iter().map(|format| KnownFormat { name: format.about, is_read: true, advice: "" });
    let refused = REFUSED.iter().map(|other| KnownFormat { name: other.name, is_read: false, advice: other.advice });
    read.chain(refused)
}

/// Returns why nothing that was found is read.
fn refuse(found: &Found) -> Result<TraceError, TraceError> {
    let other = |file: String, head: &[u8]| {
        let known = registry::find(&Head::new(head, &file))?;
        let (name, advice) = (known.name, known.advice);
        Some(TraceError::OtherFormat { file, name, advice })
    };
    if let Some(head) = found.single_head()?
        && let Some(refused) = other(found.label(), &head)
    {
        return Ok(refused);
    }
    for name in found.members()? {
        if let Some(refused) = other(found.member(&name).label, &found.member_head(&name)?) {
            return Ok(refused);
        }
    }
    let (file, reads) = (found.label(), reads());
    let Found::File(single) = found else { return Ok(TraceError::NoTrace { file, reads }) };
    if files::recognise(&single.head) != Content::Text {
        return Ok(TraceError::UnknownFormat { file, reads });
    }
    if let Some(line) = files::old_line_end(&single.head) {
        return Ok(TraceError::Line { place: Place { file, line }, problem: LineError::CarriageReturn });
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
