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
    RELATION: text(
        "relation",
        "how ours must lie to it: `=` within the tolerance, `<` below or `>` above a limit; absent without theirs"
    ),
    OURS: float("ours", "", "the number that this version computes; absent with the verdict `not run`"),
    TOLERANCE: float(
        "tolerance",
        "",
        "the largest difference that is called `within`; absent without a number of theirs, or where that is a limit"
    ),
    TRIVIAL: text(
        "trivial",
        "what ours would be if nothing worked, such as that of an idle network: every such answer of this kind of quantity. \
         No verdict but `shown` would accept one"
    ),
    VERDICT: text(
        "verdict",
        "`equal` at the printed decimals, `within` the tolerance or limit, or `differs`; `set` where the experiment takes \
         the number from the paper; `shown` within a tolerance or limit that a trivial answer lies in, too, so that it says \
         nothing; `not run` without ours; absent without theirs"
    ),
    FITTED: text("fitted", "the choice that was made by this number, which therefore says nothing of it; absent otherwise"),
    REASON: text("reason", "how the numbers were computed, and why they may differ"),
}
