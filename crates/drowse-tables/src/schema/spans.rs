//! `spans.csv`: a timeline as a table, one row a state of a rank or channel, or a message.

use super::columns::table;

table! {
    /// What ranks and channels did over the time of a timeline, and the messages between ranks.
    pub const SPANS = "spans.csv";

    CASE_ID: text("case_id", "the case, as in cases.csv"),
    KIND: text("kind", "what the row is of: `rank` or `link` for a state, `lanes` for the lanes of a link, `message`"),
    JOB: text("job", "the job of the rank, or of the sender"),
    RANK: integer("rank", "", "the rank within its job, or the sender"),
    CHANNEL: integer("channel", "", "the channel, as in channels.csv"),
    FROM_PS: integer("from_ps", "ps", "when the state begins, or the call of the send"),
    TO_PS: integer("to_ps", "ps", "when the state ends, or the receive of the message"),
    STATE: text("state", "the state, as in the columns of ranks.csv and channels.csv"),
    LANES: integer("lanes", "lanes", "how many lanes can send"),
    TO_JOB: text("to_job", "the job of the receiver"),
    TO_RANK: integer("to_rank", "", "the receiver"),
    BYTES: integer("bytes", "B", "the size of the message"),
}
