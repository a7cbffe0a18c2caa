//! `usage_channels.csv`: one row a channel that a workload uses.

use super::columns::table;

table! {
    /// One row a channel that is used.
    pub const USAGE_CHANNELS = "usage_channels.csv";

    CHANNEL: integer("channel", "", "the channel's number"),
    CLASS: text("class", "its link class"),
    FROM: text("from", "the end that sends: a node, or a switch and its port"),
    TO: text("to", "the end that receives"),
    MESSAGES: integer("messages", "messages", "messages that pass it"),
    PACKETS: integer("packets", "packets", "packets that pass it"),
    BYTES: integer("bytes", "B", "bytes that pass it"),
}
