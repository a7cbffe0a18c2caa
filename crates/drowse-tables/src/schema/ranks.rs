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
    WAIT_PARTNER_WORKING_PS: integer("wait_partner_working_ps", "ps", "of these three: what it waited for had not been sent, and its partner computed or was busy with messages; this and the next four sum to the three"),
    WAIT_PARTNER_WAITING_PS: integer("wait_partner_waiting_ps", "ps", "of these three: what it waited for had not been sent, and its partner waited, too"),
    WAIT_NETWORK_PS: integer("wait_network_ps", "ps", "of these three: what it waited for was in the network, but for waking links"),
    WAIT_MEMORY_PS: integer("wait_memory_ps", "ps", "of these three: what it waited for went through the memory of its node"),
    WAIT_WAKING_PS: integer("wait_waking_ps", "ps", "of these three: what it waited for was later than the rank itself because links woke, on its way or before"),
    MESSAGES: integer("messages", "messages", "messages sent, those of collectives included"),
    BYTES: integer("bytes", "B", "bytes of these messages"),
}
