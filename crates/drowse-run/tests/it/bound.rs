//! A bound that was exceeded is said in the result.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use drowse_experiment::{Case, load_case};
use drowse_run::outcome::Outcome;
use drowse_run::request::RunRequest;
use drowse_tables::csv;
use drowse_tables::schema::CASES;

use crate::support::root;

/// The ranks and laps of the token.
const RANKS: u32 = 8;
const LAPS: u32 = 40;

/// A token goes round the ranks, each of which computes for 300 us before it passes it on.
///
/// A channel idles for 2.4 ms and may lose a third of the bound. At 1 % that is 8 us, more than one wake, so each
/// channel sleeps in each idle period. The token wakes three channels for every 300 us: the run is up to 4.5 % longer.
fn token() -> String {
    let mut trace = String::new();
    for rank in 0..RANKS {
        let (next, before) = ((rank + 1) % RANKS, (rank + RANKS - 1) % RANKS);
        writeln!(trace, "{rank} init").unwrap();
        for lap in 0..LAPS {
            if rank > 0 || lap > 0 {
                writeln!(trace, "{rank} recv {before} 0 100").unwrap();
            }
            writeln!(trace, "{rank} compute 3000000").unwrap();
            if rank + 1 < RANKS || lap + 1 < LAPS {
                writeln!(trace, "{rank} send {next} 0 100").unwrap();
            }
        }
        writeln!(trace, "{rank} finalize").unwrap();
    }
    trace
}

/// Loads an experiment with some keys replaced.
fn load(path: &Path, set: &[&str]) -> Case {
    let set: Vec<String> = set.iter().map(|&set| set.to_owned()).collect();
    load_case(path, &set).unwrap_or_else(|error| panic!("{error}"))
}

/// Runs the token under a policy against a baseline, which is the case itself with some keys replaced.
fn run(policy: &str, baseline: &[&str]) -> Outcome {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("token.ti"), token()).unwrap();
    let path = folder.path().join("x.toml");
    let text = format!(
        "[network]\nkind = \"torus\"\ndims = [8]\n[power]\nchannels = \"all\"\npolicy = {policy}\n\
         [[job]]\ntrace = \"token.ti\"\ncompute = {{ flops_per_second = \"10 Gflop/s\" }}\n"
    );
    fs::write(&path, text).unwrap();
    RunRequest { baseline: Some(&load(&path, baseline)), ..RunRequest::new(&load(&path, &[])) }.run().unwrap().case
}

const ON: &str = "power.policy={ kind = \"always-on\" }";

fn exceeded(outcome: &Outcome) -> Option<bool> {
    let row = outcome.case_row();
    row.get("relative.bound_exceeded").map(|value| value.to_string() == "true")
}

#[test]
fn an_exceeded_bound_is_said() {
    for kind in ["perfbound", "dynamic-fastwake"] {
        let outcome = run(&format!("{{ kind = \"{kind}\", bound = 0.01 }}"), &[ON]);
        let row = outcome.case_row();
        let slowdown = row.number("relative.makespan").unwrap() - 1.0;
        assert!(slowdown > 0.01 && slowdown <= 3.0 * 4.48 / 300.0, "{kind}: {slowdown}");
        assert_eq!((row.number("relative.bound"), exceeded(&outcome)), (Some(0.01), Some(true)));
        let warning = outcome.summary.warnings().next().unwrap().to_string();
        let said = format!("the run took {:.2} % longer than with all links on, the bound is 1 %", slowdown * 100.0);
        assert!(warning.contains(&said), "{warning}");
        // In JSON and in the table of cases, too.
        let json = outcome.to_json();
        assert_eq!(json["warnings"][0].as_str(), Some(warning.as_str()));
        assert_eq!(json["relative"]["bound_exceeded"].as_bool(), Some(true));
        let mut written = Vec::new();
        csv::write(&CASES, &[row], &mut written).unwrap();
        assert!(String::from_utf8(written).unwrap().contains(&warning));
    }
}

/// Two parallel links up from each rack. Packets that only took the link that is on would crowd there, which no channel
/// counts: NAS IS would take 19 % longer. With `least-delay`, the default under a bound, queues wake the other link,
/// and IS takes 2 % longer, as with one link up from each rack.
#[test]
fn parallel_links_keep_the_bound() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.toml");
    let text = format!(
        "preset = \"saravanan-2018\"\n[network]\nkind = \"racks\"\nracks = 8\nnodes_per_rack = 8\nuplinks = 2\n\
         [power]\nchannels = \"all\"\npolicy = {{ kind = \"perfbound\", bound = 0.01 }}\n[[job]]\nrepeat = 4\n\
         trace = {:?}\ncompute = {{ flops_per_second = \"10 Gflop/s\" }}\n",
        root("traces/is.A.64.tar.zst")
    );
    fs::write(&path, text).unwrap();
    let slowdown = |set: &[&str]| {
        let case = load(&path, set);
        let outcome = RunRequest { baseline: Some(&case.always_on()), ..RunRequest::new(&case) }.run().unwrap().case;
        outcome.case_row().number("relative.makespan").unwrap() - 1.0
    };
    let [contended, weighed, single] = [&["power.selection=awake"][..], &[], &["network.uplinks=1"]].map(slowdown);
    assert!(contended > 0.15, "{contended}");
    assert!(weighed < 1.2 * single && single < 0.03, "{weighed}, {single}");
}

/// With a bound of 50 % the same run is well within it.
#[test]
fn a_kept_bound_is_no_warning() {
    let outcome = run("{ kind = \"perfbound\", bound = 0.5 }", &[ON]);
    assert_eq!((outcome.case_row().number("relative.bound"), exceeded(&outcome)), (Some(0.5), Some(false)));
    assert_eq!(outcome.summary.warnings().count(), 0);
}

/// Nothing is said where the baseline sleeps itself or is another network, or where some channels have no bound.
#[test]
fn no_bound_to_compare() {
    let bounded = "{ kind = \"perfbound\", bound = 0.01 }";
    let others = [
        run(bounded, &[]),
        run(bounded, &[ON, "network.dims=[4, 2]"]),
        run("{ kind = \"stall-timer\", deep = \"1 us\" }", &[ON]),
    ];
    for outcome in others {
        assert_eq!(exceeded(&outcome), None);
        assert_eq!(outcome.summary.warnings().count(), 0);
    }
}
