//! What of the run time of jobs was not simulated, because iterations were like those before.

use drowse_core::measure::{ExtrapolationRecord, Record};
use drowse_core::model::units::Time;
use drowse_tables::Row;
use drowse_tables::schema::cases;

/// Returns the seconds that were simulated and those that were not, summed over all jobs.
fn seconds(record: &Record, of: &ExtrapolationRecord) -> [f64; 2] {
    let sum = |times: &mut dyn Iterator<Item = u64>| times.map(u128::from).sum::<u128>() as f64 / 1e12;
    let extrapolated = sum(&mut of.skipped.values().copied());
    let all = sum(&mut record.jobs.iter().map(|job| (job.finish - job.start).0));
    [all - extrapolated, extrapolated]
}

/// Returns the figures.
pub fn columns(record: &Record, of: &ExtrapolationRecord) -> Row {
    let [simulated, extrapolated] = seconds(record, of);
    let mut row = Row::new();
    row.push(cases::EXTRAPOLATION_SIMULATED_S, simulated);
    row.push(cases::EXTRAPOLATION_EXTRAPOLATED_S, extrapolated);
    row.push(cases::EXTRAPOLATION_INTERVALS, of.intervals);
    row.push(cases::EXTRAPOLATION_JOBS, of.skipped.len() as u64);
    row.push(cases::EXTRAPOLATION_DIFFERENCE, of.difference_billionths as f64 / 1e9);
    row
}

/// Returns how much of the run time of a job was not simulated.
pub fn of_job(record: &Record, job: usize) -> Option<f64> {
    let of = record.extrapolation.as_ref()?;
    Some(Time(of.skipped.get(&u32::try_from(job).ok()?).copied().unwrap_or(0)).seconds())
}

/// Says how many seconds were simulated, if not all were.
pub fn warning(record: &Record) -> Option<String> {
    let of = record.extrapolation.as_ref().filter(|of| !of.skipped.is_empty())?;
    let [simulated, extrapolated] = seconds(record, of);
    Some(format!(
        "{simulated:.3} of {:.3} s of the run time of jobs were simulated; the rest repeats what was seen in them, with \
         differences of {:.4} % at most; latencies are those of messages that were simulated",
        simulated + extrapolated,
        of.difference_billionths as f64 / 1e7
    ))
}
