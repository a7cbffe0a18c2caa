//! The page on PerfBound: which of the paper's statements hold, what each change does to its numbers, and the programs that
//! are sketched by what is published of them.

use std::fmt::Write;

use drowse_tables::Row;
use drowse_tables::schema::reproduction;

use crate::told::{self, shown};

/// What the paper says, where, and the row that judges it.
const STATEMENTS: [(&str, &str, &str, &str); 19] = [
    (
        "PerfBound saves up to 70 % of link energy",
        "Abstract",
        "Abstract",
        "largest saving of PerfBound on edge links at 1 %",
    ),
    ("BT loses about 2 % under sleep at once", "4.1", "Fig. 4, BT", "overhead of deep sleep at once"),
    ("LU keeps 5 % with a timer of 50 us", "4.2", "Fig. 5, LU", "deep stall timer from which on the overhead is 5 %"),
    ("LINPACK idles most often for 10 us", "4.2", "Fig. 6, LINPACK", MOST_FREQUENT),
    ("BT idles most often for 1 ms", "4.2", "Fig. 6, BT", MOST_FREQUENT),
    (
        "LINPACK's idle time is most in periods of over 10 ms",
        "4.2",
        "Fig. 6, LINPACK",
        "idle time in periods of over 10 ms, \"most\"",
    ),
    ("SP gains more from fast wake than from deep sleep", "4.3", "Fig. 7, SP", BETTER),
    ("FT gains more from deep sleep", "4.3", "Fig. 7, FT", BETTER),
    (
        "Most programs save 50 to 80 % under the best two timers",
        "4.4",
        "Section 4.4",
        "share of programs that save 50 to 80 % under the best stall timers at 1 %, \"most\"",
    ),
    (
        "Timers settle within 200 idle periods",
        "6.3",
        "Section 6.3",
        "share of programs whose timers settle within 200 idle periods",
    ),
    (
        "Without correction a fifth fewer messages are delayed than may be",
        "6.3",
        "Fig. 15, BT",
        "messages delayed below the target, without correction",
    ),
    (
        "With correction the distance stays near zero",
        "6.3",
        "Fig. 15, BT",
        "mean distance from the target, with correction",
    ),
    (
        "Deep sleep alone saves over 60 % for nine of fourteen",
        "7",
        "Section 7",
        "share of programs of which deep sleep alone saves over 60 % at 1 % of overhead",
    ),
    (
        "DynamicFastwake saves 70 % for six of fourteen",
        "7",
        "Section 7",
        "share of programs of which DynamicFastwake saves 70 % at 1 %",
    ),
    (
        "It is on or below the best fixed timers for ten of fourteen",
        "7",
        "Section 7",
        "share of programs with DynamicFastwake on or below the best stall timers at 1 %",
    ),
    (
        "It is within a point of the bound for twelve of fourteen",
        "7",
        "Section 7",
        "share of programs with an overhead of DynamicFastwake within a point of 1 %",
    ),
    ("PerfBound costs 1.1 % in the mean", "7", "Section 7", "mean overhead of PerfBound at 1 %"),
    ("DynamicFastwake costs 1.4 % in the mean", "7", "Section 7", "mean overhead of DynamicFastwake at 1 %"),
    (
        "Its energy-delay product is 10 % lower than PerfBound's",
        "7",
        "Section 7",
        "mean energy-delay product of DynamicFastwake below PerfBound's at 1 %",
    ),
];

const MOST_FREQUENT: &str = "most frequent idle period of edge links, links always on";
const BETTER: &str = "better alone at 1 % of overhead: fast wake 1, deep sleep -1";

/// Returns the table of statements.
pub fn table(rows: &[Row]) -> String {
    let mut table = String::from("| statement | section | paper | ours | holds |\n|---|---|---:|---:|---|\n");
    for (statement, section, place, quantity) in STATEMENTS {
        let is_it = |row: &&Row| row.text(reproduction::PLACE) == place && row.text(reproduction::QUANTITY) == quantity;
        let Some(row) = rows.iter().find(is_it) else { continue };
        let [theirs, ours] = [reproduction::THEIRS, reproduction::OURS].map(|column| row.number(column));
        let (Some(theirs), Some(ours)) = (theirs, ours) else { continue };
        let unit = match row.text(reproduction::UNIT).as_str() {
            "1" => String::new(),
            unit => format!(" {unit}"),
        };
        let relation = row.text(reproduction::RELATION).replace('=', "");
        let holds = holds(&row.text(reproduction::VERDICT), &row.text(reproduction::REASON));
        let _ = writeln!(
            table,
            "| {statement} | {section} | {relation}{}{unit} | {}{unit} | {holds} |",
            shown(theirs),
            shown(ours)
        );
    }
    table
}

/// Says whether a statement holds, and otherwise with which change it does.
fn holds(verdict: &str, reason: &str) -> String {
    if verdict != "differs" {
        return "yes".into();
    }
    let change = reason.split_once("; it does not differ as \"").and_then(|(_, cause)| cause.split_once('"'));
    change.map_or_else(|| "no".into(), |(change, _)| format!("with {change}"))
}

/// What a change does to the numbers of the paper.
pub struct Change {
    name: String,
    /// How many numbers were computed with it.
    numbers: String,
    /// How many differ as traced and are within the tolerance with it, and how many are the other way round.
    explains: String,
    breaks: String,
    /// Those that it breaks.
    broken: String,
}

/// Returns what each change does.
pub fn changes(rows: &[Row]) -> Vec<Change> {
    let of_changes: Vec<&Row> =
        rows.iter().filter(|row| row.text(reproduction::PLACE).starts_with("Change: ")).collect();
    let change = |pair: &[&Row]| {
        let [explains, breaks] =
            [pair[0], pair[1]].map(|row| row.number(reproduction::OURS).map_or_else(|| "-".into(), shown));
        let reason = pair[1].text(reproduction::REASON);
        let (of, broken) = reason.split_once(" numbers of the paper: ").unwrap_or(("", ""));
        Change {
            name: pair[0].text(reproduction::PLACE).trim_start_matches("Change: ").to_owned(),
            numbers: of.trim_start_matches("of ").to_owned(),
            explains,
            breaks,
            broken: broken.to_owned(),
        }
    };
    of_changes.chunks_exact(2).map(change).collect()
}

/// Returns the table of how many numbers each change explains and breaks.
pub fn counts(changes: &[Change]) -> String {
    let mut table = String::from("| change | numbers | explains | breaks |\n|---|---:|---:|---:|\n");
    for Change { name, numbers, explains, breaks, .. } in changes {
        let _ = writeln!(table, "| {name} | {numbers} | {explains} | {breaks} |");
    }
    table
}

/// Returns the table of the numbers that each change breaks.
pub fn breaks(changes: &[Change]) -> String {
    let mut table = String::from("| change | breaks |\n|---|---|\n");
    for Change { name, broken, .. } in changes {
        let _ = writeln!(table, "| {name} | {broken} |");
    }
    table
}

/// Returns the numbers of programs that are sketched.
pub fn sketched(rows: &[Row]) -> String {
    let mut table = String::from("| program | quantity | paper | ours | verdict |\n|---|---|---:|---:|---|\n");
    for row in rows.iter().filter(|row| row.text(reproduction::REASON).contains("sketched by what is published")) {
        let place = row.text(reproduction::PLACE);
        let (Some(theirs), Some(ours)) = (row.number(reproduction::THEIRS), row.number(reproduction::OURS)) else {
            continue;
        };
        let verdict = told::verdict(row);
        let quantity = format!("{}, {}", row.text(reproduction::QUANTITY), row.text(reproduction::UNIT));
        let _ = writeln!(table, "| {place} | {quantity} | {} | {} | {verdict} |", shown(theirs), shown(ours));
    }
    table
}
