//! `ranks.csv`: one row a rank.

use super::columns::table;

table! {
    /// What each rank did.
    pub const RANKS = "ranks.csv";

    CASE_ID: text("case_id", "the case, as in cases.csv"),
    JOB: text("job", "the job's name"),
    RANK: integer("rank", "", "the rank within its job"),
    NODE: integer("node", "", "the node it ran on"),
    FINISH_PS: integer("finish_ps", "ps", "when it finished"),
    RUNNING_PS: integer("running_ps", "ps", "time spent not waiting for communication"),
    MESSAGES: integer("messages", "messages", "messages sent, those of collectives included"),
    BYTES: integer("bytes", "B", "bytes of these messages"),
}
