//! The tables of what probes have recorded, written row by row: of channels in their order, and of messages.

use std::collections::BTreeMap;

use drowse_core::measure::probe::{IdleBin, Tally, idle_edges};
use drowse_core::measure::waiting::Cause;
use drowse_core::measure::{ProbeOptions, ProbeRecord};
use drowse_core::model::ids::ChannelId;
use drowse_core::model::units::Time;
use drowse_tables::schema::{
    Column, IDLE_PAIRS, IDLE_PERIODS, MESSAGE_SIZES, POWER, RANK_OPERATIONS, Schema, TIMELINE, TIMERS, WAIT_MATRIX,
    WAITING, WAITS, WAKES, idle_pairs, idle_periods, message_sizes, timeline, timers, waiting,
};
use drowse_tables::{Row, Value, csv};

use crate::files::{ExportError, ResultFiles};
use crate::outcome::Outcome;
use crate::power_table;
use crate::rank_tables::operation_rows;
use crate::wait_tables::{longest_rows, matrix_rows};
use crate::wake_table;

/// The rows of a table of a case.
type Rows<'o> = Box<dyn Iterator<Item = Row> + 'o>;

/// A table that probes record.
pub struct ProbeTable {
    /// Its columns.
    pub schema: &'static Schema,
    /// Whether it is wanted.
    pub wanted: fn(&ProbeOptions) -> bool,
    /// Returns the rows of a case.
    pub rows: fn(&Outcome) -> Rows<'_>,
}

/// All of them.
pub const TABLES: [ProbeTable; 11] = [
    ProbeTable {
        schema: &IDLE_PERIODS,
        wanted: |wanted| wanted.idle_periods,
        rows: |case| Box::new(period_rows(case)),
    },
    ProbeTable { schema: &IDLE_PAIRS, wanted: |wanted| wanted.idle_pairs, rows: |case| Box::new(pair_rows(case)) },
    ProbeTable { schema: &TIMERS, wanted: |wanted| wanted.timers, rows: |case| Box::new(timer_rows(case)) },
    ProbeTable { schema: &TIMELINE, wanted: |wanted| wanted.timeline, rows: |case| Box::new(timeline_rows(case)) },
    ProbeTable {
        schema: &WAITING,
        wanted: |wanted| wanted.waiting.is_some(),
        rows: |case| Box::new(waiting_rows(case)),
    },
    ProbeTable {
        schema: &POWER,
        wanted: |wanted| wanted.power.is_some(),
        rows: |case| Box::new(power_table::rows(case)),
    },
    ProbeTable {
        schema: &MESSAGE_SIZES,
        wanted: |wanted| wanted.message_sizes,
        rows: |case| Box::new(size_rows(case)),
    },
    ProbeTable {
        schema: &RANK_OPERATIONS,
        wanted: |wanted| wanted.rank_operations,
        rows: |case| Box::new(operation_rows(case)),
    },
    ProbeTable { schema: &WAITS, wanted: |wanted| wanted.rank_waits, rows: |case| Box::new(longest_rows(case)) },
    ProbeTable { schema: &WAKES, wanted: |wanted| wanted.wakes, rows: |case| Box::new(wake_table::rows(case)) },
    ProbeTable { schema: &WAIT_MATRIX, wanted: |wanted| wanted.rank_waits, rows: |case| Box::new(matrix_rows(case)) },
];

/// Writes the tables that the cases want; those of an earlier run that nobody wants any more are removed.
pub fn write(files: &mut ResultFiles<'_>, outcomes: &[&Outcome]) -> Result<(), ExportError> {
    for ProbeTable { schema, wanted, rows } in TABLES {
        if outcomes.iter().any(|outcome| wanted(&outcome.wanted)) {
            let rows = outcomes.iter().flat_map(|outcome| rows(outcome));
            files.write(schema.file, |file| Ok(csv::write_long(schema, rows, file)?))?;
        } else {
            files.without(schema.file);
        }
    }
    Ok(())
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

fn waiting_rows(outcome: &Outcome) -> impl Iterator<Item = Row> {
    // The busiest window of a run that ends before the first does is the run.
    let window = outcome.wanted.waiting.unwrap_or(Time::ZERO).min(outcome.record.measured);
    channels(outcome).map(move |(channel, seen)| {
        let mut row = row(waiting::CASE_ID, outcome);
        row.push(waiting::CHANNEL, channel.0);
        row.push(waiting::CLASS, class(outcome, channel));
        row.push(waiting::WAITING_BUSY_PS, seen.waiting[Cause::Busy].0);
        row.push(waiting::WAITING_NO_CREDIT_PS, seen.waiting[Cause::NoCredit].0);
        row.push(waiting::WAITING_ASLEEP_PS, seen.waiting[Cause::Asleep].0);
        let peak = || seen.busiest.most.0 as f64 / window.0 as f64;
        row.push_some(waiting::PEAK_UTILISATION, (window > Time::ZERO).then(peak));
        row.push(waiting::PEAK_WINDOW_PS, window.0);
        row
    })
}

fn size_rows(outcome: &Outcome) -> impl Iterator<Item = Row> {
    outcome.record.message_sizes.classes().map(move |([smallest, largest], class)| {
        let quantile = |percent| class.latency.quantile(percent, 100).map(Time::nanoseconds);
        let mut row = row(message_sizes::CASE_ID, outcome);
        row.push(message_sizes::FROM_BYTES, smallest);
        row.push(message_sizes::TO_BYTES, largest);
        row.push(message_sizes::MESSAGES, class.latency.count());
        row.push(message_sizes::BYTES, class.bytes as f64);
        row.push_some(message_sizes::LATENCY_MEAN_NS, class.latency.mean().map(|picoseconds| picoseconds / 1e3));
        row.push_some(message_sizes::LATENCY_P50_NS, quantile(50));
        row.push_some(message_sizes::LATENCY_P90_NS, quantile(90));
        row.push_some(message_sizes::LATENCY_P99_NS, quantile(99));
        row.push_some(message_sizes::LATENCY_MAX_NS, class.latency.max().map(Time::nanoseconds));
        row
    })
}
