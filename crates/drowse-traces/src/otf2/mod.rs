//! OTF2 archives, as Score-P records them, through [`drowse_otf2`]: a folder with an anchor file (`traces.otf2`), the
//! definitions (`traces.def`) and two files for each location.
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
//! Events are read once, when the archive is opened. Some 60 bytes per operation stay in memory.

mod load;
mod members;
mod rank;
mod regions;

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::error::TraceError;
use crate::files::Found;
use crate::reader::{Opened, Reader};

/// The name in results.
pub(crate) const NAME: &str = "otf2";

/// What this format is, for messages.
pub(crate) const ABOUT: &str = "OTF2 archives (Score-P)";

/// The beginning of an anchor file.
const MARK: &[u8] = b"\x03BOTF2";

/// Returns whether the one file is an anchor, or a folder or archive holds one.
pub(crate) fn recognises(found: &Found) -> Result<bool, TraceError> {
    if let Found::File(file) = found {
        return Ok(file.head.starts_with(MARK));
    }
    Ok(!anchors(found)?.is_empty())
}

/// Opens the archive that was found: reads and checks it.
#[expect(clippy::needless_pass_by_value, reason = "as all formats are opened")]
pub(crate) fn open(found: Found) -> Result<Arc<dyn Reader>, TraceError> {
    let label = found.label();
    let refuse = |problem: &str| TraceError::Otf2 { file: label.clone(), problem: problem.to_owned() };
    let program = match &found {
        Found::File(file) if file.compression.is_some() => {
            return Err(refuse("is the anchor file alone, compressed; name the folder, or a tar or zip archive of it"));
        }
        Found::File(file) => load::load(&file.path, &label)?,
        _ => {
            let anchors = anchors(&found)?;
            let [anchor] = &anchors[..] else {
                return Err(refuse("holds no anchor file of one OTF2 archive; name its traces.otf2"));
            };
            if let Found::Folder(path) = &found {
                load::load(&path.join(anchor), &label)?
            } else {
                let spool = |source| TraceError::Spool { file: label.clone(), source };
                let folder = tempfile::tempdir().map_err(spool)?;
                load::load(&unpack(&found, folder.path(), anchor)?, &label)?
            }
        }
    };
    Ok(Arc::new(Opened(Arc::new(program))))
}

/// Returns the names of the anchor files of a folder or an archive.
fn anchors(found: &Found) -> Result<Vec<String>, TraceError> {
    let mut anchors = Vec::new();
    for name in found.members()? {
        let is_named = Path::new(&name).extension().is_some_and(|ending| ending.eq_ignore_ascii_case("otf2"));
        if is_named && found.member_head(&name)?.starts_with(MARK) {
            anchors.push(name);
        }
    }
    Ok(anchors)
}

/// Writes the members of an archive to a folder, where the library finds them. Returns the path of the anchor file.
fn unpack(found: &Found, folder: &Path, anchor: &str) -> Result<PathBuf, TraceError> {
    let failed = |source| TraceError::Spool { file: found.label(), source };
    let mut buffer = vec![0; 1 << 16];
    for name in found.members()? {
        // No path leads out of the archive: such archives are refused when they are unpacked.
        let path = folder.join(&name);
        fs::create_dir_all(path.parent().unwrap_or(folder)).map_err(failed)?;
        let mut file = fs::File::create(path).map_err(failed)?;
        let (member, mut offset) = (found.member(&name), 0);
        loop {
            let count = member.read_at(found.spool(), offset, &mut buffer)?;
            if count == 0 {
                break;
            }
            file.write_all(&buffer[..count]).map_err(failed)?;
            offset += count as u64;
        }
    }
    Ok(folder.join(anchor))
}
