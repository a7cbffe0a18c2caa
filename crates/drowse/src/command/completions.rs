//! `drowse completions`: what shells complete.

use clap::{Args, CommandFactory};
use clap_complete::Shell;

use super::Cli;
use crate::failure::Failure;
use crate::output;

/// Print the completions of a shell
///
/// For bash: drowse completions bash > ~/.local/share/bash-completion/completions/drowse
#[derive(Debug, Args)]
pub struct Arguments {
    /// Shell
    #[arg(value_enum)]
    shell: Shell,
}

/// Runs the command.
pub fn execute(arguments: &Arguments) -> Result<(), Failure> {
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut Cli::command(), "drowse", &mut script);
    output::print(&String::from_utf8_lossy(&script))
}
