//! OTF2 archives, as Score-P records them: a folder with an anchor file (`traces.otf2`), the definitions (`traces.def`) and
//! two files for each location, its definitions and its events.
//!
//! Each file is a list of [`chunks`] of records. A record is a type, a length and numbers ([`bytes`]); what is of an
//! unknown type is passed over by its length, and counted if it is an event. Ids of a location become those of all
//! ([`id_map`]), and its times those of one clock ([`clock`]).
//!
//! A rank is a place in MPI's group of locations; other threads are left out, and counted. How events
//! become operations:
//!
//! - A rank computes from its first event to its last wherever it is in no region whose name begins with `MPI_`.
//! - A send is of the mode that its region's name tells. That of MPI_Sendrecv is immediate, and waited for where the
//!   region ends.
//! - A receive is posted where its request is. Its sender and tag are those of the message that completed it, which is
//!   where it is waited for. So a receive of any sender or tag takes the one that it took. One that is never completed
//!   is left out, and counted.
//! - Sizes of collectives follow Score-P: what all ranks send or receive together counts. The root of a broadcast sends
//!   as many blocks as there are ranks, and all ranks of an allreduce, allgather or alltoall do. What each rank sends
//!   to each other in an alltoallv is not told: it is split evenly, and counted.
//! - Operations that make or free communicators and windows are left out, and counted. So are calls that the archive
//!   only names: collectives that do not block, before OTF2 3, and one-sided communication.
//!
//! Events are read once, when the archive is opened, one chunk at a time. Some 60 bytes per operation stay in memory.

mod anchor;
mod bytes;
mod chunks;
mod clock;
mod counts;
mod definitions;
mod events;
mod files;
mod id_map;
mod load;
mod local;
mod members;
mod rank;
mod regions;

use std::path::Path;
use std::sync::Arc;

use files::{Files, is_anchor};

use crate::error::TraceError;
use crate::files::Found;
use crate::reader::{Opened, Reader};

/// The name in results.
pub(crate) const NAME: &str = "otf2";

/// What this format is, for messages.
pub(crate) const ABOUT: &str = "OTF2 archives (Score-P)";

/// Returns whether the one file is an anchor, or a folder or archive holds one.
pub(crate) fn recognises(found: &Found) -> Result<bool, TraceError> {
    if let Found::File(file) = found {
        return Ok(is_anchor(&file.head).is_some());
    }
    Ok(!anchors(found)?.is_empty())
}

/// Opens the archive that was found: reads and checks it.
#[expect(clippy::needless_pass_by_value, reason = "as all formats are opened")]
pub(crate) fn open(found: Found) -> Result<Arc<dyn Reader>, TraceError> {
    let anchors = anchors(&found)?;
    let program = load::load(&Files::new(&found, &anchors)?, &found.label())?;
    Ok(Arc::new(Opened(Arc::new(program))))
}

/// Returns the names of the anchor files of a folder or an archive.
fn anchors(found: &Found) -> Result<Vec<String>, TraceError> {
    let mut anchors = Vec::new();
    for name in found.members()? {
        let is_named = Path::new(&name).extension().is_some_and(|ending| ending.eq_ignore_ascii_case("otf2"));
        if is_named && is_anchor(&found.member_head(&name)?).is_some() {
            anchors.push(name);
        }
    }
    Ok(anchors)
}
