//! `failed.csv`: the cases of a sweep that have no result.

use super::columns::table;

table! {
    /// One row a case that could not finish.
    pub const FAILED = "failed.csv";

    SET: text("set.*", "a value that the sweep has set, by the path of its key"),
    ERROR: text("error", "why the case has no result"),
    CASE_ID: text("case_id", "a hash of the resolved experiment, its seed and the version"),
}
