//! `cargo xtask kill`: kills sweeps, searches, shards and merges at 200 random moments, and lets disks fill up at 200 random writes:
//! nothing may be lost but what was in flight, nothing run twice, and the tables must be the same to the byte. Kills runs over an older
//! folder, lets disks fill up under them, and damages results: readers see one run or refuse. Full disks need root, for a small tmpfs.
//! A run that ends well adds a line to `.ci/kill.csv`.

use std::env;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use tempfile::TempDir;

use crate::failure::{Failure, Outcome};
use crate::process::{
    captured, cargo, command, commit, date, drowse, quietly, run as go, said, same_bytes, text, whole,
};
use crate::repository::write;

const COUNTS: &str = ".ci/kill.csv";

const EXPERIMENT: &str = r#"[network]
kind = "torus"
dims = [4, 4]
[power]
policy = { kind = "stall-timer", deep = "1 us" }
[traffic]
load = 0.3
warmup = "100 cycles"
measure = "1000 cycles"
[sweep]
baseline = "always-on"
seed = { from = 1, to = 5, step = 1 }
"network.trunk" = [1, 2]
"traffic.load" = { from = 0.1, to = 0.4, step = 0.1 }
[search]
minimize = "power"
"#;

/// KILLS=200, FULL=200, RUNS=60 and DAMAGES=300 are how many, at least.
pub fn run(arguments: &[String]) -> Outcome {
    let drowse = drowse(arguments.first())?;
    let kills = how_many("KILLS", 200)?;
    let commit = commit(12, &[])?;
    let test = ["test", "--locked", "-p", "drowse", "--test", "it"];
    go(cargo(test).arg("kill::").env("DROWSE_KILLS", kills.to_string()))?;
    go(cargo(test).arg("damaged::").env("DROWSE_DAMAGES", how_many("DAMAGES", 300)?.to_string()))?;
    if said(&mut command("id", ["-u"]))? != "0" {
        println!("skipped: full disks need root");
        return Ok(());
    }
    let disk = Disk::new()?;
    let full = sweeps(&drowse, &disk, how_many("FULL", 200)?)?;
    runs(&drowse, &disk, how_many("RUNS", 60)?)?;
    let mut counts = fs::OpenOptions::new().append(true).open(COUNTS)?;
    writeln!(counts, "{},{commit},{kills},{full}", date()?)?;
    Ok(())
}

fn how_many(variable: &str, default: u64) -> Outcome<u64> {
    match env::var(variable) {
        Err(_) => Ok(default),
        Ok(count) => count.parse().map_err(|_| Failure::usage(format!("{variable}: {count} is no number"))),
    }
}

/// A folder with a small disk in it, which is taken down at the end.
struct Disk {
    place: TempDir,
}

impl Disk {
    fn new() -> Outcome<Self> {
        let place = tempfile::tempdir()?;
        fs::create_dir(place.path().join("disk"))?;
        write(place.path().join("x.toml"), EXPERIMENT)?;
        Ok(Self { place })
    }

    fn at(&self, name: &str) -> PathBuf {
        self.place.path().join(name)
    }

    fn mount(&self, bytes: u64) -> Outcome {
        go(command("mount", ["-t", "tmpfs", "-o", &format!("size={bytes}"), "tmpfs"]).arg(self.at("disk")))
    }

    fn grow(&self, bytes: u64) -> Outcome {
        go(command("mount", ["-o", &format!("remount,size={bytes}")]).arg(self.at("disk")))
    }

    fn unmount(&self) -> Outcome {
        go(&mut command("umount", [self.at("disk")]))
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        // Where it is not mounted any more, nothing is to be done.
        let _ = Command::new("umount").arg(self.at("disk")).output();
    }
}

/// Random numbers for sizes of disks, the same each time.
struct Sizes(u64);

impl Sizes {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % bound
    }
}

/// Lets disks fill up under sweeps, shards, merges and searches. Returns how often one was full.
fn sweeps(drowse: &Path, disk: &Disk, wanted: u64) -> Outcome<u64> {
    let file = disk.at("x.toml");
    quietly(command(drowse, ["sweep"]).arg(&file).arg("--out").arg(disk.at("whole")))?;
    quietly(command(drowse, ["search"]).arg(&file).arg("--out").arg(disk.at("searched")))?;
    let bytes = size_of(&disk.at("whole"))?;
    let mut sizes = Sizes(22);
    let (mut full, mut disks) = (0, 0);
    while full < wanted {
        disks += 1;
        // Up to the size of all results, in pages.
        let mut size = 150_000 + sizes.below(2 * bytes);
        disk.mount(size)?;
        let out = disk.at("disk/out");
        // Room is made bit by bit, as users do.
        loop {
            let ended = work(drowse, disk, disks % 4, &out)?;
            if ended.status.success() {
                break;
            }
            full += 1;
            is_told(&ended)?;
            are_whole(&out.join("cases"))?;
            size += 1 + sizes.below(bytes / 8);
            disk.grow(size)?;
        }
        let expected = disk.at(if disks % 4 == 3 { "searched" } else { "whole" });
        for table in ["cases.csv", "jobs.csv", "manifest.json"] {
            same_bytes(&out.join(table), &expected.join(table))?;
        }
        disk.unmount()?;
    }
    println!("{disks} disks were full {full} times; the tables are the same");
    Ok(full)
}

/// Does one of four works on the disk. Returns how the last of its commands ended.
fn work(drowse: &Path, disk: &Disk, which: u64, out: &Path) -> Outcome<Output> {
    let file = disk.at("x.toml");
    let sweep = |more: &[&str]| captured(command(drowse, ["sweep"]).arg(&file).arg("--out").arg(out).args(more));
    match which {
        0 => sweep(&[]),
        1 => {
            for shard in ["1/2", "2/2"] {
                let ended = sweep(&["--shard", shard])?;
                if !ended.status.success() {
                    return Ok(ended);
                }
            }
            captured(command(drowse, ["merge"]).arg(out))
        }
        2 => captured(command(drowse, ["merge"]).arg(disk.at("whole")).arg("--out").arg(out)),
        _ => captured(command(drowse, ["search"]).arg(&file).arg("--out").arg(out)),
    }
}

/// Checks that the message names the full disk.
fn is_told(ended: &Output) -> Outcome {
    let said = whole(ended);
    let told = said.lines().any(|line| line.starts_with("error: ") && line.contains("No space left on device"));
    if told { Ok(()) } else { Err(Failure::new(said)) }
}

/// Checks that the cases that are stored end as they should.
fn are_whole(folder: &Path) -> Outcome {
    let Ok(entries) = fs::read_dir(folder) else { return Ok(()) };
    for entry in entries {
        let path = entry?.path();
        if path.is_dir() {
            are_whole(&path)?;
        } else if path.extension().is_some_and(|ending| ending == "json")
            && !text(&fs::read(&path)?).trim_end().ends_with('}')
        {
            return Err(Failure::new(format!("{} is not whole", path.display())));
        }
    }
    Ok(())
}

/// Runs over the results of another on disks with little room: these stay, or readers refuse the folder.
fn runs(drowse: &Path, disk: &Disk, rounds: u64) -> Outcome {
    let one = |seed: &str, out: &Path| {
        let mut run = command(drowse, ["run"]);
        run.arg(disk.at("x.toml")).args(["--set", "sweep={}", "--set", &format!("seed={seed}"), "--out"]).arg(out);
        captured(run.args(["--table", "waiting", "--parquet"])).map(|ended| ended.status.success())
    };
    let see = |out: &Path| {
        let table = captured(command(drowse, ["table"]).arg(out).args(["--columns", "latency.packet.mean_ns"]))?;
        Ok::<_, Failure>(text(&table.stdout))
    };
    if !one("1", &disk.at("one"))? || !one("2", &disk.at("two"))? {
        return Err(Failure::new("a run fails although its disk has room"));
    }
    let bytes = size_of(&disk.at("one"))?;
    for round in 1..=rounds {
        disk.mount(100_000 + bytes + round * bytes / rounds)?;
        let out = disk.at("disk/out");
        one("1", &out)?;
        let expected = disk.at(if one("2", &out)? { "two" } else { "one" });
        if see(&out)? != see(&expected)? {
            return Err(Failure::new("a full disk has mixed two runs"));
        }
        disk.unmount()?;
    }
    Ok(())
}

/// Returns how many bytes a folder has.
fn size_of(folder: &Path) -> Outcome<u64> {
    let said = said(command("du", ["-sb"]).arg(folder))?;
    let bytes = said.split_whitespace().next().and_then(|bytes| bytes.parse().ok());
    bytes.ok_or_else(|| Failure::new(format!("du says {said}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_the_same_each_time_and_below_their_bound() {
        let draw = || {
            let mut sizes = Sizes(22);
            (0..5).map(|_| sizes.below(1000)).collect::<Vec<_>>()
        };
        assert_eq!(draw(), draw());
        assert!(draw().iter().all(|size| *size < 1000) && draw()[0] != draw()[1]);
    }
}
