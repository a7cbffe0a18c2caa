//! `idle_periods.csv`: the histogram of idle periods of each channel, one row a bin that is not empty.

use super::columns::table;

table! {
    /// Lengths of idle periods, in 20 bins a decade from 1 us to 100 ms; the first bin holds shorter ones, the last
    /// longer ones.
    pub const IDLE_PERIODS = "idle_periods.csv";

    CASE_ID: text("case_id", "the case, as in cases.csv"),
    CHANNEL: integer("channel", "", "the channel's number"),
    CLASS: text("class", "the link class"),
    FROM_PS: integer("from_ps", "ps", "the shortest period of the bin"),
    TO_PS: integer("to_ps", "ps", "what its periods are shorter than; absent for the last bin"),
    COUNT: integer("count", "periods", "idle periods that ended in the measured time"),
    IDLE_PS: integer("idle_ps", "ps", "how long they were, together"),
    UNFINISHED: integer(
        "unfinished",
        "periods",
        "those of them that the end of the measured time cut short, 0 or 1"
    ),
}
