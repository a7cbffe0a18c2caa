//! The options of commands that write a file which the user names.

use std::path::{Path, PathBuf};

use clap::Args;
use drowse_run::files::target::{Guard, Target};

use crate::failure::Failure;

/// A file to write.
#[derive(Debug, Args)]
pub struct ToFile {
    /// The file to write; `-` is standard output
    #[arg(short, long, value_name = "FILE")]
    pub output: PathBuf,

    #[command(flatten)]
    pub force: Force,
}

/// Whether files are replaced.
#[derive(Clone, Copy, Debug, Args)]
pub struct Force {
    /// Replace a file that is there, unless it is an input or a result
    #[arg(long)]
    force: bool,
}

impl ToFile {
    /// Finds out where to write. Refuses what would be lost, the inputs of the command among it.
    pub fn target(&self, inputs: &[&Path]) -> Result<Target, Failure> {
        self.force.target(&self.output, inputs)
    }
}

impl Force {
    /// Finds out where to write, as [`ToFile::target`].
    pub fn target(self, path: &Path, inputs: &[&Path]) -> Result<Target, Failure> {
        Target::of(path, Guard { inputs, force: self.force }).map_err(Failure::Export)
    }
}
