//! The tables of what a probe has recorded of channels, written row by row in the order of the channels.

use std::collections::BTreeMap;
use std::path::Path;

use drowse_core::measure::probe::{IdleBin, Tally, idle_edges};
use drowse_core::measure::{ProbeOptions, ProbeRecord};
use drowse_core::model::ids::ChannelId;
use drowse_core::model::units::Time;
use drowse_tables::schema::{
    Column, IDLE_PAIRS, IDLE_PERIODS, Schema, TIMELINE, TIMERS, idle_pairs, idle_periods, timeline, timers,
};
use drowse_tables::{Row, Value, csv};

use crate::files::{ExportError, write_file};
use crate::outcome::Outcome;

/// Writes the tables that the cases want.
pub fn write(folder: &Path, outcomes: &[&Outcome]) -> Result<(), ExportError> {
    let any_wants = |kind: fn(&ProbeOptions) -> bool| outcomes.iter().any(|outcome| kind(&outcome.wanted));
    if any_wants(|wanted| wanted.idle_periods) {
        write_table(folder, &IDLE_PERIODS, outcomes.iter().flat_map(|outcome| period_rows(outcome)))?;
    }
    if any_wants(|wanted| wanted.idle_pairs) {
        write_table(folder, &IDLE_PAIRS, outcomes.iter().flat_map(|outcome| pair_rows(outcome)))?;
    }
    if any_wants(|wanted| wanted.timers) {
        write_table(folder, &TIMERS, outcomes.iter().flat_map(|outcome| timer_rows(outcome)))?;
    }
    if any_wants(|wanted| wanted.timeline) {
        write_table(folder, &TIMELINE, outcomes.iter().flat_map(|outcome| timeline_rows(outcome)))?;
    }
    Ok(())
}

fn write_table(folder: &Path, schema: &Schema, rows: impl Iterator<Item = Row>) -> Result<(), ExportError> {
    write_file(folder, schema.file, |file| Ok(csv::write_long(schema, rows, file)?))
}

/// Returns what was recorded of each channel.
fn channels(outcome: &Outcome) -> impl Iterator<Item = (ChannelId, &ProbeRecord)> {
    outcome.seen.iter().enumerate().map(|(index, seen)| (ChannelId(index as u32), seen))
}

fn class(outcome: &Outcome, channel: ChannelId) -> &str {
    let network = &outcome.case.system.network;
    &network.classes[usize::from(network.channel_class(channel))]
}

fn row(case_id: Column, outcome: &Outcome) -> Row {
    let mut row = Row::new();
    row.push(case_id, outcome.case_id());
    row
}

fn push_edges(row: &mut Row, [first, last]: [Column; 2], bin: IdleBin) {
    let (from, to) = idle_edges(bin);
    row.push(first, from.0);
    row.push_some(last, to.map(|to| to.0));
}

fn period_rows(outcome: &Outcome) -> impl Iterator<Item = Row> {
    channels(outcome).flat_map(move |(channel, seen)| {
        seen.periods.iter().map(move |(&bin, tally)| {
            let mut row = row(idle_periods::CASE_ID, outcome);
            row.push(idle_periods::CHANNEL, channel.0);
            row.push(idle_periods::CLASS, class(outcome, channel));
            push_edges(&mut row, [idle_periods::FROM_PS, idle_periods::TO_PS], bin);
            row.push(idle_periods::COUNT, tally.count);
            // The periods of one channel lie one after the other.
            row.push(idle_periods::IDLE_PS, u64::try_from(tally.idle).unwrap_or(u64::MAX));
            row.push(idle_periods::UNFINISHED, u64::from(seen.unfinished == Some(bin)));
            row
        })
    })
}

fn pair_rows(outcome: &Outcome) -> impl Iterator<Item = Row> {
    let mut sums: BTreeMap<(u8, (IdleBin, IdleBin)), Tally> = BTreeMap::new();
    for (channel, seen) in channels(outcome) {
        let class = outcome.case.system.network.channel_class(channel);
        seen.pairs.iter().for_each(|(&bins, &tally)| sums.entry((class, bins)).or_default().add(tally));
    }
    sums.into_iter().map(move |((class, (bin, next)), tally)| {
        let mut row = row(idle_pairs::CASE_ID, outcome);
        row.push(idle_pairs::CLASS, outcome.case.system.network.classes[usize::from(class)].as_str());
        push_edges(&mut row, [idle_pairs::FROM_PS, idle_pairs::TO_PS], bin);
        push_edges(&mut row, [idle_pairs::NEXT_FROM_PS, idle_pairs::NEXT_TO_PS], next);
        row.push(idle_pairs::COUNT, tally.count);
        row.push(idle_pairs::IDLE_S, tally.idle as f64 / 1e12);
        row
    })
}

fn timer_rows(outcome: &Outcome) -> impl Iterator<Item = Row> {
    let timer = |time: Time| (time != Time::NEVER).then_some(time.0);
    channels(outcome).flat_map(move |(channel, seen)| {
        (1u64..).zip(&seen.timers).map(move |(period, at)| {
            let mut row = row(timers::CASE_ID, outcome);
            row.push(timers::CHANNEL, channel.0);
            row.push(timers::PERIOD, period);
            row.push(timers::TIME_PS, at.time.0);
            row.push_some(timers::SHALLOW_PS, timer(at.timers.shallow));
            row.push_some(timers::DEEP_PS, timer(at.timers.deep));
            row
        })
    })
}

fn timeline_rows(outcome: &Outcome) -> impl Iterator<Item = Row> {
    channels(outcome).flat_map(move |(channel, seen)| {
        seen.changes.iter().map(move |change| {
            let mut row = row(timeline::CASE_ID, outcome);
            row.push(timeline::CHANNEL, channel.0);
            row.push(timeline::TIME_PS, change.time.0);
            row.push(timeline::STATE, Value::from(change.state.name()));
            row
        })
    })
}
