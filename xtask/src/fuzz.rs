//! `cargo xtask fuzz`: libFuzzer changes files, guided by the code that they reach, and what reads files must answer with a result or a
//! message, within bounds of time and memory. Opt-in: the longer, the better.
//!
//! The kept files are one archive, `fuzz/corpus.tar.xz`, which stems from real traces; `cargo test` reads it, too. Files that were made
//! stay in target/fuzz/corpus, so that the next run goes on from there. What is found stays in target/fuzz/findings:
//! `DROWSE_FUZZ=TARGET target/fuzz/fuzz FILE` reads a file again. Mend it, unpack the archive (`--unpack`), add the file to
//! target/fuzz/kept/TARGET under a name that says what it shows, pack it with `--keep TARGET`, and see the test fail without the mend.
//! Executions, hours and findings go into `.ci/fuzz.csv`.

use std::env;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use crate::failure::{Failure, Outcome};
use crate::process::{cargo, command, commit, date, run as go, said, target, text, tool};

const COUNTS: &str = ".ci/fuzz.csv";
const ARCHIVE: &str = "fuzz/corpus.tar.xz";

/// Every target for five minutes, or one for so many seconds. `--list` names the targets: trace formats, `archive`, `writers`, graph
/// formats, ... `--keep [TARGET]` keeps the fewest files that reach all code that was reached. `--unpack` unpacks the kept files.
pub fn run(arguments: &[String]) -> Outcome {
    if arguments == ["--unpack"] {
        println!("{}", unpacked(&folder()?)?.display());
        return Ok(());
    }
    let fuzz = Fuzz::build()?;
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["--list"] => {
            println!("{}", fuzz.targets.join("\n"));
            Ok(())
        }
        ["--keep"] => fuzz.keep(&fuzz.targets),
        ["--keep", target] => fuzz.keep(&fuzz.only(target)?),
        [] => fuzz.all(&fuzz.targets, 300),
        [target] => fuzz.all(&fuzz.only(target)?, 300),
        [target, seconds] => {
            let seconds = seconds.parse().ok().filter(|seconds| *seconds > 0);
            let seconds = seconds.ok_or_else(|| Failure::usage("SECONDS is a number from 1"))?;
            fuzz.all(&fuzz.only(target)?, seconds)
        }
        _ => Err(Failure::usage("usage: cargo xtask fuzz [TARGET [SECONDS] | --list | --keep [TARGET] | --unpack]")),
    }
}

fn folder() -> Outcome<PathBuf> {
    Ok(env::current_dir()?.join(target()).join("fuzz"))
}

/// Unpacks the kept files. Returns their folder.
fn unpacked(out: &Path) -> Outcome<PathBuf> {
    let kept = out.join("kept");
    if kept.exists() {
        fs::remove_dir_all(&kept)?;
    }
    fs::create_dir_all(&kept)?;
    go(command("tar", ["-xJf", ARCHIVE, "-C"]).arg(&kept))?;
    Ok(kept)
}

/// Packs the kept files, the same bytes for the same files.
fn pack(kept: &Path) -> Outcome {
    let same = ["--sort=name", "--mtime=@0", "--owner=0", "--group=0", "--numeric-owner", "--format=ustar"];
    go(command("tar", same).args(["-I", "xz -9e", "-cf", ARCHIVE, "-C"]).arg(kept).arg("."))
}

struct Fuzz {
    out: PathBuf,
    program: PathBuf,
    targets: Vec<String>,
}

impl Fuzz {
    /// Builds the program with what cargo-fuzz passes, too, but for a sanitizer, which needs a nightly compiler: Drowse has no unsafe code.
    /// The target is named so that build scripts are not instrumented. Overflow is checked: fuzz/Cargo.toml.
    fn build() -> Outcome<Self> {
        tool("c++")?;
        let version = said(&mut command("rustc", ["-vV"]))?;
        let host = version.lines().find_map(|line| line.strip_prefix("host: ")).unwrap_or_default();
        let out = folder()?;
        fs::create_dir_all(out.join("findings"))?;
        let mut flags = "-Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4".to_owned();
        for kind in ["inline-8bit-counters", "pc-table", "trace-compares"] {
            flags += &format!(" -Cllvm-args=-sanitizer-coverage-{kind}");
        }
        let mut build = cargo(["build", "--release", "--locked", "--quiet", "--target", host, "--target-dir"]);
        go(build.arg(&out).current_dir("fuzz").env("RUSTFLAGS", flags))?;
        let program = out.join("fuzz");
        fs::copy(out.join(host).join("release/drowse-fuzz"), &program)?;
        let targets = said(command(&program, [""; 0]).env("DROWSE_FUZZ", "--list").stderr(Stdio::null()))?;
        Ok(Self { out, program, targets: targets.lines().map(str::to_owned).collect() })
    }

    fn only(&self, target: &str) -> Outcome<Vec<String>> {
        let known = self.targets.iter().any(|other| other == target);
        let unknown = || Failure::usage(format!("{target} is no target: cargo xtask fuzz --list names them"));
        known.then(|| vec![target.to_owned()]).ok_or_else(unknown)
    }

    /// A run of a target, which says what it does in a log of its own.
    fn fuzzer(&self, target: &str) -> Outcome<Command> {
        let log = fs::File::create(self.out.join(format!("{target}.log")))?;
        let mut fuzzer = command(&self.program, [format!("-max_len={}", longest(target))]);
        fuzzer.env("DROWSE_FUZZ", target).stdout(log.try_clone()?).stderr(log);
        Ok(fuzzer)
    }

    /// Keeps the fewest files that reach all code that was reached, and packs them.
    fn keep(&self, targets: &[String]) -> Outcome {
        let kept = unpacked(&self.out)?;
        for target in targets {
            let (kept, made) = (kept.join(target), self.out.join("corpus").join(target));
            fs::create_dir_all(&kept)?;
            fs::create_dir_all(&made)?;
            for entry in fs::read_dir(&kept)? {
                let path = entry?.path();
                // Files with a name were kept for what they show, not for what they reach.
                if let Some(name) = path.file_name().filter(|name| is_hash(&name.to_string_lossy())) {
                    fs::rename(&path, made.join(name))?;
                }
            }
            go(self.fuzzer(target)?.args(["-set_cover_merge=1", "-use_counters=0"]).args([&kept, &made]))?;
            println!("{target}: {} files", fs::read_dir(&kept)?.count());
        }
        pack(&kept)?;
        println!("{ARCHIVE}: {} bytes", fs::metadata(ARCHIVE)?.len());
        Ok(())
    }

    fn all(&self, targets: &[String], seconds: u64) -> Outcome {
        let kept = unpacked(&self.out)?;
        let commit = commit(12, &["crates", "fuzz"])?;
        let mut failed = false;
        for target in targets {
            let (line, well) = self.one(target, seconds, &kept, &commit)?;
            println!("{line}");
            writeln!(fs::OpenOptions::new().append(true).open(COUNTS)?, "{line}")?;
            failed |= !well;
        }
        if failed { Err(Failure::new("")) } else { Ok(()) }
    }

    /// Runs a target. Returns its line of counts, and whether nothing was found.
    fn one(&self, target: &str, seconds: u64, kept: &Path, commit: &str) -> Outcome<(String, bool)> {
        let (made, kept) = (self.out.join("corpus").join(target), kept.join(target));
        fs::create_dir_all(&made)?;
        fs::create_dir_all(&kept)?;
        let before = self.findings(target)?;
        let begun = Instant::now();
        // Memory is bounded by the target itself, but for what C libraries take; a file that takes 25 seconds is a finding.
        let mut fuzzer = self.fuzzer(target)?;
        fuzzer.args([
            &format!("-max_total_time={seconds}"),
            "-timeout=25",
            "-rss_limit_mb=1024",
            "-print_final_stats=1",
        ]);
        fuzzer.arg(format!("-artifact_prefix={}/{target}-", self.out.join("findings").display())).args([&made, &kept]);
        let well = fuzzer.status()?.success();
        clear(target)?;
        let log = text(&fs::read(self.out.join(format!("{target}.log")))?);
        let findings = self.findings(target)? - before;
        let (executions, edges) = counts(&log);
        let hours = begun.elapsed().as_secs_f64() / 3600.0;
        if findings > 0 {
            eprintln!("{}", complaints(&log));
        }
        Ok((format!("{},{commit},{target},{executions},{hours:.3},{edges},{findings}", date()?), well))
    }

    fn findings(&self, target: &str) -> Outcome<usize> {
        let start = format!("{target}-");
        let names = fs::read_dir(self.out.join("findings"))?.filter_map(Result::ok).map(|entry| entry.file_name());
        Ok(names.filter(|name| name.to_string_lossy().starts_with(&start)).count())
    }
}

/// Targets whose files are long: those of DUMPI, OTF2 and PyTorch hold several files, dumps have lines for every port.
const LONG: [&str; 7] = ["dumpi", "otf2", "kineto", "execution-trace", "network", "tables", "lane_maps"];

/// The longest file that is made.
fn longest(target: &str) -> u32 {
    if LONG.contains(&target) { 16384 } else { 4096 }
}

/// Whether a file has the name that libFuzzer gives.
fn is_hash(name: &str) -> bool {
    name.len() == 40 && name.bytes().all(|byte| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte))
}

/// Removes what a target that was ended has left.
fn clear(target: &str) -> Outcome {
    let start = format!("drowse-fuzz-{target}-");
    for folder in [PathBuf::from("/dev/shm"), env::temp_dir()] {
        for entry in fs::read_dir(folder).into_iter().flatten().filter_map(Result::ok) {
            if entry.file_name().to_string_lossy().starts_with(&start) {
                fs::remove_dir_all(entry.path())?;
            }
        }
    }
    Ok(())
}

/// Returns how many files were tried, and how many edges of code they reached.
fn counts(log: &str) -> (u64, u64) {
    let executed = log.lines().find_map(|line| line.strip_prefix("stat::number_of_executed_units:"));
    let edges = log.rsplit_once("cov: ").and_then(|(_, rest)| rest.split_whitespace().next());
    let number = |text: Option<&str>| text.and_then(|text| text.trim().parse().ok()).unwrap_or(0);
    (number(executed), number(edges))
}

/// Returns what a log says of findings.
fn complaints(log: &str) -> String {
    let lines: Vec<&str> = log.lines().collect();
    let starts =
        lines.iter().enumerate().filter(|(_, line)| line.contains("panicked at") || line.contains("ERROR: libFuzzer"));
    starts.flat_map(|(at, _)| &lines[at..(at + 3).min(lines.len())]).copied().collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_of_a_log() {
        let log = "#1 cov: 5 ft\n#2 cov: 17 ft: 1\nstat::number_of_executed_units: 123\nthread panicked at x\nwhy\nwhere\nmore\n";
        assert_eq!(counts(log), (123, 17));
        assert_eq!(complaints(log), "thread panicked at x\nwhy\nwhere");
    }

    #[test]
    fn files_with_a_name_are_kept() {
        assert!(is_hash(&"0a".repeat(20)) && !is_hash("a-finding") && !is_hash(&"0A".repeat(20)));
    }
}
