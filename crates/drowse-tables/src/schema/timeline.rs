//! `timeline.csv`: every change of every channel's state.

use super::{Column, Schema, integer, text};

/// What each channel is, and from when on; the first row of a channel is the beginning of the measured time.
pub const TIMELINE: Schema = Schema { file: "timeline.csv", columns: COLUMNS };

const COLUMNS: &[Column] = &[
    text("case_id", "the case, as in cases.csv"),
    integer("channel", "", "the channel's number"),
    integer("time_ps", "ps", "when it changes, since the run began"),
    text("state", "what it is from then on: on, entering, shallow, deep or waking"),
];
