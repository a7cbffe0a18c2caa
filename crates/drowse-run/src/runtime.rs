//! What the runtime system has done, as figures: those of all jobs together.

use drowse_core::model::units::Time;
use drowse_core::power::runtime::{JobRecord, Mean, Mode, RuntimeRecord};
use drowse_tables::Row;

/// Adds the figures.
pub fn push(row: &mut Row, record: &RuntimeRecord) {
    let sum = |of: fn(&JobRecord) -> u64| record.jobs.iter().map(of).sum::<u64>();
    let mean = |of: fn(&JobRecord) -> Mean| {
        let count: u64 = record.jobs.iter().map(|job| u64::from(of(job).count)).sum();
        let time: u128 = record.jobs.iter().map(|job| u128::from(of(job).sum.0)).sum();
        (count > 0).then(|| time as f64 / count as f64 / 1e12)
    };
    row.push("runtime.iterations", sum(|job| u64::from(job.iterations)));
    row.push_some("runtime.learned_s", record.jobs.iter().filter_map(|job| job.learned_at).max().map(Time::seconds));
    row.push("runtime.relearned", sum(|job| u64::from(job.relearned)));
    row.push("runtime.notifications", sum(|job| job.notifications));
    row.push("runtime.channels_commanded", record.commanded);
    row.push("runtime.channels_marked", record.marked);
    row.push("runtime.woken", record.woken);
    row.push_some("runtime.iteration_learned_s", mean(|job| job.learned));
    row.push_some("runtime.iteration_after_s", mean(|job| job.after));
    let last = record.turned_down.last();
    row.push_some("runtime.turned_down", last.map(|(_, to)| Mode::name(*to)));
    row.push_some("runtime.turned_down_s", last.map(|(at, _)| at.seconds()));
}
