//! Baselines are cases like any other: folders written by hand, whose answers are plain.

use std::fmt::Write;
use std::fs;

use drowse_report::best::{Answer, Question, best};
use drowse_report::{Language, Results, Study, charts, page, text_table};

const HEADER: &str = "name,set.network,set.power.policy,baseline,makespan_s,energy.network_j,relative.case_id,\
                      relative.makespan,relative.network_j,case_id\n";
const TREE: &str = "\"{ kind = \"\"xgft\"\", children = [16, 16], parents = [8] }\"";
const HYPERX: &str = "\"{ kind = \"\"hyperx\"\", dims = [8, 8], nodes = 16 }\"";
const ON: &str = "\"{ kind = \"\"always-on\"\" }\"";
const TIMER: &str = "\"{ kind = \"\"stall-timer\"\", deep = \"\"200 us\"\" }\"";
const ORACLE: &str = "\"{ kind = \"\"oracle\"\" }\"";

/// A row: its run time and energy, and those of its baseline.
fn row(network: &str, policy: &str, id: &str, figures: (f64, f64), baseline: (&str, f64, f64)) -> String {
    let (time, energy) = figures;
    let (base, base_time, base_energy) = baseline;
    let mark = if id == base { "true" } else { "" };
    let ratios = format!("{},{}", time / base_time, energy / base_energy);
    format!("{id},{network},{policy},{mark},{time},{energy},{base},{ratios},{id}\n")
}

/// The tree's timer saves 8 % at 0.5 % more run time, the best of all policies. The HyperX with all links on needs less,
/// and its own timer keeps no bound of 1 %.
fn two_networks() -> String {
    let (tree, hyperx) = (("a", 1.0, 903.0), ("d", 0.98, 825.3));
    HEADER.to_owned()
        + &row(TREE, ON, "a", (1.0, 903.0), tree)
        + &row(TREE, ORACLE, "b", (1.0, 700.0), tree)
        + &row(TREE, TIMER, "c", (1.005, 830.7), tree)
        + &row(HYPERX, ON, "d", (0.98, 825.3), hyperx)
        + &row(HYPERX, ORACLE, "e", (0.98, 780.0), hyperx)
        + &row(HYPERX, TIMER, "f", (1.0, 810.0), hyperx)
}

fn results(table: &str) -> Results {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("cases.csv"), table).unwrap();
    let manifest = r#"{ "version": "0.1.0", "cases": 4, "experiment": "[sweep]\nbaseline = \"always-on\"\n" }"#;
    fs::write(folder.path().join("manifest.json"), manifest).unwrap();
    Results::read(folder.path()).unwrap()
}

fn ask(results: &Results, condition: &str, by: &[&str]) -> Answer {
    let by: Vec<String> = by.iter().map(|&name| name.to_owned()).collect();
    let condition = (!condition.is_empty()).then_some(condition);
    let question = Question { minimize: "energy", condition, by: &by };
    best(results, &Study::new(results), &question).unwrap()
}

/// Returns the sentence of a page.
fn sentence(results: &Results) -> String {
    let page = page(results, None).unwrap();
    let from = page.find("answer\">").unwrap() + "answer\">".len();
    page[from..].split("</p>").next().unwrap().replace('\u{a0}', " ")
}

#[test]
fn the_best_case_is_a_baseline() {
    let results = results(&two_networks());
    let answer = ask(&results, "slowdown <= 1%", &[]);
    let group = &answer.groups[0];
    assert_eq!((group.cases, group.keep, group.best), (4, 3, Some(3)), "baselines are candidates");
    assert_eq!(group.oracle, Some(780.0), "the oracle of the same network, not the least of all");
    let by_network = ask(&results, "slowdown <= 1%", &["network"]);
    let found: Vec<_> = by_network.groups.iter().map(|group| (group.words[0].as_str(), group.best)).collect();
    assert_eq!(found, [("xgft", Some(2)), ("hyperx 8x8", Some(3))]);
    assert_eq!(by_network.groups.iter().map(|group| group.oracle).collect::<Vec<_>>(), [Some(700.0), Some(780.0)]);
}

/// Against the fastest of all, at 0.98 s, the tree's timer is 2.55 % slower and the tree itself 2.04 %.
#[test]
fn slowdown_against_the_fastest() {
    let results = results(&two_networks());
    let kept = |condition| ask(&results, condition, &[]).groups[0].keep;
    assert_eq!([kept("slowdown-of-fastest <= 2.03%"), kept("slowdown-of-fastest <= 2.05%")], [1, 3]);
    assert_eq!(kept("slowdown-of-fastest <= 2.56%"), 4);
    let answer = ask(&results, "slowdown-of-fastest <= 3%", &[]);
    assert_eq!((answer.groups[0].best, answer.groups[0].front.as_slice()), (Some(5), [3, 5].as_slice()));
    let told: Vec<&str> = answer.meanings.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(told, ["slowdown-of-fastest", "saved"]);
}

/// The fastest case has 0.98 s and 825.3 J; 810 J are 1.85 % less, and 1 s is 2.04 % more.
#[test]
fn the_page_praises_what_needs_least() {
    let results = results(&two_networks());
    let told = sentence(&results);
    let expected = "“hyperx 8x8 · always-on” is the fastest case, with 0.9800 s. “hyperx 8x8 · stall-timer” saves 1.9 % of \
                    the energy of the network; its run takes 2.0 % longer.";
    assert!(told.starts_with(expected), "{told}");
    assert!(told.ends_with("None that takes at most 1 % longer needs less than the fastest."), "{told}");
    let study = Study::new(&results);
    let energy = charts::of(&results, &study).into_iter().find(|chart| chart.kind == "energy").unwrap();
    assert_eq!(energy.rows.len(), 6);
    assert_eq!(energy.spec["transform"][0]["calculate"], "datum['energy_network_j']", "not beside different baselines");
    let table = text_table(&results, &["energy.network_j".into()], Language::Markdown).unwrap();
    assert!(table.contains("| hyperx 8x8 · always-on | 825.3 |"), "{table}");
}

/// Which is fastest, and what another saves, by hand: 150 J are 25 % less than 200 J, and 1.25 s 25 % more than 1 s. The
/// ratio upside down would be 33.3 % more.
#[test]
fn the_fastest_and_what_another_saves() {
    let table =
        "set.network.trunk,makespan_s,energy.network_j,case_id\n1,1.25,150.0,a\n2,1.0,200.0,b\n3,1.005,190.0,c\n";
    let told = sentence(&results(table));
    let expected = "“trunk 2” is the fastest case, with 1.000 s. “trunk 1” saves 25.0 % of the energy of the network; its run \
                    takes 25.0 % longer. Of those that take at most 1 % longer, “trunk 3” saves 5.0 % of it; its run takes \
                    0.50 % longer.";
    assert_eq!(told, expected);
    let one = "set.network.trunk,makespan_s,energy.network_j,case_id\n1,1.25,250.0,a\n2,1.0,200.0,b\n";
    let told = sentence(&results(one));
    assert_eq!(told, "“trunk 2” is the fastest case, with 1.000 s, and needs least: energy of the network 200.0 J.");
}

#[test]
fn where_nothing_keeps_the_bound_the_nearest_is_named() {
    let results = results(&two_networks());
    let group = ask(&results, "slowdown < 0", &["network"]).groups.remove(0);
    assert_eq!((group.keep, group.best, group.oracle), (0, None, None));
    let (row, missed) = group.nearest.unwrap();
    assert_eq!((row, missed[0].value, missed[0].bound), (0, 0.0, 0.0), "what meets an excluded bound is nearest");
    let group = ask(&results, "makespan_s <= 0.9 and energy <= 750", &[]).groups.remove(0);
    let (row, missed) = group.nearest.unwrap();
    // As shares of the bounds: HyperX 0.089 + 0.100, its timer 0.111 + 0.080, the tree's timer 0.117 + 0.108.
    assert_eq!(row, 3);
    let missed: Vec<_> = missed.iter().map(|missed| (missed.figure.name.as_str(), missed.value)).collect();
    assert_eq!(missed, [("makespan_s", 0.98), ("energy", 825.3)]);
}

#[test]
fn cases_that_are_as_good() {
    let base = ("a", 1.0, 500.0);
    let table = HEADER.to_owned()
        + &row(TREE, ON, "a", (1.0, 500.0), base)
        + &row(TREE, TIMER, "b", (1.0, 500.0), base)
        + &row(TREE, ORACLE, "c", (1.0, 500.0), base);
    let group = ask(&results(&table), "", &[]).groups.remove(0);
    assert_eq!((group.best, group.equal, group.front.as_slice()), (Some(0), 1, [0, 1].as_slice()));
    assert!(
        sentence(&results(&table))
            .starts_with("No case saves any of the energy of the network beside links always on.")
    );
}

/// Two programs on two networks: nothing of one program is compared with the other, nor with an oracle that runs it.
#[test]
fn several_programs_are_apart() {
    let mut table = HEADER.replace("set.network,", "set.job.0.trace,set.network,");
    for (program, scale) in [("cg.ti", 1.0), ("lu.ti", 10.0)] {
        for (line, network) in two_networks().lines().skip(1).zip([TREE, TREE, TREE, HYPERX, HYPERX, HYPERX]) {
            let cells: Vec<&str> = line.split(&format!(",{network},")).collect();
            let mut rest: Vec<String> = cells[1].split(',').map(str::to_owned).collect();
            let count = rest.len();
            let energy: f64 = rest[count - 5].parse().unwrap();
            rest[count - 5] = (energy * scale).to_string();
            for place in [count - 4, count - 1] {
                rest[place] = format!("{}-{program}", rest[place]);
            }
            writeln!(table, "{},{program},{network},{}", cells[0], rest.join(",")).unwrap();
        }
    }
    let results = results(&table);
    let answer = ask(&results, "slowdown <= 1%", &["trace"]);
    let found: Vec<_> = answer.groups.iter().map(|group| (group.best, group.oracle, group.is_mixed)).collect();
    assert_eq!(found, [(Some(3), Some(780.0), false), (Some(9), Some(7800.0), false)]);
    let mixed = &ask(&results, "", &[]).groups[0];
    assert!(mixed.is_mixed);
    let told = sentence(&results);
    assert!(told.starts_with("cg.ti: “cg.ti · hyperx 8x8 · always-on” is the fastest case"), "{told}");
    assert!(told.contains("lu.ti: “lu.ti · hyperx 8x8 · always-on” is the fastest case"), "{told}");
    let energy = charts::of(&results, &Study::new(&results)).into_iter().find(|chart| chart.kind == "energy").unwrap();
    let layers = energy.spec["layer"].as_array().unwrap();
    assert!(layers.iter().all(|layer| layer["mark"]["type"] != "line"), "no front of different programs");
}

/// A baseline that does not have the key of the question is compared with all of its values.
#[test]
fn a_baseline_without_the_key_is_a_candidate_for_each_value() {
    let table = "set.power.states,set.power.policy,baseline,makespan_s,energy.network_j,relative.case_id,case_id\n\
                 ,\"{ kind = \"\"always-on\"\" }\",true,1.0,10.0,a,a\n\
                 fast,\"{ kind = \"\"immediate\"\" }\",,1.1,11.0,a,b\n\
                 slow,\"{ kind = \"\"immediate\"\" }\",,1.2,9.0,a,c\n";
    let results = results(table);
    let answer = ask(&results, "", &["power.states"]);
    let found: Vec<_> = answer.groups.iter().map(|group| (group.words[0].as_str(), group.cases, group.best)).collect();
    assert_eq!(found, [("fast", 2, Some(0)), ("slow", 2, Some(2))]);
}

/// Three seeds each: 10, 11, 12 and 11, 12, 13 J. The interval of a mean of three is 4.303 / sqrt(3) x 1 = 2.48 wide to
/// each side, and the means differ by 1.
#[test]
fn answers_within_their_intervals_are_told() {
    let mut table = "set.network.trunk,set.seed,makespan_s,energy.network_j,seed,case_id\n".to_owned();
    for (trunk, least) in [(1, 10.0), (2, 11.0), (3, 30.0)] {
        for seed in 0..3 {
            writeln!(table, "{trunk},{seed},1.0,{},{seed},{trunk}-{seed}", least + f64::from(seed)).unwrap();
        }
    }
    let results = results(&table);
    assert_eq!(ask(&results, "", &["trunk"]).close, [(0, 1)]);
    assert_eq!(ask(&results, "", &[]).groups[0].open.rivals, [1]);
}
