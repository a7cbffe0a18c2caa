//! What is printed: tables to read on stdout, progress on stderr.

mod columns;
mod number;
mod sheet;
pub mod states;
mod wrap;

pub mod deadlock;
pub mod findings;
pub mod network;
pub mod progress;
pub mod reproduction;
pub mod summary;
pub mod sweep;
pub mod trace;
pub mod usage;

use std::io::{self, ErrorKind, Write};

use crate::failure::Failure;

/// Prints warnings to stderr.
pub fn warn(warnings: &[String]) {
    for warning in warnings {
        // Nothing can be said where stderr is closed.
        let _ = writeln!(io::stderr(), "warning: {warning}");
    }
}

/// Prints a result; a reader that has gone away, such as `head`, is no error.
pub fn print(text: &str) -> Result<(), Failure> {
    let mut stdout = io::stdout().lock();
    match stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(Failure::Output(error)),
        _ => Ok(()),
    }
}
