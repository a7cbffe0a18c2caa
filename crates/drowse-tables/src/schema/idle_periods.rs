//! `idle_periods.csv`: the histogram of idle periods of each channel, one row a bin that is not empty.

use super::{Column, Schema, integer, text};

/// How long channels idled, in 20 bins a decade from 1 us to 100 ms; the first bin holds what is shorter, the last what is longer.
pub const IDLE_PERIODS: Schema = Schema { file: "idle_periods.csv", columns: COLUMNS };

const COLUMNS: &[Column] = &[
    text("case_id", "the case, as in cases.csv"),
    integer("channel", "", "the channel's number"),
    text("class", "the link class"),
    integer("from_ps", "ps", "the shortest period of the bin"),
    integer("to_ps", "ps", "what its periods are shorter than; absent for the last bin"),
    integer("count", "periods", "idle periods that ended in the measured time"),
    integer("idle_ps", "ps", "how long they were, together"),
    integer("unfinished", "periods", "those of them that the end of the measured time cut short, 0 or 1"),
];
