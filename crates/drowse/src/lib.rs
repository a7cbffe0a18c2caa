//! The command line of Drowse as a function: one file per subcommand in `command`, what they print in `output`, and
//! what they submit to clusters in `script`.
//!
//! Exit codes: 0 done; 1 a job could not finish; 2 bad input; 3 the machine failed us. Results go to stdout, all else
//! to stderr.

mod command;
mod failure;
mod output;
mod script;
pub mod shown;

use std::ffi::OsString;
use std::path::PathBuf;

use clap::Parser;
use drowse_experiment::Kinds;

use command::Cli;

/// The name of the command.
const NAME: &str = "drowse";

/// Runs the command with its arguments, and returns its exit code.
///
/// `program` is the file that is started to run the command again, as scripts for clusters do; the arguments come
/// without the name of the program. On Ctrl-C, some commands end the process.
pub fn run(program: PathBuf, arguments: impl IntoIterator<Item = OsString>) -> u8 {
    run_with(&Kinds::default(), program, arguments)
}

/// Does as [`run`]; experiments may name networks, policies, programs, patterns and traces of other crates.
pub fn run_with(kinds: &Kinds, program: PathBuf, arguments: impl IntoIterator<Item = OsString>) -> u8 {
    let named = std::iter::once(OsString::from(NAME)).chain(arguments);
    let cli = match Cli::try_parse_from(named) {
        Ok(cli) => cli,
        Err(usage) => {
            // Nothing is left to tell it to when this fails.
            let _ = usage.print();
            return u8::try_from(usage.exit_code()).unwrap_or(failure::BAD_INPUT);
        }
    };
    match command::execute(cli, kinds, program) {
        Ok(()) => 0,
        Err(failure) => {
            failure.tell();
            failure.exit_code()
        }
    }
}
