//! The tables of `drowse reproduce torus`.

use super::Schema;
use super::columns::columns;

/// Programs on the networks of Andújar et al. 2019 (Fig. 2 to 5).
pub const TORUS_PROGRAMS: Schema = Schema {
    file: "torus_programs.csv",
    columns: &[
        NETWORK,
        NODES,
        SAVING,
        PROGRAM,
        COMPUTES,
        COPIES,
        MAKESPAN_S,
        RUNNING_FRACTION,
        RELATIVE_MAKESPAN,
        RELATIVE_E_NET,
        RELATIVE_E_CLUSTER,
        W_NET,
        PORTS_ON,
    ],
};

/// Uniform traffic on them.
pub const TORUS_LOADS: Schema = Schema {
    file: "torus_loads.csv",
    columns: &[NETWORK, NODES, SAVING, OFFERED, ACCEPTED, LATENCY_MEAN_NS, LATENCY_P99_NS, W_NET, PORTS_ON],
};

columns! {
    NETWORK: text("network", "its name in Table 2"),
    NODES: integer("nodes", "nodes", "its nodes"),
    SAVING: truth("saving", "trunks shed ports"),
    PROGRAM: text("program", "the program, of 64 ranks where it does not say how many; in brackets, what the paper leaves open"),
    COMPUTES: truth("computes", "whether it computes, as it was traced or generated; else its communication alone"),
    COPIES: integer("copies", "ranks", "ranks on each node, those of traces each of another copy"),
    MAKESPAN_S: float("makespan_s", "s", "run time"),
    RUNNING_FRACTION: float(
        "ranks.running_fraction",
        "1",
        "Run_task: share of the run time that a rank does not wait for messages"
    ),
    RELATIVE_MAKESPAN: float("relative.makespan", "1", "run time over that on the reference network"),
    RELATIVE_E_NET: float("relative.e_net", "1", "E_net over that of the reference network"),
    RELATIVE_E_CLUSTER: float(
        "relative.e_cluster",
        "1",
        "E_cluster over that with the reference network, omega_Snodes = 0.5"
    ),
    OFFERED: float("load.offered", "1", "share of what nodes can send"),
    ACCEPTED: float("load.accepted", "1", "share of it that arrives"),
    LATENCY_MEAN_NS: float("latency.packet.mean_ns", "ns", "mean latency of a packet"),
    LATENCY_P99_NS: float("latency.packet.p99_ns", "ns", "latency below which 99 % lie"),
    W_NET: float("energy.w_net", "1", "W_net, that of the reference network = 1"),
    PORTS_ON: float("ports_on", "ports", "mean ports of a trunk that are on, entering sleep or waking"),
}
