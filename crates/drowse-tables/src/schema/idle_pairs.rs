//! `idle_pairs.csv`: idle periods and those after them, one row a pair of bins that is not empty.

use super::{Column, Schema, float, integer, text};

/// How long an idle period of a channel is, and the next, summed over the channels of a link class (Saravanan and Carpenter 2018, Fig. 6); bins
/// as in `idle_periods.csv`.
pub const IDLE_PAIRS: Schema = Schema { file: "idle_pairs.csv", columns: COLUMNS };

const COLUMNS: &[Column] = &[
    text("case_id", "the case, as in cases.csv"),
    text("class", "the link class"),
    integer("from_ps", "ps", "the shortest period of the bin"),
    integer("to_ps", "ps", "what its periods are shorter than; absent for the last bin"),
    integer("next_from_ps", "ps", "the shortest period of the next one's bin"),
    integer("next_to_ps", "ps", "what its periods are shorter than; absent for the last bin"),
    integer(
        "count",
        "periods",
        "idle periods of the one bin that one of the other followed, on all channels of the class",
    ),
    float("idle_s", "s", "how long the first of each two were, together"),
];
