//! What `drowse trace info` says of a trace.

use super::columns::table;

table! {
    /// Counts of a trace's contents.
    pub const TRACE = "trace.csv";

    FORMAT: text("format", "the trace's format"),
    RANKS: integer("ranks", "ranks", "MPI processes"),
    OPERATIONS: integer("operations.*", "operations", "operations of one kind"),
    MESSAGES_COUNT: integer("messages.count", "messages", "point-to-point messages, as sent"),
    MESSAGES_BYTES: integer("messages.bytes", "B", "bytes of these messages"),
    COLLECTIVES: integer("collectives.*", "calls", "calls of one collective, summed over ranks"),
    COMPUTE_S: float("compute_s", "s", "computing time, summed over ranks"),
    COVERAGE_SIMULATED: integer("coverage.simulated", "operations", "operations that a run simulates as they are"),
    COVERAGE_APPROXIMATED: integer(
        "coverage.approximated",
        "operations",
        "operations that a run simulates not quite as they were, see the warnings"
    ),
    COVERAGE_IGNORED: integer("coverage.ignored", "operations", "operations that have no effect, see the warnings"),
    ITERATIONS_FROM: text(
        "iterations.from",
        "where its iterations are known from: period (of each rank's calls) or none"
    ),
    ITERATIONS_COUNT: integer("iterations.count", "iterations", "iterations of each rank that makes calls"),
    WARNINGS: text("warnings[*]", "a warning: what to know before using the figures"),
}
