//! Results that are damaged, swapped or of two runs: none is believed. `cargo xtask kill` tries many more.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::support::{Random, drowse_in};

/// Damages and kills unless `DROWSE_DAMAGES` gives a number.
const DAMAGES: u32 = 20;

const CASE: &str = "[network]\nkind = \"torus\"\ndims = [4, 4]\n[power]\n\
    policy = { kind = \"stall-timer\", deep = \"1 us\" }\n[traffic]\nload = 0.4\nwarmup = \"100 cycles\"\n\
    measure = \"1000 cycles\"\n";
const SWEEP: &str = "[sweep]\nbaseline = \"always-on\"\n\"traffic.load\" = [0.1, 0.2, 0.3]\n";

/// What reads a folder of results.
const READERS: [&[&str]; 5] = [
    &["table", "out"],
    &["best", "out"],
    &["report", "out", "-o", "page.html"],
    &["plot", "out", "--kind", "links", "-o", "links.svg"],
    &["show", "out"],
];

fn damages() -> u32 {
    std::env::var("DROWSE_DAMAGES").map_or(DAMAGES, |number| number.parse().unwrap())
}

fn done(folder: &Path, arguments: &[&str]) -> String {
    let ended = drowse_in(folder, arguments);
    assert_eq!(ended.code, Some(0), "{arguments:?}: {}", ended.stderr);
    ended.stderr
}

/// Changes a file: a bit, a digit, or its length.
fn damage(path: &Path, random: &mut Random) {
    let mut bytes = fs::read(path).unwrap();
    let place = random.below(bytes.len() as u64) as usize;
    match random.below(3) {
        0 => bytes[place] ^= 1 << random.below(8),
        1 => {
            let digit =
                (0..bytes.len()).map(|next| (place + next) % bytes.len()).find(|&at| bytes[at].is_ascii_digit());
            // A table without rows has none.
            let digit = digit.unwrap_or(place);
            bytes[digit] = b'0' + (bytes[digit] % 16 + 1 + random.below(9) as u8) % 10;
        }
        _ => bytes.truncate(place),
    }
    fs::write(path, bytes).unwrap();
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<PathBuf> = entries.filter(|path| path.is_file()).collect();
    files.sort();
    files
}

#[test]
fn damaged_cases_are_named_and_run_again() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    fs::write(folder.join("x.toml"), [CASE, SWEEP].concat()).unwrap();
    done(folder, &["sweep", "x.toml", "--out", "out"]);
    let tables =
        || ["cases.csv", "jobs.csv", "manifest.json"].map(|name| fs::read(folder.join("out").join(name)).unwrap());
    let (whole, cases) = (tables(), files(&folder.join("out/cases")));
    let mut random = Random(60);
    for round in 0..damages() {
        let victim = &cases[random.below(cases.len() as u64) as usize];
        let other = &cases[round as usize % cases.len()];
        if round % 4 == 3 && other != victim {
            fs::copy(other, victim).unwrap();
        } else {
            damage(victim, &mut random);
        }
        let said = done(folder, &["sweep", "x.toml", "--out", "out"]);
        let name = victim.strip_prefix(folder).unwrap().display().to_string();
        assert!(said.contains(&format!("{name}: is not as it was written; its case is run again")), "{said}");
        assert!(tables() == whole, "{name}");
    }
}

#[test]
fn damaged_and_foreign_tables_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    fs::write(folder.join("x.toml"), CASE).unwrap();
    done(folder, &["run", "x.toml", "--baseline", "always-on", "--out", "out"]);
    done(folder, &["run", "x.toml", "--set", "seed=2", "--out", "other"]);
    let readable = ["cases.csv", "channels.csv", "checksums.json", "jobs.csv", "manifest.json", "ranks.csv"];
    let mut random = Random(61);
    let refused = |what: &str| {
        for arguments in READERS {
            let ended = drowse_in(folder, arguments);
            assert_eq!((ended.code, ended.stdout.as_str()), (Some(2), ""), "{what}, {arguments:?}: {}", ended.stderr);
        }
    };
    for round in 0..damages() {
        let name = readable[random.below(readable.len() as u64) as usize];
        let victim = folder.join("out").join(name);
        let before = fs::read(&victim).unwrap();
        if round % 4 == 3 {
            fs::copy(folder.join("other").join(name), &victim).unwrap();
        } else {
            damage(&victim, &mut random);
        }
        if fs::read(&victim).unwrap() != before {
            refused(name);
        }
        fs::write(&victim, before).unwrap();
    }
    READERS.iter().for_each(|arguments| drop(done(folder, arguments)));
    // Without their checksums, what is of another run is known by its cases.
    fs::remove_file(folder.join("out/checksums.json")).unwrap();
    READERS.iter().for_each(|arguments| drop(done(folder, arguments)));
    for name in ["cases.csv", "channels.csv"] {
        let before = fs::read(folder.join("out").join(name)).unwrap();
        fs::copy(folder.join("other").join(name), folder.join("out").join(name)).unwrap();
        refused(name);
        fs::write(folder.join("out").join(name), before).unwrap();
    }
}

/// A run over the tables of another, killed: what is there is of one of the two, or refused.
#[test]
fn runs_that_are_killed_leave_no_mixture() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    fs::write(folder.join("x.toml"), CASE).unwrap();
    let seen = || {
        let ended = drowse_in(folder, &["table", "out", "--columns", "latency.packet.mean_ns"]);
        assert!(matches!(ended.code, Some(0 | 2)), "{}", ended.stderr);
        (ended.code == Some(0)).then_some(ended.stdout)
    };
    let arguments = |seed: &'static str| ["run", "x.toml", "--set", seed, "--out", "out", "--table", "waiting"];
    let mut runs = Vec::new();
    let mut micros = 0;
    for seed in ["seed=1", "seed=2"] {
        let begun = Instant::now();
        done(folder, &arguments(seed));
        micros = begun.elapsed().as_micros() as u64;
        runs.push(seen().unwrap());
    }
    assert_ne!(runs[0], runs[1]);
    let mut random = Random(62);
    for round in 0..damages() {
        let mut child = Command::new(env!("CARGO_BIN_EXE_drowse"));
        let seed = ["seed=1", "seed=2"][round as usize % 2];
        let child = child.current_dir(folder).args(arguments(seed)).stdout(Stdio::null()).stderr(Stdio::null());
        let mut child = child.spawn().unwrap();
        // Files are written at the end.
        sleep(Duration::from_micros(micros / 2 + random.below(micros)));
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(seen().is_none_or(|table| runs.contains(&table)), "a mixture");
    }
    done(folder, &arguments("seed=1"));
    assert_eq!(seen().as_ref(), Some(&runs[0]));
    let left: Vec<PathBuf> =
        files(&folder.join("out")).into_iter().filter(|path| path.to_string_lossy().contains(".partial")).collect();
    assert!(left.is_empty(), "{left:?}");
}
