//! `waits.csv`: one row for each of the longest waits of a rank.

use super::columns::table;

table! {
    /// The 16 longest waits of each rank, the longest first.
    pub const WAITS = "waits.csv";

    CASE_ID: text("case_id", "the case, as in cases.csv"),
    JOB: text("job", "the job's name"),
    RANK: integer("rank", "", "the rank within its job"),
    FROM_PS: integer("from_ps", "ps", "when the wait begins"),
    TO_PS: integer("to_ps", "ps", "when it ends"),
    STATE: text("state", "what the rank does meanwhile, as in spans.csv"),
    PARTNER: integer("partner", "", "the rank of the job whose message, or answer, ended the wait; empty where nobody did, such as its own NIC"),
    WAITED_PS: integer("waited_ps", "ps", "how long it is; the next five sum to it"),
    WAIT_PARTNER_WORKING_PS: integer("wait_partner_working_ps", "ps", "of this, as in ranks.csv: the partner worked"),
    WAIT_PARTNER_WAITING_PS: integer("wait_partner_waiting_ps", "ps", "of this: the partner waited, too"),
    WAIT_NETWORK_PS: integer("wait_network_ps", "ps", "of this: messages were in the network"),
    WAIT_MEMORY_PS: integer("wait_memory_ps", "ps", "of this: messages went through the memory of the node"),
    WAIT_WAKING_PS: integer("wait_waking_ps", "ps", "of this: messages were late because links woke"),
}
