//! Traces on the ideal network beside SimGrid's replay of them on a crossbar.

use drowse_run::request::RunRequest;

use crate::simgrid_rules::{Rules, run_time};
use crate::support::{case, root};

/// SimGrid's run times.
const THEIRS: &str = include_str!("../data/simgrid_replay.csv");

/// Returns SimGrid's run time of a trace.
fn theirs(trace: &str, config: &str) -> f64 {
    let row = THEIRS.lines().find_map(|line| line.strip_prefix(&format!("{trace},{config},")));
    row.unwrap_or_else(|| panic!("no {config} of {trace}")).parse().unwrap()
}

/// Returns the run time of a trace on an ideal network, in seconds.
fn ours(trace: &str, [latency, bandwidth]: [&str; 2], compute: &str) -> f64 {
    let case = case(&format!(
        "
        [network]
        kind = \"ideal\"
        nodes = 64
        latency = \"{latency}\"
        bandwidth = \"{bandwidth}\"
        [[job]]
        trace = '{}'
        compute = {{ {compute} }}
        ",
        root("traces").join(format!("{trace}.tar.zst")).display()
    ));
    let record = RunRequest::new(&case).run().unwrap_or_else(|error| panic!("{error}")).case.record;
    record.makespan.unwrap().seconds()
}

/// Two links of 50 ns, and their bandwidth.
const CROSSBAR: [&str; 2] = ["100 ns", "10 GB/s"];

/// Without SMPI's factors, both simulate the same network but for what `docs/peers-simgrid.md` names. A network that takes
/// no time would be out of every tolerance.
#[test]
fn traces_take_as_long_as_in_simgrid() {
    for (trace, config, tolerance) in [
        ("cg.A.64", "unitfactors", 0.01),
        ("lu.A.64", "unitfactors", 0.01),
        ("mg.A.64", "unitfactors", 0.001),
        ("ft.A.64", "default", 0.01),
        ("hpl.64", "default", 0.003),
    ] {
        let theirs = theirs(trace, config);
        let (found, nothing) = (ours(trace, CROSSBAR, ""), ours(trace, ["1 ps", "1000 TB/s"], ""));
        assert!((found / theirs - 1.0).abs() < tolerance, "{trace}: {found} s, SimGrid {theirs} s");
        assert!((nothing / theirs - 1.0).abs() > tolerance, "{trace}: without a network {nothing} s");
    }
}

/// CG alone on the network, with the mean of SMPI's factors over its messages.
#[test]
fn the_network_of_cg_takes_as_long_as_in_simgrid() {
    let (found, theirs) = (ours("cg.A.64", ["224.3 ns", "5.874 GB/s"], "scale = 0.0"), theirs("cg.A.64", "nocompute"));
    assert!((found / theirs - 1.0).abs() < 0.1, "{found} s, SimGrid {theirs} s");
}

/// SimGrid's rules, replayed by a second model, give SimGrid's run times. Of these, sharing links and waiting for the
/// receive make the difference to Drowse: without them, and without SMPI's factors, the model gives Drowse's run times
/// on the ideal network. With either of them LU is out of tolerance, with
/// sharing MG too.
#[test]
fn the_rules_that_differ_from_simgrid_are_the_two_named() {
    const SIMGRID: Rules = Rules { factors: true, shared: true, posted: true };
    let model = |trace: &str, compute: f64, rules: Rules| {
        run_time(&root("traces").join(format!("{trace}.tar.zst")), compute, rules)
    };
    for trace in ["cg.A.64", "lu.A.64", "mg.A.64"] {
        let near = |found: f64, expected: f64, tolerance: f64, what: &str| {
            let gap = (found / expected - 1.0).abs();
            assert!(gap < tolerance, "{trace}, {what}: {found} s, not {expected} s");
        };
        near(model(trace, 0.0, SIMGRID), theirs(trace, "nocompute"), 0.02, "network only");
        let unit = Rules { factors: false, ..SIMGRID };
        near(model(trace, 1.0, unit), theirs(trace, "unitfactors"), 0.0005, "with computing");
        let drowse = ours(trace, CROSSBAR, "scale = 0.0");
        near(model(trace, 0.0, Rules { shared: false, posted: false, ..unit }), drowse, 0.05, "as in Drowse");

        let far = |rules: Rules| (model(trace, 0.0, rules) / drowse - 1.0).abs() > 0.25;
        assert_eq!(far(Rules { shared: false, ..unit }), trace == "lu.A.64", "{trace}: posted");
        assert_eq!(far(Rules { posted: false, ..unit }), trace != "cg.A.64", "{trace}: shared");
    }
}

/// HPL polls for the panels that it receives. SimGrid replays the polls as computing; taken as waiting, they are as
/// long as the messages take, on a slow network longer.
#[test]
fn polls_of_hpl_depend_on_the_network() {
    let waiting = "wait_multiples = \"1 Mflop\"";
    let [fast, slow] = [CROSSBAR, ["100 us", "1 GB/s"]].map(|network| ours("hpl.64", network, waiting));
    let [kept, left_out] = ["", "drop_multiples = \"1 Mflop\""].map(|compute| ours("hpl.64", CROSSBAR, compute));
    // What is computed after the last poll waits for the message, too.
    assert!(left_out <= fast && fast < left_out * 1.01, "{left_out} s left out, {fast} s waiting");
    assert!(fast < kept * 0.6 && slow > fast * 1.5, "{fast} s, {slow} s, {kept} s");
}
