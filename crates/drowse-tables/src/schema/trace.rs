//! What `drowse trace info` says of a trace.

use super::{Column, Schema, float, integer, text};

/// Counts of a trace's contents.
pub const TRACE: Schema = Schema { file: "trace.csv", columns: COLUMNS };

const COLUMNS: &[Column] = &[
    text("format", "the trace's format"),
    integer("ranks", "ranks", "MPI processes"),
    integer("operations.*", "operations", "operations of one kind"),
    integer("messages.count", "messages", "point-to-point messages, as sent"),
    integer("messages.bytes", "B", "bytes of these messages"),
    integer("collectives.*", "calls", "calls of one collective, summed over ranks"),
    float("compute_s", "s", "computing time, summed over ranks"),
    text("iterations.from", "where its iterations are known from: period (of each rank's calls) or none"),
    integer("iterations.count", "iterations", "iterations of each rank that makes calls"),
    text("warnings[*]", "what must be known to judge the figures"),
];
