//! Progress of a sweep on stderr: a line that changes where it is a terminal, else a line now and then.

use std::fmt::Write as _;
use std::io::{self, IsTerminal, Write as _};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use drowse_run::sweep::{Progress, Running};
use indicatif::{HumanDuration, ProgressBar};

use super::progress::style;

/// The most running cases whose shares are shown.
const MOST_SHARES: usize = 4;

/// How far a sweep has come; gone when dropped, but for lines.
pub struct SweepBar {
    bar: ProgressBar,
    /// Lines, where stderr is no terminal.
    lines: Option<Mutex<Lines>>,
}

/// When lines are printed: the first after ten seconds, then less and less often up to one a minute.
struct Lines {
    begun: Instant,
    due: Duration,
    step: Duration,
}

const FIRST_STEP: Duration = Duration::from_secs(10);
const LAST_STEP: Duration = Duration::from_mins(1);

impl SweepBar {
    /// Shows a sweep of so many cases, none of which has been checked.
    pub fn new(cases: u64) -> Self {
        let bar = ProgressBar::new(cases).with_style(style("{spinner} checking {pos} of {len} cases"));
        bar.enable_steady_tick(Duration::from_millis(200));
        let lines = (!io::stderr().is_terminal()).then(|| Mutex::new(Lines::new()));
        SweepBar { bar, lines }
    }

    /// Shows how far the sweep has come.
    pub fn show(&self, progress: &Progress) {
        match progress {
            Progress::Checked(cases) => {
                self.bar.set_position(*cases);
                self.line(|| format!("{cases} of {} cases checked", self.bar.length().unwrap_or(*cases)));
            }
            Progress::Planned { done, missing } => {
                self.bar.println(format!("{missing} cases to run, {done} were done before"));
                self.bar.set_length(*missing);
                self.bar.reset();
                self.bar.set_style(style("{spinner} {wide_bar} {msg}"));
            }
            Progress::Running(running) => {
                self.bar.set_position(running.ran);
                self.bar.set_message(message(running));
                self.line(|| message(running));
            }
        }
    }

    /// Prints a line if one is due.
    fn line(&self, text: impl FnOnce() -> String) {
        let Some(lines) = &self.lines else { return };
        let mut lines = lines.lock().unwrap_or_else(PoisonError::into_inner);
        let passed = lines.begun.elapsed();
        if lines.is_due(passed) {
            // Who does not read it misses nothing that is needed.
            let _ = writeln!(io::stderr(), "{}", text());
        }
    }
}

impl Drop for SweepBar {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

impl Lines {
    fn new() -> Self {
        Lines { begun: Instant::now(), due: FIRST_STEP, step: FIRST_STEP }
    }

    /// Returns whether a line is due after this time; then the next one is due later.
    fn is_due(&mut self, passed: Duration) -> bool {
        if passed < self.due {
            return false;
        }
        self.step = (self.step * 2).min(LAST_STEP);
        self.due = passed + self.step;
        true
    }
}

/// Says how many cases are done, running and failed, how far those that run are, and the time left.
fn message(running: &Running) -> String {
    let mut text = format!("{} of {} cases", running.ran, running.missing);
    if running.failed > 0 {
        // Writing into a text cannot fail.
        let _ = write!(text, ", {} failed", running.failed);
    }
    if !running.shares.is_empty() {
        let _ = write!(text, ", {} running", running.shares.len());
        let known = |share: &Option<f64>| share.map(|share| format!("{:.0} %", share * 100.0));
        let shares: Vec<String> = running.shares.iter().filter_map(known).take(MOST_SHARES).collect();
        if !shares.is_empty() {
            let _ = write!(text, " ({})", shares.join(", "));
        }
    }
    match running.left_s {
        _ if running.ran == running.missing => text,
        Some(seconds) => format!("{text}, about {} left", HumanDuration(Duration::from_secs_f64(seconds.min(1e9)))),
        None => format!("{text}, estimating the time left"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_come_less_and_less_often() {
        let mut lines = Lines::new();
        let due: Vec<u64> = (0..300).filter(|&second| lines.is_due(Duration::from_secs(second))).collect();
        assert_eq!(due, [10, 30, 70, 130, 190, 250]);
    }

    #[test]
    fn what_is_told() {
        let mut running = Running { missing: 9, ran: 0, failed: 0, shares: vec![Some(0.256), None], left_s: None };
        assert_eq!(message(&running), "0 of 9 cases, 2 running (26 %), estimating the time left");
        running = Running { ran: 3, failed: 1, left_s: Some(200.0), ..running };
        assert_eq!(message(&running), "3 of 9 cases, 1 failed, 2 running (26 %), about 3 minutes left");
        running = Running { ran: 9, shares: Vec::new(), ..running };
        assert_eq!(message(&running), "9 of 9 cases, 1 failed");
    }
}
