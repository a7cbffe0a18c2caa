//! `idle_pairs.csv`: idle periods and those after them, one row a pair of bins that is not empty.

use super::columns::table;

table! {
    /// Lengths of an idle period and of the next on the same channel, summed over the channels of a link class
    /// (Saravanan and Carpenter 2018, Fig. 6); bins as in `idle_periods.csv`.
    pub const IDLE_PAIRS = "idle_pairs.csv";

    CASE_ID: text("case_id", "the case, as in cases.csv"),
    CLASS: text("class", "the link class"),
    FROM_PS: integer("from_ps", "ps", "the shortest period of the bin"),
    TO_PS: integer("to_ps", "ps", "what its periods are shorter than; absent for the last bin"),
    NEXT_FROM_PS: integer("next_from_ps", "ps", "the shortest period of the next one's bin"),
    NEXT_TO_PS: integer("next_to_ps", "ps", "what its periods are shorter than; absent for the last bin"),
    COUNT: integer(
        "count",
        "periods",
        "idle periods of the one bin that one of the other followed, on all channels of the class"
    ),
    IDLE_S: float("idle_s", "s", "how long the first of each two were, together"),
}
