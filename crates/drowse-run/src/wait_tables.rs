//! The tables of waits: for whom ranks have waited, and the longest waits.

use drowse_core::measure::Waits;
use drowse_core::measure::rank_waits::RankWaits;
use drowse_core::model::units::Time;
use drowse_tables::Row;
use drowse_tables::schema::{Column, wait_matrix, waits};

use crate::jobs_of::{JobOf, JobsOf};
use crate::outcome::Outcome;

/// A part of a wait, with its columns in both tables.
type Part = (Column, Column, fn(&Waits) -> Time);

const PARTS: [Part; 5] = [
    (waits::WAIT_PARTNER_WORKING_PS, wait_matrix::WAIT_PARTNER_WORKING_PS, |causes| causes.partner_working),
    (waits::WAIT_PARTNER_WAITING_PS, wait_matrix::WAIT_PARTNER_WAITING_PS, |causes| causes.partner_waiting),
    (waits::WAIT_NETWORK_PS, wait_matrix::WAIT_NETWORK_PS, |causes| causes.network),
    (waits::WAIT_MEMORY_PS, wait_matrix::WAIT_MEMORY_PS, |causes| causes.memory),
    (waits::WAIT_WAKING_PS, wait_matrix::WAIT_WAKING_PS, |causes| causes.waking),
];

/// Returns the waits of each rank, with its job.
fn of_ranks(outcome: &Outcome) -> impl Iterator<Item = (JobOf<'_>, &RankWaits)> {
    let jobs = JobsOf::new(outcome);
    outcome.waits.iter().filter_map(move |of_rank| Some((jobs.of(of_rank.rank)?, of_rank)))
}

/// Returns a row for each of the longest waits of each rank.
pub fn longest_rows(outcome: &Outcome) -> impl Iterator<Item = Row> {
    of_ranks(outcome).flat_map(move |((job, first), of_rank)| {
        of_rank.longest.iter().map(move |wait| {
            let mut row = Row::new();
            row.push(waits::CASE_ID, outcome.case_id());
            row.push(waits::JOB, job);
            row.push(waits::RANK, of_rank.rank - first);
            row.push(waits::FROM_PS, wait.from.0);
            row.push(waits::TO_PS, wait.to.0);
            row.push(waits::STATE, wait.state.name());
            row.push_some(waits::PARTNER, wait.partner.map(|partner| partner - first));
            row.push(waits::WAITED_PS, wait.length().0);
            PARTS.iter().for_each(|(column, _, part)| row.push(*column, part(&wait.causes).0));
            row
        })
    })
}

/// Returns a row for each rank and each other for which it has waited.
pub fn matrix_rows(outcome: &Outcome) -> impl Iterator<Item = Row> {
    of_ranks(outcome).flat_map(move |((job, first), of_rank)| {
        let some = of_rank.by_partner.iter().filter(|(_, causes)| causes.total() > Time::ZERO);
        some.map(move |(partner, causes)| {
            let mut row = Row::new();
            row.push(wait_matrix::CASE_ID, outcome.case_id());
            row.push(wait_matrix::JOB, job);
            row.push(wait_matrix::RANK, of_rank.rank - first);
            row.push_some(wait_matrix::PARTNER, partner.map(|partner| partner - first));
            row.push(wait_matrix::WAITED_PS, causes.total().0);
            PARTS.iter().for_each(|(_, column, part)| row.push(*column, part(causes).0));
            row
        })
    })
}
