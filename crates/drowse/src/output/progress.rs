//! Progress on stderr, shown only where it is a terminal.

use std::time::Duration;

use drowse_core::units::Time;
use indicatif::{MultiProgress, ProgressBar, ProgressStyle};

/// One line per running case; gone when dropped.
pub struct Bars {
    bars: Vec<ProgressBar>,
}

impl Bars {
    /// Shows the lines of so many cases.
    pub fn new(cases: usize) -> Self {
        // The default target is stderr, and hides itself where that is no terminal.
        let lines = MultiProgress::new();
        let style = ProgressStyle::with_template("{spinner} {prefix}: {msg} simulated in {elapsed}");
        let style = style.unwrap_or_else(|_| ProgressStyle::default_spinner());
        let names = ["case", "baseline"];
        let bar = |name: &&'static str| {
            let bar = lines.add(ProgressBar::new_spinner().with_style(style.clone()).with_prefix(*name));
            bar.set_message("0 s");
            bar.enable_steady_tick(Duration::from_millis(200));
            bar
        };
        Bars { bars: names.iter().take(cases).map(bar).collect() }
    }

    /// Shows how far a case has come.
    pub fn show(&self, case: usize, now: Time) {
        if let Some(bar) = self.bars.get(case) {
            bar.set_message(format!("{:.3} ms", now.seconds() * 1e3));
        }
    }
}

impl Drop for Bars {
    fn drop(&mut self) {
        self.bars.iter().for_each(ProgressBar::finish_and_clear);
    }
}
