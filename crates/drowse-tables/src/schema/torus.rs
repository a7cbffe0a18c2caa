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

/// Sets of programs that a scheduler starts (section 4.2, Fig. 6 and 7): means over seeds.
pub const TORUS_SETS: Schema = Schema {
    file: "torus_sets.csv",
    columns: &[
        NETWORK,
        NODES,
        SAVING,
        SET,
        SEEDS,
        MAKESPAN_S,
        RUNNING_FRACTION,
        RELATIVE_MAKESPAN,
        RELATIVE_MAKESPAN_HALF,
        RELATIVE_E_NET,
        RELATIVE_E_NET_HALF,
        RELATIVE_E_CLUSTER_0,
        RELATIVE_E_CLUSTER_0_HALF,
        RELATIVE_E_CLUSTER_1,
        RELATIVE_E_CLUSTER_1_HALF,
        BREAK_EVEN,
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
    SET: text("set", "the set of programs: A, B or C"),
    SEEDS: integer("seeds", "", "how many draws of the scheduler the means are taken over"),
    RELATIVE_MAKESPAN_HALF: float(
        "half_width.makespan",
        "1",
        "half of the 95 % interval of the ratio of mean run times"
    ),
    RELATIVE_E_NET_HALF: float("half_width.e_net", "1", "the same of the ratio of E_net"),
    RELATIVE_E_CLUSTER_0: float(
        "relative.e_cluster[0.0]",
        "1",
        "E_cluster over that with the reference network, omega_Snodes = 0: nodes that draw nothing when idle"
    ),
    RELATIVE_E_CLUSTER_0_HALF: float("half_width.e_cluster[0.0]", "1", "half of its 95 % interval"),
    RELATIVE_E_CLUSTER_1: float(
        "relative.e_cluster[1.0]",
        "1",
        "the same with omega_Snodes = 1: nodes that draw all when idle"
    ),
    RELATIVE_E_CLUSTER_1_HALF: float("half_width.e_cluster[1.0]", "1", "half of its 95 % interval"),
    BREAK_EVEN: float(
        "break_even",
        "1",
        "omega_Snodes up to which the cluster needs less energy than with the reference network; 1 where it always does"
    ),
    OFFERED: float("load.offered", "1", "share of what nodes can send"),
    ACCEPTED: float("load.accepted", "1", "share of it that arrives"),
    LATENCY_MEAN_NS: float("latency.packet.mean_ns", "ns", "mean latency of a packet"),
    LATENCY_P99_NS: float("latency.packet.p99_ns", "ns", "latency below which 99 % lie"),
    W_NET: float("energy.w_net", "1", "W_net, that of the reference network = 1"),
    PORTS_ON: float("ports_on", "ports", "mean ports of a trunk that are on, entering sleep or waking"),
}
