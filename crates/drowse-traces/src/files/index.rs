//! The index of a trace: one path per line, in order of ranks. Blank lines and `#` comments are skipped.

use std::path::{Component, Path, PathBuf};

use super::archive::{Archive, normalize};
use super::lines::RankText;
use super::spool::Spool;
use crate::error::{Place, TraceError, shortened};

/// A line of an index.
pub(crate) struct Listed {
    pub line: u64,
    pub path: String,
}

/// Returns whether a file name is that of an index.
pub(crate) fn is_index_name(path: &str) -> bool {
    let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
    let extension = Path::new(name).extension().is_some_and(|e| e == "ti" || e == "index");
    extension && !name.starts_with('.')
}

/// Returns whether a line could be a path.
pub(crate) fn could_be_path(listed: &Listed) -> bool {
    !listed.path.contains(|c: char| c.is_whitespace() || c.is_control() || c == '\u{fffd}')
}

/// Returns whether a line of an index is the path of a file that is there, or that is refused for where it is.
pub(crate) fn is_listed(index: &Path, listed: &Listed) -> bool {
    !matches!(find_file(index, listed), Err(TraceError::MissingFile { .. }))
        && (could_be_path(listed) || find_file(index, listed).is_ok())
}

/// Returns the only candidate for the index.
fn only_one<'a>(container: &str, mut candidates: Vec<&'a str>) -> Result<&'a str, TraceError> {
    candidates.sort_unstable();
    match candidates[..] {
        [] => Err(TraceError::NoIndex { file: container.to_owned() }),
        [only] => Ok(only),
        _ => Err(TraceError::SeveralIndexes { file: container.to_owned(), found: candidates.join(", ") }),
    }
}

/// Finds the one index of a directory.
pub(crate) fn in_directory(directory: &Path) -> Result<PathBuf, TraceError> {
    let label = directory.display().to_string();
    let unreadable = |source| TraceError::Unreadable { file: label.clone(), source };
    let mut names = Vec::new();
    for entry in directory.read_dir().map_err(unreadable)? {
        let entry = entry.map_err(unreadable)?;
        let name = entry.file_name().to_string_lossy().into_owned();
        if is_index_name(&name) && entry.path().is_file() {
            names.push(name);
        }
    }
    let index = directory.join(only_one(&label, names.iter().map(String::as_str).collect())?);
    if is_within(directory, &index) {
        Ok(index)
    } else {
        Err(TraceError::OutsideIndex { file: index.display().to_string() })
    }
}

/// Returns whether a file lies in a folder or below it, all links followed.
pub(super) fn is_within(folder: &Path, file: &Path) -> bool {
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    match (folder.canonicalize(), file.canonicalize()) {
        (Ok(folder), Ok(file)) => file.starts_with(folder),
        _ => false,
    }
}

/// Finds the one index of an archive.
pub(crate) fn in_archive(archive: &Archive) -> Result<&str, TraceError> {
    let candidates = archive.members.keys().filter(|name| is_index_name(name)).map(String::as_str).collect();
    only_one(&archive.label, candidates)
}

/// Calls `visit` with each path that an index lists.
pub(crate) fn for_each_listed(
    index: &RankText,
    spool: Option<&Spool>,
    mut visit: impl FnMut(Listed) -> Result<(), TraceError>,
) -> Result<(), TraceError> {
    index.for_each_line(spool, |line, text| {
        let text = text.trim_ascii();
        if text.is_empty() || text[0] == b'#' {
            return Ok(());
        }
        // Some tools (Taz) mark each path in an index with an `@`.
        let path = text.strip_prefix(b"@").unwrap_or(text);
        visit(Listed { line, path: String::from_utf8_lossy(path).into_owned() })
    })
}

/// Finds a listed file in the folder of the index: its path begins there, or in the current directory. What a trace may
/// read does not depend on what is elsewhere: an absolute path, one with `..` and a link that leaves the folder are
/// refused.
pub(crate) fn find_file(index: &Path, listed: &Listed) -> Result<PathBuf, TraceError> {
    let folder = index.parent().unwrap_or(Path::new(""));
    let place = Place { file: index.display().to_string(), line: listed.line };
    let container = if folder.as_os_str().is_empty() { "this directory".into() } else { folder.display().to_string() };
    let outside = |place, container| TraceError::OutsideFile { place, listed: shortened(&listed.path), container };
    let path = Path::new(&listed.path);
    if !path.components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir)) {
        return Err(outside(place, container));
    }
    match [folder.join(path), path.to_owned()].into_iter().find(|path| path.is_file()) {
        Some(found) if is_within(folder, &found) => Ok(found),
        Some(_) => Err(outside(place, container)),
        None => Err(TraceError::MissingFile { place, listed: shortened(&listed.path), container }),
    }
}

/// Finds a listed member: relative to the index's folder in the archive, else to the archive's root.
pub(crate) fn find_member(archive: &Archive, index: &str, listed: &Listed) -> Result<String, TraceError> {
    let folder = index.rsplit_once('/').map_or("", |(folder, _)| folder);
    let candidates = [normalize(&format!("{folder}/{}", listed.path)), normalize(&listed.path)];
    candidates.into_iter().find(|name| archive.members.contains_key(name)).ok_or_else(|| TraceError::MissingFile {
        place: Place { file: format!("{}:{index}", archive.label), line: listed.line },
        listed: shortened(&listed.path),
        container: "the archive".into(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn index_names_are_known() {
        for name in ["trace.ti", "trace.index", "a/b/cg.ti", "smpi.index"] {
            assert!(is_index_name(name), "{name}");
        }
        for name in ["rank0.txt", "ti", "._trace.ti", "a.ti/rank0.txt", ".ti"] {
            assert!(!is_index_name(name), "{name}");
        }
    }
}
