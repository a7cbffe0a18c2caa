//! Link usage of Totoni et al. 2014: its numbers beside ours, tori of more and more dimensions, and what delays leave
//! of savings.

use std::error::Error;
use std::fmt::Write;
use std::fs::File;
use std::path::Path;
use std::sync::Arc;

use drowse_core::model::units::Time;
use drowse_describe::usage;
use drowse_experiment::Source;
use drowse_run::inputs::Traces;
use drowse_tables::schema::{Column, REPRODUCTION, reproduction, usage as columns};
use drowse_tables::{Row, csv};

use crate::told;

/// Points of a curve.
type Curve = Vec<(f64, f64)>;

/// What is drawn and told.
pub struct Study {
    /// The rows of `drowse reproduce runtime`.
    rows: Vec<Row>,
    /// By program: power of links saved at most, in percent, by delay in milliseconds, on PERCS and on a torus.
    pub delays: Vec<(&'static str, [Curve; 2])>,
}

/// The programs, on 4,096 ranks.
const PROGRAMS: [(&str, &str); 3] = [
    ("MILC", "{ kind = \"milc\", dims = [8, 8, 8, 8] }"),
    ("MG", "{ kind = \"mg\", class = \"C\", ranks = 4096 }"),
    ("CG", "{ kind = \"cg\", class = \"C\", ranks = 4096 }"),
];
/// The examples of both networks.
const NETWORKS: [&str; 2] =
    [include_str!("../../../../examples/usage-percs.toml"), include_str!("../../../../examples/usage-torus.toml")];
/// An iteration, and the delays up to half of it.
const ITERATION_US: u64 = 30_000;
const DELAYS_US: [u64; 7] = [0, 10, 1_000, 2_500, 5_000, 10_000, 14_999];

/// Rows of NAMD, by the dimensions of their torus.
const NAMD: [(f64, &str); 3] = [
    (6.0, "links of the 6D torus used, \"all of the links\", with PME"),
    (7.0, "links of the 7D torus used, with PME"),
    (10.0, "links of the 10D torus used, with PME"),
];

/// The rows of the full reproduction, which simulates for some minutes.
const ROWS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/data/runtime_reproduction.csv");

/// Reads the reproduction of the paper, and counts the programs.
pub fn run() -> Result<Study, Box<dyn Error>> {
    let rows = csv::read(&REPRODUCTION, File::open(ROWS)?)?;
    let of_program = |(name, app)| -> Result<_, Box<dyn Error>> {
        let [percs, torus] = NETWORKS.map(|network| curve(network, app));
        Ok((name, [percs?, torus?]))
    };
    Ok(Study { rows, delays: PROGRAMS.into_iter().map(of_program).collect::<Result<_, _>>()? })
}

fn curve(network: &str, app: &str) -> Result<Curve, Box<dyn Error>> {
    let source = Source::new(Path::new("runtime.toml"), network.to_owned(), &[format!("job.0.app={app}")])?;
    let case = drowse_experiment::case(&Arc::new(source))?;
    let counted = usage::count(&case, &Traces::default())?;
    let point = |us: u64| {
        let (time, delay) = (Some(Time::from_us(ITERATION_US)), Some(Time::from_us(us)));
        let row = usage::row(&counted, &case, &usage::Options { time, delay, ..usage::Options::default() })?;
        let saved = row.number(columns::SAVINGS_BOUND).ok_or("a row has no bound")?;
        Ok((us as f64 / 1e3, 100.0 * saved))
    };
    DELAYS_US.into_iter().map(point).collect()
}

impl Study {
    /// Returns the share of the cables that a stencil uses by the dimensions of the torus, in percent.
    pub fn tori(&self, stencil: &str) -> Curve {
        let place = format!("Fig. 8, {stencil}");
        let shares = self
            .rows
            .iter()
            .filter(|row| row.text(reproduction::PLACE) == place)
            .filter(|row| row.text(reproduction::QUANTITY).starts_with("links of the "))
            .filter_map(|row| row.number(reproduction::OURS));
        (3u8..).map(f64::from).zip(shares).collect()
    }

    /// Returns the share of the cables that NAMD with PME uses, by the dimensions of the torus.
    pub fn namd(&self) -> Curve {
        let of = |(dimensions, quantity): (f64, &str)| {
            let is_it = |row: &&Row| {
                row.text(reproduction::PLACE) == "Section 3.1, NAMD" && row.text(reproduction::QUANTITY) == quantity
            };
            Some((dimensions, self.rows.iter().find(is_it)?.number(reproduction::OURS)?))
        };
        NAMD.into_iter().filter_map(of).collect()
    }

    /// Writes the page, and that of the paper's numbers.
    pub fn pages(&self) -> Result<[String; 2], Box<dyn Error>> {
        let mut page = told::fill(include_str!("runtime_text.md"), &self.rows)?;
        page.push_str(include_str!("runtime_simulated.md"));
        for (figure, network) in [("Fig. 11", "PERCS"), ("Fig. 12", "6D torus")] {
            for program in self.programs(figure) {
                self.simulated(&mut page, &format!("{figure}, {program}"), &program, network);
            }
        }
        Ok([page, self.numbers()])
    }

    /// Writes the page of the paper's numbers beside ours.
    fn numbers(&self) -> String {
        let mut page = include_str!("runtime_numbers.md").replace("<verdicts>\n", &told::verdicts(&self.rows));
        let in_a_figure = |row: &Row| {
            row.get(reproduction::THEIRS).is_none()
                && ["Fig. 7", "Fig. 8", "Fig. 11", "Fig. 12"]
                    .iter()
                    .any(|f| row.text(reproduction::PLACE).starts_with(f))
        };
        for row in self.rows.iter().filter(|row| !in_a_figure(row)) {
            let number = |column: Column| row.number(column).map_or_else(|| "-".to_owned(), shown);
            let _ = writeln!(
                page,
                "| {} | {} | {} | {} | {} | {} |",
                row.text(reproduction::PLACE),
                row.text(reproduction::QUANTITY),
                limit(row) + &number(reproduction::THEIRS),
                number(reproduction::OURS),
                told::verdict(row),
                told::reason(row),
            );
        }
        page
    }

    /// Returns the programs of a figure, in its order.
    fn programs(&self, figure: &str) -> Vec<String> {
        let mut programs: Vec<String> = Vec::new();
        for row in &self.rows {
            let place = row.text(reproduction::PLACE);
            if let Some(program) = place.strip_prefix(figure).and_then(|rest| rest.strip_prefix(", "))
                && !programs.iter().any(|known| known == program)
            {
                programs.push(program.to_owned());
            }
        }
        programs
    }

    /// Writes what was simulated of a program, one line for each delay.
    fn simulated(&self, page: &mut String, place: &str, program: &str, network: &str) {
        let find = |quantity: String| {
            let found = self
                .rows
                .iter()
                .find(|row| row.text(reproduction::PLACE) == place && row.text(reproduction::QUANTITY) == quantity);
            found.and_then(|row| row.number(reproduction::OURS))
        };
        let basic = find(format!("power of links of {network} saved, basic"));
        for delay in DELAYS_US {
            let saved = |what: &str| find(format!("power of links of {network} saved, {what}, delay {delay} us"));
            let Some(scheduled) = saved("scheduled") else { continue };
            let longer = find(format!("longer iterations on {network}, scheduled, delay {delay} us"));
            let numbers = [basic, Some(scheduled), longer, saved("model"), saved("model with margin")];
            let cells: Vec<String> =
                numbers.iter().map(|number| number.map_or_else(|| "-".to_owned(), |n| format!("{n:.2}"))).collect();
            let _ = writeln!(page, "| {program} | {network} | {delay} | {} |", cells.join(" | "));
        }
    }
}

/// Returns the sign of a number of the paper that is a limit.
fn limit(row: &Row) -> String {
    Some(row.text(reproduction::RELATION)).filter(|relation| relation != "=").unwrap_or_default()
}

/// Shows a number with as many decimals as it has, four at most.
fn shown(number: f64) -> String {
    format!("{number:.4}").trim_end_matches('0').trim_end_matches('.').to_owned()
}
