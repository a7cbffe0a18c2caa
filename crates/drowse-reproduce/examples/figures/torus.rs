//! Tori whose trunks shed ports: the tables of `drowse reproduce torus`, as they are kept in docs/data.

use std::error::Error;
use std::fmt::Write;
use std::fs::File;
use std::path::Path;

use drowse_core::power::model::PowerModel;
use drowse_tables::schema::{
    Column, REPRODUCTION, Schema, TORUS_LOADS, TORUS_PROGRAMS, TORUS_SETS, reproduction, torus,
};
use drowse_tables::{Row, csv};

use crate::told;

/// The folder of the tables; the full reproduction has written them.
const TABLES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/data");
/// The rows of the reproduction among them.
const COMPARISON: &str = "torus_reproduction.csv";

/// All that is drawn and told.
pub struct Study {
    comparison: Vec<Row>,
    programs: Vec<Row>,
    sets: Vec<Row>,
    loads: Vec<Row>,
}

/// What loads a network.
pub enum Load {
    /// A program as the table names it, and whether it computes.
    Program(&'static str, bool),
    /// A set of programs.
    Set(&'static str),
}

/// Reads the tables.
pub fn read() -> Result<Study, Box<dyn Error>> {
    let table = |schema: &Schema, file: &str| -> Result<Vec<Row>, Box<dyn Error>> {
        Ok(csv::read(schema, File::open(Path::new(TABLES).join(file))?)?)
    };
    Ok(Study {
        comparison: table(&REPRODUCTION, COMPARISON)?,
        programs: table(&TORUS_PROGRAMS, TORUS_PROGRAMS.file)?,
        sets: table(&TORUS_SETS, TORUS_SETS.file)?,
        loads: table(&TORUS_LOADS, TORUS_LOADS.file)?,
    })
}

impl Study {
    /// Returns a figure of a network under uniform traffic by the load, in percent.
    pub fn curve(&self, network: &str, saving: bool, figure: Column) -> Vec<(f64, f64)> {
        let chosen = |row: &&Row| row.text(torus::NETWORK) == network && row.text(torus::SAVING) == saving.to_string();
        let points = self.loads.iter().filter(chosen);
        points.filter_map(|row| Some((100.0 * row.number(torus::OFFERED)?, row.number(figure)?))).collect()
    }

    /// Returns `E_cluster` of a network, relative to the reference network of its size, by the share of its power that
    /// an idle node draws: the quotient of two sums that are linear in it. Of sets, those at the ends are kept, and the
    /// reference network's are those of its means.
    pub fn cluster(&self, network: &str, saving: bool, load: &Load) -> Vec<(f64, f64)> {
        let rows = match load {
            Load::Program(..) => &self.programs,
            Load::Set(_) => &self.sets,
        };
        let chosen = |row: &&Row| match load {
            Load::Program(name, computes) => {
                row.text(torus::PROGRAM) == *name && row.text(torus::COMPUTES) == computes.to_string()
            }
            Load::Set(name) => row.text(torus::SET) == *name,
        };
        let is = |row: &&Row| row.text(torus::NETWORK) == network && row.text(torus::SAVING) == saving.to_string();
        let Some(row) = rows.iter().filter(chosen).find(is) else { return Vec::new() };
        let of_its_size = |other: &&Row| is_reference(other) && other.number(torus::NODES) == row.number(torus::NODES);
        let Some(to) = rows.iter().filter(chosen).find(of_its_size).and_then(ends) else { return Vec::new() };
        let of = match (row.number(torus::RELATIVE_E_CLUSTER_0), row.number(torus::RELATIVE_E_CLUSTER_1)) {
            (Some(none), Some(all)) => Some([none * to[0], all * to[1]]),
            _ => ends(row),
        };
        let at = |[none, all]: [f64; 2], omega: f64| none + omega * (all - none);
        let omegas = (0..=20).map(|step| f64::from(step) / 20.0);
        of.map_or_else(Vec::new, |of| omegas.map(|omega| (omega, at(of, omega) / at(to, omega))).collect())
    }

    /// Returns how long Graph500 alone takes on 2D-4X and 1D-16X with each choice that is not printed, by its title: the
    /// policy is as usual, and saves no power.
    pub fn choices(&self) -> Vec<(String, (f64, f64))> {
        let alone = |row: &&Row| {
            let is_alone = row.text(torus::COMPUTES) == "false" && row.text(torus::SAVING) == "false";
            is_alone && row.text(torus::PROGRAM).starts_with("Graph500, 512 tasks")
        };
        let on = |network: &str, title: &str| {
            let is_it = |row: &&Row| row.text(torus::NETWORK) == network && row.text(torus::PROGRAM) == title;
            self.programs.iter().filter(alone).find(is_it)?.number(torus::RELATIVE_MAKESPAN)
        };
        let titles = self.programs.iter().filter(alone).filter(|row| row.text(torus::NETWORK) == "2D-4X");
        let point = |title: String| Some((on("2D-4X", &title)?, on("1D-16X", &title)?)).map(|point| (title, point));
        titles.map(|row| row.text(torus::PROGRAM)).filter_map(point).collect()
    }

    /// Writes the table of sets.
    fn all_sets(&self) -> String {
        let mut table = String::from(
            "| set | network | run time | E_net | E_cluster, nodes draw nothing when idle | E_cluster, nodes draw all \
             | less energy up to omega_Snodes | Run_task | ports of a trunk on |\n\
             |---|---|---:|---:|---:|---:|---:|---:|---:|\n",
        );
        for row in self.sets.iter().filter(|row| !is_reference(row)) {
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
    fn policies(&self) -> String {
        let mut table = String::from(
            "| setting | E_net on 2D-4X | 1D-16X | 3D-4X | Graph500: E_net on 2D-4X | run time on 2D-4X | 1D-16X | 3D-4X | met |\n\
             |---|---:|---:|---:|---:|---:|---:|---:|---:|\n\
             | the paper | 0.50 | 0.32 | 0.50 | 0.69 | 1.19 | 2.13 | 1.015 | |\n",
        );
        let figure = |place: &str, quantity: &str, decimals: usize| {
            let is_it = |row: &&Row| {
                row.text(reproduction::PLACE) == place && row.text(reproduction::QUANTITY).starts_with(quantity)
            };
            let number = self.comparison.iter().find(is_it).and_then(|row| row.number(reproduction::OURS));
            number.map_or_else(|| "-".to_owned(), |number| format!("{number:.decimals$}"))
        };
        let places = self.comparison.iter().map(|row| row.text(reproduction::PLACE));
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
    fn other_choices(&self) -> String {
        let titles: Vec<String> = self
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
                let number = self.comparison.iter().find(is_it).and_then(|row| row.number(reproduction::OURS));
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

    /// Writes the page.
    pub fn page(&self) -> Result<String, Box<dyn Error>> {
        let text = include_str!("torus_text.md")
            .replace("[policies]\n", &self.policies())
            .replace("[choices]\n", &self.other_choices());
        let mut page = told::fill(&text, &self.comparison)?;
        page.push_str("\n## The paper's numbers\n\n");
        page.push_str(&told::verdicts(&self.comparison));
        page.push_str("\n| place | quantity | paper | ours | verdict | how |\n|---|---|---:|---:|---|---|\n");
        let chosen = |row: &&Row| {
            let place = row.text(reproduction::PLACE);
            // All figures of sets have a table of their own.
            let of_sets = place.starts_with("Section 4.2") && row.number(reproduction::THEIRS).is_some();
            place.starts_with("Section 2.2") || place.starts_with("Section 4.1") || of_sets
        };
        for row in self.comparison.iter().filter(chosen) {
            let cells = [
                row.text(reproduction::PLACE),
                row.text(reproduction::QUANTITY),
                shown(row, reproduction::THEIRS),
                shown(row, reproduction::OURS),
            ];
            let _ = writeln!(page, "| {} | {} | {} |", cells.join(" | "), told::verdict(row), told::reason(row));
        }
        page.push_str("\n## All sets\n\n");
        page.push_str(&self.all_sets());
        page.push_str("\n## All programs\n\n");
        page.push_str("| program | | network | run time | E_net | E_cluster | Run_task | ports of a trunk on |\n|---|---|---|---:|---:|---:|---:|---:|\n");
        // Other choices of what is not printed have rows of their least and most.
        let shown_here = |row: &&Row| !is_reference(row) && !row.text(torus::PROGRAM).contains('(');
        for row in self.programs.iter().filter(shown_here) {
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
            let _ = writeln!(page, "| {} | {how} | {name} | {} |", row.text(torus::PROGRAM), cells.join(" | "));
        }
        Ok(page)
    }
}

/// Returns `E_cluster` in seconds of the power of the reference cluster, of nodes that draw nothing and all when idle,
/// by section 2.2: the network draws 15 % of the power of the cluster.
fn ends(row: &Row) -> Option<[f64; 2]> {
    let model = PowerModel::default();
    let (time, running) = (row.number(torus::MAKESPAN_S)?, row.number(torus::RUNNING_FRACTION)?);
    let network = model.network * row.number(torus::W_NET)?;
    Some([running, 1.0].map(|nodes| time * (network + (1.0 - model.network) * nodes)))
}

/// Returns the name of a network; with power saving it ends with `-PS`.
fn network(row: &Row) -> String {
    format!("{}{}", row.text(torus::NETWORK), if row.text(torus::SAVING) == "true" { "-PS" } else { "" })
}

fn is_reference(row: &Row) -> bool {
    row.text(torus::NETWORK).ends_with("-1X")
}

/// Shows a number with three decimals.
fn shown(row: &Row, name: Column) -> String {
    row.number(name).map_or_else(|| "-".to_owned(), |number| format!("{number:.3}"))
}
