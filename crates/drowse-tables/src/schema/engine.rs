//! `engine.csv`: what a run cost the machine; kept apart because it differs from run to run.

use super::columns::table;

table! {
    /// What the simulator needed for a case.
    pub const ENGINE = "engine.csv";

    SET: text("set.*", "a value that the sweep has set, by the path of its key"),
    CASE_ID: text("case_id", "the case, as in cases.csv"),
    ENGINE_EVENTS: integer("engine.events", "events", "events handled"),
    ENGINE_HOPS_PER_S: float("engine.hops_per_s", "1/s", "hops over CPU seconds of the event loop"),
    ENGINE_WALL_S: float("engine.wall_s", "s", "time the event loop took"),
    ENGINE_CPU_S: float("engine.cpu_s", "s", "CPU time the event loop took"),
    ENGINE_PEAK_RSS_BYTES: integer("engine.peak_rss_bytes", "B", "largest resident memory of the process so far; of several processes, of the largest"),
    ENGINE_PROCESSES: integer("engine.processes", "", "processes of a run over several, as mpirun starts them"),
    ENGINE_WINDOWS: integer("engine.windows", "", "windows of such a run, after each of which all processes wait for each other"),
    ENGINE_EFFECTS: integer("engine.effects", "", "packets, credits and other effects that its processes have sent each other"),
    ENGINE_BYTES: integer("engine.bytes", "B", "what its processes have sent each other"),
    ENGINE_BUILD: text("engine.build", "what was built: a hash of the sources, as `drowse --version` prints it"),
    ENGINE_EXPERIMENT: text("engine.experiment", "the experiment that was run: its title, or the name of its file"),
}
