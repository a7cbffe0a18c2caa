//! A governor keeps its bound on whole programs, and spends it.

use std::fmt::Write as _;
use std::fs;

use drowse_experiment::load_case;
use drowse_run::request::RunRequest;

/// How long a link takes to wake from deep sleep, in microseconds.
const WAKE_US: f64 = 4.0;

/// Runs a trace in SimGrid's form under `bounded` and always on; returns both run times in seconds and the share of time
/// in deep sleep.
fn run(trace: &str, network: &str, bound: f64) -> [f64; 3] {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("x.ti"), trace).unwrap();
    let path = folder.path().join("x.toml");
    let text = format!(
        "[network]\n{network}\n[power]\nchannels = \"all\"\npolicy = {{ kind = \"bounded\", bound = {bound} }}\n\
         states = {{ deep = {{ power = 0.1, enter = \"0 us\", wake = \"{WAKE_US} us\" }} }}\n\
         [[job]]\ntrace = \"x.ti\"\ncompute = {{ flops_per_second = \"1 Gflop/s\" }}\n"
    );
    fs::write(&path, text).unwrap();
    let case = load_case(&path, &[]).unwrap_or_else(|error| panic!("{error}"));
    let outcome = RunRequest { baseline: Some(&case.always_on()), ..RunRequest::new(&case) }.run().unwrap().case;
    let row = outcome.case_row();
    let time = row.number("makespan_s").unwrap();
    [time, time / row.number("relative.makespan").unwrap(), row.number("links.deep_fraction").unwrap()]
}

/// Two ranks on one switch send each other a message in turn, after so many microseconds of computing.
fn ping_pong(turns: u32, compute_us: u32) -> String {
    let mut trace = String::from("0 init\n1 init\n");
    for turn in 0..turns {
        let (from, to) = (turn % 2, 1 - turn % 2);
        writeln!(trace, "{from} compute {}\n{from} send {to} 0 64", compute_us * 1000).unwrap();
        writeln!(trace, "{to} recv {from} 0 64").unwrap();
    }
    trace + "0 finalize\n1 finalize\n"
}

/// Seven eighths of the bound may be lost; the rest is kept for contention, of which there is none. Each message meets three channels that have been idle for long, so it may lose 12 us; all of it reaches the program.
/// The reserve is 5 us and three wakes, 17 us. Six channels lose the share that the governor allows: the bound is spent
/// where that is a sixth of it, which is between 2/16 and 4/16, with room for 2 to 4 reserves. So the program loses what it
/// may but for no more than 4 reserves, a message, and what it may lose in the turn behind the last report; and never more
/// than it may. Without a governor each of 400 messages would lose 12 us of 100: 12 %.
#[test]
fn what_may_be_lost_is_lost_and_no_more() {
    for bound in [0.005, 0.01, 0.02, 0.05] {
        let [time, on, deep] = run(&ping_pong(400, 100), "kind = \"full\"\nswitches = 2", bound);
        let (lost, may) = ((time - on) * 1e6, 7.0 / 8.0 * bound * on * 1e6);
        assert!(lost <= may, "{bound}: {lost} of {may} us");
        let reserve = 5.0 + 3.0 * WAKE_US;
        let message = 3.0 * WAKE_US;
        let least = may - 4.0 * reserve - message - bound * (100.0 + message);
        assert!(lost >= least, "{bound}: {lost} of {may} us");
        assert!(deep > 0.0, "{bound}");
    }
}

/// Under a scheduler nodes are known only when a job starts; a governor needs but the number of its ranks.
#[test]
fn a_job_under_a_scheduler_keeps_the_bound() {
    let two = "kind = \"full\"\nswitches = 2\n[scheduler]\nkind = \"random-selectable\"\n";
    let [time, on, deep] = run(&ping_pong(400, 100), two, 0.02);
    assert!(on < time && time <= 1.02 * on, "{time} of {on}");
    assert!(deep > 0.0);
}
