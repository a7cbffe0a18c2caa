//! The command line of Drowse, as a program.

use std::env;
use std::process::ExitCode;

fn main() -> ExitCode {
    // Where the system does not say which file this is, the command is called by its name.
    let program = env::current_exe().unwrap_or_else(|_| "drowse".into());
    drowse::run(program, env::args_os().skip(1)).into()
}
