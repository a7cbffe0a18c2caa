//! `jobs.csv`: one row a job.

use super::columns::table;

table! {
    /// What each job did.
    pub const JOBS = "jobs.csv";

    SET: text("set.*", "a value that the sweep has set, by the path of its key"),
    CASE_ID: text("case_id", "the case, as in cases.csv"),
    JOB: text("job", "the job's name"),
    RANKS: integer("ranks", "ranks", "its ranks"),
    NODES: integer("nodes", "nodes", "nodes that they ran on"),
    ARRIVAL_S: float("arrival_s", "s", "when the job arrived; only under a scheduler, as the next two"),
    WAIT_S: float("wait_s", "s", "time from then until its ranks started"),
    SLOWDOWN: float("slowdown", "1", "time from its arrival to its end, its makespan = 1"),
    START_S: float("start_s", "s", "when they started"),
    MAKESPAN_S: float(
        "makespan_s",
        "s",
        "time from then until the last of them finished; with repeat = \"until-others-end\", until the end of the run"
    ),
    EXTRAPOLATED_S: float(
        "extrapolated_s",
        "s",
        "how much of it was not simulated, since iterations were like those before; where iterations are extrapolated"
    ),
    REPETITIONS: integer(
        "repetitions",
        "repetitions",
        "how often they ran their program; with repeat = \"until-others-end\", the whole repetitions that had ended when all other jobs had"
    ),
    RUNNING_FRACTION: float(
        "running_fraction",
        "1",
        "mean share of that time that a rank does not wait for communication"
    ),
    ENERGY_FRACTION: float(
        "energy_fraction",
        "1",
        "share of the energy of network and nodes that is put down to the job: its share of the core time that jobs held; under a scheduler"
    ),
    OPERATIONS: integer(
        "operations",
        "operations",
        "operations of its ranks' programs that were run: computations and calls of MPI"
    ),
    MESSAGES: integer("messages", "messages", "messages sent, those of collectives included"),
    BYTES: integer("bytes", "B", "bytes of these messages"),
    PATH_COMPUTING_FRACTION: float(
        "path.computing_fraction",
        "1",
        "critical path: share of the makespan in which ranks computed; the five shares sum to 1; absent with repeat = \"until-others-end\""
    ),
    PATH_OVERHEAD_FRACTION: float(
        "path.overhead_fraction",
        "1",
        "critical path: share in which ranks were busy with messages"
    ),
    PATH_MEMORY_FRACTION: float(
        "path.memory_fraction",
        "1",
        "critical path: share in which messages went through the memory of a node"
    ),
    PATH_NETWORK_FRACTION: float(
        "path.network_fraction",
        "1",
        "critical path: share in which messages went through the network or waited in it, but for waking links"
    ),
    PATH_WAKING_FRACTION: float(
        "path.waking_fraction",
        "1",
        "critical path: share by which messages were late because links woke: their own waits, and those behind packets and credits that were late"
    ),
    RELATIVE_MAKESPAN: float("relative.makespan", "1", "makespan, that of the baseline's job of the same name = 1"),
}
