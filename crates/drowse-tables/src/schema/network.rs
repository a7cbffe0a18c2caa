//! What `drowse network` says of a network.

use super::{Column, Schema, float, integer, text, truth};

/// Counts, distances and cuts of a network.
pub const NETWORK: Schema = Schema { file: "network.csv", columns: COLUMNS };

const COLUMNS: &[Column] = &[
    text("kind", "the topology"),
    integer("nodes", "nodes", "compute nodes"),
    integer("switches", "switches", "switches"),
    integer("links.all", "links", "links, those of the nodes included"),
    integer("links.switch", "links", "links between switches"),
    integer("channels.all", "channels", "channels, two of each link"),
    integer("channels.switch", "channels", "channels between switches"),
    integer("links.by_class.*", "links", "links of one class"),
    integer("trunks.all", "1", "trunks between switches: parallel links of one class that join the same two"),
    integer("trunks.widest", "links", "links of the widest trunk"),
    integer("radix", "ports", "ports of the largest switch; a link of several lanes takes so many"),
    integer("levels.*.switches", "switches", "switches of one level of a tree, the lowest is 0"),
    integer("ports", "ports", "switch ports of the whole network"),
    float("port_ratio", "1", "ports, those of the reference network = 1; absent without power.model.reference"),
    integer(
        "distance_sources",
        "switches",
        "switches from which distances were measured, where these are a sample: the diameter may be larger; else absent",
    ),
    integer(
        "failed.links",
        "links",
        "links between switches that have failed, or ended at failed switches; absent without network.failed",
    ),
    integer("failed.switches", "switches", "switches that have failed; absent likewise"),
    integer("failed.nodes", "nodes", "nodes of failed switches: those left are numbered anew; absent likewise"),
    integer("diameter", "channels", "largest distance between two nodes, in channels between switches"),
    float("mean_distance", "channels", "mean distance over all pairs of nodes, a node with itself included"),
    float("mean_distance_distinct", "channels", "mean distance over all pairs of different nodes"),
    integer("bisection.links", "links", "fewest links between two halves of the network"),
    float(
        "bisection.bytes_per_s",
        "B/s",
        "least bandwidth between two halves, in one direction; where classes differ, perhaps of other halves",
    ),
    truth("bisection.exact", "whether no other halves have less between them; else the best cut found, an upper bound"),
    integer("switch_ports", "ports", "ports that each switch is built with, plugged or not; absent where they differ"),
    integer("cost.constant", "1", "cost of all switches where each costs 1"),
    integer("cost.linear", "1", "cost of all switches where each costs its ports"),
    integer("cost.quadratic", "1", "cost of all switches where each costs the square of its ports"),
    float("hop.*.written_ns", "ns", "time of a hop onto one class of links, as the experiment gives it"),
    float("hop.*.rounded_ns", "ns", "the same in whole cycles of the switch clock: what an idle network shows"),
    integer("memory.network_bytes", "B", "estimate of the memory that the network takes"),
    integer(
        "memory.simulation_bytes",
        "B",
        "estimate of what its simulation takes beside, traces, packets and messages left out",
    ),
    truth("deadlock.proven", "whether packets are proven never to wait in a circle; with --check only, as those below"),
    integer(
        "deadlock.channels",
        "channels",
        "virtual channels of trunks that packets may ask for, adaptive ones left out",
    ),
    integer(
        "deadlock.dependencies",
        "1",
        "pairs of these channels, the second of which a packet may ask for at the end of the first",
    ),
    integer(
        "deadlock.longest_chain",
        "channels",
        "channels of the longest chain that wait one for the next, adaptive hops between them included",
    ),
    integer(
        "deadlock.bubble_rings",
        "1",
        "rings that a bubble keeps from filling up, each one link of a chain; absent where there are none",
    ),
    text("deadlock.circle[*]", "a channel of a circle, which waits for the next one; absent where there is no circle"),
    text("deadlock.stray", "where routing leads packets no nearer to their destination, or gives them no escape"),
];
