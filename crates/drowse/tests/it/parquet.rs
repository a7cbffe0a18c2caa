//! `--parquet`: beside every CSV table one in Parquet where the program was built with it, else one clear message.
//! `.ci/notebook` reads such files by pandas and DuckDB.

use std::ffi::OsStr;
use std::fs;
use std::path::Path;

use crate::support::{drowse_in, ping};

/// The names of the files with an ending, without it.
fn ending(folder: &Path, ending: &str) -> Vec<String> {
    let paths = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let tables = paths.filter(|path| path.extension() == Some(OsStr::new(ending)));
    let mut names: Vec<String> = tables.map(|path| path.file_stem().unwrap().to_str().unwrap().to_owned()).collect();
    names.sort();
    names
}

#[test]
fn tables_are_written_as_parquet_too_or_refused() {
    let folder = ping();
    let (run, sweep) = (folder.path().join("run"), folder.path().join("sweep"));
    let tables = ["--table", "waiting", "--timeline", "table", "--parquet"];
    let ended = drowse_in(folder.path(), &[&["run", "ping.toml", "--out", "run"][..], &tables].concat());
    let swept = drowse_in(folder.path(), &["sweep", "ping.toml", "--out", "sweep", "--parquet"]);
    if cfg!(feature = "parquet") {
        assert_eq!((ended.code, swept.code), (Some(0), Some(0)), "{}{}", ended.stderr, swept.stderr);
        assert_eq!(ending(&run, "parquet"), ending(&run, "csv"));
        assert_eq!(ending(&sweep, "parquet"), ["cases", "engine", "jobs"]);
        let bytes = fs::read(run.join("cases.parquet")).unwrap();
        assert!(bytes.starts_with(b"PAR1") && bytes.ends_with(b"PAR1"));
    } else {
        for ended in [ended, swept] {
            assert_eq!((ended.code, ended.stdout.as_str()), (Some(2), ""));
            let expected =
                "error: --parquet: this build of Drowse writes CSV only; build it with its default features\n";
            assert_eq!(ended.stderr, expected);
        }
        assert!(!run.exists() && !sweep.exists(), "nothing has been run");
    }
}

/// A folder holds the tables of its last run only: none of an earlier one stays beside them.
#[test]
fn tables_of_an_earlier_run_do_not_stay() {
    let folder = ping();
    let run = folder.path().join("run");
    let done = |more: &[&str]| {
        let ended = drowse_in(folder.path(), &[&["run", "ping.toml", "--out", "run"], more].concat());
        assert_eq!((ended.code, ended.stderr.as_str()), (Some(0), ""));
    };
    done(&["--table", "waiting", "--table", "timers", "--timeline", "table"]);
    assert!(["waiting", "timers", "spans"].iter().all(|table| ending(&run, "csv").iter().any(|name| name == table)));
    // A file that the last run has not listed may be anybody's.
    fs::write(run.join("cases.parquet"), "of another run").unwrap();
    let refused = drowse_in(folder.path(), &["run", "ping.toml", "--out", "run"]);
    assert!(refused.stderr.starts_with("error: run/cases.parquet: is there already"), "{}", refused.stderr);
    done(&["--table", "timers", "--force"]);
    assert_eq!(ending(&run, "csv"), ["cases", "channels", "engine", "jobs", "ranks", "switches", "timers"]);
    assert!(ending(&run, "parquet").is_empty());
}
