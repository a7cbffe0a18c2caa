//! `cargo xtask shares`: who gets how much of a link, by each kind of queues and of arbiters: where all nodes send to node 0 all the
//! time, on the networks of [`crate::networks`], and where nodes of a HyperX send to their complements.

use std::fs;
use std::path::{Path, PathBuf};

use crate::failure::{Failure, Outcome};
use crate::networks::{Pair, pairs};
use crate::process::{captured, command, drowse, is_same, on_all_cores, whole};
use crate::repository::{read, write};

mod channels;
mod page;

const RECORDED: &str = "docs/data/shares.csv";
const HYPERX: &str = "docs/data/shares_hyperx.csv";
const PAGE: &str = "docs/model/fairness.md";
const HEADING: &str = "network,routing,queues,arbiters,neighbours_least,neighbours_mean,neighbours_most,nodes_least,nodes_mean,nodes_most";
const QUEUES: [&str; 3] = ["input", "virtual-output", "output"];

/// Runs the pairs of one network and the HyperX again and compares them with what is recorded; `--record` records all (six minutes)
/// and writes the tables of the page, which `--page` prints.
pub fn run(arguments: &[String]) -> Outcome {
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match words[..] {
        ["--page"] => {
            print!("{}", filled()?);
            Ok(())
        }
        [_, "--record"] => record(&drowse(arguments.first())?),
        [] | [_] => check(&drowse(arguments.first())?),
        _ => Err(Failure::usage("usage: cargo xtask shares [--page | DROWSE [--record]]")),
    }
}

fn filled() -> Outcome<String> {
    Ok(page::filled(&read(PAGE)?, &read(RECORDED)?, &read(HYPERX)?))
}

fn record(drowse: &Path) -> Outcome {
    let scratch = tempfile::tempdir()?;
    let pairs = pairs();
    on_all_cores(&pairs, |at, pair| {
        write(scratch.path().join(format!("{at}.csv")), shares(drowse, scratch.path(), at, pair)?)
    })?;
    let mut all = format!("{HEADING}\n");
    for at in 0..pairs.len() {
        all += &read(scratch.path().join(format!("{at}.csv")))?;
    }
    write(RECORDED, all)?;
    write(HYPERX, of_hyperx(drowse, scratch.path())?)?;
    write(PAGE, filled()?)
}

fn check(drowse: &Path) -> Outcome {
    let scratch = tempfile::tempdir()?;
    let is_checked = |pair: &Pair| pair.routing == "minimal" && pair.keys[0] == "kind = \"hyperx\"";
    let pair = pairs().into_iter().find(is_checked).ok_or_else(|| Failure::new("no HyperX among the networks"))?;
    let now = shares(drowse, scratch.path(), 0, &pair)?;
    let recorded = read(RECORDED)?;
    if !now.lines().all(|line| recorded.lines().any(|other| other == line)) {
        return Err(Failure::new(format!("{RECORDED} has other shares than these:\n{now}")));
    }
    if !is_same(Path::new(HYPERX), &of_hyperx(drowse, scratch.path())?)? || !is_same(Path::new(PAGE), &filled()?)? {
        return Err(Failure::new("shares have changed: find out why, then cargo xtask shares DROWSE --record"));
    }
    Ok(())
}

/// Returns the lines of one network.
fn shares(drowse: &Path, scratch: &Path, at: usize, pair: &Pair) -> Outcome<String> {
    let file = scratch.join(format!("{at}.toml"));
    let traffic = "[traffic]\npattern = { kind = \"hot-spot\", nodes = [0], share = 1.0 }\npackets = 8\nload = 1.0\n\
                   warmup = \"100000 cycles\"\nmeasure = \"50000 cycles\"\ndrain = false\n";
    write(&file, pair.table() + traffic)?;
    let network = pair.keys.join(";").replacen("kind = ", "", 1).replace('"', "").replace(", ", " ").replace(';', " ");
    let mut lines = String::new();
    for queues in QUEUES {
        for arbiters in ["three-stage", "least-recently-served", "random", "age"] {
            let channels = channels_of(drowse, &file, queues, arbiters)?;
            let counted = channels::hot_spot(&channels)?;
            lines += &format!("{network},{},{queues},{arbiters},{counted}\n", pair.routing);
        }
    }
    Ok(lines)
}

/// Returns the table of the HyperX: least and greatest load that a node injects, and how many inject nothing.
fn of_hyperx(drowse: &Path, scratch: &Path) -> Outcome<String> {
    let file = scratch.join("hyperx.toml");
    let experiment = "[network]\nkind = \"hyperx\"\ndims = [4, 4]\nnodes = 4\nrouting = \"minimal\"\n\
                      [traffic]\npattern = \"complement\"\nload = 1.0\nwarmup = \"10000 cycles\"\nmeasure = \"40000 cycles\"\ndrain = false\n";
    write(&file, experiment)?;
    let mut table = "queues,arbiters,least,most,nothing\n".to_owned();
    for queues in QUEUES {
        for arbiters in ["least-recently-served", "three-stage", "random", "age"] {
            let channels = channels_of(drowse, &file, queues, arbiters)?;
            table += &format!("{queues},{arbiters},{}\n", channels::injected(&channels)?);
        }
    }
    Ok(table)
}

/// Runs an experiment with these queues and arbiters. Returns its table of channels.
fn channels_of(drowse: &Path, file: &Path, queues: &str, arbiters: &str) -> Outcome<String> {
    let out: PathBuf = file.with_extension("d");
    let mut run = command(drowse, ["run"]);
    run.arg(file).args(["--threads", "1", "--out"]).arg(&out);
    run.args([
        "--set",
        &format!("switch.queues=\"{queues}\""),
        "--set",
        &format!("switch.allocator.kind=\"{arbiters}\""),
    ]);
    let ended = captured(&mut run)?;
    if !ended.status.success() {
        return Err(Failure::new(read(file)? + &whole(&ended)));
    }
    let channels = read(out.join("channels.csv"))?;
    fs::remove_dir_all(&out)?;
    Ok(channels)
}
