//! `power.csv`: what the parts of a machine draw over time, and what its links do, one row a part and interval.

use super::columns::table;

table! {
    /// Mean powers in intervals of the measured time, which follow each other without gaps. For each part, the sum of
    /// `watts` times `interval_ps` is its energy in cases.csv. A packet takes its energy while it is sent. The shares of
    /// `links` are of the time of all links of the class in the interval, and sum to 1.
    pub const POWER = "power.csv";

    CASE_ID: text("case_id", "the case, as in cases.csv"),
    TIME_PS: integer("time_ps", "ps", "when the interval begins, since the beginning of the measured time"),
    INTERVAL_PS: integer("interval_ps", "ps", "its length; the last one ends with the measured time"),
    PART: text("part", "`links`, `switches` (without their links), `nics`, or `nodes` (those of energy.nodes_j)"),
    CLASS: text("class", "the link class of `links`; empty for other parts"),
    WATTS: float("watts", "W", "its mean power in the interval"),
    SENDING_FRACTION: float("sending_fraction", "1", "share of link time from the first bit of a packet to its last"),
    IDLE_FRACTION: float("idle_fraction", "1", "share of link time on without sending"),
    ENTERING_FRACTION: float("entering_fraction", "1", "share of link time going to sleep"),
    ASLEEP_FRACTION: float("asleep_fraction", "1", "share of link time asleep, however deep"),
    WAKING_FRACTION: float("waking_fraction", "1", "share of link time waking"),
}
