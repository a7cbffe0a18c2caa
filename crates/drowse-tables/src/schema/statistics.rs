//! `statistics.csv`: one row a point of a sweep, over its seeds.

use super::columns::table;

table! {
    /// Means over the seeds of a sweep.
    pub const STATISTICS = "statistics.csv";

    NAME: text("name", "the short name of a point: what tells it from the others"),
    SET: text("set.*", "a value that the sweep has set, by the path of its key; seeds are left out"),
    BASELINE: truth(
        "baseline",
        "whether the row is none of the sweep's own points, but what these are compared with"
    ),
    CASES: integer("cases", "cases", "cases that have finished, a seed each"),
    FAILED: integer("failed", "cases", "cases that could not finish"),
    SATURATED: integer("saturated", "cases", "cases whose network could not take the offered load"),
    WARNED: integer("warned", "cases", "cases with warnings, such as packets that were still in the network at the end"),
    MEAN: float("*.mean", "as in cases.csv", "the mean of a figure of cases.csv"),
    HALF_WIDTH: float(
        "*.half_width",
        "as in cases.csv",
        "half the width of its 95 % confidence interval by Student's distribution; from two cases on"
    ),
    COUNT: integer("*.n", "cases", "cases that have this figure"),
}
