//! `waiting.csv`: how long packets waited for each channel, by cause, and its busiest window.

use super::columns::table;

table! {
    /// What packets waited for in the measured time: the time above that of an idle network, summed over packets. It
    /// counts for the channel that the first packet of their queue took in the end.
    pub const WAITING = "waiting.csv";

    CASE_ID: text("case_id", "the case, as in cases.csv"),
    CHANNEL: integer("channel", "", "the channel's number"),
    CLASS: text("class", "the link class"),
    WAITING_BUSY_PS: integer(
        "waiting_busy_ps",
        "ps",
        "how long packets waited because it sent another packet, another one came first, or their read port was in use, together"
    ),
    WAITING_NO_CREDIT_PS: integer(
        "waiting_no_credit_ps",
        "ps",
        "how long they waited because the other end had no room, from when it was found free on, together"
    ),
    WAITING_ASLEEP_PS: integer(
        "waiting_asleep_ps",
        "ps",
        "how long they waited because it, and every other channel that they could take, slept or woke, together"
    ),
    PEAK_UTILISATION: float(
        "peak_utilisation",
        "1",
        "share of the bandwidth that was used in its busiest window; windows follow each other from the beginning of the measured time"
    ),
    PEAK_WINDOW_PS: integer("peak_window_ps", "ps", "the length of a window; of a shorter run, that of the run"),
}
