//! `scheduler.log.unmapped`: what is assumed of jobs of a log that no `[[job]]` fits, and how much hangs on it.

use drowse_core::workload::exchanges::Division;
use schemars::JsonSchema;
use serde::Deserialize;

use super::in_range;
use super::log_map::Mapped;
use crate::diagnostic::Diagnostic;
use crate::keys::{Keys, join};

/// The share of time that goes to communication where none is written.
const SHARE: f64 = 0.2;
/// The exchanges of a job where none are written.
const EXCHANGES: u32 = 10;
/// The most exchanges of a job.
const MOST_EXCHANGES: u32 = 1_000_000;
/// Picoseconds of an hour.
const HOUR: f64 = 3.6e15;

/// What is assumed of jobs that no [[job]] fits. No measurement stands behind its defaults.
#[derive(Clone, Copy, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct UnmappedKeys {
    /// The share of a job's time that goes to communication, from 0 (its ranks only compute) to 1: alone on the machine, with
    /// all links on. What hangs on it is told by a sweep with several shares.
    #[schemars(extend("default" = SHARE), range(min = 0, max = 1))]
    share: Option<f64>,
    /// In how many exchanges, or a few more: ranks compute before each, in equal parts. They send to the node that is 1, 2, 4
    /// and so on further, each equally often. Many more, if a rank would send more than 32 GiB at once.
    #[schemars(extend("default" = EXCHANGES), range(min = 1, max = 1_000_000))]
    exchanges: Option<u32>,
}

impl UnmappedKeys {
    /// Checks the keys. Returns `None` where jobs only compute.
    pub fn resolve(self, keys: &Keys, path: &str) -> Result<Option<Division>, Diagnostic> {
        let share = self.share.unwrap_or(SHARE);
        if !(0.0..=1.0).contains(&share) {
            let at = join(path, "share");
            let message = format!("`{at}` = {share} is no share of a time");
            return Err(keys.error(&at, message, "write a number from 0 to 1, such as 0.2"));
        }
        let exchanges = in_range(self.exchanges, MOST_EXCHANGES, keys, &join(path, "exchanges"))?.unwrap_or(EXCHANGES);
        let sending_ppm = parts_per_million(share);
        Ok((sending_ppm > 0).then_some(Division { sending_ppm, exchanges }))
    }
}

#[expect(clippy::cast_sign_loss, reason = "a share is not negative")]
fn parts_per_million(share: f64) -> u32 {
    (share * 1e6).round() as u32
}

/// Says how many jobs have no program, what is assumed of them, and how the answer tells what hangs on it. Times of the
/// log were multiplied by `time_scale`.
pub fn note(mapped: &Mapped<'_>, time_scale: f64) -> Option<String> {
    if mapped.unmapped == 0 {
        return None;
    }
    let percent = 100.0 * mapped.unmapped_time as f64 / mapped.time.max(1) as f64;
    let hours = hours(mapped.unmapped_time as f64 / HOUR / time_scale);
    let which = format!(
        "{} of {} jobs, {percent:.1} % of the node-seconds ({hours} node hours of the log), have no [[job]] that fits",
        mapped.unmapped,
        mapped.jobs.len()
    );
    Some(match mapped.assumed {
        None => format!("{which}: they only compute, and the network carries nothing for them"),
        Some(Division { sending_ppm, exchanges }) => format!(
            "{which}: it is assumed, not measured, that they communicate for {} % of their time, in {exchanges} \
             exchanges or more each, where they have several nodes; a sweep over scheduler.log.unmapped.share tells what hangs on it",
            f64::from(sending_ppm) / 1e4
        ),
    })
}

/// Writes hours with three digits or all before the point.
fn hours(hours: f64) -> String {
    match hours {
        100.0.. => format!("{hours:.0}"),
        10.0.. => format!("{hours:.1}"),
        1.0.. => format!("{hours:.2}"),
        _ => format!("{hours:.3}"),
    }
}
