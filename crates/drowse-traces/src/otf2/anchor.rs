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

/// How the files of an archive are made.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Anchor {
    /// The length of chunks of events.
    pub events: u64,
    /// The length of chunks of definitions.
    pub definitions: u64,
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
        let anchor = read(&mut bytes);
        anchor.map_err(|problem| file.wrong((content.len() - bytes.left()) as u64, problem))
    }
}

/// Reads what follows the order of bytes.
fn read(bytes: &mut Bytes) -> Result<Anchor, Fault> {
    bytes.text()?;
    let form = bytes.u8()?;
    if form < *FORMS.start() {
        return Err("the anchor file is of a form that no version writes; the file is damaged: copy it again");
    }
    // The format of traces, and the three numbers of the version of OTF2.
    for _ in 0..4 {
        bytes.u8()?;
    }
    let (events, definitions) = (bytes.whole_u64()?, bytes.whole_u64()?);
    if !Chunks::is_size(events) || !Chunks::is_size(definitions) {
        return Err("chunks have a length that none can have; the file is damaged: copy it again");
    }
    match bytes.u8()? {
        1 => {}
        2 => return Err("the archive is kept by SIONlib; write it anew with SCOREP_TRACING_USE_SION=false"),
        _ => return Err("the files of the archive are kept in a way that is not known; record it again with Score-P"),
    }
    if bytes.u8()? != 1 {
        return Err(
            "the files of the archive are compressed by OTF2, which later versions do not read; record it again",
        );
    }
    // The numbers of locations and of definitions. Then machine, creator and description.
    (bytes.whole_u64()?, bytes.whole_u64()?);
    for _ in 0..3 {
        bytes.text()?;
    }
    if form > 1 {
        for _ in 0..bytes.whole_u32()? {
            // A property: its name and its value.
            (bytes.text()?, bytes.text()?);
        }
        // The number of the trace.
        bytes.whole_u64()?;
    }
    if form > 2 {
        // The numbers of snapshots and of thumbnails.
        (bytes.whole_u32()?, bytes.whole_u32()?);
    }
    if FORMS.contains(&form) && bytes.u8()? != END_OF_FILE {
        return Err("the anchor file goes on behind its end; the file is damaged: copy it again");
    }
    Ok(Anchor { events, definitions })
}
