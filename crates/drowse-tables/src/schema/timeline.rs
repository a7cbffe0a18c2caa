//! `timeline.csv`: every change of every channel's state.

use super::columns::table;

table! {
    /// What each channel is, and from when on; the first row of a channel is the beginning of the measured time.
    pub const TIMELINE = "timeline.csv";

    CASE_ID: text("case_id", "the case, as in cases.csv"),
    CHANNEL: integer("channel", "", "the channel's number"),
    TIME_PS: integer("time_ps", "ps", "when it changes, since the run began"),
    STATE: text("state", "what it is from then on: on, entering, shallow, deep or waking"),
}
