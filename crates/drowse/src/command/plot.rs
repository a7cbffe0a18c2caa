//! `drowse plot`: one chart of a folder of results.

use std::path::PathBuf;

use clap::Args;
use drowse_report::{Results, Study, charts};

use crate::failure::Failure;
use crate::output;

/// Write one chart of a folder of results
///
/// The file is a Vega-Lite specification with its data, which Altair, Jupyter and vl-convert read and turn into SVG,
/// PNG or PDF. The page of `drowse report` shows all charts and saves each as SVG or PNG.
#[derive(Debug, Args)]
pub struct Arguments {
    /// Folder that `drowse run --out` or `drowse sweep --out` has written
    folder: PathBuf,

    /// The chart: energy, latency, accepted, swept, states, waiting, path, network, links, ranks or idle
    #[arg(long, value_name = "KIND")]
    kind: String,

    /// The file to write, such as energy.vl.json
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
}

/// Runs the command.
pub fn execute(arguments: &Arguments) -> Result<(), Failure> {
    if arguments.output.extension().is_none_or(|ending| ending != "json") {
        let file = arguments.output.display();
        let help = "give a name that ends with .json; the page of `drowse report` saves charts as SVG and PNG";
        return Err(Failure::Refused(format!("error: {file}: charts are written as Vega-Lite specifications: {help}")));
    }
    let results = Results::read(&arguments.folder).map_err(Failure::Report)?;
    let charts = charts::of(&results, &Study::new(&results));
    let Some(chart) = charts.iter().find(|chart| chart.kind == arguments.kind) else {
        let kinds: Vec<&str> = charts.iter().map(|chart| chart.kind).collect();
        let there = if kinds.is_empty() { "no chart".to_owned() } else { kinds.join(", ") };
        let folder = arguments.folder.display();
        return Err(Failure::Refused(format!(
            "error: {folder}: these tables have no data for a chart `{}`; they have it for: {there}",
            arguments.kind
        )));
    };
    output::save(&arguments.output, format!("{:#}\n", chart.whole()).as_bytes())
}
