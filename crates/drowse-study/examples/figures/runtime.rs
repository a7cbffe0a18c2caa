//! Link usage of paper 004: its numbers beside ours, tori of more and more dimensions, and what delays leave of savings.

use std::error::Error;
use std::fmt::Write;
use std::path::Path;
use std::sync::Arc;

use drowse_core::units::Time;
use drowse_study::experiment::{self, Source};
use drowse_study::inputs::Traces;
use drowse_study::reproduce::{Options, Paper};
use drowse_study::usage;
use drowse_tables::Row;

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

/// Reproduces the paper and counts the programs.
pub fn run() -> Result<Study, Box<dyn Error>> {
    let rows = Paper::Runtime.reproduce(&Options::default(), &|_| ())?.rows;
    let of_program = |(name, app)| -> Result<_, Box<dyn Error>> {
        let [percs, torus] = NETWORKS.map(|network| curve(network, app));
        Ok((name, [percs?, torus?]))
    };
    Ok(Study { rows, delays: PROGRAMS.into_iter().map(of_program).collect::<Result<_, _>>()? })
}

fn curve(network: &str, app: &str) -> Result<Curve, Box<dyn Error>> {
    let source = Source::new(Path::new("runtime.toml"), network.to_owned(), &[format!("job.0.app={app}")])?;
    let case = experiment::case(&Arc::new(source))?;
    let counted = usage::count(&case, &Traces::default())?;
    let point = |us: u64| {
        let (time, delay) = (Some(Time::from_us(ITERATION_US)), Some(Time::from_us(us)));
        let row = counted.row(&case, &usage::Options { time, delay, ..usage::Options::default() })?;
        let saved = row.number("savings_bound").ok_or("a row has no bound")?;
        Ok((us as f64 / 1e3, 100.0 * saved))
    };
    DELAYS_US.into_iter().map(point).collect()
}

impl Study {
    /// Gives the share of the cables that a stencil uses by the dimensions of the torus, in percent.
    pub fn tori(&self, stencil: &str) -> Curve {
        let place = format!("Fig. 8, {stencil}");
        let shares = self.rows.iter().filter(|row| text(row, "place") == place).filter_map(|row| row.number("ours"));
        (3u8..).map(f64::from).zip(shares).collect()
    }

    /// Writes the page.
    pub fn page(&self) -> String {
        let mut page = include_str!("runtime_text.md").to_owned();
        page.push_str("\n## The paper's numbers\n\n| place | quantity | paper | ours | verdict | how |\n|---|---|---:|---:|---|---|\n");
        for row in self.rows.iter().filter(|row| !text(row, "place").starts_with("Fig. 8")) {
            let number = |name: &str| row.number(name).map_or_else(|| "-".to_owned(), shown);
            let _ = writeln!(
                page,
                "| {} | {} | {} | {} | {} | {} |",
                text(row, "place"),
                text(row, "quantity"),
                number("theirs"),
                number("ours"),
                text(row, "verdict"),
                text(row, "reason"),
            );
        }
        page
    }
}

/// Shows a number with as many decimals as it has, four at most.
fn shown(number: f64) -> String {
    format!("{number:.4}").trim_end_matches('0').trim_end_matches('.').to_owned()
}

fn text(row: &Row, name: &str) -> String {
    row.get(name).map(ToString::to_string).unwrap_or_default()
}
