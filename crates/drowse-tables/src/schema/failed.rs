//! `failed.csv`: the cases of a sweep that have no result.

use super::columns::table;

table! {
    /// One row a case that could not finish.
    pub const FAILED = "failed.csv";

    NAME: text("name", "the short name of a case of a sweep: what tells it from the others"),
    SET: text("set.*", "a value that the sweep has set, by the path of its key; none where a baseline does not have the key"),
    BASELINE: truth(
        "baseline",
        "whether the row is none of the sweep's own points, but what these are compared with"
    ),
    ERROR: text("error", "why the case has no result"),
    CASE_ID: text("case_id", "a hash of the resolved experiment, its seed and the version"),
}
