//! `drowse advise`: what of a machine may sleep, by its network and its job log.

mod arguments;
mod cases;
mod prepare;

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::thread;

use drowse_experiment::Kinds;
use drowse_report::advice;

use crate::failure::Failure;
use crate::output::{self, interrupt};
pub use arguments::Arguments;
use cases::Cases;
use prepare::Prepared;

/// Runs the command.
pub fn execute(arguments: &Arguments, kinds: &Kinds) -> Result<(), Failure> {
    let inputs: Vec<&Path> =
        [&arguments.file, &arguments.jobs].into_iter().chain(&arguments.programs).map(PathBuf::as_path).collect();
    let target = arguments.force.target(&arguments.out, &inputs)?;
    let folder = arguments.folder.clone().unwrap_or_else(|| arguments.out.with_extension(""));
    if folder == arguments.out {
        return Err(Failure::Refused(format!(
            "error: the page `{}` has no ending, so that its folder would have the same name\n\
             help: write --out advice.html, or give the folder by --folder",
            folder.display()
        )));
    }
    let prepared = Prepared::new(arguments, kinds, &folder)?;
    let threads = arguments.threads.or(thread::available_parallelism().ok()).map_or(1, NonZeroUsize::get);
    interrupt::watch(&folder);
    let cases = Cases { prepared: &prepared, kinds, folder: &folder, threads };
    let (advice, asked) = cases.advise()?;
    if let Some(cables) = &advice.cables {
        cases.write_cables(cables)?;
    }
    output::save(&target, &advice::page(&advice, &asked))?;
    output::print(&advice::text(&advice, &asked))?;
    output::print(&format!("{}\n", arguments.out.display()))
}
