//! The pages on PerfBound: their texts, and tables of the kept reproduction.

use std::error::Error;
use std::fmt::Write;
use std::fs::File;
use std::path::Path;

use drowse_reproduce::saved_in_four_years;
use drowse_tables::schema::{REPRODUCTION, reproduction};
use drowse_tables::{Row, csv};

use crate::idling::Study;
use crate::perfbound::TABLES;
use crate::perfbound_statements;
use crate::told::{self, shown};

/// The columns of the table, the programs first.
const FIGURES: [(&str, usize); 12] = [
    ("overhead of PerfBound at 1 %", 1),
    ("overhead of DynamicFastwake at 1 %", 1),
    ("energy of edge links, PerfBound at 1 %", 1),
    ("energy of edge links, DynamicFastwake at 1 %", 1),
    ("energy of edge links, in hindsight", 1),
    ("energy of all links, PerfBound at 1 %", 1),
    ("energy of all links, DynamicFastwake at 1 %", 1),
    ("energy of all links, in hindsight", 1),
    ("energy-delay product of DynamicFastwake below PerfBound's at 1 %", 1),
    ("energy-delay product of uncorrected DynamicFastwake below PerfBound's at 1 %", 1),
    ("energy of DynamicFastwake at 1 % above the best stall timers", 1),
    ("idle periods until timers have settled, PerfBound at 1 %", 0),
];

/// Reads the kept reproduction.
pub fn rows() -> Result<Vec<Row>, Box<dyn Error>> {
    Ok(csv::read(&REPRODUCTION, File::open(Path::new(TABLES).join("perfbound_reproduction.csv"))?)?)
}

/// The name of each page, and its text.
const PAGES: [(&str, &str); 5] = [
    ("perfbound.md", include_str!("perfbound_text.md")),
    ("perfbound-causes.md", include_str!("perfbound_causes_text.md")),
    ("perfbound-choices.md", include_str!("perfbound_choices_text.md")),
    ("perfbound-programs.md", include_str!("perfbound_programs_text.md")),
    ("perfbound-numbers.md", include_str!("perfbound_numbers_text.md")),
];

/// Writes the pages, each with its name.
pub fn pages(rows: &[Row], idle: &Study) -> Result<Vec<(&'static str, String)>, Box<dyn Error>> {
    PAGES.into_iter().map(|(name, text)| Ok((name, fill(text, rows, idle)?))).collect()
}

/// Puts tables and numbers into a text.
fn fill(text: &str, rows: &[Row], idle: &Study) -> Result<String, Box<dyn Error>> {
    let text = text.replace("[programs]\n", &programs(rows)).replace("[money]\n", &money(rows)?);
    let text = text.replace("[settings]\n", &settings(rows)).replace("[bands]\n", &bands(rows));
    let text = text.replace("[waits]\n", &waits(rows)).replace("[numbers]\n", &numbers(rows));
    let text = text.replace("[verdicts]\n", &told::verdicts(rows));
    let text = text.replace("[statements]\n", &perfbound_statements::table(rows));
    let changes = perfbound_statements::changes(rows);
    let text = text.replace("[changes]\n", &perfbound_statements::counts(&changes));
    let text = text.replace("[breaks]\n", &perfbound_statements::breaks(&changes));
    let text = text.replace("[sketched]\n", &perfbound_statements::sketched(rows));
    told::fill(&idling(&text, idle), rows)
}

/// Puts what was seen of idle periods into the text.
fn idling(text: &str, idle: &Study) -> String {
    let mut text = text.to_owned();
    for program in &idle.idling {
        let name = program.name;
        let most = |from| program.most_frequent(from).map_or_else(|| "-".to_owned(), |time| format!("{time:.0}"));
        text =
            text.replace(&format!("[{name} most]"), &most(0)).replace(&format!("[{name} most over 20 us]"), &most(26));
        for (what, share) in ["long", "time in long"].into_iter().zip(program.long()) {
            text = text.replace(&format!("[{name} {what}]"), &format!("{:.1}", 100.0 * share));
        }
    }
    text
}

fn programs(rows: &[Row]) -> String {
    let mut table = String::from(
        "| program | overhead PB | DF | edge links PB | DF | hindsight | all links PB | DF | hindsight | EDP, less | uncorrected | distance | settled |\n|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|\n",
    );
    for program in told::programs(rows) {
        let cells = FIGURES.map(|(quantity, decimals)| {
            let number = told::of_program(rows, &program, quantity);
            number.map_or_else(|| "-".into(), |number| format!("{number:.decimals$}"))
        });
        let _ = writeln!(table, "| {program} | {} |", cells.join(" | "));
    }
    table
}

/// Returns what the paper's system would save with links as under each policy, or in hindsight, of which runs are as long
/// as with links always on.
fn money(rows: &[Row]) -> Result<String, Box<dyn Error>> {
    let mut table = String::from("| program | PerfBound | DynamicFastwake | hindsight |\n|---|---:|---:|---:|\n");
    for program in told::programs(rows) {
        let of = |quantity: &str| told::of_program(rows, &program, quantity);
        let saved = |policy: &str| {
            let links = of(&format!("energy of all links, {policy} at 1 %"))?;
            Some((links, of(&format!("overhead of {policy} at 1 %"))?))
        };
        let hindsight = of("energy of all links, in hindsight").map(|links| (links, 0.0));
        let cell = |found: Option<(f64, f64)>| match found {
            Some((links, overhead)) => {
                saved_in_four_years(links / 100.0, 1.0 + overhead / 100.0).map(|money| format!("{money:.2}"))
            }
            None => Ok("-".into()),
        };
        let cells = [saved("PerfBound"), saved("DynamicFastwake"), hindsight].map(cell);
        let [perfbound, fastwake, hindsight] = cells;
        let _ = writeln!(table, "| {program} | {} | {} | {} |", perfbound?, fastwake?, hindsight?);
    }
    Ok(table)
}

/// The means that are shown in each setting and under each choice.
const MEANS: [(&str, &str); 3] = [
    ("overhead PB", "overhead of PerfBound at 1 %"),
    ("overhead DF", "overhead of DynamicFastwake at 1 %"),
    ("EDP, less", "energy-delay product of DynamicFastwake below PerfBound's at 1 %"),
];

/// Returns the means and medians in the four settings.
fn settings(rows: &[Row]) -> String {
    let mut table = String::from(
        "| setting | quantity, % | paper | mean | shared | median | shared |\n|---|---|---:|---:|---:|---:|---:|\n",
    );
    for setting in ["as traced", "idle scale", "idle scale and granularity", "a queue for each output"] {
        let place = if setting == "as traced" { "Section 7".to_owned() } else { format!("{setting}: Section 7") };
        for (name, quantity) in MEANS {
            let of = |what: &str, column| {
                let named =
                    |row: &&Row| row.text(reproduction::PLACE) == place && row.text(reproduction::QUANTITY) == what;
                rows.iter().find(named).and_then(|row| row.number(column)).map_or_else(|| "-".into(), shown)
            };
            let ours = ["mean", "median"].map(|over| {
                let all = format!("{over} {quantity}");
                [of(&all, reproduction::OURS), of(&format!("{all}, shared programs"), reproduction::OURS)].join(" | ")
            });
            let theirs = of(&format!("mean {quantity}"), reproduction::THEIRS);
            let _ = writeln!(table, "| {setting} | {name} | {theirs} | {} |", ours.join(" | "));
        }
    }
    table
}

/// Returns the means over shared programs under each choice.
fn bands(rows: &[Row]) -> String {
    let mut table = String::from("| choice | overhead PB | overhead DF | EDP, less |\n|---|---:|---:|---:|\n");
    let of_bands = rows.iter().filter(|row| row.text(reproduction::PLACE).starts_with("Band: ")).collect::<Vec<_>>();
    for rows in of_bands.chunks(MEANS.len()) {
        let cells: Vec<String> =
            rows.iter().filter_map(|row| row.number(reproduction::OURS)).map(|number| format!("{number:.2}")).collect();
        let choice = rows[0].text(reproduction::PLACE);
        let _ = writeln!(table, "| {} | {} |", choice.trim_start_matches("Band: "), cells.join(" | "));
    }
    table
}

/// Returns how long messages have waited for links, and what became of it.
fn waits(rows: &[Row]) -> String {
    let mut table = String::from("| program | overhead PB | where it comes from |\n|---|---:|---|\n");
    let quantity = FIGURES[0].0;
    for row in rows.iter().filter(|row| row.text(reproduction::QUANTITY) == quantity) {
        let (place, ours) = (row.text(reproduction::PLACE), row.number(reproduction::OURS));
        if let (Some((_, program)), Some(ours)) = (place.split_once(", "), ours) {
            let _ = writeln!(table, "| {program} | {ours:.1} | {} |", row.text(reproduction::REASON));
        }
    }
    table
}

/// Returns the numbers of the paper that could be computed.
fn numbers(rows: &[Row]) -> String {
    let mut table = String::from("| place | quantity | paper | ours | verdict | how |\n|---|---|---:|---:|---|---|\n");
    let simulated = rows.iter().skip_while(|row| !row.text(reproduction::PLACE).starts_with("Fig. 4"));
    for row in simulated {
        let (Some(theirs), Some(ours)) = (row.number(reproduction::THEIRS), row.number(reproduction::OURS)) else {
            continue;
        };
        let [place, quantity] = [reproduction::PLACE, reproduction::QUANTITY].map(|column| row.text(column));
        let (verdict, reason) = (told::verdict(row), told::reason(row));
        let _ = writeln!(
            table,
            "| {place} | {quantity}, {} | {} | {} | {verdict} | {reason} |",
            row.text(reproduction::UNIT),
            shown(theirs),
            shown(ours)
        );
    }
    table
}
