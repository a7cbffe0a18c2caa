//! The description of a trace, `PREFIX.meta`: a text of `key=value` lines. It names the trace of several in a folder.

use std::path::{Path, PathBuf};

use super::names::rank_of;
use crate::error::{Place, TraceError};
use crate::files::{ByteFile, Found, by_rank};
use crate::line_error::LineError;

/// What a description says.
pub(super) struct Meta {
    path: PathBuf,
    /// What the names of the ranks' files begin with.
    prefix: String,
    /// The number of ranks, and its line.
    ranks: Option<(u64, u64)>,
}

/// Returns the description, if that was found.
pub(super) fn of(found: &Found) -> Option<Meta> {
    let Found::File(file) = found else { return None };
    let text = std::str::from_utf8(&file.head).ok()?;
    let mut meta = Meta { path: file.path.clone(), prefix: String::new(), ranks: None };
    for (line, (key, value)) in (1..).zip(text.lines()).filter_map(|(line, text)| Some((line, text.split_once('=')?))) {
        match key.trim() {
            // The folder in which it was recorded may be another.
            "fileprefix" => value.trim().rsplit('/').next().unwrap_or_default().clone_into(&mut meta.prefix),
            "numprocs" => meta.ranks = value.trim().parse().ok().map(|ranks| (ranks, line)),
            _ => {}
        }
    }
    (!meta.prefix.is_empty() && meta.ranks.is_some()).then_some(meta)
}

impl Meta {
    /// Returns the files of all ranks, which are beside the description.
    pub fn files(self) -> Result<Vec<ByteFile>, TraceError> {
        let parent = self.path.parent().filter(|parent| !parent.as_os_str().is_empty());
        let folder = Found::Folder(parent.unwrap_or(Path::new(".")).to_owned());
        let names = folder.members()?;
        // A trace that was renamed has the name of its description.
        let stem = self.path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
        let with = |prefix: &str| -> Vec<String> {
            names.iter().filter(|name| rank_of(name).is_some_and(|(of, _)| of == prefix)).cloned().collect()
        };
        let names = [&*self.prefix, stem].into_iter().map(with).find(|names| !names.is_empty()).unwrap_or_default();
        let (wanted, line) = self.ranks.unwrap_or_default();
        if names.len() as u64 != wanted {
            let place = Place { file: self.path.display().to_string(), line };
            let problem = LineError::Record(format!(
                "names {wanted} ranks, but {} files {}-NNNN.bin are beside it; put all of them there",
                names.len(),
                self.prefix
            ));
            return Err(TraceError::Line { place, problem });
        }
        let ranks = by_rank(&folder, &names, rank_of)?.unwrap_or_default();
        Ok(ranks.into_iter().map(|name| ByteFile::new(folder.member(name), None)).collect())
    }
}
