//! `drowse rerun`: makes results again, and compares to the byte.

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::thread;

use clap::Args;
use drowse_experiment::Kinds;
use drowse_run::files::{self, ExportError};
use drowse_run::rerun::{self, Again, Verdict};
use drowse_run::sweep::Watch;
use drowse_run::threads::Threads;

use crate::failure::Failure;
use crate::output::{self, rerun as table};

/// Run what made a folder of results again, and compare to the byte
///
/// Takes the experiment from manifest.json, with the same seed, tables and baseline, and says of each file whether it
/// is the same, or which case and column differ first. Traces must be those of the results. Ends with exit code 1 where
/// something differs.
#[derive(Debug, Args)]
pub struct Arguments {
    /// Folder that `drowse run --out` or `drowse sweep --out` has written
    folder: PathBuf,

    /// Folder where the paths of the experiment begin [default: where they did, by host.json]
    #[arg(long, value_name = "DIR")]
    from: Option<PathBuf>,

    /// Keep the new results in this folder, which must be new or empty
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,

    /// Threads of a run, or cases of a sweep that run at a time; results do not depend on it
    #[arg(long, value_name = "N")]
    threads: Option<NonZeroUsize>,
}

/// Runs the command.
pub fn execute(arguments: &Arguments, kinds: &Kinds) -> Result<(), Failure> {
    let scratch;
    let into: &Path = if let Some(out) = &arguments.out {
        refuse_full(out)?;
        out
    } else {
        scratch = tempfile::Builder::new().prefix("drowse-rerun").tempdir().map_err(|error| {
            let path = std::env::temp_dir().display().to_string();
            Failure::Export(ExportError::Io { path, error })
        })?;
        scratch.path()
    };
    let cases = arguments.threads.or(thread::available_parallelism().ok()).map_or(1, NonZeroUsize::get);
    let threads = arguments.threads.map_or_else(Threads::that_pay, |threads| Threads::exactly(threads.get()));
    let again = Again { folder: &arguments.folder, from: arguments.from.as_deref(), into, threads, cases, kinds };
    let rerun = rerun::rerun(again, &Watch::default()).map_err(Failure::of_rerun)?;
    output::print_table(&table::table(&rerun))?;
    output::warn(&rerun.other_build.iter().map(|other| table::other_build(other)).collect::<Vec<_>>());
    let differ = rerun.files.iter().filter(|file| matches!(file.verdict, Verdict::Differs(_))).count();
    if differ == 0 {
        return Ok(());
    }
    let files = if differ == 1 { "a file differs".to_owned() } else { format!("{differ} files differ") };
    Err(Failure::Cases(format!("error: {}: {files} from what the experiment gives now", arguments.folder.display())))
}

/// Refuses a folder that holds something.
fn refuse_full(out: &Path) -> Result<(), Failure> {
    files::prepare(out).map_err(Failure::Export)?;
    let failed = |error| Failure::Export(ExportError::Io { path: out.display().to_string(), error });
    match std::fs::read_dir(out).map_err(failed)?.next() {
        None => Ok(()),
        Some(_) => Err(Failure::Refused(format!("error: {}: holds something; give a new folder", out.display()))),
    }
}
