//! `drowse best`: which case is the best.

use std::path::{Path, PathBuf};

use clap::Args;
use drowse_report::best::verify::verify as compare;
use drowse_report::best::{Question, best};
use drowse_report::{Results, Study};
use drowse_run::sweep::verify as verified;

use super::{Format, verify};
use crate::failure::Failure;
use crate::output::{self, best as answer, verify as told};

/// Find the best case of a folder of results
///
/// Prints the case that is least in one figure among those that keep a condition, the cases that no other betters in
/// both that figure and time, and how far the oracle of the same network is, where there is one. A baseline is a case
/// like any other.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct Arguments {
    /// Folder that `drowse sweep --out` has written
    folder: PathBuf,

    /// The figure that should be small: energy, edp, time, latency, power, cost (of a run, with its
    /// share of the investment), slowdown (against the baseline of the same
    /// case), slowdown-of-fastest (against the fastest case), job-slowdown, or a column of cases.csv
    #[arg(long, value_name = "FIGURE", default_value = "energy")]
    minimize: String,

    /// What a case must keep, such as 'slowdown <= 1%'
    #[arg(long = "where", value_name = "CONDITION")]
    condition: Option<String>,

    /// Answer for each value of these keys of the sweep, such as network,trace
    #[arg(long, value_name = "KEYS", value_delimiter = ',')]
    by: Vec<String>,

    /// Print a table or JSON
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    format: Format,
}

const EXAMPLES: &str = "Examples:
  drowse best results --minimize energy --where 'slowdown <= 1%'
  drowse best results --where 'slowdown-of-fastest <= 1%'      (against the fastest case of all)
  drowse best results --where 'job-slowdown <= 1%'      (every job, not only the last one)
  drowse best results --minimize edp --by network";

/// Runs the command.
pub fn execute(arguments: &Arguments) -> Result<(), Failure> {
    let Arguments { minimize, condition, by, .. } = arguments;
    answer(&arguments.folder, &Question { minimize, condition: condition.as_deref(), by }, arguments.format)
}

/// Prints the answer to a question: by packets where these have verified flows.
pub fn answer(folder: &Path, question: &Question<'_>, format: Format) -> Result<(), Failure> {
    let all = Results::read(folder).map_err(Failure::Report)?;
    let packets = verify::read(&verified::folder(folder))?.filter(|_| all.manifest.drawn().is_some());
    let drawn = all.manifest.drawn().unwrap_or(0);
    let checked = packets.as_ref().map(|packets| compare(&all, Some(packets), question, drawn));
    let checked = checked.transpose().map_err(Failure::Report)?;
    let results = packets.as_ref().unwrap_or(&all);
    let study = Study::new(results);
    let found = best(results, &study, question).map_err(Failure::Report)?;
    output::print(&match format {
        Format::Json => {
            let mut json = answer::json(&study, &found);
            if let Some(verified) = &checked {
                json["verified"] = told::json(verified);
            }
            format!("{json:#}\n")
        }
        Format::Table => {
            let verified = checked.as_ref().map(|verified| told::text(&found, verified));
            answer::text(&study, question, &found) + &verified.unwrap_or_default()
        }
    })
}
