//! `wakes.csv`: one row a wake of a link for which a message waited.

use super::columns::table;

table! {
    /// Wakes for which messages of ranks waited: all that are on the critical path, then the 1,000 longest others. Of each
    /// link, the first 1,024 waits are kept. What waits behind such a message, or for credits, has no row.
    pub const WAKES = "wakes.csv";

    CASE_ID: text("case_id", "the case, as in cases.csv"),
    ON_PATH: truth("on_path", "the message was on the critical path of the last rank's end, or another one of the same two ranks that was under way with it"),
    CHANNEL: integer("channel", "", "the channel, as in channels.csv"),
    FROM: text("from", "its sending end, as in channels.csv"),
    TO: text("to", "its receiving end"),
    CLASS: text("class", "its link class"),
    AWAKE_PS: integer("awake_ps", "ps", "when it was on"),
    WAITED_PS: integer("waited_ps", "ps", "how long the message waited for that: what the wake cost it"),
    IDLE_SINCE_PS: integer("idle_since_ps", "ps", "since when it had idled when it was woken"),
    SHALLOW_PS: integer("shallow_ps", "ps", "the policy's stall-to-shallow timer in that idle time; empty where it had none"),
    DEEP_PS: integer("deep_ps", "ps", "the policy's stall-to-deep timer in that idle time; empty where it had none"),
    JOB: text("job", "the job of the message"),
    FROM_RANK: integer("from_rank", "", "the rank that sent it"),
    TO_RANK: integer("to_rank", "", "the rank that it was for"),
    BYTES: integer("bytes", "B", "its size; where it only asks, that of the data"),
    CONTROL: truth("control", "it asked, or answered, and carried no data"),
    SENT_PS: integer("sent_ps", "ps", "when it was handed to its NIC"),
}
