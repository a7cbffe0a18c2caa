//! `ranks.csv`: one row a rank.

use super::{Column, Schema, integer, text};

/// What each rank did.
pub const RANKS: Schema = Schema { file: "ranks.csv", columns: COLUMNS };

const COLUMNS: &[Column] = &[
    text("case_id", "the case, as in cases.csv"),
    text("job", "the job's name"),
    integer("rank", "", "the rank within its job"),
    integer("node", "", "the node it ran on"),
    integer("finish_ps", "ps", "when it finished"),
    integer("running_ps", "ps", "time spent not waiting for communication"),
    integer("messages", "messages", "messages sent, those of collectives included"),
    integer("bytes", "B", "bytes of these messages"),
];
