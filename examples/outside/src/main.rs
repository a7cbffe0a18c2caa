//! The command of Drowse with the kinds of this crate.

use std::env;
use std::process::ExitCode;

fn main() -> ExitCode {
    let program = env::current_exe().unwrap_or_else(|_| "outside".into());
    drowse::run_with(&outside::kinds(), program, env::args_os().skip(1)).into()
}
