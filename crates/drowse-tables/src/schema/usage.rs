//! What `drowse usage` says: which channels a workload uses, without times.

use super::{Column, Schema, float, integer, text};

/// Shares of channels and of cables that are used, and what follows from them.
pub const USAGE: Schema = Schema { file: "usage.csv", columns: COLUMNS };

/// One row a channel that is used.
pub const USAGE_CHANNELS: Schema = Schema { file: "usage_channels.csv", columns: CHANNEL_COLUMNS };

/// What each block of ranks sends to each, without those that send nothing.
pub const USAGE_MATRIX: Schema = Schema { file: "usage_matrix.csv", columns: MATRIX_COLUMNS };

const COLUMNS: &[Column] = &[
    integer("ranks", "ranks", "ranks of all jobs"),
    integer("nodes", "nodes", "nodes that have a rank"),
    integer("messages.count", "messages", "messages between two ranks, those of collectives included"),
    integer("messages.bytes", "B", "bytes of these messages"),
    integer("network.messages", "messages", "messages between two nodes"),
    integer("network.bytes", "B", "bytes of these messages"),
    integer("network.packets", "packets", "packets that they make"),
    float("network.mean_channels", "channels", "mean number of channels between switches that a packet takes"),
    integer("channels.used", "channels", "channels that something passes, of those that power.channels names"),
    integer("channels.total", "channels", "all of these"),
    float("channels.fraction", "1", "share of these that is used"),
    integer("by_class.*.used", "channels", "channels of a link class that are used; cables with --count cables"),
    integer("by_class.*.total", "channels", "all of the class"),
    float("by_class.*.fraction", "1", "share of the class that is used"),
    integer("by_class.*.bytes", "B", "bytes that pass the channels of the class"),
    integer("cables.used", "links", "links that are used in either direction"),
    integer("cables.total", "links", "all links of the same classes"),
    float("cables.fraction", "1", "share of these that is used"),
    integer("levels.*.packets", "packets", "packets that reach a level of switches of a tree, the lowest is 0"),
    float("levels.*.packets_fraction", "1", "share of all packets that does"),
    float("busiest_s", "s", "time that the busiest of the channels needs for its bytes"),
    float("time_s", "s", "time in which all is sent; with --time only, as those below"),
    float("delay_s", "s", "time to switch a channel on or off; absent without --delay"),
    float(
        "utilisation",
        "1",
        "mean share of the time that channels are needed, with --delay that of switching too (U of Totoni et al. 2014)",
    ),
    float("savings_bound", "1", "share of the channels' power that could be saved at most (M of Totoni et al. 2014)"),
    text("warnings[*]", "what must be known to judge the figures"),
];

const CHANNEL_COLUMNS: &[Column] = &[
    integer("channel", "", "the channel's number"),
    text("class", "its link class"),
    text("from", "the end that sends: a node, or a switch and its port"),
    text("to", "the end that receives"),
    integer("messages", "messages", "messages that pass it"),
    integer("packets", "packets", "packets that do"),
    integer("bytes", "B", "bytes that do"),
];

const MATRIX_COLUMNS: &[Column] = &[
    integer("from", "", "the first rank of the block that sends"),
    integer("to", "", "the first rank of the block that receives"),
    integer("block", "ranks", "ranks of a block"),
    integer("messages", "messages", "messages between ranks of the blocks"),
    integer("bytes", "B", "bytes of these"),
];
