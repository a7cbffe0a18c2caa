//! `usage_matrix.csv`: the communication matrix, in blocks of ranks.

use super::columns::table;

table! {
    /// What each block of ranks sends to each, without those that send nothing.
    pub const USAGE_MATRIX = "usage_matrix.csv";

    FROM: integer("from", "", "the first rank of the block that sends"),
    TO: integer("to", "", "the first rank of the block that receives"),
    BLOCK: integer("block", "ranks", "ranks of a block"),
    MESSAGES: integer("messages", "messages", "messages between ranks of the blocks"),
    BYTES: integer("bytes", "B", "bytes of these"),
}
