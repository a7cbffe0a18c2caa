//! Programs that tasks start, and where their files lie.

use std::env;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::Mutex;
use std::thread;

use crate::failure::{Failure, Outcome};

/// A program with these arguments.
pub fn command<I: AsRef<std::ffi::OsStr>>(
    program: impl AsRef<Path>,
    arguments: impl IntoIterator<Item = I>,
) -> Command {
    let mut command = Command::new(program.as_ref());
    command.args(arguments);
    command
}

/// The cargo that runs the task.
pub fn cargo<I: AsRef<std::ffi::OsStr>>(arguments: impl IntoIterator<Item = I>) -> Command {
    command(env::var_os("CARGO").map_or_else(|| PathBuf::from("cargo"), PathBuf::from), arguments)
}

/// Runs a program to its end. It prints where the task does.
pub fn run(command: &mut Command) -> Outcome {
    let status = command.status().map_err(|error| not_started(command, &error))?;
    if status.success() { Ok(()) } else { Err(Failure::new(format!("{}: {status}", line(command)))) }
}

/// Runs a program and drops what it prints, but for errors.
pub fn quietly(command: &mut Command) -> Outcome {
    run(command.stdout(Stdio::null()))
}

/// Runs a program and returns what it prints, without the last end of a line; errors are printed.
pub fn said(command: &mut Command) -> Outcome<String> {
    let output = command.stderr(Stdio::inherit()).output().map_err(|error| not_started(command, &error))?;
    if !output.status.success() {
        return Err(Failure::new(format!("{}{}: {}", text(&output.stdout), line(command), output.status)));
    }
    Ok(text(&output.stdout).trim_end_matches('\n').to_owned())
}

/// Runs a program and keeps all that it prints, however it ends.
pub fn captured(command: &mut Command) -> Outcome<Output> {
    command.output().map_err(|error| not_started(command, &error))
}

/// What a program printed, and then its errors.
pub fn whole(output: &Output) -> String {
    text(&output.stdout) + &text(&output.stderr)
}

/// Bytes as text.
pub fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn not_started(command: &Command, error: &std::io::Error) -> Failure {
    Failure::new(format!("{}: {error}", line(command)))
}

/// A command as it is typed.
fn line(command: &Command) -> String {
    let mut line = command.get_program().to_string_lossy().into_owned();
    for argument in command.get_args() {
        let _ = write!(line, " {}", argument.to_string_lossy());
    }
    line
}

/// Returns the path of a tool, which `.ci/tool` installs where it is missing.
pub fn tool(name: &str) -> Outcome<String> {
    said(&mut command(".ci/tool", [name]))
}

/// The folder in which cargo builds.
pub fn target() -> PathBuf {
    env::var_os("CARGO_TARGET_DIR").map_or_else(|| PathBuf::from("target"), PathBuf::from)
}

/// Returns the whole path of the command that was named, or of the release build.
pub fn drowse(named: Option<&String>) -> Outcome<PathBuf> {
    let path = named.map_or_else(|| target().join("release/drowse"), PathBuf::from);
    path.canonicalize().map_err(|error| Failure::of_file(&path, error))
}

/// The commit that is checked out, and whether anything but `besides` differs from it.
pub fn commit(length: usize, among: &[&str]) -> Outcome<String> {
    let commit = said(&mut command("git", ["rev-parse", &format!("--short={length}"), "HEAD"]))?;
    let changed = said(command("git", ["status", "--porcelain", "--"]).args(among))?;
    Ok(if changed.is_empty() { commit } else { commit + " and changes" })
}

/// Today's date, UTC.
pub fn date() -> Outcome<String> {
    said(&mut command("date", ["-u", "+%F"]))
}

/// Holds a new text against a file, and prints how they differ. Returns whether they are the same.
pub fn is_same(old: &Path, new: &str) -> Outcome<bool> {
    let scratch = tempfile::NamedTempFile::new()?;
    crate::repository::write(scratch.path(), new)?;
    let differs = captured(command("diff", ["-u"]).args([old, scratch.path()]))?;
    print!("{}", whole(&differs));
    Ok(differs.status.success())
}

/// Holds two files against each other to the byte.
pub fn same_bytes(one: &Path, other: &Path) -> Outcome {
    run(command("cmp", [one, other]).stdin(Stdio::null()))
}

/// Does something with each item, on all cores. After a failure nothing is begun any more.
pub fn on_all_cores<T: Sync>(items: &[T], work: impl Fn(usize, &T) -> Outcome + Sync) -> Outcome {
    let next = Mutex::new(Ok(items.iter().enumerate()));
    let take = || match &mut *next.lock().unwrap_or_else(std::sync::PoisonError::into_inner) {
        Ok(items) => items.next(),
        Err(_) => None,
    };
    let cores = thread::available_parallelism().map_or(1, Into::into);
    thread::scope(|scope| {
        for _ in 0..cores {
            scope.spawn(|| {
                while let Some((at, item)) = take() {
                    if let Err(failure) = work(at, item) {
                        let mut next = next.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
                        if next.is_ok() {
                            *next = Err(failure);
                        }
                    }
                }
            });
        }
    });
    next.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner).map(|_| ())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_item_is_worked_on_once_and_the_first_failure_is_told() {
        let sum = Mutex::new(0);
        on_all_cores(&[1, 2, 3], |at, item| {
            *sum.lock().unwrap() += 10 * at + item;
            Ok(())
        })
        .unwrap();
        assert_eq!(sum.into_inner().unwrap(), 36);
        let failed = on_all_cores(&[1, 2], |_, item| Err(Failure::new(format!("{item}")))).unwrap_err();
        assert!(["1", "2"].contains(&failed.message.as_str()));
    }

    #[test]
    fn a_program_that_fails_is_told_with_its_arguments() {
        assert!(run(&mut command("false", ["a", "b"])).unwrap_err().message.starts_with("false a b: "));
        assert_eq!(said(&mut command("echo", ["a"])).unwrap(), "a");
    }
}
