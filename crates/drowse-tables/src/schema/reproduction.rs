//! What `drowse reproduce` says: a paper's numbers beside ours.

use super::{Column, Schema, float, text};

/// One row a number of a paper.
pub const REPRODUCTION: Schema = Schema { file: "reproduction.csv", columns: COLUMNS };

const COLUMNS: &[Column] = &[
    text("paper", "the paper, by its short name"),
    text("place", "the table, figure or section, and within it the network or program"),
    text("quantity", "what is compared"),
    text("unit", "the unit of the numbers; `1` for a ratio or share"),
    float(
        "theirs",
        "",
        "the number that the paper gives, or the middle of its range; absent where the number is ours alone",
    ),
    float("ours", "", "the number that this version computes; absent with the verdict `no trace`"),
    float("tolerance", "", "the largest difference that is called `within`; absent without a number of theirs"),
    text(
        "verdict",
        "`equal` at the decimals that the paper prints, `within` the tolerance, `differs`, or `no trace`; absent where the number is ours alone",
    ),
    text("reason", "how the numbers were had, and why they may differ"),
];
