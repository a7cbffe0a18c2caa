//! How ranks spent their time, and what led to the end of a program.

use std::collections::BTreeMap;

use drowse_core::measure::{CriticalPath, JobRecord, RankRecord, RankTimes, Record};
use drowse_core::model::units::Time;
use drowse_core::workload::operation_kind::OperationKind;
use drowse_tables::Row;
use drowse_tables::schema::{Column, cases, jobs};

/// Takes a part of a rank's time.
type OfTimes = fn(&RankTimes) -> Time;

/// Takes a part of a critical path.
type OfPath = fn(&CriticalPath) -> Time;

/// The parts of a rank's time, and then of its waiting, each with its share of the makespan.
const TIMES: [(Column, OfTimes); 10] = [
    (cases::RANKS_RUNNING_FRACTION, |times| times.computing),
    (cases::RANKS_OVERHEAD_FRACTION, |times| times.overhead),
    (cases::RANKS_SENDING_FRACTION, |times| times.sending),
    (cases::RANKS_RECEIVING_FRACTION, |times| times.receiving),
    (cases::RANKS_COLLECTIVES_FRACTION, |times| times.collectives),
    (cases::RANKS_WAIT_PARTNER_WORKING_FRACTION, |times| times.waits.partner_working),
    (cases::RANKS_WAIT_PARTNER_WAITING_FRACTION, |times| times.waits.partner_waiting),
    (cases::RANKS_WAIT_NETWORK_FRACTION, |times| times.waits.network),
    (cases::RANKS_WAIT_MEMORY_FRACTION, |times| times.waits.memory),
    (cases::RANKS_WAIT_WAKING_FRACTION, |times| times.waits.waking),
];

/// The parts of a critical path, each with its share of the makespan of the case, and of a job.
const PARTS: [(Column, Column, OfPath); 5] = [
    (cases::PATH_COMPUTING_FRACTION, jobs::PATH_COMPUTING_FRACTION, |path| path.computing),
    (cases::PATH_OVERHEAD_FRACTION, jobs::PATH_OVERHEAD_FRACTION, |path| path.overhead),
    (cases::PATH_MEMORY_FRACTION, jobs::PATH_MEMORY_FRACTION, |path| path.memory),
    (cases::PATH_NETWORK_FRACTION, jobs::PATH_NETWORK_FRACTION, |path| path.network),
    (cases::PATH_WAKING_FRACTION, jobs::PATH_WAKING_FRACTION, |path| path.waking),
];

/// Returns how many operations ranks ran.
pub fn operations(ranks: &[RankRecord]) -> u64 {
    ranks.iter().map(|rank| rank.operations).sum()
}

/// Returns the mean share of a time that ranks spend in some way; `None` without ranks, or when nothing took any time.
pub fn share(ranks: &[RankRecord], of: Time, time: OfTimes) -> Option<f64> {
    let spent: u128 = ranks.iter().map(|rank| u128::from(time(&rank.times).0)).sum();
    let available = u128::from(of.0) * ranks.len() as u128;
    (available > 0).then(|| spent as f64 / available as f64)
}

/// Returns the mean share of the makespan that ranks spend in some way; where a scheduler starts jobs, that cores do, of
/// which one without a rank does nothing.
fn share_of_all(record: &Record, makespan: Time, time: OfTimes) -> Option<f64> {
    let spent: u128 = record.ranks.iter().map(|rank| u128::from(time(&rank.times).0)).sum();
    let available = available(record, makespan);
    (available > 0).then(|| spent as f64 / available as f64)
}

/// Returns the time that ranks have until a makespan; where a scheduler starts jobs, that cores have. Those of a job that
/// starts again until others end go on until the end of the run, a little longer.
fn available(record: &Record, makespan: Time) -> u128 {
    let of_ranks = || record.ranks.iter().map(|rank| u128::from(rank.finish.max(makespan).0)).sum();
    record.cores.map_or_else(of_ranks, |cores| u128::from(makespan.0) * u128::from(cores))
}

/// Returns the mean share of the makespan that ranks spend in operations of each kind, with its name, where that was
/// counted.
pub fn by_operation(record: &Record) -> BTreeMap<(OperationKind, &'static str), f64> {
    let mut spent: BTreeMap<OperationKind, u128> = BTreeMap::new();
    for (&kind, operations) in record.operations.iter().flatten() {
        *spent.entry(kind).or_default() += u128::from(operations.times.total().0);
    }
    let available = record.makespan.map_or(0, |makespan| available(record, makespan));
    spent.retain(|_, _| available > 0);
    spent.into_iter().map(|(kind, spent)| ((kind, kind.name()), spent as f64 / available as f64)).collect()
}

/// Returns the mean shares of the makespan that ranks spend in each way, and the critical path of the job that ended
/// last.
pub fn columns(record: &Record) -> Row {
    let mut row = Row::new();
    if !record.ranks.is_empty() {
        row.push(cases::RANKS_OPERATIONS, operations(&record.ranks));
    }
    for (column, time) in TIMES {
        row.push_some(column, record.makespan.and_then(|makespan| share_of_all(record, makespan, time)));
    }
    let last = record.jobs.iter().rev().filter(|job| !job.again).max_by_key(|job| job.finish);
    // Without links, none wakes.
    let parts =
        PARTS.iter().filter(|(column, ..)| *column != cases::PATH_WAKING_FRACTION || !record.channels.is_empty());
    for &(column, _, part) in parts {
        row.push_some(column, last.and_then(|job| path_share(job, part)));
    }
    row
}

/// Returns the critical path of a job in shares of its makespan.
pub fn path(job: &JobRecord) -> Row {
    let mut row = Row::new();
    PARTS.iter().for_each(|&(_, column, part)| row.push_some(column, path_share(job, part)));
    row
}

fn path_share(job: &JobRecord, part: OfPath) -> Option<f64> {
    let makespan = job.finish - job.start;
    (makespan > Time::ZERO).then(|| part(&job.path).0 as f64 / makespan.0 as f64)
}

#[cfg(test)]
mod tests {
    use drowse_core::measure::OperationTimes;

    use super::*;

    /// Two ranks in ten picoseconds: they compute for 6 and 4, and one receives for 3.
    fn record(makespan: Option<Time>) -> Record {
        let spent = |computing, receiving| OperationTimes {
            calls: 1,
            times: RankTimes { computing: Time(computing), receiving: Time(receiving), ..RankTimes::default() },
        };
        let first = [(OperationKind::Compute, spent(6, 0)), (OperationKind::Recv, spent(0, 3))];
        let second = [(OperationKind::Compute, spent(4, 0))];
        Record {
            makespan,
            measured: Time(10),
            ranks: vec![RankRecord { operations: 2, ..RankRecord::default() }; 2],
            operations: vec![first.into(), second.into()],
            ..Record::default()
        }
    }

    /// Of twice ten picoseconds; of four cores' time where a scheduler has four.
    #[test]
    fn shares_of_operations() {
        let of = |record: &Record| by_operation(record).into_values().collect::<Vec<_>>();
        let record = record(Some(Time(10)));
        assert_eq!(of(&record), [0.5, 0.15]);
        assert_eq!(of(&Record { cores: Some(4), ..record }), [0.25, 0.075]);
    }

    #[test]
    fn no_shares_of_no_time() {
        assert!(by_operation(&record(Some(Time::ZERO))).is_empty());
        assert!(by_operation(&record(None)).is_empty());
    }

    #[test]
    fn operations_are_counted_where_there_are_ranks() {
        let mut record = record(Some(Time(10)));
        assert_eq!(columns(&record).number(cases::RANKS_OPERATIONS), Some(4.0));
        record.ranks.clear();
        assert_eq!(columns(&record).get(cases::RANKS_OPERATIONS), None);
    }
}
