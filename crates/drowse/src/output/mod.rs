//! What is printed: tables to read on stdout, progress on stderr.

pub mod best;
pub mod colour;
mod columns;
pub mod devices;
mod number;
mod scale;
mod sheet;
pub mod states;
mod wrap;

pub mod deadlock;
pub mod expected;
pub mod findings;
pub mod forecast;
pub mod interrupt;
pub mod network;
pub mod progress;
pub mod reproduction;
pub mod rerun;
pub mod screen;
pub mod search;
pub mod shard;
pub mod sound;
pub mod status;
pub mod summary;
pub mod sweep;
pub mod sweep_progress;
pub mod trace;
pub mod units;
pub mod usage;
pub mod verify;

use std::ffi::OsStr;
use std::io::{self, ErrorKind, Write};

use drowse_run::files::ExportError;
use drowse_run::files::target::{MARK, Target};

use crate::failure::Failure;

/// Prints warnings to stderr.
pub fn warn(warnings: &[String]) {
    for warning in warnings {
        // Nothing can be said where stderr is closed.
        let text = format!("warning: {warning}");
        let _ = writeln!(io::stderr(), "{}", if colour::of_stderr() { colour::message(&text) } else { text });
    }
}

/// Most damaged files that are named one by one.
const MOST_NAMED: usize = 10;

/// Names files of stored cases that were not as they were written, and says what has fate of their cases.
pub fn warn_of_damaged(files: &[String], fate: &str) {
    let told = |file: &String| format!("{file}: is not as it was written; {fate}");
    let mut warnings: Vec<String> = files.iter().take(MOST_NAMED).map(told).collect();
    if files.len() > MOST_NAMED {
        warnings.push(format!("{} more files are not as they were written; {fate}", files.len() - MOST_NAMED));
    }
    warn(&warnings);
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

/// Writes a file, to which a mark is added that it may be replaced: that of its ending.
pub fn save(target: &Target, text: &str) -> Result<(), Failure> {
    let path = target.path();
    let mark = match path.extension().and_then(OsStr::to_str) {
        Some("html" | "svg") => format!("<!-- {MARK} -->\n"),
        _ => String::new(),
    };
    save_bytes(target, (text.to_owned() + &mark).as_bytes())
}

/// Writes a picture whatever its name ends with; to a file the mark is added that it may be replaced.
pub fn save_svg(target: &Target, svg: &str) -> Result<(), Failure> {
    let mark = if matches!(target, Target::File { .. }) { format!("<!-- {MARK} -->\n") } else { String::new() };
    save_bytes(target, format!("{svg}{mark}").as_bytes())
}

/// Writes a file as it is.
pub fn save_bytes(target: &Target, bytes: &[u8]) -> Result<(), Failure> {
    let failed = |error| ExportError::Io { path: target.path().display().to_string(), error };
    let gone = |error: &io::Error| *target == Target::Stdout && error.kind() == ErrorKind::BrokenPipe;
    let written = target.write(|to| match to.write_all(bytes) {
        Err(error) if !gone(&error) => Err(failed(error)),
        _ => Ok(()),
    });
    written.map_err(Failure::Export)
}
