//! The tables of `drowse reproduce torus`.

use super::{Column, Schema, float, integer, text, truth};

/// Programs on the networks of Andújar et al. 2019 (Fig. 2 to 5).
pub const TORUS_PROGRAMS: Schema = Schema {
    file: "torus_programs.csv",
    columns: &[
        NETWORK,
        NODES,
        SAVING,
        text("program", "the program, of 64 ranks"),
        truth("computes", "whether it runs as it was traced; else its communication alone"),
        integer("copies", "ranks", "ranks on each node, each of another copy"),
        float("makespan_s", "s", "run time"),
        float("ranks.running_fraction", "1", "Run_task: share of the run time that a rank does not wait for messages"),
        float("relative.makespan", "1", "run time over that on the reference network"),
        float("relative.e_net", "1", "E_net over that of the reference network"),
        float("relative.e_cluster", "1", "E_cluster over that with the reference network, omega_Snodes = 0.5"),
        W_NET,
        PORTS_ON,
    ],
};

/// Uniform traffic on them.
pub const TORUS_LOADS: Schema = Schema {
    file: "torus_loads.csv",
    columns: &[
        NETWORK,
        NODES,
        SAVING,
        float("load.offered", "1", "share of what nodes can send"),
        float("load.accepted", "1", "share of it that arrives"),
        float("latency.packet.mean_ns", "ns", "mean latency of a packet"),
        float("latency.packet.p99_ns", "ns", "latency below which 99 % lie"),
        W_NET,
        PORTS_ON,
    ],
};

const NETWORK: Column = text("network", "its name in Table 2");
const NODES: Column = integer("nodes", "nodes", "its nodes");
const SAVING: Column = truth("saving", "trunks shed ports");
const W_NET: Column = float("energy.w_net", "1", "W_net, that of the reference network = 1");
const PORTS_ON: Column = float("ports_on", "ports", "mean ports of a trunk that are on, entering sleep or waking");
