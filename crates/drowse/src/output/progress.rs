//! Progress of runs on stderr, shown only where it is a terminal.

use std::time::Duration;

use drowse_run::progress as run;
use indicatif::{HumanDuration, MultiProgress, ProgressBar, ProgressStyle};

/// One line per running case; gone when dropped.
pub struct Bars {
    bars: Vec<ProgressBar>,
}

impl Bars {
    /// Shows the lines of so many cases.
    pub fn new(cases: usize) -> Self {
        // The default target is stderr, and hides itself where that is no terminal.
        let lines = MultiProgress::new();
        let style = style("{spinner} {prefix}: {msg}, {elapsed} passed");
        let names = ["case", "baseline"];
        let bar = |name: &&'static str| {
            let bar = lines.add(ProgressBar::new_spinner().with_style(style.clone()).with_prefix(*name));
            bar.set_message("0 ms simulated");
            bar.enable_steady_tick(Duration::from_millis(200));
            bar
        };
        Bars { bars: names.iter().take(cases).map(bar).collect() }
    }

    /// Shows how far a case has come.
    pub fn show(&self, case: usize, progress: run::Progress) {
        let Some(bar) = self.bars.get(case) else { return };
        if let Some(fraction) = progress.fraction {
            if bar.length().is_none() {
                bar.set_style(style("{spinner} {prefix} {bar:30} {percent:>3} %: {msg}, {elapsed} passed"));
                bar.set_length(STEPS);
            }
            bar.set_position(steps(fraction));
        }
        bar.set_message(message(progress, bar.elapsed()));
    }
}

/// Steps of a bar.
const STEPS: u64 = 1_000;

#[expect(clippy::cast_sign_loss, reason = "a share is not negative")]
fn steps(fraction: f64) -> u64 {
    (STEPS as f64 * fraction) as u64
}

/// The time left is shown only after this time, since earlier estimates are too rough.
const FIRST_GUESS: Duration = Duration::from_secs(3);

/// Returns how far a case has come, and the time left where it can be estimated.
fn message(progress: run::Progress, elapsed: Duration) -> String {
    let simulated = format!("{:.3} ms simulated", progress.now.seconds() * 1e3);
    match progress.fraction {
        Some(done) if elapsed >= FIRST_GUESS && done > 0.0 && done < 1.0 => {
            let left = elapsed.as_secs_f64() * (1.0 - done) / done;
            format!("{simulated}, {} left", HumanDuration(Duration::from_secs_f64(left.min(1e9))))
        }
        _ => simulated,
    }
}

impl Drop for Bars {
    fn drop(&mut self) {
        self.bars.iter().for_each(ProgressBar::finish_and_clear);
    }
}

pub(super) fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar())
}

/// One line for a reproduction that runs cases; gone when dropped.
pub struct CaseBar {
    bar: ProgressBar,
}

impl CaseBar {
    /// Shows nothing yet: most reproductions are there at once.
    pub fn new() -> Self {
        CaseBar {
            bar: ProgressBar::no_length().with_style(style("{spinner} {wide_bar} {pos} of {len} cases, {eta} left")),
        }
    }

    /// Shows how many cases have been run.
    pub fn show(&self, drowse_reproduce::Progress { done, total }: drowse_reproduce::Progress) {
        if done == 0 {
            self.bar.set_length(total);
            self.bar.enable_steady_tick(Duration::from_millis(200));
        }
        self.bar.set_position(done);
    }
}

impl Drop for CaseBar {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use drowse_core::model::units::Time;

    #[test]
    fn time_left_is_guessed_after_some_seconds() {
        let at = |fraction, seconds| {
            message(run::Progress { now: Time::from_us(1_234), fraction }, Duration::from_secs(seconds))
        };
        assert_eq!(at(Some(0.25), 1), "1.234 ms simulated");
        assert_eq!(at(Some(0.25), 60), "1.234 ms simulated, 3 minutes left");
        for unknown in [None, Some(0.0), Some(1.0)] {
            assert_eq!(at(unknown, 60), "1.234 ms simulated");
        }
        assert!(at(Some(1e-300), 60).ends_with("years left"));
    }
}
