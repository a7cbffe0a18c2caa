//! `drowse merge`: the tables of a sweep whose cases were run by shards.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::thread;

use clap::Args;
use drowse_run::parquet;
use drowse_run::sweep::merge::{common, merge};
use drowse_run::sweep::{Wanted, Watch};

use super::Format;
use super::sweep::show;
use crate::failure::Failure;
use crate::output::sweep as table;
use crate::output::sweep_progress::SweepBar;

/// Write the tables of a sweep that was run by shards
///
/// Copies the finished cases of all folders into one, and writes its tables: they are those of a sweep that was not
/// sharded, to the byte. Merging again copies only what is new. It needs neither the experiment's file nor its traces.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct Arguments {
    /// Folders of `drowse sweep --shard`, all of one sweep
    #[arg(required = true, value_name = "DIR")]
    folders: Vec<PathBuf>,

    /// Folder for all cases and the tables [default: the first DIR]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,

    /// Write each table as Parquet, too, compressed by zstd
    #[arg(long)]
    parquet: bool,

    /// Print a table or JSON
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    format: Format,
}

const EXAMPLES: &str = "Examples:
  drowse merge results
  drowse merge results-1 results-2 results-3 --out results";

/// Runs the command.
pub fn execute(arguments: &Arguments) -> Result<(), Failure> {
    parquet::check(arguments.parquet).map_err(Failure::Export)?;
    let into = arguments.out.as_ref().unwrap_or(&arguments.folders[0]);
    let threads = thread::available_parallelism().map_or(1, NonZeroUsize::get);
    let wanted = Wanted { rows: table::ROWS, parquet: arguments.parquet, host: None };
    let list = common(&arguments.folders).map_err(Failure::of_sweep)?;
    let bar = SweepBar::new(list.items().len() as u64);
    let merged = merge(&list, &arguments.folders, into, threads, &wanted, &Watch::new(&|progress| bar.show(&progress)));
    drop(bar);
    let report = merged.map_err(Failure::of_sweep)?;
    show(arguments.format, &list.title, into, report)
}
