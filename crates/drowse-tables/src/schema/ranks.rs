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
    RUNNING_PS: integer("running_ps", "ps", "time spent computing; this and the next four sum to its time from its job's start to its end"),
    OVERHEAD_PS: integer("overhead_ps", "ps", "time spent busy with messages"),
    SENDING_PS: integer("sending_ps", "ps", "time spent waiting until sends were complete, collectives apart"),
    RECEIVING_PS: integer("receiving_ps", "ps", "time spent waiting for messages, collectives apart"),
    COLLECTIVES_PS: integer("collectives_ps", "ps", "time spent in collective operations, or waiting for those beside the program"),
    MESSAGES: integer("messages", "messages", "messages sent, those of collectives included"),
    BYTES: integer("bytes", "B", "bytes of these messages"),
}
