//! The anchor file: how the files of an archive are made.

use std::ops::RangeInclusive;

use super::bytes::{Bytes, Fault};
use super::chunks::Chunks;
use super::files::{OneFile, is_anchor};
use crate::error::TraceError;

/// The longest anchor file: texts of people, and a name and a value for each property.
const MOST: u64 = 1 << 20;
/// The forms of anchor files that are known. Later ones add to the last.
const FORMS: RangeInclusive<u8> = 1..=3;
/// What an anchor file ends with.
const END_OF_FILE: u8 = 2;

/// Where in the file is what is checked.
const FORM: u64 = 7;
const CHUNKS: u64 = 12;
const KEPT: u64 = 28;
const COMPRESSION: u64 = 29;

/// How the files of an archive are made.
pub(super) struct Anchor {
    /// The length of chunks of events.
    pub events: u64,
    /// The length of chunks of definitions.
    pub definitions: u64,
    form: u8,
    /// In what files, and how they are compressed.
    kept: u8,
    compression: u8,
}

impl Anchor {
    /// Reads an anchor file.
    pub fn read(file: &OneFile) -> Result<Self, TraceError> {
        let mut content = Vec::new();
        file.read(0, MOST, &mut content)?;
        let Some(order) = is_anchor(&content) else {
            return Err(file.wrong(0, "no anchor file begins here; name the traces.otf2 of an archive"));
        };
        let mut bytes = Bytes::new(&content[2..], order);
        let anchor = parts(&mut bytes).and_then(|anchor| rest(&mut bytes, anchor.form).map(|end| (anchor, end)));
        let at = (content.len() - bytes.left()) as u64;
        let (anchor, end) =
            anchor.map_err(|_| file.wrong(at, "the file ends here, and more must follow; copy it again"))?;
        anchor.check().map_err(|(at, problem)| file.wrong(at, problem))?;
        if end.is_some_and(|end| end != END_OF_FILE) {
            return Err(file.wrong(at - 1, "the file goes on where it must end; it is damaged: copy it again"));
        }
        Ok(anchor)
    }

    /// Says where and why the archive cannot be read.
    fn check(&self) -> Result<(), (u64, Fault)> {
        let is_size = Chunks::is_size(self.events) && Chunks::is_size(self.definitions);
        Err(match (self.kept, self.compression) {
            _ if self.form < *FORMS.start() => (FORM, "no version writes such a file; it is damaged: copy it again"),
            _ if !is_size => (CHUNKS, "chunks have a length that none can have; the file is damaged: copy it again"),
            (1, 1) => return Ok(()),
            (2, _) => (KEPT, "the archive is in files of SIONlib; record it again with SCOREP_TRACING_USE_SION=false"),
            (1, _) => (COMPRESSION, "the files of the archive are compressed, as OTF2 no longer does; record it again"),
            _ => (KEPT, "the archive is in files of an unknown kind; record it again with Score-P"),
        })
    }
}

/// Reads what is needed.
fn parts(bytes: &mut Bytes) -> Result<Anchor, Fault> {
    bytes.text()?;
    let form = bytes.u8()?;
    // The format of traces, and the three numbers of the version of OTF2.
    for _ in 0..4 {
        bytes.u8()?;
    }
    let (events, definitions) = (bytes.whole_u64()?, bytes.whole_u64()?);
    let (kept, compression) = (bytes.u8()?, bytes.u8()?);
    Ok(Anchor { events, definitions, form, kept, compression })
}

/// Reads over the rest, to see whether it is there. Returns what stands at the end of a known form.
fn rest(bytes: &mut Bytes, form: u8) -> Result<Option<u8>, Fault> {
    // The numbers of locations and of definitions. Then machine, creator and description.
    bytes.whole_u64()?;
    bytes.whole_u64()?;
    for _ in 0..3 {
        bytes.text()?;
    }
    if form > 1 {
        for _ in 0..bytes.whole_u32()? {
            // A property: its name and its value.
            bytes.text()?;
            bytes.text()?;
        }
        // The number of the trace.
        bytes.whole_u64()?;
    }
    if form > 2 {
        // The numbers of snapshots and of thumbnails.
        bytes.whole_u32()?;
        bytes.whole_u32()?;
    }
    FORMS.contains(&form).then(|| bytes.u8()).transpose()
}
