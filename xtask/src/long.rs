//! `cargo xtask long`: proofs that take hours, run before each release, after `.ci/run`: each adds what `.ci/run` has no time for.
//!
//! Each step adds a line with date, commit and result to `.ci/long.csv`, which is committed: steps may be run on different days, and a
//! release needs all of them on its commit. The first step that fails ends it.

use std::env;
use std::fs;
use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use crate::failure::{Failure, Outcome};
use crate::process::{cargo, command, commit, date, run as go, said, target};
use crate::repository::read;
use crate::supply::UNPUBLISHED;

const RESULTS: &str = ".ci/long.csv";

/// A step: its name, and the commands that it is.
struct Step {
    name: &'static str,
    commands: fn(seed: u32) -> Vec<Command>,
}

/// All steps. The last, which takes days, is run only where it is named.
const STEPS: [Step; 11] = [
    Step { name: "random", commands: random },
    Step { name: "ignored", commands: ignored },
    // The same random machines each time, so that a stopped run goes on.
    Step { name: "machines", commands: |_| vec![task(&["machines"])] },
    Step { name: "reproductions", commands: reproductions },
    // Builds each crate as it would be published.
    Step { name: "packages", commands: |_| vec![packages()] },
    // Every pair of topology and routing under load, twice as long as in .ci/run.
    Step { name: "soak", commands: |_| vec![release(), task(&["soak"])] },
    // Sweeps that are killed or have no room, and from a binary that needs no library.
    Step { name: "kills", commands: |_| vec![release(), task(&["kill"])] },
    Step { name: "static", commands: |_| vec![task(&["static"])] },
    // What users of Python install.
    Step { name: "wheel", commands: |_| vec![task(&["wheel"])] },
    // All notebooks and examples from Python, memory after many runs, interrupts, Dask; with the packages of .ci/python.txt.
    Step { name: "python", commands: python },
    // Small faults put in.
    Step { name: "mutants", commands: |_| vec![task(&["mutants"])] },
];

/// Runs all steps but `mutants`, or those that are named. SEED=7 draws the random cases of an earlier run again; CASES are how many.
pub fn run(arguments: &[String]) -> Outcome {
    let find = |name: &String| {
        let names: Vec<&str> = STEPS.iter().map(|step| step.name).collect();
        let unknown = || Failure::usage(format!("no such step: {name}; there are: {}", names.join(" ")));
        STEPS.iter().find(|step| step.name == name).ok_or_else(unknown)
    };
    let steps: Vec<&Step> = match arguments {
        [] => STEPS[..STEPS.len() - 1].iter().collect(),
        names => names.iter().map(find).collect::<Outcome<_>>()?,
    };
    let seed = seed()?;
    let commit = commit(12, &[":!.ci/*.csv"])?;
    let logs = target().join("long");
    fs::create_dir_all(&logs)?;
    println!("seed {seed}, commit {commit}; the output of each step is in {}", logs.display());
    for step in steps {
        perform(step, seed, &commit, &logs.join(format!("{}.txt", step.name)))?;
    }
    Ok(())
}

fn seed() -> Outcome<u32> {
    if let Ok(seed) = env::var("SEED") {
        return seed.parse().map_err(|_| Failure::usage(format!("SEED: {seed} is no number")));
    }
    let mut bytes = [0; 4];
    fs::File::open("/dev/urandom")?.read_exact(&mut bytes)?;
    Ok(u32::from_le_bytes(bytes))
}

/// Runs a step and notes how it ended.
fn perform(step: &Step, seed: u32, commit: &str, log: &Path) -> Outcome {
    let begun = Instant::now();
    let file = fs::File::create(log)?;
    let mut passed = true;
    for mut command in (step.commands)(seed) {
        let outputs = (file.try_clone()?, file.try_clone()?);
        passed = passed && go(command.stdin(Stdio::null()).stdout(outputs.0).stderr(outputs.1)).is_ok();
    }
    let rust = said(&mut command("rustc", ["--version"]))?;
    let rust = rust.split_whitespace().nth(1).unwrap_or_default();
    let result = if passed { "passed" } else { "failed" };
    let line = format!("{},{commit},{rust},{},{seed},{},{result}", date()?, step.name, begun.elapsed().as_secs());
    writeln!(fs::OpenOptions::new().append(true).open(RESULTS)?, "{line}")?;
    println!("{line}");
    if passed {
        return Ok(());
    }
    let said = read(log)?;
    let lines: Vec<&str> = said.lines().collect();
    Err(Failure::new(lines[lines.len().saturating_sub(40)..].join("\n")))
}

/// Another task, as a program of its own.
fn task(arguments: &[&str]) -> Command {
    command(env::current_exe().unwrap_or_else(|_| PathBuf::from("xtask")), arguments)
}

fn release() -> Command {
    cargo(["build", "--release", "--locked", "--workspace", "--examples", "--bins"])
}

/// More cases, with seeds that no run has had.
fn random(seed: u32) -> Vec<Command> {
    let mut test = cargo(["test", "--workspace", "--locked"]);
    let cases = env::var("CASES").unwrap_or_else(|_| "2000".to_owned());
    test.env("PROPTEST_RNG_SEED", seed.to_string()).env("PROPTEST_CASES", cases);
    vec![test]
}

/// Tests that are marked as too long for `.ci/run`. They may write kept data anew, which must come out as it was.
fn ignored(_: u32) -> Vec<Command> {
    let test = cargo(["test", "--release", "--workspace", "--locked", "--", "--ignored"]);
    vec![test, command("git", ["diff", "--exit-code", "--", "crates", "docs"])]
}

/// The papers' numbers from all cases, not only the quick ones: the kept ones must come out. Thin trees' page has the quick ones;
/// all-to-all on the paper's trees takes hours.
fn reproductions(_: u32) -> Vec<Command> {
    let unchanged = command("git", ["diff", "--exit-code", "--", "docs"]);
    let thin_trees = command(target().join("release/drowse"), ["reproduce", "thin-trees"]);
    vec![release(), task(&["papers", "--full"]), unchanged, thin_trees]
}

fn python(_: u32) -> Vec<Command> {
    let module = cargo(["build", "--release", "--locked", "-p", "drowse-python"]);
    vec![module, command(".ci/python", ["--long"])]
}

fn packages() -> Command {
    let mut package = cargo(["package", "--workspace", "--locked", "--allow-dirty"]);
    package.args(UNPUBLISHED);
    package
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_that_is_none_is_refused_with_those_that_are() {
        let refused = run(&["soaks".to_owned()]).unwrap_err();
        assert_eq!(refused.code, 2);
        let steps = "random ignored machines reproductions packages soak kills static wheel python mutants";
        assert!(refused.message.ends_with(steps), "{}", refused.message);
    }
}
