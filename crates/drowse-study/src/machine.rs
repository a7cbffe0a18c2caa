//! What the machine says: which failures are its own, and what a run cost it.

use std::fs;
use std::io::{self, ErrorKind};

/// Tells whether a file cannot be read because of what the user gave, rather than because the machine failed.
pub fn is_bad_input(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        ErrorKind::NotFound
            | ErrorKind::InvalidData
            | ErrorKind::InvalidInput
            | ErrorKind::InvalidFilename
            | ErrorKind::UnexpectedEof
            | ErrorKind::IsADirectory
            | ErrorKind::NotADirectory
    )
}

/// Gives the CPU time of this thread in nanoseconds, where the system tells it in a file.
pub fn thread_cpu_ns() -> Option<u64> {
    let text = fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    text.split_whitespace().next()?.parse().ok()
}

/// Gives the largest resident memory of this process so far in bytes, where the system tells it in a file.
pub fn peak_rss_bytes() -> Option<u64> {
    let text = fs::read_to_string("/proc/self/status").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()?.checked_mul(1024)
}
