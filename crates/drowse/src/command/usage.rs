//! `drowse usage`: which channels a workload uses.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use drowse_core::model::units::Time;
use drowse_describe::usage::{self, Counted, Options};
use drowse_experiment::Kinds;
use drowse_run::files;
use drowse_run::files::folder::Over;
use drowse_run::inputs::Traces;
use drowse_tables::json;

use super::Format;
use crate::failure::Failure;
use crate::output::{self, usage as usage_output};

/// Count the channels that a workload uses, and bound the savings of switching off the others
///
/// Follows every message of the jobs, traces or generated programs, by the network's routing. Nothing is simulated,
/// so the only time is that of --time.
#[derive(Debug, Args)]
pub struct Arguments {
    /// Experiment file
    file: PathBuf,

    /// Replace a key of the file, such as network.trunk=2 (can be repeated)
    #[arg(long = "set", value_name = "PATH=VALUE")]
    overrides: Vec<String>,

    /// Count by class, and switch: channels (each direction of a link) or cables
    #[arg(long, value_enum, default_value_t, value_name = "WHAT")]
    count: Count,

    /// Time in which everything is sent, such as "10 ms" for an iteration; adds utilisation and the bound of savings
    #[arg(long, value_name = "TIME")]
    time: Option<Time>,

    /// Time to switch a channel off or on, such as "10 us", below half of the other
    #[arg(long, value_name = "TIME", requires = "time")]
    delay: Option<Time>,

    /// Write tables of channels and of the communication matrix, and a picture of that, into this folder
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,

    /// Print a table or JSON
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    format: Format,
}

/// What is counted by class.
#[derive(Clone, Copy, Debug, Default, ValueEnum)]
enum Count {
    /// Each direction of a link.
    #[default]
    Channels,
    /// Links.
    Cables,
}

/// Runs the command.
pub fn execute(arguments: &Arguments, kinds: &Kinds) -> Result<(), Failure> {
    let case = kinds.load_case(&arguments.file, &arguments.overrides)?;
    let counted = match arguments.count {
        Count::Channels => Counted::Channels,
        Count::Cables => Counted::Cables,
    };
    if let Some(folder) = &arguments.out {
        let free = files::folder::refuse(folder, &Over::default());
        free.and_then(|()| files::prepare(folder)).map_err(Failure::Export)?;
    }
    let options = Options { counted, time: arguments.time, delay: arguments.delay };
    let counted_usage = usage::count(&case, &Traces::default())?;
    let row = usage::row(&counted_usage, &case, &options)?;
    let written = match &arguments.out {
        Some(folder) => usage::write(folder, &case.system.network, &counted_usage, &row),
        None => Ok(Vec::new()),
    };
    let files = written.as_deref().unwrap_or_default();
    let printed = output::print(&match arguments.format {
        Format::Json => {
            let mut json = json::from_row(&row);
            // A list without elements has no column, but a reader of JSON expects it.
            if let Some(object) = json.as_object_mut() {
                object.entry("warnings").or_insert_with(|| Vec::<String>::new().into());
            }
            format!("{json:#}\n")
        }
        Format::Table => usage_output::table(&case.system.title, &row, files),
    });
    printed?;
    written.map(drop).map_err(Failure::Tables)
}
