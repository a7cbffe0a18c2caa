//! The pages on tori whose trunks turn off ports: their texts, and tables of the kept reproduction.

use std::error::Error;
use std::fmt::Write;

use drowse_tables::Row;
use drowse_tables::schema::{Column, reproduction, torus};

use crate::told;
use crate::torus::{Study, is_reference};

/// The name of each page, and its text.
const PAGES: [(&str, &str); 3] = [
    ("torus.md", include_str!("torus_text.md")),
    ("torus-choices.md", include_str!("torus_choices_text.md")),
    ("torus-numbers.md", include_str!("torus_numbers_text.md")),
];

/// Writes the pages, each with its name.
pub fn pages(study: &Study) -> Result<Vec<(&'static str, String)>, Box<dyn Error>> {
    let page = |(name, text): (&'static str, &str)| {
        let text = text
            .replace("[policies]\n", &policies(study))
            .replace("[choices]\n", &other_choices(study))
            .replace("[verdicts]\n", &told::verdicts(&study.comparison))
            .replace("[numbers]\n", &numbers(study))
            .replace("[sets]\n", &all_sets(study))
            .replace("[programs]\n", &all_programs(study));
        Ok((name, told::fill(&text, &study.comparison)?))
    };
    PAGES.into_iter().map(page).collect()
}

/// Writes the table of the paper's numbers beside ours.
fn numbers(study: &Study) -> String {
    let mut table = String::from("| place | quantity | paper | ours | verdict | how |\n|---|---|---:|---:|---|---|\n");
    let chosen = |row: &&Row| {
        let place = row.text(reproduction::PLACE);
        // All figures of sets have a table of their own.
        let of_sets = place.starts_with("Section 4.2") && row.number(reproduction::THEIRS).is_some();
        place.starts_with("Section 2.2") || place.starts_with("Section 4.1") || of_sets
    };
    for row in study.comparison.iter().filter(chosen) {
        let cells = [
            row.text(reproduction::PLACE),
            row.text(reproduction::QUANTITY),
            shown(row, reproduction::THEIRS),
            shown(row, reproduction::OURS),
        ];
        let _ = writeln!(table, "| {} | {} | {} |", cells.join(" | "), told::verdict(row), told::reason(row));
    }
    table
}

/// Writes the table of programs.
fn all_programs(study: &Study) -> String {
    let mut table = String::from(
        "| program | | network | run time | E_net | E_cluster | Run_task | ports of a trunk on |\n\
         |---|---|---|---:|---:|---:|---:|---:|\n",
    );
    // Other choices of what is not printed have rows of their least and most.
    let shown_here = |row: &&Row| !is_reference(row) && !row.text(torus::PROGRAM).contains('(');
    for row in study.programs.iter().filter(shown_here) {
        let how = if row.text(torus::COMPUTES) == "true" {
            if row.text(torus::PROGRAM).contains("tasks") { "as generated" } else { "as traced" }.to_owned()
        } else {
            format!("alone, {} a node", row.text(torus::COPIES))
        };
        let name = network(row);
        let figures = [
            torus::RELATIVE_MAKESPAN,
            torus::RELATIVE_E_NET,
            torus::RELATIVE_E_CLUSTER,
            torus::RUNNING_FRACTION,
            torus::PORTS_ON,
        ];
        let cells = figures.map(|figure| shown(row, figure));
        let _ = writeln!(table, "| {} | {how} | {name} | {} |", row.text(torus::PROGRAM), cells.join(" | "));
    }
    table
}

/// Writes the table of sets.
fn all_sets(study: &Study) -> String {
    let mut table = String::from(
        "| set | network | run time | E_net | E_cluster, nodes draw nothing when idle | E_cluster, nodes draw all \
         | less energy up to omega_Snodes | Run_task | ports of a trunk on |\n\
         |---|---|---:|---:|---:|---:|---:|---:|---:|\n",
    );
    for row in study.sets.iter().filter(|row| !is_reference(row)) {
        let with_interval = |(mean, half)| match row.number(half) {
            // Not to be broken into lines.
            Some(half) => format!("{}\u{a0}±\u{a0}{half:.3}", shown(row, mean)),
            None => shown(row, mean),
        };
        let cells = [
            (torus::RELATIVE_MAKESPAN, torus::RELATIVE_MAKESPAN_HALF),
            (torus::RELATIVE_E_NET, torus::RELATIVE_E_NET_HALF),
            (torus::RELATIVE_E_CLUSTER_0, torus::RELATIVE_E_CLUSTER_0_HALF),
            (torus::RELATIVE_E_CLUSTER_1, torus::RELATIVE_E_CLUSTER_1_HALF),
        ]
        .map(with_interval);
        let others = [torus::BREAK_EVEN, torus::RUNNING_FRACTION, torus::PORTS_ON].map(|figure| shown(row, figure));
        let (set, name) = (row.text(torus::SET), network(row));
        let _ = writeln!(table, "| {set} | {name} | {} | {} |", cells.join(" | "), others.join(" | "));
    }
    table
}

/// Writes the table of settings of the policy: energies of the four light programs, what Graph500 takes, and how many
/// of the paper's numbers are met.
fn policies(study: &Study) -> String {
    let mut table = String::from(
        "| setting | E_net on 2D-4X | 1D-16X | 3D-4X | Graph500: E_net on 2D-4X | run time on 2D-4X | 1D-16X | 3D-4X | met |\n\
         |---|---:|---:|---:|---:|---:|---:|---:|---:|\n\
         | the paper | 0.50 | 0.32 | 0.50 | 0.69 | 1.19 | 2.13 | 1.015 | |\n",
    );
    let figure = |place: &str, quantity: &str, decimals: usize| {
        let is_it = |row: &&Row| {
            row.text(reproduction::PLACE) == place && row.text(reproduction::QUANTITY).starts_with(quantity)
        };
        let number = study.comparison.iter().find(is_it).and_then(|row| row.number(reproduction::OURS));
        number.map_or_else(|| "-".to_owned(), |number| format!("{number:.decimals$}"))
    };
    let places = study.comparison.iter().map(|row| row.text(reproduction::PLACE));
    let titles: Vec<String> = places
        .filter_map(|place| Some(place.strip_prefix("Band: ")?.to_owned()))
        .filter(|title| !title.ends_with("-PS"))
        .collect();
    for title in titles {
        let at = |network: &str, quantity: &str, decimals| {
            figure(&format!("Band: {title}, {network}-PS"), quantity, decimals)
        };
        let light = |network| {
            let of = |program| at(network, &format!("E_net, reference network = 1 of {program}"), 2);
            ["LINPACK", "GROMACS", "MPIRA", "NAMD"].map(of).join(", ")
        };
        let time = |network| at(network, "run time", 2);
        let net = at("2D-4X", "E_net, reference network = 1 of Graph500", 2);
        let energies = ["2D-4X", "1D-16X", "3D-4X"].map(light).join(" | ");
        let times = ["2D-4X", "1D-16X", "3D-4X"].map(time).join(" | ");
        let met = figure(&format!("Band: {title}"), "numbers", 0);
        let _ = writeln!(table, "| {title} | {energies} | {net} | {times} | {met} |");
    }
    table
}

/// Writes the table of other choices: run times, and how many of the paper's numbers are met and missed.
fn other_choices(study: &Study) -> String {
    let titles: Vec<String> = study
        .comparison
        .iter()
        .filter_map(|row| {
            let place = row.text(reproduction::PLACE);
            let is_count = row.text(reproduction::QUANTITY).starts_with("numbers of section 4.1");
            Some(place.strip_prefix("Choice: ")?.to_owned()).filter(|_| is_count)
        })
        .collect();
    let mut table = String::from(
        "| choice | Graph500: memory's share of its path | run time on 2D-4X | 1D-16X | 3D-4X | MPIRA on 1D-16X | met |
|---|---:|---:|---:|---:|---:|---:|
| the paper | | 1.19 | 2.13 | 1.015 | 1.03 | |
",
    );
    for title in titles {
        let figure = |place: String, quantity: &str, decimals: usize| {
            let is_it = |row: &&Row| {
                row.text(reproduction::PLACE) == place && row.text(reproduction::QUANTITY).starts_with(quantity)
            };
            let number = study.comparison.iter().find(is_it).and_then(|row| row.number(reproduction::OURS));
            number.map_or_else(|| "-".to_owned(), |number| format!("{number:.decimals$}"))
        };
        let place = format!("Choice: {title}");
        let memory =
            figure(format!("{place}, Graph500 of 512 tasks, 3D-1X"), "share of the critical path in the memory", 2);
        let time = |network: &str, program: &str| {
            figure(format!("{place}, {network}"), &format!("run time, reference network = 1 of {program}"), 3)
        };
        let times = ["2D-4X", "1D-16X", "3D-4X"].map(|network| time(network, "Graph500")).join(" | ");
        let met = figure(place.clone(), "numbers of section 4.1", 0);
        let _ = writeln!(table, "| {title} | {memory} | {times} | {} | {met} |", time("1D-16X", "MPIRA"));
    }
    table
}

/// Returns the name of a network; with power saving it ends with `-PS`.
fn network(row: &Row) -> String {
    format!("{}{}", row.text(torus::NETWORK), if row.text(torus::SAVING) == "true" { "-PS" } else { "" })
}

/// Shows a number with three decimals.
fn shown(row: &Row, name: Column) -> String {
    row.number(name).map_or_else(|| "-".to_owned(), |number| format!("{number:.3}"))
}
