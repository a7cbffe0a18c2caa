//! The command line of Drowse: one file per subcommand in [`command`], what they print in [`output`], and what they
//! submit to clusters in [`script`].
//!
//! Exit codes: 0 done; 1 a job could not finish; 2 bad input; 3 the machine failed us. Results go to stdout, all else
//! to stderr.

mod command;
mod failure;
mod output;
mod script;

use std::process::ExitCode;

use clap::Parser;

use command::Cli;

fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(usage) => {
            // Nothing is left to tell it to when this fails.
            let _ = usage.print();
            return ExitCode::from(u8::try_from(usage.exit_code()).unwrap_or(failure::BAD_INPUT));
        }
    };
    match command::execute(cli) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            failure.tell();
            ExitCode::from(failure.exit_code())
        }
    }
}
