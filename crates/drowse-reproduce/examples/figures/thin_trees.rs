//! Thin trees and their workloads: the rows of `drowse reproduce thin-trees`, quick and full, as they are kept in
//! docs/data.

use std::error::Error;
use std::fmt::Write;
use std::fs::File;

use drowse_tables::schema::{REPRODUCTION, reproduction};
use drowse_tables::{Row, csv};

use crate::told;

/// The rows of all papers' quick reproductions.
const ROWS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/data/quick_reproduction.csv");
/// The name of this paper in them.
const PAPER: &str = "thin-trees";
/// The rows of the full reproduction.
const FULL: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/data/thin_trees_reproduction.csv");

/// Trees of a reproduction, and what places of theirs begin with.
struct Trees {
    names: [&'static str; 2],
    fig_4: &'static str,
    table_3: &'static str,
}

/// Those of the quick one.
const QUICK: Trees = Trees {
    names: ["8:4,3-thintree", "8:2,3-thintree"],
    fig_4: "Fig. 4 on 512 nodes",
    table_3: "Table III on 512 nodes",
};
/// Those of the paper.
const PAPERS: Trees = Trees { names: ["8:4,4-thintree", "8:2,4-thintree"], fig_4: "Fig. 4", table_3: "Table III" };

/// The workloads as the page tells them, with what their quantities begin and end with.
const WORKLOADS: [(&str, &str, bool); 12] = [
    ("AA", "all-to-all, 512 B", false),
    ("BI", "reduction over a binary tree, 10 KiB", false),
    ("BU", "butterfly, 10 KiB", false),
    ("BU", "butterfly, packets ask for busy outputs", true),
    ("M2", "neighbours of a 2D mesh, 10 KiB", false),
    ("M3", "neighbours of a 3D mesh, 10 KiB", false),
    ("W2", "wavefront over a 2D mesh, 10 KiB", false),
    ("W3", "wavefront over a 3D mesh, 10 KiB", false),
    ("R1", "random messages one by one, 1 KiB", false),
    ("R2", "random, in 64 waves, 1 KiB", false),
    ("R3", "random, in 16 waves, 1 KiB", false),
    ("R4", "random, in 4 waves, 1 KiB", false),
];

/// What is added to quantities where BU asks for busy outputs.
const BUSY: &str = ", BU asks for busy outputs";

/// Phi and its quotients: headings and quantities.
const EFFECTIVENESS: [(&str, &str); 4] = [
    ("phi", "performance phi"),
    ("phi / c_C", "effectiveness phi / c_C"),
    ("phi / c_L", "effectiveness phi / c_L"),
    ("phi / c_Q", "effectiveness phi / c_Q"),
];

const ENERGY: [(&str, &str); 5] = [
    ("always on", "energy in joules, links always on"),
    ("asleep", "energy in joules, links sleep"),
    ("time asleep", "time if links sleep, always on = 1"),
    ("light, asleep", "energy of BI, W2 and W3 in joules, links sleep"),
    ("time of light, asleep", "time of BI, W2 and W3 if links sleep, always on = 1"),
];

/// Writes the page, and that of the differences.
pub fn pages() -> Result<[String; 2], Box<dyn Error>> {
    let mut rows = csv::read(&REPRODUCTION, File::open(ROWS)?)?;
    rows.retain(|row| row.text(reproduction::PAPER) == PAPER);
    let full = csv::read(&REPRODUCTION, File::open(FULL)?)?;
    let text = include_str!("thin_trees_text.md")
        .replace("<times>", &times(&rows, &QUICK)?)
        .replace("<effectiveness>", &effectiveness(&rows, &QUICK)?)
        .replace("<times, full>", &times(&full, &PAPERS)?)
        .replace("<effectiveness, full>", &effectiveness(&full, &PAPERS)?)
        .replace("<slimming>", &matrix(&rows, "Slimming on 512 nodes", &EFFECTIVENESS, ""))
        .replace("<slimming, busy>", &matrix(&rows, "Slimming on 512 nodes", &EFFECTIVENESS, BUSY))
        .replace("<best slimming>", &sentences(&rows, "Slimming on 512 nodes", ""))
        .replace("<best slimming, busy>", &sentences(&rows, "Slimming on 512 nodes", BUSY))
        .replace("<freed>", &matrix(&rows, "Freed ports on 64 nodes", &EFFECTIVENESS, ""))
        .replace("<best freed>", &sentences(&rows, "Freed ports on 64 nodes", ""))
        .replace("<energy>", &matrix(&rows, "Energy on 64 nodes", &ENERGY, ""));
    let differences = include_str!("thin_trees_differences_text.md")
        .replace("<insee>", &insee(&rows)?)
        .replace("<verdicts>\n", &told::verdicts(&full));
    rows.extend(full);
    Ok([told::fill(&text, &rows)?, told::fill(&differences, &rows)?])
}

/// A workload's time on a tree of the paper.
pub struct Time {
    /// The workload.
    pub name: &'static str,
    /// Whether BU asks for busy outputs.
    pub is_busy: bool,
    /// Relative to the whole tree.
    pub time: f64,
}

/// What workloads take on a tree of the paper.
pub struct Tree {
    /// The tree.
    pub name: &'static str,
    /// Fig. 4.
    pub times: Vec<Time>,
    /// The mean time of Table III: the paper's, and ours.
    pub means: [f64; 2],
}

/// Reads Fig. 4 and the mean times of Table III, of each tree of the paper.
pub fn figure() -> Result<Vec<Tree>, Box<dyn Error>> {
    let rows = csv::read(&REPRODUCTION, File::open(FULL)?)?;
    let of_tree = |tree: &'static str| {
        let number = |place: &str, is_it: &dyn Fn(&str) -> bool, column| {
            let row = rows
                .iter()
                .find(|row| row.text(reproduction::PLACE) == place && is_it(&row.text(reproduction::QUANTITY)));
            row.and_then(|row| row.number(column)).ok_or_else(|| format!("{place} lacks a number of the {tree}"))
        };
        let place = format!("{}, {tree}", PAPERS.fig_4);
        let mut times = Vec::new();
        for (name, _, is_busy) in WORKLOADS {
            let is_it = |quantity: &str| {
                quantity.starts_with(&format!("time of {name},")) && quantity.contains(BUSY) == is_busy
            };
            times.push(Time { name, is_busy, time: number(&place, &is_it, reproduction::OURS)? });
        }
        let table = format!("{}, {tree}", PAPERS.table_3);
        let mean = |column| number(&table, &|quantity| quantity == "mean relative time", column);
        let means = [mean(reproduction::THEIRS)?, mean(reproduction::OURS)?];
        Ok::<_, String>(Tree { name: tree, times, means })
    };
    Ok(PAPERS.names.into_iter().map(of_tree).collect::<Result<_, _>>()?)
}

/// Writes Fig. 4.
fn times(rows: &[Row], trees: &Trees) -> Result<String, Box<dyn Error>> {
    let mut table = format!("| workload | | {} |\n|---|---|---:|---:|\n", trees.names.join(" | "));
    for (name, told, busy) in WORKLOADS {
        let _ = write!(table, "| {name} | {told} |");
        for tree in trees.names {
            let is_it = |row: &&Row| {
                let quantity = row.text(reproduction::QUANTITY);
                row.text(reproduction::PLACE) == format!("{}, {tree}", trees.fig_4)
                    && quantity.starts_with(&format!("time of {name},"))
                    && quantity.contains(BUSY) == busy
            };
            let row = rows.iter().find(is_it).ok_or_else(|| format!("there is no time of {name} on the {tree}"))?;
            let _ = write!(table, " {} |", ours(row));
        }
        table.push('\n');
    }
    Ok(table)
}

/// Writes phi, its reciprocal and its quotients (Table III), with BU by both rules.
fn effectiveness(rows: &[Row], trees: &Trees) -> Result<String, Box<dyn Error>> {
    let [half, quarter] = trees.names;
    let mut table = format!("| | {half} | BU asks for busy outputs | {quarter} | BU asks for busy outputs |\n");
    table.push_str("|---|---:|---:|---:|---:|\n");
    for quantity in ["mean relative time"].into_iter().chain(EFFECTIVENESS.map(|(_, quantity)| quantity)) {
        let _ = write!(table, "| {quantity} |");
        for tree in trees.names {
            let place = format!("{}, {tree}", trees.table_3);
            for ending in ["", BUSY] {
                let row = find(rows, &place, &format!("{quantity}{ending}"));
                let _ =
                    write!(table, " {} |", ours(row.ok_or_else(|| format!("there is no {quantity} of the {tree}"))?));
            }
        }
        table.push('\n');
    }
    Ok(table)
}

/// Writes a table of a study: a line for each tree, a column for each quantity.
fn matrix(rows: &[Row], study: &str, quantities: &[(&str, &str)], ending: &str) -> String {
    let mut table = "| tree |".to_owned();
    quantities.iter().for_each(|(heading, _)| {
        let _ = write!(table, " {heading} |");
    });
    let _ = writeln!(table, "\n|---|{}", "---:|".repeat(quantities.len()));
    // A tree has rows with BU by either rule, not all side by side.
    let mut trees: Vec<String> = Vec::new();
    for row in rows {
        let place = row.text(reproduction::PLACE);
        if let Some(tree) = place.strip_prefix(study).and_then(|rest| rest.strip_prefix(", "))
            && !trees.iter().any(|known| known == tree)
        {
            trees.push(tree.to_owned());
        }
    }
    for tree in trees {
        let _ = write!(table, "| {tree} |");
        for (_, quantity) in quantities {
            let row = find(rows, &format!("{study}, {tree}"), &format!("{quantity}{ending}"));
            let _ = write!(table, " {} |", row.map_or_else(|| "1".to_owned(), ours));
        }
        table.push('\n');
    }
    table
}

/// Writes which tree is the best under each cost function, as the reproduction says it.
fn sentences(rows: &[Row], study: &str, ending: &str) -> String {
    let of_study = rows.iter().filter(|row| {
        let quantity = row.text(reproduction::QUANTITY);
        row.text(reproduction::PLACE) == study
            && quantity.starts_with("largest phi")
            && quantity.ends_with(BUSY) != ending.is_empty()
    });
    let sentence = |row: &Row| {
        let reason = row.text(reproduction::REASON);
        let told = reason.split(" (").next().unwrap_or_default();
        format!("- {}{}.\n", told[..1].to_uppercase(), &told[1..])
    };
    of_study.map(sentence).collect()
}

/// Writes the times beside INSEE's on 64 nodes.
fn insee(rows: &[Row]) -> Result<String, Box<dyn Error>> {
    let mut table = "| nodes | tree | quantity | INSEE | ours | verdict |\n|---:|---|---|---:|---:|---|\n".to_owned();
    for row in rows {
        let (place, quantity) = (row.text(reproduction::PLACE), row.text(reproduction::QUANTITY));
        let Some((nodes, tree)) = place.strip_prefix("INSEE, ").and_then(|rest| rest.split_once(" nodes, ")) else {
            continue;
        };
        let (theirs, verdict) = (told_range(row), row.text(reproduction::VERDICT));
        let ours = row.number(reproduction::OURS).ok_or("a row has no number of ours")?;
        let _ = writeln!(table, "| {nodes} | {tree} | {quantity} | {theirs} | {} | {verdict} |", shown(ours));
    }
    Ok(table)
}

/// Returns the range in which ours must lie.
fn told_range(row: &Row) -> String {
    match (row.number(reproduction::THEIRS), row.number(reproduction::TOLERANCE)) {
        (Some(theirs), Some(tolerance)) if tolerance > 0.0 => {
            format!("{} to {}", shown(theirs - tolerance), shown(theirs + tolerance))
        }
        (Some(theirs), _) => shown(theirs),
        (None, _) => "-".to_owned(),
    }
}

/// Shows cycles as whole numbers, and ratios with three decimals.
fn shown(number: f64) -> String {
    if number < 100.0 { format!("{number:.3}") } else { format!("{number:.0}") }
}

fn find<'a>(rows: &'a [Row], place: &str, quantity: &str) -> Option<&'a Row> {
    rows.iter().find(|row| row.text(reproduction::PLACE) == place && row.text(reproduction::QUANTITY) == quantity)
}

fn ours(row: &Row) -> String {
    row.number(reproduction::OURS).map_or_else(|| "-".to_owned(), |ours| format!("{ours:.2}"))
}
