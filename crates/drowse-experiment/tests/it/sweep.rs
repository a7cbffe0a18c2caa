//! `[sweep]`: which cases there are, in which order, and what each is.

use drowse_core::topology::{PerDimension, TopologySpec};
use drowse_experiment::{Case, Sweep};

use crate::support::{NETWORK, TRAFFIC, case, overridden, source};

fn experiment(sweep: &str) -> String {
    format!("{NETWORK}{TRAFFIC}[sweep]\n{sweep}\n")
}

/// Returns the values of all cases of a sweep that is right.
fn points(sweep: &str, overrides: &[&str]) -> Vec<String> {
    with(sweep, overrides, |sweep| (0..sweep.cases()).map(|case| sweep.point(case).join(" ")).collect())
}

fn cases(sweep: &str) -> Vec<Case> {
    with(sweep, &[], |sweep| (0..sweep.cases()).map(|case| sweep.case(case).unwrap()).collect())
}

fn with<T>(sweep: &str, overrides: &[&str], look: impl Fn(&Sweep<'_>) -> T) -> T {
    let source = source(&experiment(sweep), overrides).unwrap();
    look(&Sweep::new(&source).unwrap_or_else(|error| panic!("{error}")))
}

#[test]
fn the_product_in_the_order_written_the_last_key_fastest() {
    let sweep = "seed = [7, 8]\n\"network.trunk\" = [1, 2]\n\"traffic.load\" = [0.10, 0.3]";
    let expected = ["7 1 0.1", "7 1 0.3", "7 2 0.1", "7 2 0.3", "8 1 0.1", "8 1 0.3", "8 2 0.1", "8 2 0.3"];
    assert_eq!(points(sweep, &[]), expected);
}

/// What is kept of an experiment is TOML that was written anew, with a header for each table: from there values read the
/// same.
#[test]
fn values_have_one_spelling() {
    let inline = "\"power.policy\" = [{ kind = 'stall-timer', deep = \"20 us\" }]\n\"traffic.load\" = [1e-1, 0.10]";
    let headers = "\"traffic.load\" = [0.1, 0.1]\n[[sweep.\"power.policy\"]]\ndeep = '20 us'\nkind = \"stall-timer\"";
    let timer = "{ kind = \"stall-timer\", deep = \"20 us\" }";
    assert_eq!(points(inline, &[])[0], format!("{timer} 0.1"));
    let mut of_headers = points(headers, &[]);
    of_headers.iter_mut().for_each(|point| *point = point.trim_start_matches("0.1 ").to_owned());
    assert_eq!(of_headers[0], timer);
}

#[test]
fn ranges_are_exact_and_stand_among_lists() {
    let tenths = points("\"traffic.load\" = { from = 0.1, to = 0.9, step = 0.1 }", &[]);
    assert_eq!(tenths, ["0.1", "0.2", "0.3", "0.4", "0.5", "0.6", "0.7", "0.8", "0.9"]);
    let times = "\"switch.clock\" = { from = \"1 ns\", to = \"2 ns\", step = \"0.5 ns\" }\nseed = [1]";
    assert_eq!(points(times, &[]), ["1 ns 1", "1.5 ns 1", "2 ns 1"]);
}

#[test]
fn each_case_is_the_experiment_with_the_same_overrides() {
    let sweep =
        "\"network.dims\" = [[4], [2, 2]]\n\"switch.clock\" = { from = \"1 ns\", to = \"2 ns\", step = \"1 ns\" }";
    let cases = cases(sweep);
    assert_eq!(cases.len(), 4);
    let plain = format!("{NETWORK}{TRAFFIC}");
    for (index, (dims, clock)) in
        [("[4]", "1 ns"), ("[4]", "2 ns"), ("[2, 2]", "1 ns"), ("[2, 2]", "2 ns")].into_iter().enumerate()
    {
        let other = overridden(&plain, &[&format!("network.dims={dims}"), &format!("switch.clock={clock}")]);
        assert_eq!(cases[index].experiment, other.experiment);
        assert_eq!(cases[index].system.topology, other.system.topology);
        assert_eq!(cases[index].system.config.switch.clock, other.system.config.switch.clock);
    }
}

#[test]
fn keys_may_be_written_without_quotes_and_values_may_be_tables() {
    let sweep =
        "network.trunk = [2]\npower.policy = [{ kind = \"always-on\" }, { kind = \"stall-timer\", deep = \"1 us\" }]";
    let cases = cases(sweep);
    assert_eq!(cases.iter().map(Case::is_always_on).collect::<Vec<_>>(), [true, false]);
    let TopologySpec::Torus(torus) = &cases[0].system.topology else { panic!("a torus") };
    assert_eq!(torus.trunk, PerDimension::All(2));
}

#[test]
fn an_override_of_a_key_picks_one_value() {
    let sweep = "seed = [7, 8]\n\"network.trunk\" = [1, 2]";
    assert_eq!(points(sweep, &["network.trunk=4"]), ["7", "8"]);
    let picked = overridden(&experiment(sweep), &["network.trunk=4", "seed=9"]);
    assert_eq!(picked.system.config.seed, 9);
    assert_eq!(
        picked.experiment,
        overridden(&format!("{NETWORK}{TRAFFIC}"), &["network.trunk=4", "seed=9"]).experiment
    );
}

#[test]
fn an_override_may_set_the_sweep_itself() {
    assert_eq!(points("seed = [7, 8]", &["sweep.seed=[1, 2, 3]"]), ["1", "2", "3"]);
    assert_eq!(points("seed = [7, 8]", &["sweep.network.trunk=[1, 2]"]).len(), 4);
}

#[test]
fn without_sweep_there_is_one_case() {
    let source = source(&format!("{NETWORK}{TRAFFIC}"), &[]).unwrap();
    let sweep = Sweep::new(&source).unwrap();
    assert_eq!((sweep.cases(), sweep.point(0)), (1, vec![]));
    assert_eq!(sweep.case(0).unwrap().experiment, case(&format!("{NETWORK}{TRAFFIC}")).experiment);
}

#[test]
fn cases_of_one_network_share_it() {
    let cases = cases("\"network.trunk\" = [1, 2]\nseed = [1, 2]");
    let shared = |a: usize, b: usize| std::sync::Arc::ptr_eq(&cases[a].system.network, &cases[b].system.network);
    assert!(shared(0, 1) && shared(2, 3) && !shared(1, 2));
}

#[test]
fn keys_that_go_together() {
    let sweep = "seed = [7, 8]\n\"network.trunk\" = [1, 2]\n\"traffic.load\" = [0.1, 0.3]\n\
                 zip = [[\"traffic.load\", \"seed\"]]";
    assert_eq!(points(sweep, &[]), ["7 1 0.1", "7 2 0.1", "8 1 0.3", "8 2 0.3"]);
    assert_eq!(points(sweep, &["seed=9"]), ["1 0.1", "1 0.3", "2 0.1", "2 0.3"]);
}

/// Counts by hand: 2 x 3 x 2 points, of which those named are not there.
#[test]
fn points_that_are_left_out() {
    let values = "seed = [7, 8]\n\"network.trunk\" = [1, 2, 4]\n\"traffic.load\" = [0.1, 0.3]\n";
    let sweep = format!("{values}except = [{{ network.trunk = [2, 4], seed = 8 }}, {{ \"traffic.load\" = 0.3 }}]");
    assert_eq!(points(&sweep, &[]), ["7 1 0.1", "7 2 0.1", "7 4 0.1", "8 1 0.1"]);
    assert_eq!(points(&sweep, &["traffic.load=0.3"]), ["7 1", "7 2", "7 4", "8 1"]);
}

#[test]
fn ranges_by_a_factor() {
    let timers = "\"switch.clock\" = { from = \"1 ns\", to = \"100 ns\", factor = 10 }\nseed = [1]";
    assert_eq!(points(timers, &[]), ["1 ns 1", "10 ns 1", "100 ns 1"]);
    let loads = cases("\"traffic.load\" = { from = 0.1, to = 0.8, factor = 2 }");
    assert_eq!(loads.len(), 4);
}

#[test]
fn a_baseline_is_the_case_with_other_keys() {
    let trunks = |baseline: &str| {
        let sweep = format!("baseline = {baseline}\n\"network.trunk\" = [2, 4]\n\"traffic.load\" = [0.1, 0.3]");
        with(&sweep, &[], |sweep| {
            let of = |case| sweep.baseline(case, &sweep.case(case).unwrap()).unwrap().unwrap().experiment;
            (0..sweep.cases()).map(of).collect::<Vec<_>>()
        })
    };
    let plain = format!("{NETWORK}{TRAFFIC}");
    let set = |trunk: u32, load: f64| {
        overridden(&plain, &[&format!("network.trunk={trunk}"), &format!("traffic.load={load}")]).experiment
    };
    assert_eq!(trunks("{ \"network.trunk\" = 1 }"), [set(1, 0.1), set(1, 0.3), set(1, 0.1), set(1, 0.3)]);
    assert_eq!(trunks("\"always-on\""), [set(2, 0.1), set(2, 0.3), set(4, 0.1), set(4, 0.3)]);
}

/// The values of the keys of baselines, by hand: all links on have no timer, and other keys replace those of the case.
#[test]
fn the_values_of_a_baseline() {
    let of = |sweep: &str| {
        with(sweep, &[], |sweep| {
            (0..sweep.cases()).map(|case| sweep.baseline_point(case).join("|")).collect::<Vec<_>>()
        })
    };
    let trunks = "\"network.trunk\" = [2, 4]\n";
    let timer = "power.policy.kind = [\"stall-timer\"]\npower.policy.deep = [\"1 us\"]\n";
    assert_eq!(of(&format!("baseline = \"always-on\"\n{trunks}{timer}")), ["2|always-on|", "4|always-on|"]);
    let policy = "\"power.policy\" = [{ kind = \"immediate\" }]\n";
    assert_eq!(of(&format!("baseline = \"always-on\"\n{policy}")), ["{ kind = \"always-on\" }"]);
    assert_eq!(
        of(&format!("baseline = {{ \"network.trunk\" = 1 }}\n{trunks}{policy}"))[0],
        "1|{ kind = \"immediate\" }"
    );
    let network = "network = [{ kind = \"torus\", dims = [4, 4], trunk = 2 }]\n";
    let within = of(&format!("baseline = {{ \"network.trunk\" = 1 }}\n{network}"));
    assert!(within[0].contains("trunk = 1") && within[0].contains("dims = [4, 4]"), "{within:?}");
}

/// A name is the sweep's own; that of a job stays.
#[test]
fn a_value_with_a_name_is_the_case_without() {
    let named = "\"power.policy\" = [{ name = \"at once\", kind = \"immediate\" }]";
    let plain = "\"power.policy\" = [{ kind = \"immediate\" }]";
    assert_eq!(cases(named)[0].experiment, cases(plain)[0].experiment);
    assert_eq!(points(named, &[]), ["{ name = \"at once\", kind = \"immediate\" }"]);
}

/// Returns what is kept of a sweep, and its points.
fn kept(text: &str, overrides: &[&str]) -> (String, Vec<Vec<String>>, Vec<String>) {
    let source = source(text, overrides).unwrap();
    let sweep = Sweep::new(&source).unwrap_or_else(|error| panic!("{error}\n{text}"));
    (sweep.experiment.clone(), (0..sweep.cases()).map(|case| sweep.point(case)).collect(), sweep.paths())
}

/// A rerun reads what was kept of an experiment: it has the same cases in the same order, and keeps the same.
#[test]
fn what_is_kept_of_a_sweep_has_the_same_cases_in_the_same_order() {
    let in_order = [
        "\"traffic.load\" = [0.1, 0.2]\nseed = [1, 2]\n\"network.trunk\" = [2, 1]",
        "traffic.load = { from = 0.10, to = 0.30, step = 0.10 }\n[sweep.network]\ntrunk = [1, 2]",
        "seed = [3, 1]\nbaseline = { \"network.trunk\" = 1 }\n\"network.trunk\" = { from = 1, to = 4, factor = 2 }",
        "seed = [3, 1]\nbaseline = \"always-on\"\n\"network.trunk\" = [1, 2]\nzip = [[\"seed\", \"network.trunk\"]]",
        "seed = [3, 1]\n\"network.trunk\" = [1, 2]\nexcept = [{ seed = 3, \"network.trunk\" = [2] }]",
        "[[sweep.\"power.policy\"]]\nkind = \"stall-timer\"\nname = \"b\"\ndeep = \"2 us\"\n[[sweep.\"power.policy\"]]\n\
         kind = \"always-on\"\nname = \"a\"",
    ];
    for sweep in in_order {
        let first = kept(&experiment(sweep), &[]);
        assert_eq!(kept(&first.0, &[]), first);
    }
    let (text, _, paths) = kept(&experiment(in_order[0]), &[]);
    assert_eq!(paths, ["traffic.load", "seed", "network.trunk"]);
    assert!(
        text.ends_with("\n[sweep]\n\"traffic.load\" = [0.1, 0.2]\nseed = [1, 2]\n\"network.trunk\" = [2, 1]\n"),
        "{text}"
    );
}

/// A key that an override has given one value is not varied when the sweep is run again.
#[test]
fn what_is_kept_of_a_sweep_leaves_out_keys_with_one_value() {
    let sweep = "\"traffic.load\" = [0.1, 0.2]\nseed = [1, 2]\n\"network.trunk\" = [2, 1]\n\
                 zip = [[\"seed\", \"network.trunk\"]]\n\
                 except = [{ \"traffic.load\" = 0.2, seed = 1 }, { network = { trunk = 2 }, \"traffic.load\" = 0.1 }]";
    for (set, count) in [("network.trunk=4", 3), ("seed=7", 3), ("traffic.load=0.3", 2)] {
        let first = kept(&experiment(sweep), &[set]);
        assert_eq!(first.1.len(), count, "{set}");
        assert_eq!(kept(&first.0, &[]), first, "{set}");
    }
}
