//! Bad input and results that cannot be kept: one clear message, the right exit code, and nothing lost.

use std::fs;
use std::path::Path;

use tempfile::TempDir;

use crate::support::{PING, drowse, drowse_in, drowse_within, ping};

/// Makes the folder of the tiny experiment with another trace, and perhaps more keys of its job.
fn with_trace(trace: &str, keys: &str) -> TempDir {
    let folder = ping();
    let text = fs::read_to_string(folder.path().join("ping.toml")).unwrap();
    fs::write(folder.path().join("ping.toml"), text + keys).unwrap();
    fs::write(folder.path().join("ping.ti"), trace).unwrap();
    folder
}

/// Runs the tiny experiment with another trace, and returns what it prints to stderr.
fn refused(trace: &str, keys: &str) -> String {
    let ended = drowse_within(60, with_trace(trace, keys).path(), &["run", "ping.toml"]);
    assert_eq!((ended.code, ended.stdout.as_str()), (Some(2), ""), "{}", ended.stderr);
    ended.stderr
}

/// Each computation is short enough, and their sum is not.
#[test]
fn computations_that_add_up_to_more_than_simulated_time() {
    let rank = |rank| format!("{rank} init\n{}{rank} finalize\n", format!("{rank} compute 9e15\n").repeat(30));
    insta::assert_snapshot!(refused(&format!("{}{}", rank(0), rank(1)), ""), @"error: ping.ti:3: up to here rank 0 computes for 1800000 s, and the most is 1000000 s; check the counts and the compute rate");
    // Each run of the trace is short enough: 193 of them are the first that take more than 200 days.
    let once = "0 init\n0 compute 9e14\n0 finalize\n1 init\n1 finalize\n";
    insta::assert_snapshot!(refused(once, "repeat = 2000\n"), @r#"error: the run is not over after 17280000 s, the end of simulated time: rank 0 of job "ping.ti" has computed longest, for 17370000 s; check the computations and how often they are repeated, the computing speed, and when jobs start"#);
    // Up to its end, time is simulated.
    let sends = "0 init\n0 sleep 600000\n1 init\n1 sleep 1000000\n";
    let ended = drowse_within(60, with_trace(sends, "").path(), &["run", "ping.toml"]);
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
}

/// On the ideal network and within a node, where messages are one event. 32 GiB take 274,878 s at 1 Mb/s.
#[test]
fn messages_that_take_longer_than_simulated_time() {
    let sends =
        "0 init\n".to_owned() + &"0 send 1 0 34359738368\n".repeat(80) + "1 init\n" + &"1 recv 0 0 1\n".repeat(80);
    let folder = with_trace(&sends, "");
    let set = ["--set", "node.cores=2", "--set", "node.memory.bandwidth=\"1 Mb/s\""];
    let ended = drowse_within(60, folder.path(), &[&["run", "ping.toml"][..], &set].concat());
    assert_eq!(ended.code, Some(2), "{}", ended.stderr);
    insta::assert_snapshot!(ended.stderr, @"error: the run is not over after 17280000 s, the end of simulated time; check what is sent at which bandwidth, when jobs start, and the measured window");
}

/// A result that took an hour is printed, whatever becomes of its tables.
#[test]
fn a_result_whose_tables_cannot_be_written() {
    let folder = ping();
    // A table cannot replace a folder: as on a disk that is full, writing fails once the run is over.
    fs::create_dir_all(folder.path().join("out/engine.csv")).unwrap();
    let ended = drowse_in(folder.path(), &["run", "ping.toml", "--out", "out"]);
    assert_eq!(ended.code, Some(3));
    assert!(ended.stdout.contains("run time"), "{}", ended.stdout);
    insta::assert_snapshot!(ended.stderr, @r#"
    error: out/engine.csv: cannot be written: Is a directory (os error 21)
    help: the result is printed, but not all tables are written: make room or give another folder, and run it again
    "#);
    fs::create_dir_all(folder.path().join("used/usage_matrix.csv")).unwrap();
    let ended = drowse_in(folder.path(), &["usage", "ping.toml", "--out", "used"]);
    assert_eq!(ended.code, Some(3));
    assert!(ended.stdout.contains("messages"), "{}", ended.stdout);
    fs::create_dir_all(folder.path().join("swept/engine.csv")).unwrap();
    let ended = drowse_in(folder.path(), &["sweep", "ping.toml", "--out", "swept"]);
    assert_eq!(ended.code, Some(3));
    insta::assert_snapshot!(ended.stderr, @r#"
    error: swept/engine.csv: cannot be written: Is a directory (os error 21)
    help: finished cases are kept: make room, and run the same command again
    "#);
    assert_eq!(fs::read_dir(folder.path().join("swept/cases")).unwrap().count(), 1, "the finished case is kept");
}

/// Files may have no more than a kilobyte: the disk is full before the run.
#[cfg(unix)]
#[test]
fn a_full_disk_is_found_before_the_run() {
    let folder = ping();
    let script = "trap '' XFSZ; ulimit -f 1; exec \"$0\" run ping.toml --out out";
    let output = std::process::Command::new("sh")
        .current_dir(folder.path())
        .args(["-c", script, env!("CARGO_BIN_EXE_drowse")])
        .output()
        .unwrap();
    assert_eq!((output.status.code(), output.stdout.as_slice()), (Some(3), &b""[..]));
    insta::assert_snapshot!(String::from_utf8(output.stderr).unwrap(), @"error: out: cannot be written: File too large (os error 27)");
    assert_eq!(fs::read_dir(folder.path().join("out")).unwrap().count(), 0, "nothing is left behind");
}

#[test]
fn a_run_and_a_sweep_do_not_write_over_each_other() {
    let folder = ping();
    let commands = ["run", "sweep"];
    for (first, second) in [(0, 1), (1, 0)].map(|(first, second)| (commands[first], commands[second])) {
        let out = format!("{first}s");
        let ended = drowse_in(folder.path(), &[first, "ping.toml", "--out", &out]);
        assert_eq!(ended.code, Some(0), "{}", ended.stderr);
        let table = fs::read_to_string(folder.path().join(&out).join("cases.csv")).unwrap();
        let refused = drowse_in(folder.path(), &[second, "ping.toml", "--out", &out]);
        assert_eq!((refused.code, refused.stdout.as_str()), (Some(2), ""));
        let owner = if first == "run" { "a run" } else { "a sweep" };
        let message =
            format!("error: {out}: holds the tables of {owner}, which would be written over; give another folder\n");
        assert_eq!(refused.stderr, message);
        assert_eq!(fs::read_to_string(folder.path().join(&out).join("cases.csv")).unwrap(), table);
        // Once more the same is no harm.
        assert_eq!(drowse_in(folder.path(), &[first, "ping.toml", "--out", &out]).code, Some(0));
    }
}

/// Tables of the same experiment are replaced. Files of the user, and tables of another experiment, are not.
#[test]
fn what_is_in_the_folder_of_results_is_lost_by_force_only() {
    let folder = ping();
    let at = |name: &str| folder.path().join(name);
    fs::create_dir(at("mine")).unwrap();
    fs::write(at("mine/cases.csv"), "case,patients\n1,20\n").unwrap();
    for command in ["run", "sweep"] {
        let refused = drowse_in(folder.path(), &[command, "ping.toml", "--out", "mine"]);
        assert_eq!((refused.code, refused.stdout.as_str()), (Some(2), ""), "{command}");
        let said = "error: mine/cases.csv: is there already, and Drowse has not written it; give another folder";
        assert!(refused.stderr.starts_with(said), "{}", refused.stderr);
        assert_eq!(fs::read_to_string(at("mine/cases.csv")).unwrap(), "case,patients\n1,20\n");
    }
    fs::write(at("other.toml"), fs::read_to_string(at("ping.toml")).unwrap().replace("Ping", "Pong")).unwrap();
    let run = |file: &str, more: &[&str]| drowse_in(folder.path(), &[&["run", file, "--out", "out"], more].concat());
    assert_eq!(run("ping.toml", &["--table", "waiting"]).code, Some(0));
    let refused = run("other.toml", &[]);
    assert_eq!(refused.code, Some(2));
    insta::assert_snapshot!(refused.stderr, @"error: out: holds the tables of another experiment, `Ping`; give another folder, or --force to replace them");
    assert!(at("out/waiting.csv").is_file());
    // The same experiment with another key is still the same.
    assert_eq!(run("ping.toml", &["--set", "seed=2", "--table", "waiting"]).code, Some(0));
    // A table that the next run would remove.
    fs::write(at("out/power.csv"), "time,watts\n").unwrap();
    assert!(run("ping.toml", &[]).stderr.starts_with("error: out/power.csv: is there already"));
    assert_eq!(run("other.toml", &["--force"]).code, Some(0));
    assert!(!at("out/power.csv").is_file());
}

#[test]
fn a_file_in_the_place_of_a_folder() {
    let folder = ping();
    let with_out = |command: &str, out: &str| {
        let ended = drowse_in(folder.path(), &[command, "ping.toml", "--out", out]);
        assert_eq!((ended.code, ended.stdout.as_str()), (Some(2), ""), "{command} {out}: {}", ended.stderr);
        ended.stderr
    };
    insta::assert_snapshot!(with_out("sweep", "ping.ti"), @"error: ping.ti: is a file, not a folder; give the name of a folder for tables");
    insta::assert_snapshot!(with_out("run", "ping.ti/results"), @"error: ping.ti: is a file, not a folder; give the name of a folder for tables");
    if Path::new("/dev/full").exists() {
        insta::assert_snapshot!(with_out("sweep", "/dev/full"), @"error: /dev/full: is a file, not a folder; give the name of a folder for tables");
        assert_eq!(with_out("run", "/dev/full"), with_out("sweep", "/dev/full"));
        assert_eq!(with_out("usage", "/dev/full"), with_out("sweep", "/dev/full"));
    }
    assert_eq!(fs::read_to_string(folder.path().join("ping.ti")).unwrap(), PING);
}

#[test]
fn warnings_of_the_cases_of_a_sweep() {
    let text = fs::read_to_string(ping().path().join("ping.toml")).unwrap();
    let folder = with_trace(&PING.replace("0 barrier", "0 wait 0 1 7\n0 barrier"), "");
    fs::write(folder.path().join("sweep.toml"), text + "[sweep]\nseed = [1, 2]\n").unwrap();
    let ended = drowse_in(folder.path(), &["sweep", "sweep.toml", "--out", "out"]);
    assert_eq!((ended.code, ended.stderr.as_str()), (Some(0), ""));
    insta::assert_snapshot!(ended.stdout.split_once("manifest.json\n").unwrap().1, @r#"
    2 cases have warnings, in the columns `warnings` of cases.csv, such as:
    warning: 1 waits name no request that the trace has started and not completed,
      such as MPI_REQUEST_NULL: they return at once, as in MPI; if the trace lacks
      the start of requests, their time is missing
    "#);
    assert!(ended.stdout.lines().all(|line| line.len() <= 80), "{}", ended.stdout);
}

/// LULESH waits for its sends by a `waitall`, and then for each receive.
#[test]
fn the_waits_of_lulesh() {
    let ended = drowse(&["trace", "info", "traces/lulesh.64.tar.zst"]);
    assert_eq!(ended.code, Some(0));
    let warning = ended.stdout.split_once("warning: ").unwrap().1.split_whitespace().collect::<Vec<_>>().join(" ");
    insta::assert_snapshot!(warning, @"17856 waits name requests that a waitall before them has completed: a trace does not tell which requests a waitall is for, so it waits for all; ranks wait there for these, too, which may be earlier than in the program, so that the run time may be too long by what they compute in between");
}

#[test]
fn no_bytes_at_all() {
    let folder = with_trace("0 init\n0 finalize\n1 init\n1 finalize\n", "");
    let ended = drowse_in(folder.path(), &["trace", "info", "ping.ti"]);
    let line = ended.stdout.lines().find(|line| line.contains("bytes of these")).unwrap();
    assert_eq!(line.split_whitespace().collect::<Vec<_>>(), ["bytes", "of", "these", "0", "B"]);
}

#[test]
fn numbers_of_a_trace_that_are_too_large() {
    let of = |line: &str| refused(&format!("0 init\n{line}\n1 init\n"), "");
    insta::assert_snapshot!(of("0 compute 1e300"), @r#"
    ping.toml:9:9: error: ping.ti:2: the number of operations is `1e300`; it must be
        a number up to 9223372036854775807
     9 | trace = "ping.ti"
       |         ^^^^^^^^^
    "#);
    insta::assert_snapshot!(of("0 send 1 0 1e18"), @r#"
    ping.toml:9:9: error: ping.ti:2: 1000000000000000000 B are sent at once, and the
        most is 34359738368 B (32 GiB); check the count and the datatype
     9 | trace = "ping.ti"
       |         ^^^^^^^^^
    "#);
}

/// A path stands in a message once.
#[test]
fn messages_of_traces_name_their_place_once() {
    let folder = ping();
    fs::create_dir(folder.path().join("empty")).unwrap();
    fs::write(folder.path().join("notes.md"), "# No trace\n").unwrap();
    for file in ["empty", "notes.md"] {
        let ended = drowse_in(folder.path(), &["trace", "info", file]);
        assert_eq!((ended.code, ended.stdout.as_str()), (Some(2), ""));
        assert_eq!(ended.stderr.matches(file).count(), 1, "{}", ended.stderr);
        assert!(ended.stderr.starts_with(&format!("error: {file}:")), "{}", ended.stderr);
    }
}

/// A file that the system lets nobody read, whatever the user may.
#[cfg(target_os = "linux")]
#[test]
fn a_file_that_cannot_be_read() {
    for arguments in [&["run", "/proc/self/mem"][..], &["trace", "info", "/proc/self/mem"]] {
        let ended = drowse(arguments);
        assert_eq!((ended.code, ended.stdout.as_str()), (Some(3), ""), "{}", ended.stderr);
        assert!(ended.stderr.starts_with("/proc/self/mem: error: this "), "{}", ended.stderr);
        assert_eq!(ended.stderr.matches("error: ").count(), 1, "{}", ended.stderr);
    }
}

#[test]
fn numbers_of_other_sizes() {
    let folder = ping();
    let of = |set: &str| {
        let ended = drowse_in(folder.path(), &["run", "ping.toml", "--set", set]);
        assert_eq!((ended.code, ended.stdout.as_str()), (Some(2), ""));
        ended.stderr.lines().next().unwrap().to_owned()
    };
    insta::assert_snapshot!(of("seed=18446744073709551616"), @"--set seed: error: `seed`: integer `18446744073709551616` is out of range");
    insta::assert_snapshot!(of("link.bandwidth=\"1e9 TB/s\""), @"--set link.bandwidth: error: `link.bandwidth`: `1e9 TB/s` has no unit that is");
    insta::assert_snapshot!(of("link.bandwidth=\"4000000 TB/s\""), @"--set link.bandwidth: error: `link.bandwidth`: `4000000 TB/s` is too large: the");
    insta::assert_snapshot!(of("link.latency=\"0.0001 ps\""), @"--set link.latency: error: `link.latency`: `0.0001 ps` is not a whole number of");
    insta::assert_snapshot!(of("link.latency=\"2000000 s\""), @"--set link.latency: error: `link.latency`: `2000000 s` is longer than 1000000 s,");
    let ended = drowse_in(folder.path(), &["trace", "info", "ping.ti", "--flops-per-second", "0 flop/s"]);
    assert_eq!(ended.code, Some(2));
    insta::assert_snapshot!(ended.stderr, @r#"error: --flops-per-second is zero: give the speed of a rank, such as "10 Gflop/s""#);
}

#[test]
fn a_bandwidth_without_a_known_unit() {
    let ended = drowse_in(ping().path(), &["run", "ping.toml", "--set", "link.bandwidth=\"10 Gbits\""]);
    assert_eq!(ended.code, Some(2));
    insta::assert_snapshot!(ended.stderr, @r#"
    --set link.bandwidth: error: `link.bandwidth`: `10 Gbits` has no unit that is
        known here (known: b/s, kb/s, Mb/s, Gb/s, Tb/s, B/s, kB/s, MB/s, GB/s, TB/s,
        KiB/s, MiB/s, GiB/s, bps, kbps, Mbps, Gbps, Tbps, bit/s, kbit/s, Mbit/s,
        Gbit/s, Tbit/s); write it like "10 GB/s"
      | link.bandwidth = "10 Gbits"
      |                  ^^^^^^^^^^
    "#);
}
