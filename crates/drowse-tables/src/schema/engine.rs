//! `engine.csv`: what a run cost the machine; kept apart because it differs from run to run.

use super::{Column, Schema, float, integer, text};

/// What the simulator needed for a case.
pub const ENGINE: Schema = Schema { file: "engine.csv", columns: COLUMNS };

const COLUMNS: &[Column] = &[
    text("case_id", "the case, as in cases.csv"),
    integer("engine.events", "events", "events handled"),
    float("engine.hops_per_s", "1/s", "hops over CPU seconds of the event loop"),
    float("engine.wall_s", "s", "time the event loop took"),
    float("engine.cpu_s", "s", "CPU time the event loop took"),
    integer("engine.peak_rss_bytes", "B", "largest resident memory of the process so far"),
];
