//! `rank_operations.csv`: one row a rank and kind of operation that it calls.

use super::columns::table;

table! {
    /// How each rank spent its time by kind of operation: from the begin of one to that of the next. The times of a rank
    /// sum to those of its row in ranks.csv.
    pub const RANK_OPERATIONS = "rank_operations.csv";

    CASE_ID: text("case_id", "the case, as in cases.csv"),
    JOB: text("job", "the job's name"),
    RANK: integer("rank", "", "the rank within its job"),
    OPERATION: text("operation", "the kind of operation, as in traces of our own: compute, send, irecv, waitall, allreduce, ..."),
    CALLS: integer("calls", "", "how often it was called"),
    RUNNING_PS: integer("running_ps", "ps", "time spent computing; this and the next four sum to the time in these operations"),
    OVERHEAD_PS: integer("overhead_ps", "ps", "time spent busy with messages, its own or others that came meanwhile"),
    SENDING_PS: integer("sending_ps", "ps", "time spent waiting until sends were complete, collectives apart"),
    RECEIVING_PS: integer("receiving_ps", "ps", "time spent waiting for messages, collectives apart"),
    COLLECTIVES_PS: integer("collectives_ps", "ps", "time spent waiting in a collective operation, or for one beside the program"),
    WAIT_PARTNER_WORKING_PS: integer("wait_partner_working_ps", "ps", "of these three, as in ranks.csv: the partner worked"),
    WAIT_PARTNER_WAITING_PS: integer("wait_partner_waiting_ps", "ps", "of these three: the partner waited, too"),
    WAIT_NETWORK_PS: integer("wait_network_ps", "ps", "of these three: messages were in the network"),
    WAIT_MEMORY_PS: integer("wait_memory_ps", "ps", "of these three: messages went through the memory of the node"),
    WAIT_WAKING_PS: integer("wait_waking_ps", "ps", "of these three: messages were late because links woke"),
}
