//! `cargo xtask mutants`: puts small faults (mutants) into a folder's code, one at a time, and counts those that the tests notice.
//! Opt-in: all of it takes days on two cores.
//!
//! It tests the commit that is checked out, in a clone of its own (target/mutants/tree), and keeps finished pieces, so that it goes on
//! where it was ended. The counts go into `.ci/mutants.csv`, and mutants that live are printed, but for those which
//! `.ci/mutants-missed.txt` names with the reason why they are harmless.

use std::collections::BTreeMap;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use regex::Regex;

use crate::failure::{Failure, Outcome};
use crate::process::{captured, command, date, run as go, said, target, text, tool, whole};
use crate::repository::{read, write};

const COUNTS: &str = ".ci/mutants.csv";
const HARMLESS: &str = ".ci/mutants-missed.txt";
const USAGE: &str = "usage: cargo xtask mutants [FOLDER K/N | --list]: the K-th of N pieces, K from 0 to N - 1";

/// A folder of which mutants are made: its name, its package, and its files. Those of `tables` and `run` are what computes result tables.
const FOLDERS: [(&str, &str, &[&str]); 7] = [
    ("power", "drowse-core", &["crates/drowse-core/src/power/**"]),
    ("routing", "drowse-core", &["crates/drowse-core/src/routing/**"]),
    ("workload", "drowse-core", &["crates/drowse-core/src/workload/**"]),
    ("engine", "drowse-core", &["crates/drowse-core/src/engine/**"]),
    ("tables", "drowse-tables", &["crates/drowse-tables/src/**"]),
    (
        "run",
        "drowse-run",
        &[
            "crates/drowse-run/src/figures/**",
            "crates/drowse-run/src/totals.rs",
            "crates/drowse-run/src/summary.rs",
            "crates/drowse-run/src/compare.rs",
            "crates/drowse-run/src/probe_tables.rs",
            "crates/drowse-run/src/export.rs",
            "crates/drowse-run/src/sweep/tables.rs",
        ],
    ),
    ("reproduce", "drowse-reproduce", &["crates/drowse-reproduce/src/**"]),
];

/// Tests, but for those of throughput, by far the slowest: they would take most of the time, and notice few small faults alone.
const TESTS: [&str; 6] = ["--lib", "--test", "it", "--", "--skip", "peers"];

/// Tries the K-th of N pieces of a folder, every N-th mutant, so that a few pieces are a sample; piece 0/50 of every folder, some hours,
/// where none is named.
pub fn run(arguments: &[String]) -> Outcome {
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["--list"] => FOLDERS.iter().for_each(|(folder, ..)| println!("{folder}")),
        [] => {
            for (folder, ..) in FOLDERS {
                Piece::new(folder, "0/50")?.examine()?;
            }
        }
        [folder, piece] => Piece::new(folder, piece)?.examine()?,
        _ => return Err(Failure::usage(USAGE)),
    }
    Ok(())
}

struct Piece {
    folder: &'static str,
    package: &'static str,
    files: &'static [&'static str],
    piece: String,
    /// The number of pieces.
    of: String,
    kept: PathBuf,
    commit: String,
}

impl Piece {
    fn new(folder: &str, piece: &str) -> Outcome<Self> {
        let (folder, package, files) = *FOLDERS
            .iter()
            .find(|(name, ..)| *name == folder)
            .ok_or_else(|| Failure::usage(format!("no such folder: {folder}\n{USAGE}")))?;
        let numbers =
            piece.split_once('/').and_then(|(at, of)| Some((at.parse::<u64>().ok()?, of.parse::<u64>().ok()?)));
        let (_, of) = numbers.filter(|(at, of)| at < of).ok_or_else(|| Failure::usage(USAGE))?;
        let kept = env::current_dir()?.join(target()).join("mutants");
        let commit = said(&mut command("git", ["rev-parse", "--short=12", "HEAD"]))?;
        Ok(Self { folder, package, files, piece: piece.to_owned(), of: of.to_string(), kept, commit })
    }

    fn tree(&self) -> PathBuf {
        self.kept.join("tree")
    }

    fn results(&self) -> PathBuf {
        self.kept.join(&self.commit).join(self.folder)
    }

    fn globs(&self) -> impl Iterator<Item = &str> {
        self.files.iter().flat_map(|file| ["--file", file])
    }

    /// Tries the piece, unless it is finished, and counts all pieces of this division.
    fn examine(&self) -> Outcome {
        let tool = tool("cargo-mutants")?;
        self.check_out()?;
        let out = self.results().join(self.piece.replace('/', "-"));
        if !out.join("finished").exists() {
            if out.exists() {
                fs::remove_dir_all(&out)?;
            }
            fs::create_dir_all(&out)?;
            self.without_a_mutant(&out)?;
            self.mutate(&tool, &out)?;
            write(out.join("finished"), "")?;
        }
        let listed = said(command(&tool, ["mutants", "--list", "--dir"]).arg(self.tree()).args(self.globs()))?;
        self.count(listed.lines().count())?;
        self.living()
    }

    fn check_out(&self) -> Outcome {
        let tree = self.tree();
        if !tree.join(".git").is_dir() {
            go(command("git", ["clone", "--quiet", "--shared", "--no-checkout", "."]).arg(&tree))?;
        }
        let root = env::current_dir()?;
        go(command("git", ["-C"]).arg(&tree).args(["fetch", "--quiet"]).arg(root).arg("HEAD"))?;
        go(command("git", ["-C"]).arg(&tree).args(["checkout", "--quiet", "--force", "--detach", &self.commit]))
    }

    /// Checks that the tests pass without a mutant, once for each commit.
    fn without_a_mutant(&self, out: &Path) -> Outcome {
        let passed = self.results().join("passed");
        if passed.exists() {
            return Ok(());
        }
        let mut test = command(
            "timeout",
            ["3600", "cargo", "test", "--quiet", "--locked", "--profile", "mutants", "-p", self.package],
        );
        let ended = captured(with_cases(test.args(TESTS).current_dir(self.tree())))?;
        let said = whole(&ended);
        write(out.join("unmutated.txt"), &said)?;
        if !ended.status.success() {
            let last: Vec<&str> = said.lines().rev().take(30).collect();
            let last: Vec<&str> = last.into_iter().rev().collect();
            return Err(Failure::new(format!("{}\nthe tests fail without a mutant", last.join("\n"))));
        }
        write(passed, "")
    }

    fn mutate(&self, tool: &str, out: &Path) -> Outcome {
        let mut mutants = command(tool, ["mutants", "--dir"]);
        mutants.arg(self.tree()).args(["--in-place", "--profile", "mutants", "--output"]).arg(out).args(self.globs());
        mutants.args([
            "--test-package",
            self.package,
            "--shard",
            &self.piece,
            "--sharding",
            "round-robin",
            "--baseline",
            "skip",
        ]);
        mutants.args([
            "--build-timeout",
            "900",
            "--timeout",
            "120",
            "--no-times",
            "--colors",
            "never",
            "--cargo-arg=--locked",
            "--",
        ]);
        let status = with_cases(mutants.args(TESTS)).status()?;
        // It ends with 2 where mutants live, with 3 where some time out.
        match status.code() {
            Some(0 | 2 | 3) => Ok(()),
            _ => Err(Failure::new(format!("cargo-mutants: {status}"))),
        }
    }

    /// Returns the mutants that ended so. Pieces of other divisions are other samples: only those of this one count.
    fn ended(&self, how: &str) -> Outcome<Vec<String>> {
        let mut lines = Vec::new();
        for entry in fs::read_dir(self.results())? {
            let path = entry?.path();
            if path.file_name().is_some_and(|name| name.to_string_lossy().ends_with(&format!("-{}", self.of))) {
                let listed = fs::read(path.join("mutants.out").join(format!("{how}.txt"))).unwrap_or_default();
                lines.extend(text(&listed).lines().filter(|line| !line.is_empty()).map(str::to_owned));
            }
        }
        Ok(lines)
    }

    /// Writes the counts down.
    fn count(&self, all: usize) -> Outcome {
        let count = |how: &str| Ok::<_, Failure>(self.ended(how)?.len());
        let (caught, missed, timeout, unviable) =
            (count("caught")?, count("missed")?, count("timeout")?, count("unviable")?);
        let viable = caught + missed + timeout;
        let tried = viable + unviable;
        let ratio = |part: usize, whole: usize, digits: usize, unit: f64| {
            if whole == 0 { String::new() } else { format!("{:.digits$}", unit * part as f64 / whole as f64) }
        };
        let (percent, share) = (ratio(caught + timeout, viable, 1, 100.0), ratio(tried, all, 3, 1.0));
        let table = read(COUNTS).unwrap_or_default();
        let table = if table.is_empty() {
            "date,commit,folder,mutants,tried,share,caught,timeout,missed,unviable,caught_percent\n".to_owned()
        } else {
            let other = |line: &&str| !line.contains(&format!(",{},{},", self.commit, self.folder));
            table.lines().filter(other).map(|line| format!("{line}\n")).collect()
        };
        let (date, commit, folder) = (date()?, &self.commit, self.folder);
        let line = format!(
            "{date},{commit},{folder},{all},{tried},{share},{caught},{timeout},{missed},{unviable},{percent}\n"
        );
        write(COUNTS, table + &line)?;
        println!(
            "{folder}: {tried} of {all} mutants tried, {unviable} do not compile; of {viable}, {percent} % are noticed"
        );
        Ok(())
    }

    /// Prints the mutants that live and are not known as harmless.
    fn living(&self) -> Outcome {
        let harmless = read(HARMLESS)?;
        for (name, times) in without_places(&self.ended("missed")?)? {
            if !harmless.contains(&format!("{name} |")) {
                println!("lives: {name}{}", if times == 1 { String::new() } else { format!(" ({times} times)") });
            }
        }
        Ok(())
    }
}

/// Counts mutants without their places in files, which move.
fn without_places(missed: &[String]) -> Outcome<BTreeMap<String, usize>> {
    let place = Regex::new("^([^:]+):[0-9]+:[0-9]+:").map_err(|error| Failure::new(error.to_string()))?;
    let mut names = BTreeMap::new();
    for mutant in missed {
        *names.entry(place.replace(mutant, "$1:").into_owned()).or_default() += 1;
    }
    Ok(names)
}

/// The same few random cases for each mutant.
fn with_cases(command: &mut Command) -> &mut Command {
    if env::var_os("PROPTEST_CASES").is_none() {
        command.env("PROPTEST_CASES", "12");
    }
    command.env("PROPTEST_RNG_SEED", "1")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mutants_are_the_same_wherever_they_stand() {
        let missed = ["a.rs:1:2: replace x", "a.rs:9:9: replace x", "b.rs:1:1: y"].map(str::to_owned);
        let names: Vec<_> = without_places(&missed).unwrap().into_iter().collect();
        assert_eq!(names, [("a.rs: replace x".to_owned(), 2), ("b.rs: y".to_owned(), 1)]);
    }
}
