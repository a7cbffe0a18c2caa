//! What `drowse network` says of a network.

use super::columns::table;

table! {
    /// Counts, distances and cuts of a network.
    pub const NETWORK = "network.csv";

    KIND: text("kind", "the topology"),
    NODES: integer("nodes", "nodes", "compute nodes"),
    SWITCHES: integer("switches", "switches", "switches"),
    LINKS_ALL: integer("links.all", "links", "links, those of the nodes included"),
    LINKS_SWITCH: integer("links.switch", "links", "links between switches"),
    CHANNELS_ALL: integer("channels.all", "channels", "channels, two of each link"),
    CHANNELS_SWITCH: integer("channels.switch", "channels", "channels between switches"),
    LINKS_BY_CLASS: integer("links.by_class.*", "links", "links of one class"),
    TRUNKS_ALL: integer(
        "trunks.all",
        "1",
        "trunks between switches: parallel links of one class that join the same two"
    ),
    TRUNKS_WIDEST: integer("trunks.widest", "links", "links of the widest trunk"),
    RADIX: integer("radix", "ports", "ports of the largest switch; a link of several lanes takes so many"),
    LEVELS_SWITCHES: integer("levels.*.switches", "switches", "switches of one level of a tree, the lowest is 0"),
    PORTS: integer("ports", "ports", "switch ports of the whole network"),
    PORT_RATIO: float(
        "port_ratio",
        "1",
        "ports, those of the reference network = 1; absent without power.model.reference"
    ),
    DISTANCE_SOURCES: integer(
        "distance_sources",
        "switches",
        "switches of the sample from which distances were measured; absent where all were"
    ),
    FAILED_LINKS: integer(
        "failed.links",
        "links",
        "links between switches that failed or ended at failed switches; absent without network.failed"
    ),
    FAILED_SWITCHES: integer("failed.switches", "switches", "switches that have failed; absent likewise"),
    FAILED_NODES: integer(
        "failed.nodes",
        "nodes",
        "nodes of failed switches: the others are renumbered; absent likewise"
    ),
    DIAMETER: integer("diameter", "channels", "largest distance between two nodes, in channels between switches"),
    MEAN_DISTANCE: float(
        "mean_distance",
        "channels",
        "mean distance over all pairs of nodes, a node with itself included"
    ),
    MEAN_DISTANCE_DISTINCT: float(
        "mean_distance_distinct",
        "channels",
        "mean distance over all pairs of different nodes"
    ),
    BISECTION_LINKS: integer("bisection.links", "links", "fewest links between two halves of the network"),
    BISECTION_BYTES_PER_S: float(
        "bisection.bytes_per_s",
        "B/s",
        "least bandwidth between two halves, in one direction; where classes differ, perhaps of another cut"
    ),
    BISECTION_EXACT: truth(
        "bisection.exact",
        "whether no other halves have less between them; else the best cut found, an upper bound"
    ),
    SWITCH_PORTS: integer(
        "switch_ports",
        "ports",
        "ports that each switch is built with, plugged or not; absent where they differ"
    ),
    COST_CONSTANT: integer("cost.constant", "1", "cost of all switches where each costs 1"),
    COST_LINEAR: integer("cost.linear", "1", "cost of all switches where each costs its ports"),
    COST_QUADRATIC: integer("cost.quadratic", "1", "cost of all switches where each costs its ports squared"),
    HOP_WRITTEN_NS: float(
        "hop.*.written_ns",
        "ns",
        "time of a hop onto one class of links, as the experiment gives it"
    ),
    HOP_ROUNDED_NS: float(
        "hop.*.rounded_ns",
        "ns",
        "the same in whole cycles of the switch clock: the time that is simulated"
    ),
    MEMORY_NETWORK_BYTES: integer("memory.network_bytes", "B", "estimate of the memory that the network takes"),
    MEMORY_SIMULATION_BYTES: integer(
        "memory.simulation_bytes",
        "B",
        "estimate of the memory of its simulation, without traces, packets and messages"
    ),
    WARNINGS: text("warnings[*]", "a warning: links that no traffic can fill, why, and what would fill them"),
    SHAPE: text("shape.words", "the regular network that a graph is, or is but for some cables; absent where it is none"),
    SHAPE_DEVIATIONS: text(
        "shape.deviations[*]",
        "how the graph differs from it: cables that are missing, cables beside the others, nodes more or fewer"
    ),
    SOUND: truth(
        "sound.all",
        "whether the tables that stand there serve all pairs of hosts and cannot deadlock; with --check and named tables only, \
         as those below"
    ),
    SOUND_PAIRS: integer("sound.pairs", "pairs", "pairs of hosts, each in both directions"),
    SOUND_UNSERVED: integer("sound.unserved", "pairs", "pairs of hosts that have no route"),
    SOUND_LONGEST: integer("sound.longest", "links", "links of the longest route, those of the hosts included"),
    SOUND_HOSTS: text("sound.hosts", "whether packets of hosts can wait in a circle"),
    SOUND_HOSTS_CIRCLE: text("sound.hosts_circle", "the ports of such a circle; if lanes are not known, with all on lane 0"),
    SOUND_SWITCHES: text("sound.switches", "whether they can where packets to switches themselves count, too"),
    SOUND_SWITCHES_CIRCLE: text("sound.switches_circle", "the ports of that circle"),
    SOUND_FINDINGS: text("sound.findings[*]", "what does not fit, or is not served, or is below what most have"),
    SOUND_SPREAD: text("sound.spread[*]", "how routes are spread over the channels from one level to another"),
    SOUND_LEVELS: text("sound.levels[*]", "the bandwidth of a level's switches down and up"),
    SOUND_UNUSED: text("sound.unused[*]", "a cable between switches that no route from host to host uses"),
    DEADLOCK_PROVEN: truth(
        "deadlock.proven",
        "whether the routing is proven free of deadlock; with --check only, as those below"
    ),
    DEADLOCK_CHANNELS: integer(
        "deadlock.channels",
        "channels",
        "vertices of the channel dependency graph: virtual channels of trunks, adaptive ones left out"
    ),
    DEADLOCK_DEPENDENCIES: integer(
        "deadlock.dependencies",
        "1",
        "edges of that graph: a packet that holds the first channel may request the second"
    ),
    DEADLOCK_LONGEST_CHAIN: integer(
        "deadlock.longest_chain",
        "channels",
        "channels on the longest path of that graph, adaptive hops between them included"
    ),
    DEADLOCK_BUBBLE_RINGS: integer(
        "deadlock.bubble_rings",
        "1",
        "rings that bubble flow control keeps from filling up, each one vertex; absent where there are none"
    ),
    DEADLOCK_CIRCLE: text(
        "deadlock.circle[*]",
        "a channel of a cycle, which waits for the next one; absent where the graph is acyclic"
    ),
    DEADLOCK_STRAY: text(
        "deadlock.stray",
        "where routing leads packets no nearer to their destination, or gives them no escape channel"
    ),
}
