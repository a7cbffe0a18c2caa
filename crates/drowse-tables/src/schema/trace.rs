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
    MESSAGES_PAIRS: integer("messages.pairs", "pairs", "pairs of a sender and a receiver of these messages"),
    SIZES_MESSAGES: integer(
        "message_sizes.*.messages",
        "messages",
        "messages of up to so many bytes, and of more than half as many"
    ),
    SIZES_BYTES: integer("message_sizes.*.bytes", "B", "bytes of these messages"),
    COLLECTIVES: integer("collectives.*", "calls", "calls of one collective, summed over ranks"),
    COLLECTIVE_SIZES_CALLS: integer(
        "collective_sizes.*.calls",
        "calls",
        "calls of one collective that name up to so many bytes, and more than half as many, summed over ranks"
    ),
    COLLECTIVE_SIZES_BYTES: integer("collective_sizes.*.bytes", "B", "bytes that these calls name"),
    COMMUNICATORS_COUNT: integer("communicators.count", "communicators", "communicators, that of all ranks included"),
    COMMUNICATORS_OF: integer("communicators.of_ranks.*", "communicators", "communicators of so many ranks"),
    COMPUTE_S: float("compute_s", "s", "computing time, summed over ranks"),
    COMPUTE_LEAST_S: float("compute_of_a_rank.least_s", "s", "computing time of the rank that computes least"),
    COMPUTE_MEAN_S: float("compute_of_a_rank.mean_s", "s", "mean computing time of a rank"),
    COMPUTE_MOST_S: float("compute_of_a_rank.most_s", "s", "computing time of the rank that computes most"),
    COMPUTE_LEAST_SHARE: float(
        "compute_of_a_rank.least_share",
        "1",
        "least share of a rank's recorded time in which it computes; absent where the format records no such time"
    ),
    COMPUTE_MEAN_SHARE: float("compute_of_a_rank.mean_share", "1", "mean of these shares"),
    COMPUTE_MOST_SHARE: float("compute_of_a_rank.most_share", "1", "largest of these shares"),
    RECORDED_S: float("recorded_s", "s", "time that the longest rank took when it was recorded; absent where unknown"),
    IDEAL_RUN_S: float("ideal_run.s", "s", "run time where communication costs none: ranks compute, and wait for each other"),
    IDEAL_RUN_BEFORE_S: float(
        "ideal_run.before_s",
        "s",
        "time of it before the first message is sent or the first collective called"
    ),
    IDEAL_RUN_AFTER_S: float("ideal_run.after_s", "s", "time of it after the last message or collective"),
    COVERAGE_SIMULATED: integer("coverage.simulated", "operations", "operations that a run simulates as they are"),
    COVERAGE_APPROXIMATED: integer(
        "coverage.approximated",
        "operations",
        "operations that a run simulates not quite as they were, see the warnings"
    ),
    COVERAGE_IGNORED: integer("coverage.ignored", "operations", "operations that have no effect, see the warnings"),
    ITERATIONS_FROM: text(
        "iterations.from",
        "where its iterations are known from: marks (in the trace), period (of each rank's calls) or none"
    ),
    ITERATIONS_COUNT: integer("iterations.count", "iterations", "iterations of each rank that makes calls"),
    WARNINGS: text("warnings[*]", "a warning: what to know before using the figures"),
}
