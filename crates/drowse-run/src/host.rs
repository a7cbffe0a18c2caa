//! `host.json`: where and when tables were made. It differs from run to run, so it is no part of the manifest.

use std::env::consts;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime};

use drowse_experiment::machine::cores;
use serde::{Deserialize, Serialize};

use crate::files::{ExportError, ResultFiles};

/// The name of the file.
pub const FILE: &str = "host.json";

/// Where and when tables were made.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct Host {
    /// The name of the machine, where the system tells it.
    pub host: Option<String>,
    /// Its system and architecture.
    pub system: String,
    /// Its cores that the program may use.
    pub cores: usize,
    /// The most threads that the program may use.
    pub threads: usize,
    /// When it began, in coordinated universal time.
    pub began: String,
    /// Seconds until the results were there.
    pub seconds: f64,
    /// The folder of the experiment of each case: paths in experiments are relative to it.
    pub folders: Vec<PathBuf>,
}

/// Takes the time from the beginning of a command.
#[derive(Clone, Copy, Debug)]
pub struct Clock {
    began: SystemTime,
    running: Instant,
}

impl Clock {
    /// Begins now.
    pub fn start() -> Self {
        Clock { began: SystemTime::now(), running: Instant::now() }
    }

    /// Describes this machine; `files` are the experiments of the cases.
    pub fn stop(self, threads: usize, files: &[&Path]) -> Host {
        let since = self.began.duration_since(SystemTime::UNIX_EPOCH).unwrap_or(Duration::ZERO);
        let folder = |file: &&Path| {
            let folder = file.parent().filter(|folder| *folder != Path::new("")).unwrap_or(Path::new("."));
            fs::canonicalize(folder).unwrap_or_else(|_| folder.to_owned())
        };
        Host {
            host: fs::read_to_string("/proc/sys/kernel/hostname").ok().map(|name| name.trim().to_owned()),
            system: format!("{} {}", consts::OS, consts::ARCH),
            cores: cores(),
            threads,
            began: utc(since.as_secs()),
            seconds: self.running.elapsed().as_secs_f64(),
            folders: files.iter().map(folder).collect(),
        }
    }
}

impl Host {
    /// Writes the file beside tables.
    pub fn write(&self, files: &mut ResultFiles<'_>) -> Result<(), ExportError> {
        files.write_json(FILE, self)
    }

    /// Reads the file of a folder; `None` where there is none that can be read.
    pub fn read(folder: &Path) -> Option<Self> {
        serde_json::from_str(&fs::read_to_string(folder.join(FILE)).ok()?).ok()
    }
}

/// Writes a time since 1970 as date and time, such as `2026-11-23T04:30:00Z`.
fn utc(seconds: u64) -> String {
    let (mut days, of_day) = (seconds / 86_400, seconds % 86_400);
    let mut year = 1970;
    let is_leap = |year: u64| year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    while days >= 365 + u64::from(is_leap(year)) {
        days -= 365 + u64::from(is_leap(year));
        year += 1;
    }
    let february = 28 + u64::from(is_leap(year));
    let mut month = 1;
    for length in [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] {
        if days < length {
            break;
        }
        days -= length;
        month += 1;
    }
    let (hour, minute, second) = (of_day / 3_600, of_day / 60 % 60, of_day % 60);
    format!("{year}-{month:02}-{:02}T{hour:02}:{minute:02}:{second:02}Z", days + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Against `date -u -d @SECONDS`.
    #[test]
    fn dates() {
        for (seconds, date) in [
            (0, "1970-01-01T00:00:00Z"),
            (951_782_399, "2000-02-28T23:59:59Z"),
            (951_782_400, "2000-02-29T00:00:00Z"),
            (1_709_251_199, "2024-02-29T23:59:59Z"),
            (1_735_689_599, "2024-12-31T23:59:59Z"),
            (4_107_542_400, "2100-03-01T00:00:00Z"),
        ] {
            assert_eq!(utc(seconds), date);
        }
    }
}
