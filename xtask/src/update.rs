//! `cargo xtask update`: makes everything that pages show anew, of the code as it is: kept runs, references, pages and pictures of
//! results, kept numbers of papers, and what the commands of README.md and of the book print and draw. What was measured on one day,
//! such as counts of instructions, is recorded by hand. Afterwards `git diff` says what has changed; find out why.

use crate::book;
use crate::failure::Outcome;
use crate::papers;
use crate::process::{cargo, run as go, tool};

/// Makes all of it.
pub fn run(_: &[String]) -> Outcome {
    let features = if tool("mpi").is_ok() { "drowse/parquet,drowse/mpi" } else { "drowse/parquet" };
    go(&mut cargo(["build", "--release", "--locked", "-p", "drowse", "--features", features]))?;
    let kept = ["test", "--release", "--locked", "-p", "drowse-twin", "-p", "drowse-reproduce", "--test", "it", "--"];
    go(cargo(kept).args(["--ignored", "write_engine_curves", "write_accepted_loads"]))?;
    go(cargo(["test", "--locked", "-p", "drowse", "--test", "it", "generated"]).env("DROWSE_UPDATE", "1"))?;
    papers::run(&["--update".to_owned()])?;
    papers::figures()?;
    book::run(&["--update".to_owned()])
}
