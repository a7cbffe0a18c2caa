//! Sweeps, searches, shards and merges that are killed at random moments: nothing is lost but what was in flight, nothing is run
//! twice, and the tables are the same to the byte. `cargo xtask kill` does it many more times.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::support::{Random, drowse_in};

/// Kills unless `DROWSE_KILLS` gives a number.
const KILLS: u32 = 8;

/// Thirty short cases with a baseline each, of which a search runs some.
const SWEEP: &str = "[network]\nkind = \"torus\"\ndims = [4, 4]\n[power]\n\
    policy = { kind = \"stall-timer\", deep = \"1 us\" }\n[traffic]\nload = 0.4\nwarmup = \"100 cycles\"\n\
    measure = \"3000 cycles\"\n[sweep]\nbaseline = \"always-on\"\n\
    seed = { from = 1, to = 3, step = 1 }\n\"network.trunk\" = [1, 2]\n\
    \"traffic.load\" = { from = 0.1, to = 0.5, step = 0.1 }\n[search]\nminimize = \"power\"\n";

/// How the names of files end that are not whole.
const PARTIAL: &str = ".partial";

/// Files of stored cases, and when each was written as the system numbers it.
type Files = BTreeMap<String, (u64, i64, i64)>;

fn stored(folder: &Path) -> Files {
    let Ok(cases) = fs::read_dir(folder.join("cases")) else { return Files::new() };
    let file = |entry: fs::DirEntry| {
        let (name, data) = (entry.file_name().into_string().unwrap(), entry.metadata().ok()?);
        (!name.ends_with(PARTIAL)).then(|| (name, (data.ino(), data.mtime(), data.mtime_nsec())))
    };
    cases.filter_map(|entry| file(entry.unwrap())).collect()
}

/// Starts the program, and kills it at a moment; returns whether it had ended well before.
fn killed(folder: &Path, arguments: &[&str], after: Duration) -> bool {
    let mut child = Command::new(env!("CARGO_BIN_EXE_drowse"));
    let mut child = child.current_dir(folder).args(arguments).stdout(Stdio::null()).spawn().unwrap();
    sleep(after);
    let ended = child.try_wait().unwrap();
    child.kill().unwrap();
    child.wait().unwrap();
    ended.is_some_and(|status| status.success())
}

/// Runs a command again and again, killed at random moments of the time that it takes undisturbed, until it ends well;
/// returns how often it was killed. What was stored stays as it was.
fn insist(folder: &Path, arguments: &[&str], out: &str, micros: u64, random: &mut Random) -> u32 {
    let mut kills = 0;
    loop {
        let before = stored(&folder.join(out));
        let after = Duration::from_micros(random.below(micros));
        if killed(folder, arguments, after) {
            return kills;
        }
        kills += 1;
        let now = stored(&folder.join(out));
        before.iter().for_each(|(name, file)| assert_eq!(now.get(name), Some(file), "{name} was lost or run again"));
        for name in now.keys() {
            let text = fs::read(folder.join(out).join("cases").join(name)).unwrap();
            assert!(serde_json::from_slice::<serde_json::Value>(&text).is_ok(), "half a file has the name {name}");
        }
    }
}

fn assert_same(folder: &Path, out: &str, whole: &str) {
    for table in ["cases.csv", "manifest.json", "jobs.csv"] {
        let read = |out: &str| fs::read_to_string(folder.join(out).join(table)).unwrap();
        assert_eq!(read(out), read(whole), "{table}");
    }
    let names = |out: &str| stored(&folder.join(out)).into_keys().collect::<Vec<_>>();
    assert_eq!(names(out), names(whole));
    let left = fs::read_dir(folder.join(out)).unwrap().chain(fs::read_dir(folder.join(out).join("cases")).unwrap());
    let left: Vec<_> = left
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|end| end == "partial"))
        .collect();
    assert!(left.is_empty(), "{left:?}");
}

#[test]
fn killed_at_random_moments() {
    let kills = std::env::var("DROWSE_KILLS").map_or(KILLS, |number| number.parse().unwrap());
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    fs::write(folder.join("x.toml"), SWEEP).unwrap();
    let timed = |arguments: &[&str]| {
        let start = Instant::now();
        assert_eq!(drowse_in(folder, arguments).code, Some(0), "{arguments:?}");
        u64::try_from(start.elapsed().as_micros()).unwrap()
    };
    let sweep = timed(&["sweep", "x.toml", "--out", "whole"]);
    timed(&["search", "x.toml", "--out", "searched"]);
    let merge = timed(&["merge", "whole", "--out", "copy"]);
    let (mut random, mut done, mut round) = (Random(22), 0, 0);
    while done < kills {
        round += 1;
        let out = format!("out-{round}");
        let whole = if round % 4 == 3 { "searched" } else { "whole" };
        let arguments: Vec<Vec<&str>> = match round % 4 {
            0 => vec![vec!["sweep", "x.toml", "--out", &out]],
            1 => vec![
                vec!["sweep", "x.toml", "--out", &out, "--shard", "1/2"],
                vec!["sweep", "x.toml", "--out", &out, "--shard", "2/2"],
                vec!["merge", &out],
            ],
            2 => vec![vec!["merge", "whole", "--out", &out]],
            _ => vec![vec!["search", "x.toml", "--out", &out]],
        };
        for arguments in arguments {
            // Half as long again, so that some end.
            let micros = 3 * if arguments[0] == "merge" { merge } else { sweep } / 2;
            done += insist(folder, &arguments, &out, micros, &mut random);
        }
        assert_same(folder, &out, whole);
        fs::remove_dir_all(folder.join(&out)).unwrap();
    }
}

/// Ctrl-C is no failure: the sweep says how it goes on, and does.
#[test]
fn an_interrupted_sweep_says_how_it_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let long = SWEEP.replace("3000 cycles", "300000 cycles");
    fs::write(folder.path().join("x.toml"), &long).unwrap();
    let mut sweep = Command::new(env!("CARGO_BIN_EXE_drowse"));
    sweep.current_dir(folder.path()).args(["sweep", "x.toml", "--out", "out"]).stdout(Stdio::null());
    let sweep = sweep.stderr(Stdio::piped()).spawn().unwrap();
    while stored(&folder.path().join("out")).is_empty() {
        sleep(Duration::from_millis(5));
    }
    // A shell has `kill`; a system without procps has no such program.
    let interrupt = format!("kill -INT {}", sweep.id());
    assert!(Command::new("sh").args(["-c", &interrupt]).status().unwrap().success());
    let ended = sweep.wait_with_output().unwrap();
    let said = String::from_utf8(ended.stderr).unwrap();
    assert_eq!(ended.status.code(), Some(130), "{said}");
    assert!(said.contains("run the same command again to go on; `drowse status out` says"), "{said}");
}
