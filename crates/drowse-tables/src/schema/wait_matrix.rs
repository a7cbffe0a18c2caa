//! `wait_matrix.csv`: one row a rank and another rank for which it has waited.

use super::columns::table;

table! {
    /// How long each rank has waited for each other rank. The times of a rank sum to its waits in ranks.csv, what is
    /// extrapolated excepted.
    pub const WAIT_MATRIX = "wait_matrix.csv";

    CASE_ID: text("case_id", "the case, as in cases.csv"),
    JOB: text("job", "the job's name"),
    RANK: integer("rank", "", "the rank within its job"),
    PARTNER: integer("partner", "", "the rank of the job whose messages, or answers, ended the waits; empty where nobody did"),
    WAITED_PS: integer("waited_ps", "ps", "how long it has waited; the next five sum to it"),
    WAIT_PARTNER_WORKING_PS: integer("wait_partner_working_ps", "ps", "of this, as in ranks.csv: the partner worked"),
    WAIT_PARTNER_WAITING_PS: integer("wait_partner_waiting_ps", "ps", "of this: the partner waited, too"),
    WAIT_NETWORK_PS: integer("wait_network_ps", "ps", "of this: messages were in the network"),
    WAIT_MEMORY_PS: integer("wait_memory_ps", "ps", "of this: messages went through the memory of the node"),
    WAIT_WAKING_PS: integer("wait_waking_ps", "ps", "of this: messages were late because links woke"),
}
