//! What the runtime system did: the figures of all jobs together.

use drowse_core::model::units::Time;
use drowse_core::power::runtime::{JobRecord, Mean, Mode, RuntimeRecord};
use drowse_tables::Row;
use drowse_tables::schema::cases;

/// Returns the figures.
pub fn columns(record: &RuntimeRecord) -> Row {
    let sum = |of: fn(&JobRecord) -> u64| record.jobs.iter().map(of).sum::<u64>();
    let mean = |of: fn(&JobRecord) -> Mean| {
        let count: u64 = record.jobs.iter().map(|job| u64::from(of(job).count)).sum();
        let time: u128 = record.jobs.iter().map(|job| u128::from(of(job).sum.0)).sum();
        (count > 0).then(|| time as f64 / count as f64 / 1e12)
    };
    let learned = record.jobs.iter().filter_map(|job| job.learned_at).max();
    let turned_down = record.turned_down.last();
    let mut row = Row::new();
    row.push(cases::RUNTIME_ITERATIONS, sum(|job| u64::from(job.iterations)));
    row.push_some(cases::RUNTIME_LEARNED_S, learned.map(Time::seconds));
    row.push(cases::RUNTIME_RELEARNED, sum(|job| u64::from(job.relearned)));
    row.push(cases::RUNTIME_NOTIFICATIONS, sum(|job| job.notifications));
    row.push(cases::RUNTIME_DETECTING, sum(|job| job.detecting));
    row.push(cases::RUNTIME_CHANNELS_COMMANDED, record.commanded);
    row.push(cases::RUNTIME_CHANNELS_MARKED, record.marked);
    row.push(cases::RUNTIME_WOKEN, record.woken);
    row.push_some(cases::RUNTIME_ITERATION_LEARNED_S, mean(|job| job.learned));
    row.push_some(cases::RUNTIME_ITERATION_AFTER_S, mean(|job| job.after));
    row.push_some(cases::RUNTIME_TURNED_DOWN, turned_down.map(|(_, to)| Mode::name(*to)));
    row.push_some(cases::RUNTIME_TURNED_DOWN_S, turned_down.map(|(at, _)| at.seconds()));
    row
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Iterations of several jobs are averaged over iterations, not over jobs; a job without any says nothing.
    #[test]
    fn means_over_all_iterations() {
        let job = |count, sum| JobRecord { learned: Mean { count, sum: Time::from_us(sum) }, ..JobRecord::default() };
        let record = RuntimeRecord { jobs: vec![job(3, 90), job(0, 0), job(1, 10)], ..RuntimeRecord::default() };
        let row = columns(&record);
        assert_eq!(row.number(cases::RUNTIME_ITERATION_LEARNED_S), Some(25e-6));
        assert_eq!(row.number(cases::RUNTIME_ITERATION_AFTER_S), None);
    }
}
