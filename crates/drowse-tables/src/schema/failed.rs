//! `failed.csv`: the cases of a sweep that have no result.

use super::{Column, SET, Schema, text};

/// One row a case that could not finish.
pub const FAILED: Schema = Schema { file: "failed.csv", columns: COLUMNS };

const COLUMNS: &[Column] = &[
    SET,
    text("error", "why the case has no result"),
    text("case_id", "a hash of the resolved experiment, its seed and the version"),
];
