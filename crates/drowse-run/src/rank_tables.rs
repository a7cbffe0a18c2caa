//! The tables of ranks: how each spent its time, in all and by kind of operation.

use drowse_core::measure::RankTimes;
use drowse_core::model::units::Time;
use drowse_tables::Row;
use drowse_tables::schema::{Column, rank_operations, ranks};

use crate::outcome::Outcome;

/// A part of a rank's time, with its columns in the table of ranks and in that by kind of operation.
type Part = (Column, Column, fn(&RankTimes) -> Time);

const PARTS: [Part; 10] = [
    (ranks::RUNNING_PS, rank_operations::RUNNING_PS, |times| times.computing),
    (ranks::OVERHEAD_PS, rank_operations::OVERHEAD_PS, |times| times.overhead),
    (ranks::SENDING_PS, rank_operations::SENDING_PS, |times| times.sending),
    (ranks::RECEIVING_PS, rank_operations::RECEIVING_PS, |times| times.receiving),
    (ranks::COLLECTIVES_PS, rank_operations::COLLECTIVES_PS, |times| times.collectives),
    (ranks::WAIT_PARTNER_WORKING_PS, rank_operations::WAIT_PARTNER_WORKING_PS, |times| times.waits.partner_working),
    (ranks::WAIT_PARTNER_WAITING_PS, rank_operations::WAIT_PARTNER_WAITING_PS, |times| times.waits.partner_waiting),
    (ranks::WAIT_NETWORK_PS, rank_operations::WAIT_NETWORK_PS, |times| times.waits.network),
    (ranks::WAIT_MEMORY_PS, rank_operations::WAIT_MEMORY_PS, |times| times.waits.memory),
    (ranks::WAIT_WAKING_PS, rank_operations::WAIT_WAKING_PS, |times| times.waits.waking),
];

/// Returns the job and the number in it of each rank, in their order.
fn names(outcome: &Outcome) -> impl Iterator<Item = (&str, u32)> {
    outcome.record.jobs.iter().flat_map(|job| (0..job.ranks).map(|rank| (job.name.as_str(), rank)))
}

/// Returns a row for each rank.
pub fn rank_rows(outcome: &Outcome) -> impl Iterator<Item = Row> {
    outcome.record.ranks.iter().zip(names(outcome)).map(|(record, (job, rank))| {
        let mut row = Row::new();
        row.push(ranks::CASE_ID, outcome.case_id());
        row.push(ranks::JOB, job);
        row.push(ranks::RANK, rank);
        row.push(ranks::NODE, record.node);
        row.push(ranks::FINISH_PS, record.finish.0);
        PARTS.iter().for_each(|(column, _, part)| row.push(*column, part(&record.times).0));
        row.push(ranks::MESSAGES, record.messages);
        row.push(ranks::BYTES, record.bytes);
        row
    })
}

/// Returns a row for each rank and kind of operation that it called.
pub fn operation_rows(outcome: &Outcome) -> impl Iterator<Item = Row> {
    outcome.record.operations.iter().zip(names(outcome)).flat_map(move |(kinds, (job, rank))| {
        kinds.iter().map(move |(&kind, spent)| {
            let mut row = Row::new();
            row.push(rank_operations::CASE_ID, outcome.case_id());
            row.push(rank_operations::JOB, job);
            row.push(rank_operations::RANK, rank);
            row.push(rank_operations::OPERATION, kind.name());
            row.push(rank_operations::CALLS, spent.calls);
            PARTS.iter().for_each(|(_, column, part)| row.push(*column, part(&spent.times).0));
            row
        })
    })
}
