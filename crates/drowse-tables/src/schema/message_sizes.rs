//! `message_sizes.csv`: latencies of messages by size, one row a class of sizes that has messages.

use super::columns::table;

table! {
    /// Latencies of the measured messages by size: 0 B, 1 B, 2 to 3 B, and so on by powers of two. Messages within a
    /// node are not among them.
    pub const MESSAGE_SIZES = "message_sizes.csv";

    CASE_ID: text("case_id", "the case, as in cases.csv"),
    FROM_BYTES: integer("from_bytes", "B", "the smallest size of the class"),
    TO_BYTES: integer("to_bytes", "B", "its largest size"),
    MESSAGES: integer("messages", "messages", "messages of these sizes"),
    BYTES: float("bytes", "B", "their bytes, together"),
    LATENCY_MEAN_NS: float("latency.mean_ns", "ns", "mean time from a message's hand-over to its last bit"),
    LATENCY_P50_NS: float("latency.p50_ns", "ns", "median of it, to within 0.8 % from above"),
    LATENCY_P90_NS: float("latency.p90_ns", "ns", "90th percentile of it, to within 0.8 % from above"),
    LATENCY_P99_NS: float("latency.p99_ns", "ns", "99th percentile of it, to within 0.8 % from above"),
    LATENCY_MAX_NS: float("latency.max_ns", "ns", "largest latency"),
}
