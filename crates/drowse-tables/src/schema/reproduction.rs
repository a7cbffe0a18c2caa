//! What `drowse reproduce` says: a paper's numbers beside ours.

use super::columns::table;

table! {
    /// One row a number of a paper.
    pub const REPRODUCTION = "reproduction.csv";

    PAPER: text("paper", "the paper, by its short name"),
    PLACE: text("place", "the table, figure or section, and within it the network or program"),
    QUANTITY: text("quantity", "what is compared"),
    UNIT: text("unit", "the unit of the numbers; `1` for a ratio or share"),
    THEIRS: float(
        "theirs",
        "",
        "the number of the paper, or the middle of its range; absent where the number is ours alone"
    ),
    OURS: float("ours", "", "the number that this version computes; absent with the verdict `no trace`"),
    TOLERANCE: float(
        "tolerance",
        "",
        "the largest difference that is called `within`; absent without a number of theirs"
    ),
    VERDICT: text(
        "verdict",
        "`equal` at the printed decimals, `within` the tolerance, `differs`, or `no trace`; absent without theirs"
    ),
    REASON: text("reason", "how the numbers were computed, and why they may differ"),
}
