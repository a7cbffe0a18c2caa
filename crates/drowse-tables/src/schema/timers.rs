//! `timers.csv`: stall timers as they change, one row an idle period of 1 us or more.

use super::columns::table;

table! {
    /// The stall timers of each channel that may sleep, after each of its idle periods of 1 us or more
    /// (Saravanan and Carpenter 2018, Fig. 12).
    pub const TIMERS = "timers.csv";

    CASE_ID: text("case_id", "the case, as in cases.csv"),
    CHANNEL: integer("channel", "", "the channel's number"),
    PERIOD: integer(
        "period",
        "",
        "the idle period's number among those of 1 us or more in the measured time, from 1"
    ),
    TIME_PS: integer("time_ps", "ps", "when it ended, since the run began"),
    SHALLOW_PS: integer(
        "shallow_ps",
        "ps",
        "stall-to-shallow of the next idle period; absent where that sleep is not used"
    ),
    DEEP_PS: integer("deep_ps", "ps", "stall-to-deep of the next idle period; absent where that sleep is not used"),
}
