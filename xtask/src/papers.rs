//! `cargo xtask papers`: the numbers of the papers and ours, held against those that are kept in docs/data/quick_reproduction.csv: each
//! row of `drowse reproduce all --quick`, with its verdict. Fails with the difference where a verdict or a number has changed, and where
//! a number that follows from its paper's definitions differs.

use std::fs;
use std::path::Path;

use crate::failure::{Failure, Outcome};
use crate::process::{captured, cargo, command, is_same, quietly, run as go, said, target, whole};
use crate::repository::{read, write};

const KEPT: &str = "docs/data/quick_reproduction.csv";
const PAPERS: [&str; 4] = ["torus", "perfbound", "thin-trees", "runtime"];

/// How wide a terminal is.
const WIDTH: usize = 80;

/// Compares; `--update` keeps what comes out now. `--full` runs the full reproductions (hours of one core; a stopped one continues) and
/// keeps the tables from which the pages of docs are made.
pub fn run(arguments: &[String]) -> Outcome {
    let drowse = target().join("release/drowse");
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [] => {
            if is_same(Path::new(KEPT), &quick(&drowse)?)? {
                return Ok(());
            }
            Err(Failure::new("a number or a verdict has changed: find out why, then cargo xtask papers --update"))
        }
        ["--update"] => write(KEPT, quick(&drowse)?),
        ["--full"] => full(&drowse),
        _ => Err(Failure::usage("usage: cargo xtask papers [--update | --full]")),
    }
}

/// Returns all rows of the quick reproductions.
fn quick(drowse: &Path) -> Outcome<String> {
    let scratch = tempfile::tempdir()?;
    let ended = captured(command(drowse, ["reproduce", "all", "--quick", "--out"]).arg(scratch.path()))?;
    let printed = whole(&ended);
    if !ended.status.success() {
        return Err(Failure::new(printed));
    }
    if let Some(line) = printed.lines().find(|line| line.chars().count() > WIDTH) {
        return Err(Failure::new(format!("{line}\nwider than a terminal")));
    }
    let mut rows = String::new();
    for paper in PAPERS {
        let table = read(scratch.path().join(paper).join("reproduction.csv"))?;
        // One head for all.
        let skipped = if rows.is_empty() { 0 } else { table.find('\n').map_or(table.len(), |end| end + 1) };
        rows += &table[skipped..];
    }
    Ok(rows)
}

/// Runs everything, and makes the pages of it.
fn full(drowse: &Path) -> Outcome {
    // A folder for each build, so that no case of another one is taken for this one's; rows may change with it.
    let version = said(&mut command(drowse, ["--version"]))?;
    let build = version.lines().find_map(|line| line.strip_prefix("build ")).unwrap_or("unknown").trim();
    let folder = target().join("papers").join(build);
    fs::create_dir_all(&folder)?;
    quietly(command(drowse, ["reproduce", "all", "--out"]).arg(&folder))?;
    for paper in PAPERS {
        let kept = format!("docs/data/{}_reproduction.csv", paper.replace('-', "_"));
        fs::copy(folder.join(paper).join("reproduction.csv"), kept)?;
        for entry in fs::read_dir(folder.join(paper))? {
            let path = entry?.path();
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            if name.starts_with(&format!("{paper}_")) && name.ends_with(".csv") {
                fs::copy(&path, Path::new("docs/data").join(name))?;
            }
        }
    }
    figures()
}

/// Makes the pages and pictures of results.
pub fn figures() -> Outcome {
    go(&mut cargo(["run", "--release", "--locked", "-p", "drowse-reproduce", "--example", "figures", "--", "docs"]))
}
