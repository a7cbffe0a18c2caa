//! What is printed: tables to read on stdout, progress on stderr.

pub mod best;
pub mod colour;
mod columns;
mod number;
mod scale;
mod sheet;
pub mod states;
mod wrap;

pub mod deadlock;
pub mod findings;
pub mod forecast;
pub mod network;
pub mod progress;
pub mod reproduction;
pub mod rerun;
pub mod search;
pub mod shard;
pub mod status;
pub mod summary;
pub mod sweep;
pub mod sweep_progress;
pub mod trace;
pub mod usage;

use std::io::{self, ErrorKind, Write};
use std::path::Path;

use drowse_experiment::machine::is_bad_input;
use drowse_run::files::{ExportError, write_file};

use crate::failure::Failure;

/// Prints warnings to stderr.
pub fn warn(warnings: &[String]) {
    for warning in warnings {
        // Nothing can be said where stderr is closed.
        let text = format!("warning: {warning}");
        let _ = writeln!(io::stderr(), "{}", if colour::of_stderr() { colour::message(&text) } else { text });
    }
}

/// Prints a table to read, in colour where that is wanted.
pub fn print_table(text: &str) -> Result<(), Failure> {
    if colour::of_stdout() { print(&colour::table(text)) } else { print(text) }
}

/// Prints a result; a reader that has gone away, such as `head`, is no error.
pub fn print(text: &str) -> Result<(), Failure> {
    let mut stdout = io::stdout().lock();
    match stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(Failure::Output(error)),
        _ => Ok(()),
    }
}

/// Writes a file, which replaces one that is there; a reader never sees half of it.
pub fn save(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    let file = || path.display().to_string();
    let failed = |error: io::Error| {
        let path = file();
        if is_bad_input(&error) { ExportError::NoFile { path, error } } else { ExportError::Io { path, error } }
    };
    let (Some(folder), Some(name)) = (path.parent(), path.file_name().and_then(|name| name.to_str())) else {
        return Err(Failure::Export(failed(ErrorKind::InvalidFilename.into())));
    };
    let written = write_file(folder, name, |to| to.write_all(bytes).map_err(failed));
    written.map_err(|error| match error {
        ExportError::Io { error, .. } => Failure::Export(failed(error)),
        other => Failure::Export(other),
    })
}
