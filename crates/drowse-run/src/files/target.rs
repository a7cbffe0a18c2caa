//! Where a user names a file to be written. What is no file, such as a device or a pipe, is written through. A file that
//! is there is lost only if the program has made it, or if the user says so; a result or an input never is.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use drowse_experiment::machine::is_bad_input;
use drowse_tables::checksums::{self, Checksums};

use super::error::ExportError;
use super::new_file::{NewFile, remove_partial_of};

/// The folder of the finished cases of a sweep, in the folder of its tables.
pub(crate) const STORED_CASES: &str = "cases";

/// What the program writes at the beginning or the end of a file that it may replace later.
pub const MARK: &str = "made by drowse";
/// How much of a file is searched for the mark, at its beginning and its end.
const MARKED_BYTES: u64 = 4096;

/// Which files a target must not be.
#[derive(Clone, Copy, Debug, Default)]
pub struct Guard<'a> {
    /// What the command reads.
    pub inputs: &'a [&'a Path],
    /// Whether other files that are there are replaced.
    pub force: bool,
}

/// A place to write to.
#[derive(Debug, PartialEq, Eq)]
pub enum Target {
    /// Standard output.
    Stdout,
    /// A device, a pipe or a socket, which is opened and written as it is.
    Through(PathBuf),
    /// A file, which gets its name when it is whole.
    File {
        /// Its folder.
        folder: PathBuf,
        /// Its name, which need not be UTF-8.
        name: OsString,
    },
}

/// What stands for standard output.
const STDOUT: [&str; 4] = ["-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"];

impl Target {
    /// Finds out what a path is. Refuses files that would be lost.
    pub fn of(path: &Path, guard: Guard<'_>) -> Result<Self, ExportError> {
        if STDOUT.iter().any(|name| Path::new(name) == path) {
            return Ok(Target::Stdout);
        }
        let Ok(there) = fs::metadata(path) else { return Target::new(path) };
        if there.is_dir() {
            return Err(kept(path, "is a folder; give the name of a file"));
        }
        // What the system keeps there, such as an open file, is no file that could be made anew.
        if !there.is_file() || ["/dev", "/proc"].iter().any(|folder| path.starts_with(folder)) {
            return Ok(Target::Through(path.to_owned()));
        }
        // A link stays, and the file that it leads to is written.
        let file = fs::canonicalize(path).map_err(|error| ExportError::of(path, error))?;
        if guard.inputs.iter().any(|input| fs::canonicalize(input).is_ok_and(|input| input == file)) {
            return Err(kept(path, "is read by this command, and would be lost; give another name"));
        }
        if is_result(&file) {
            return Err(kept(path, "belongs to results, which would be lost; give another name"));
        }
        if !guard.force && !is_ours(&file, &there) {
            return Err(kept(path, "is there already; give another name, or --force to replace it"));
        }
        Target::split(&file)
    }

    /// Returns the target of a path at which nothing is.
    fn new(path: &Path) -> Result<Self, ExportError> {
        if fs::symlink_metadata(path).is_ok() {
            return Err(kept(path, "is a link to nothing; give another name, or remove it"));
        }
        Target::split(path)
    }

    fn split(path: &Path) -> Result<Self, ExportError> {
        match (path.parent(), path.file_name()) {
            (Some(folder), Some(name)) => Ok(Target::File { folder: folder.to_owned(), name: name.to_owned() }),
            _ => Err(kept(path, "is no name of a file; give one")),
        }
    }

    /// Returns its path.
    pub fn path(&self) -> PathBuf {
        match self {
            Target::Stdout => STDOUT[0].into(),
            Target::Through(path) => path.clone(),
            Target::File { folder, name } => folder.join(name),
        }
    }

    /// Writes to it; a reader never sees half of a file.
    pub fn write<T, E: From<ExportError>>(&self, write: impl FnOnce(&mut dyn Write) -> Result<T, E>) -> Result<T, E> {
        match self {
            Target::Stdout => {
                let mut stdout = io::stdout().lock();
                let value = write(&mut stdout)?;
                stdout.flush().map_err(|error| ExportError::of(Path::new("-"), error))?;
                Ok(value)
            }
            Target::Through(path) => {
                let failed = |error| ExportError::of(path, error);
                let mut file = OpenOptions::new().append(true).open(path).map_err(failed)?;
                let value = write(&mut file)?;
                file.flush().map_err(failed)?;
                Ok(value)
            }
            Target::File { folder, name } => {
                let wrong = |error| of_file(&folder.join(name), error);
                remove_partial_of(folder, name).map_err(wrong)?;
                let mut file = NewFile::create(folder, name).map_err(wrong)?;
                let value = write(&mut file)?;
                file.finish().map_err(wrong)?;
                Ok(value)
            }
        }
    }
}

fn kept(path: &Path, reason: &str) -> ExportError {
    ExportError::Kept { path: path.display().to_string(), reason: reason.into() }
}

/// Says that it is the name of the file that is wrong, where it is.
fn of_file(path: &Path, error: ExportError) -> ExportError {
    match error {
        ExportError::Io { error, .. } if is_bad_input(&error) => {
            ExportError::NoFile { path: path.display().to_string(), error }
        }
        other => other,
    }
}

/// Returns whether a file is one of a folder of results, or a stored case.
fn is_result(file: &Path) -> bool {
    let (Some(folder), Some(name)) = (file.parent(), file.file_name()) else { return false };
    let is_stored = folder.file_name() == Some(OsStr::new(STORED_CASES)) && has_results(folder.parent());
    let is_listed = |sums: Checksums| name.to_str().is_some_and(|name| name == checksums::FILE || sums.has(name));
    // Where the list is damaged, any file may be one.
    let in_results = match Checksums::read(folder) {
        Ok(Some(sums)) => is_listed(sums),
        Ok(None) => OWN.iter().any(|own| name == *own) && has_results(Some(folder)),
        Err(_) => true,
    };
    is_stored || in_results
}

/// What a folder has before its tables are written.
const OWN: [&str; 3] = ["plan.json", ".lock", "submit.sh"];

/// Returns whether results are in a folder, perhaps not yet all.
fn has_results(folder: Option<&Path>) -> bool {
    folder.is_some_and(|folder| ["plan.json", checksums::FILE].iter().any(|name| folder.join(name).is_file()))
}

/// Returns whether the program has made a file, or whether nothing is in it.
fn is_ours(file: &Path, there: &Metadata) -> bool {
    let search = || -> io::Result<bool> {
        let mut file = File::open(file)?;
        let mut part = Vec::new();
        (&mut file).take(MARKED_BYTES).read_to_end(&mut part)?;
        file.seek(SeekFrom::Start(there.len().saturating_sub(MARKED_BYTES)))?;
        file.take(MARKED_BYTES).read_to_end(&mut part)?;
        Ok(part.windows(MARK.len()).any(|bytes| bytes == MARK.as_bytes()))
    };
    there.len() == 0 || search().unwrap_or(false)
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOTHING: Guard<'_> = Guard { inputs: &[], force: false };
    const FORCE: Guard<'_> = Guard { inputs: &[], force: true };

    fn refused(path: &Path, guard: Guard<'_>) -> String {
        Target::of(path, guard).map_or_else(|error| error.to_string(), |target| panic!("{target:?}"))
    }

    fn put(path: &Path, text: &str) {
        fs::write(path, text).unwrap_or_else(|error| panic!("{error}"));
    }

    #[test]
    fn what_is_no_file_is_written_through() {
        for name in STDOUT {
            assert!(matches!(Target::of(Path::new(name), NOTHING), Ok(Target::Stdout)), "{name}");
        }
        assert!(matches!(Target::of(Path::new("/dev/null"), NOTHING), Ok(Target::Through(_))));
        let written = Target::of(Path::new("/dev/full"), NOTHING).and_then(|target| {
            target.write(|to| to.write_all(b"x").map_err(|error| ExportError::of(Path::new(""), error)))
        });
        assert!(written.is_err() && Path::new("/dev/full").exists());
    }

    #[test]
    fn files_are_lost_only_by_force_or_where_the_program_made_them() {
        let place = tempfile::tempdir().unwrap_or_else(|error| panic!("{error}"));
        let file = place.path().join("notes.txt");
        put(&file, "mine\n");
        assert!(refused(&file, NOTHING).contains("--force") && Target::of(&file, FORCE).is_ok());
        assert!(refused(&file, Guard { inputs: &[&file], force: true }).contains("is read by this command"));
        put(&file, &format!("{}<!-- {MARK} -->\n", "x".repeat(9_000)));
        assert!(Target::of(&file, NOTHING).is_ok());
        put(&file, &format!("{MARK}\n{}", "x".repeat(9_000)));
        assert!(Target::of(&file, NOTHING).is_ok());
        assert!(refused(place.path(), FORCE).contains("is a folder"));
    }

    #[test]
    fn results_are_never_lost() {
        let place = tempfile::tempdir().unwrap_or_else(|error| panic!("{error}"));
        let [cases, list, page] = ["cases.csv", checksums::FILE, "page.html"].map(|name| place.path().join(name));
        put(&cases, MARK);
        let mut sums = Checksums::default();
        sums.add("cases.csv", checksums::Checksum::of(b"x"));
        put(&list, &sums.to_text());
        put(&page, MARK);
        assert!([&cases, &list].iter().all(|file| refused(file, FORCE).contains("belongs to results")));
        assert!(Target::of(&page, NOTHING).is_ok());
        put(&list, "{");
        assert!(refused(&cases, FORCE).contains("belongs to results"));
    }

    #[cfg(unix)]
    #[test]
    fn links_stay() {
        let place = tempfile::tempdir().unwrap_or_else(|error| panic!("{error}"));
        let [file, link, nowhere] = ["file", "link", "nowhere"].map(|name| place.path().join(name));
        let linked =
            |to: &Path, at: &Path| std::os::unix::fs::symlink(to, at).unwrap_or_else(|error| panic!("{error}"));
        put(&file, MARK);
        linked(&file, &link);
        linked(Path::new("gone"), &nowhere);
        assert!(refused(&nowhere, FORCE).contains("a link to nothing"));
        let written = Target::of(&link, NOTHING)
            .and_then(|target| target.write(|to| to.write_all(b"new").map_err(|error| ExportError::of(&link, error))));
        assert!(written.is_ok() && link.is_symlink());
        assert_eq!(fs::read(&file).ok().as_deref(), Some(&b"new"[..]));
    }
}
