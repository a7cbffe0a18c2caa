//! Why a trace cannot be read. Each message says where the problem is, what is wrong and what to do.

use std::fmt;
use std::io;

use crate::dumpi::Problem;
use crate::files::Refusal;
use crate::line_error::LineError;

/// A line of a trace, shown as `file:line`, or as `archive.tar.zst:member:line` inside an archive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The file, inside an archive with the member's name.
    pub file: String,
    /// The line, counted from one; 0 in files without lines.
    pub line: u64,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            0 => write!(f, "{}", self.file),
            line => write!(f, "{}:{line}", self.file),
        }
    }
}

/// Why a trace cannot be read or simulated.
#[derive(Debug, thiserror::Error)]
pub enum TraceError {
    /// A trace of a format of another crate is wrong.
    #[error("{place}: {what}")]
    Other {
        /// Where.
        place: Place,
        /// What is wrong, and what to do.
        what: String,
    },
    /// The file system or the decompressor reports an error.
    #[error("{file}: cannot be read: {source}; check that the path exists, may be read and is complete")]
    Unreadable {
        /// The file or archive.
        file: String,
        /// The system's error.
        source: io::Error,
    },
    /// The temporary file for the decompressed text fails.
    #[error("{file}: its decompressed text cannot be kept: {source}; give the temporary directory more room")]
    Spool {
        /// The trace.
        file: String,
        /// The system's error.
        source: io::Error,
    },
    /// The archive ends too early or is damaged.
    #[error("{file}: the archive is damaged or incomplete at {at}: {source}; copy it again")]
    DamagedArchive {
        /// The archive.
        file: String,
        /// The member that was being read, or "its first member".
        at: String,
        /// The decompressor's error.
        source: io::Error,
    },
    /// The archive or directory holds no file of a known format, and no index.
    #[error(
        "{file}: holds no file that starts like a known trace format, nor an index of SimGrid's texts, `trace.ti`, \
         which lists each rank's file; {reads}"
    )]
    NoTrace {
        /// The directory or archive.
        file: String,
        /// The formats that are read.
        reads: String,
    },
    /// The archive or directory holds no index.
    #[error(
        "{file}: holds no index; add a file `trace.ti` (or *.ti, *.index) that lists each rank's file, one per line"
    )]
    NoIndex {
        /// The directory or archive.
        file: String,
    },
    /// Several files could be the index.
    #[error("{file}: holds several index files ({found}); name the one that is meant, or keep only one")]
    SeveralIndexes {
        /// The directory or archive.
        file: String,
        /// The candidates.
        found: String,
    },
    /// The index lists no file.
    #[error("{file}: holds no action and lists no file; an index lists one path per line, line i for rank i")]
    EmptyIndex {
        /// The index.
        file: String,
    },
    /// The index lists one file several times, but the file does not hold as many ranks.
    #[error(
        "{index}: lists {file} {listed} times, but it holds {ranks} ranks; list each rank's own file, or correct it"
    )]
    ListedOften {
        /// The index.
        index: String,
        /// The file that it lists.
        file: String,
        /// How often it is listed.
        listed: usize,
        /// The ranks that the file holds.
        ranks: usize,
    },
    /// The index names a file that does not exist.
    #[error("{place}: lists `{listed}`, which is not there; correct the path, or add the file to {container}")]
    MissingFile {
        /// The line of the index.
        place: Place,
        /// What the index lists.
        listed: String,
        /// Where it was searched.
        container: String,
    },
    /// The index names a file that is not in its folder.
    #[error(
        "{place}: lists `{listed}`, which is outside {container}; an index lists files of its own folder only, by \
         paths from there: put the file there"
    )]
    OutsideFile {
        /// The line of the index.
        place: Place,
        /// What the index lists.
        listed: String,
        /// The folder of the index.
        container: String,
    },
    /// The index of a folder is a link to a file elsewhere.
    #[error("{file}: is a link to a file outside its folder; put the index itself there, or name it")]
    OutsideIndex {
        /// The index.
        file: String,
    },
    /// A rank's file in a folder is a link to a file elsewhere.
    #[error("{file}: is a link to a file outside its folder; put the file itself there")]
    OutsideLink {
        /// The file.
        file: String,
    },
    /// A text file is neither an index nor a trace.
    #[error("{place}: `{listed}` is neither a file's path nor a trace's line; {reads}")]
    NotATrace {
        /// The line.
        place: Place,
        /// What the line holds.
        listed: String,
        /// The formats that are read.
        reads: String,
    },
    /// A merged file holds no line of a rank.
    #[error("{file}: has no line of rank {rank}, but lines of rank {highest}; merge all ranks' files into it")]
    MissingRank {
        /// The merged file.
        file: String,
        /// The rank without lines.
        rank: u32,
        /// The highest rank that has lines.
        highest: u32,
    },
    /// A merged file holds no line at all.
    #[error("{file}: holds no action; check that the file is complete")]
    NoActions {
        /// The merged file.
        file: String,
    },
    /// A compressed file is damaged.
    #[error("{file}: the compressed file is damaged or incomplete: {source}; copy it again")]
    DamagedFile {
        /// The file.
        file: String,
        /// The decompressor's error.
        source: io::Error,
    },
    /// What is packed is not unpacked, though it may be whole.
    #[error("{file}: {at}{refusal}")]
    NotUnpacked {
        /// The file or archive.
        file: String,
        /// The member with a colon, or nothing.
        at: String,
        /// Why, and what to do.
        refusal: Refusal,
    },
    /// The format is known but not read.
    #[error("{file}: its format is known and not read: {name}; {advice}")]
    OtherFormat {
        /// The file.
        file: String,
        /// The format it is in.
        name: &'static str,
        /// What to do.
        advice: &'static str,
    },
    /// The file is binary and its format unknown.
    #[error("{file}: is not text and starts like no known trace format; {reads}")]
    UnknownFormat {
        /// The file.
        file: String,
        /// The formats that are read.
        reads: String,
    },
    /// A line is wrong.
    #[error("{place}: {problem}")]
    Line {
        /// The line.
        place: Place,
        /// What is wrong with it and what to do.
        problem: LineError,
    },
    /// A place of a DUMPI file is wrong.
    #[error("{file}: at byte {offset}: {problem}")]
    Dumpi {
        /// The file.
        file: String,
        /// The offset.
        offset: u64,
        /// What is wrong and what to do.
        problem: Problem,
    },
    /// A place of another binary file is wrong.
    #[error("{file}: at byte {offset}: {problem}")]
    Bytes {
        /// The file.
        file: String,
        /// The offset.
        offset: u64,
        /// What is wrong.
        problem: String,
    },
    /// A place of a JSON file is wrong.
    #[error("{file}:{line}: column {column}: {problem}")]
    Json {
        /// The file.
        file: String,
        /// The line, counted from one.
        line: u64,
        /// The column, counted from one.
        column: u64,
        /// What is wrong and what to do.
        problem: String,
    },
    /// The files of an OTF2 archive do not fit together.
    #[error("{file}: {problem}")]
    Otf2 {
        /// The archive.
        file: String,
        /// What is wrong and what to do.
        problem: String,
    },
    /// A folder or archive holds several traces.
    #[error(
        "{file}: holds files of several traces ({found}); keep one trace in a folder, or name the .meta file of one \
         (SST-DUMPI)"
    )]
    SeveralTraces {
        /// The folder or archive.
        file: String,
        /// Two prefixes of files.
        found: String,
    },
    /// A rank's file is not there.
    #[error("{file}: has no file of rank {rank}, but one of rank {highest}; add it, or choose one file alone")]
    MissingRankFile {
        /// The folder or archive.
        file: String,
        /// The rank without a file.
        rank: u32,
        /// The highest rank with a file.
        highest: u32,
    },
    /// The operations of a program that no file holds cannot be made.
    #[error("{reason}")]
    Program {
        /// Why.
        reason: String,
    },
    /// The ranks do not call the same collectives.
    #[error("{reason}; choose a whole trace of a program with one communicator")]
    DifferentCollectives {
        /// How they differ.
        reason: String,
    },
    /// The trace holds actions that cannot be simulated.
    #[error(
        "{first}: `{action}` cannot be simulated and occurs {occurrences} times{others}: {obstacle}; choose a trace \
             without it"
    )]
    NotSimulated {
        /// The action.
        action: String,
        /// Why it cannot be simulated.
        obstacle: &'static str,
        /// Its first occurrence.
        first: Place,
        /// The number of occurrences.
        occurrences: u64,
        /// The other actions that cannot be simulated, with their counts.
        others: String,
    },
}

/// Shortens a text of any length to fit a message.
pub(crate) fn shortened(text: &str) -> String {
    match text.char_indices().nth(60) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
