//! What the machine says: which failures are its own, and what a run cost it.

use std::fs::{self, File};
use std::io::{self, ErrorKind, Read};
use std::num::NonZeroUsize;
use std::thread;

/// Returns whether a file cannot be read or written because of what the user gave, rather than because the machine
/// failed.
pub fn is_bad_input(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        ErrorKind::NotFound
            | ErrorKind::PermissionDenied
            | ErrorKind::InvalidData
            | ErrorKind::InvalidInput
            | ErrorKind::InvalidFilename
            | ErrorKind::UnexpectedEof
            | ErrorKind::IsADirectory
            | ErrorKind::NotADirectory
    )
}

/// Returns the memory that can still be had, by the system and by the limit of the control group, where they tell it in
/// files.
pub fn available_bytes() -> Option<u64> {
    let number = |path: &str| fs::read_to_string(path).ok()?.trim().parse::<u64>().ok();
    let meminfo = fs::read_to_string("/proc/meminfo").ok();
    let system = meminfo.and_then(|text| kilobytes(&text, "MemAvailable:"));
    let limit = number("/sys/fs/cgroup/memory.max");
    let group = limit.zip(number("/sys/fs/cgroup/memory.current")).map(|(limit, used)| limit.saturating_sub(used));
    [system, group].into_iter().flatten().min()
}

/// Returns the bytes of a line of the system's files that counts kilobytes.
fn kilobytes(text: &str, name: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix(name))?;
    line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()?.checked_mul(1024)
}

/// Returns the number of cores that this process may use; 1 where the system does not tell.
pub fn cores() -> usize {
    thread::available_parallelism().map_or(1, NonZeroUsize::get)
}

/// Returns the CPU time of this thread in nanoseconds, where it can be had.
#[cfg(target_os = "linux")]
pub fn thread_cpu_ns() -> Option<u64> {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    let [seconds, nanoseconds] = [time.tv_sec, time.tv_nsec].map(u64::try_from);
    Some(seconds.ok()? * 1_000_000_000 + nanoseconds.ok()?)
}

/// Returns the CPU time of this thread in nanoseconds, where it can be had.
#[cfg(not(target_os = "linux"))]
pub fn thread_cpu_ns() -> Option<u64> {
    None
}

/// Returns the largest resident memory of this process so far in bytes, where the system tells it in a file.
pub fn peak_rss_bytes() -> Option<u64> {
    // In one go, which takes half the time: the system writes the file anew whenever it is read.
    let mut text = [0; 4096];
    let length = File::open("/proc/self/status").ok()?.read(&mut text).ok()?;
    kilobytes(std::str::from_utf8(&text[..length]).ok()?, "VmHWM:")
}
