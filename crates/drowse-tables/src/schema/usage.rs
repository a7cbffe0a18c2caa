//! What `drowse usage` says: which channels a workload uses, without times.

use super::columns::table;

table! {
    /// Shares of channels and of cables that are used, and what follows from them.
    pub const USAGE = "usage.csv";

    RANKS: integer("ranks", "ranks", "ranks of all jobs"),
    NODES: integer("nodes", "nodes", "nodes that have a rank"),
    MESSAGES_COUNT: integer(
        "messages.count",
        "messages",
        "messages between two ranks, those of collectives included"
    ),
    MESSAGES_BYTES: integer("messages.bytes", "B", "bytes of these messages"),
    NETWORK_MESSAGES: integer("network.messages", "messages", "messages between two nodes"),
    NETWORK_BYTES: integer("network.bytes", "B", "bytes of these messages"),
    NETWORK_PACKETS: integer("network.packets", "packets", "packets that they make"),
    NETWORK_MEAN_CHANNELS: float(
        "network.mean_channels",
        "channels",
        "mean number of channels between switches that a packet takes"
    ),
    CHANNELS_USED: integer(
        "channels.used",
        "channels",
        "channels that something passes, of those that power.channels names"
    ),
    CHANNELS_TOTAL: integer("channels.total", "channels", "all of these"),
    CHANNELS_FRACTION: float("channels.fraction", "1", "share of these that is used"),
    BY_CLASS_USED: integer(
        "by_class.*.used",
        "channels",
        "channels of a link class that are used; cables with --count cables"
    ),
    BY_CLASS_TOTAL: integer("by_class.*.total", "channels", "all of the class"),
    BY_CLASS_FRACTION: float("by_class.*.fraction", "1", "share of the class that is used"),
    BY_CLASS_BYTES: integer("by_class.*.bytes", "B", "bytes that pass the channels of the class"),
    CABLES_USED: integer("cables.used", "links", "links that are used in either direction"),
    CABLES_TOTAL: integer("cables.total", "links", "all links of the same classes"),
    CABLES_FRACTION: float("cables.fraction", "1", "share of these that is used"),
    LEVELS_PACKETS: integer(
        "levels.*.packets",
        "packets",
        "packets that reach a level of switches of a tree, the lowest is 0"
    ),
    LEVELS_PACKETS_FRACTION: float("levels.*.packets_fraction", "1", "share of all packets that does"),
    BUSIEST_S: float("busiest_s", "s", "time that the busiest of the channels needs for its bytes"),
    TIME_S: float("time_s", "s", "time in which all is sent; with --time only, as those below"),
    DELAY_S: float("delay_s", "s", "time to switch a channel on or off; absent without --delay"),
    UTILISATION: float(
        "utilisation",
        "1",
        "mean share of the time that channels are needed, with --delay that of switching too (U of Totoni et al. 2014)"
    ),
    SAVINGS_BOUND: float(
        "savings_bound",
        "1",
        "share of the channels' power that could be saved at most (M of Totoni et al. 2014)"
    ),
    WARNINGS: text("warnings[*]", "a warning: what to know before using the figures"),
}
