//! `cargo xtask identity OLD NEW`: what two builds say of the same experiments: tables of runs with 1, 2, 3 and 8 threads, over two
//! processes where both were built with MPI, and of sweeps. Names of cases may differ, and what is measured of the run itself; all
//! else must be the same to the byte.

use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::failure::{Failure, Outcome};
use crate::process::{captured, command, quietly, whole};
use crate::repository::{files, read, write};

/// Those that take minutes: others have the same networks, policies and programs.
const LONG: [&str; 10] = [
    "andujar-set-",
    "bounded-",
    "congestion-sleep",
    "flows-error",
    "networks-policies",
    "training-links",
    "three-jobs-",
    "parallel-links",
    "usage-",
    "timer-points",
];

/// Compares two executables of drowse.
pub fn run(arguments: &[String]) -> Outcome {
    let [old, new] = arguments else { return Err(Failure::usage("usage: cargo xtask identity OLD NEW")) };
    let whole = |path: &String| fs::canonicalize(path).map_err(|error| Failure::of_file(Path::new(path), error));
    let scratch = tempfile::tempdir()?;
    let mut identity = Identity { old: whole(old)?, new: whole(new)?, scratch: scratch.path(), count: 0 };
    for file in files()?.iter().filter(|file| is_example(file)) {
        identity.example(file)?;
    }
    for name in ["uniform-torus", "background", "scheduler"] {
        if !identity.over_processes(name)? {
            break;
        }
    }
    println!("{} outputs are the same", identity.count);
    Ok(())
}

fn is_example(file: &str) -> bool {
    let name = file.strip_prefix("examples/").and_then(|name| name.strip_suffix(".toml"));
    name.is_some_and(|name| !name.contains('/') && !LONG.iter().any(|long| name.starts_with(long)))
}

struct Identity<'a> {
    old: PathBuf,
    new: PathBuf,
    scratch: &'a Path,
    /// How many outputs were the same.
    count: usize,
}

impl Identity<'_> {
    /// Runs an example by both, as a sweep where it is one.
    fn example(&mut self, file: &str) -> Outcome {
        let text = read(file)?;
        let has = |tables: &[&str]| text.lines().any(|line| tables.iter().any(|table| line.starts_with(table)));
        if has(&["[search]"]) {
            return Ok(());
        }
        let (old, new) = (self.scratch.join("old"), self.scratch.join("new"));
        let (one, other) = (self.old.clone(), self.new.clone());
        if has(&["[sweep]"]) {
            quietly(prepared(&one, &["sweep", file, "--out"]).arg(&old))?;
            quietly(prepared(&other, &["sweep", file, "--out"]).arg(&new))?;
            self.same(file, &old, &new)?;
        } else if has(&["[[job]]", "[job]", "[traffic]"]) {
            quietly(prepared(&one, &["run", file, "--threads", "1", "--out"]).arg(&old))?;
            for threads in ["1", "2", "3", "8"] {
                quietly(prepared(&other, &["run", file, "--threads", threads, "--out"]).arg(&new))?;
                self.same(&format!("{file} with {threads} threads"), &old, &new)?;
                fs::remove_dir_all(&new)?;
            }
        }
        self.clear()
    }

    /// Runs an example by both in two processes. Returns whether that can be done here.
    fn over_processes(&mut self, name: &str) -> Outcome<bool> {
        if !Command::new("mpirun").arg("--version").output().is_ok_and(|said| said.status.success()) {
            return Ok(false);
        }
        let (old, new) = (self.scratch.join("old"), self.scratch.join("new"));
        for (program, out) in [(&self.old, &old), (&self.new, &new)] {
            let mut run = prepared(Path::new("mpirun"), &["--oversubscribe", "-n", "2"]);
            run.arg(program).args(["run", &format!("examples/{name}.toml"), "--out"]).arg(out).stdin(Stdio::null());
            if !captured(&mut run)?.status.success() {
                return Ok(false);
            }
        }
        self.same(&format!("{name} in two processes"), &old, &new)?;
        self.clear()?;
        Ok(true)
    }

    fn same(&mut self, what: &str, old: &Path, new: &Path) -> Outcome {
        let (old, new) = (plain(old)?, plain(new)?);
        for (table, text) in &old {
            if new.get(table) != Some(text) {
                let (one, other) = (self.scratch.join("one.csv"), self.scratch.join("other.csv"));
                write(&one, text)?;
                write(&other, new.get(table).map_or("", String::as_str))?;
                print!("{}", whole(&captured(&mut command("diff", [one, other]))?));
                return Err(Failure::new(format!("{what} differs: {table}")));
            }
        }
        self.count += 1;
        Ok(())
    }

    fn clear(&self) -> Outcome {
        for entry in fs::read_dir(self.scratch)? {
            let path = entry?.path();
            if path.is_dir() { fs::remove_dir_all(path)? } else { fs::remove_file(path)? }
        }
        Ok(())
    }
}

/// A program without colours, and MPI as root.
fn prepared(program: &Path, arguments: &[&str]) -> Command {
    let mut command = command(program, arguments);
    let allowed = [("NO_COLOR", "1"), ("OMPI_ALLOW_RUN_AS_ROOT", "1"), ("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1")];
    command.envs(allowed);
    command
}

/// Returns the tables of results of a folder by their names, with the names of cases replaced by their numbers.
fn plain(folder: &Path) -> Outcome<BTreeMap<String, String>> {
    let mut tables = Vec::new();
    for entry in fs::read_dir(folder)? {
        let name = entry?.file_name().to_string_lossy().into_owned();
        if name.ends_with(".csv") && name != "engine.csv" {
            tables.push(name);
        }
    }
    tables.sort();
    let mut names = HashMap::new();
    tables.into_iter().map(|name| Ok((name.clone(), numbered(&read(folder.join(&name))?, &mut names)))).collect()
}

/// Replaces the names of cases in a table by numbers.
fn numbered(csv: &str, names: &mut HashMap<String, usize>) -> String {
    let mut lines = csv.lines();
    let head = lines.next().unwrap_or_default();
    let columns: Vec<usize> =
        cells(head).iter().enumerate().filter(|(_, name)| name.ends_with("case_id")).map(|(at, _)| at).collect();
    let mut table = format!("{head}\n");
    for line in lines {
        let mut row: Vec<String> = cells(line).into_iter().map(str::to_owned).collect();
        for at in &columns {
            if let Some(cell) = row.get_mut(*at).filter(|cell| !cell.is_empty()) {
                let next = names.len();
                *cell = names.entry(cell.clone()).or_insert(next).to_string();
            }
        }
        table += &(row.join(",") + "\n");
    }
    table
}

/// Returns the cells of a line, with their quotes.
fn cells(line: &str) -> Vec<&str> {
    let mut cells = Vec::new();
    let (mut start, mut quoted) = (0, false);
    for (at, c) in line.char_indices() {
        match c {
            '"' => quoted = !quoted,
            ',' if !quoted => {
                cells.push(&line[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    cells.push(&line[start..]);
    cells
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_cases_are_numbers_across_tables() {
        let mut names = HashMap::new();
        assert_eq!(numbered("case_id,b\nx,\"1,2\"\ny,3\n", &mut names), "case_id,b\n0,\"1,2\"\n1,3\n");
        assert_eq!(numbered("base_case_id,c\ny,4\n,5\n", &mut names), "base_case_id,c\n1,4\n,5\n");
    }

    #[test]
    fn examples_that_take_minutes_are_left_out() {
        assert!(is_example("examples/cg-torus.toml"));
        assert!(
            !is_example("examples/usage-cg.toml") && !is_example("examples/a/b.toml") && !is_example("docs/a.toml")
        );
    }
}
