//! The papers' numbers come out.

use std::fs;
use std::path::Path;
use std::sync::LazyLock;

use drowse_reproduce::{Options, Paper, Reproduction};
use drowse_tables::schema::{
    PERFBOUND_HYBRID, PERFBOUND_POLICIES, PERFBOUND_STALL, PERFBOUND_WAKE, REPRODUCTION, TORUS_LOADS, TORUS_PROGRAMS,
};
use drowse_tables::{Row, csv, json};
use tempfile::TempDir;

use crate::support::root;

pub fn text(row: &Row, name: &str) -> String {
    row.get(name).map(ToString::to_string).unwrap_or_default()
}

/// Reproduces a paper quickly with the traces of a folder.
pub fn reproduce(paper: Paper, traces: &Path, out: Option<&Path>) -> Reproduction {
    let options = Options { quick: true, traces: Some(traces), out, threads: 2, ..Options::default() };
    paper.reproduce(&options, &|_| ()).unwrap()
}

/// The papers that compute little without traces. Navaridas et al. 2010 has its tests beside its parts, for its
/// workloads are no traces.
const PAPERS: [Paper; 3] = [Paper::Torus, Paper::PerfBound, Paper::Runtime];

/// These papers without a single trace, reproduced once for all tests.
static WITHOUT_TRACES: LazyLock<[Reproduction; PAPERS.len()]> = LazyLock::new(|| {
    let empty = tempfile::tempdir().unwrap();
    PAPERS.map(|paper| reproduce(paper, empty.path(), None))
});

/// The rows of a paper without a single trace.
pub fn without_traces(paper: Paper) -> &'static [Row] {
    let position = PAPERS.iter().position(|&other| other == paper).unwrap();
    &WITHOUT_TRACES[position].rows
}

/// A folder with one of the repository's traces.
pub fn folder_with(trace: &str) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::copy(root("traces").join(trace), folder.path().join(trace)).unwrap();
    folder
}

#[test]
fn every_number_without_simulation_is_equal_at_its_printed_decimals() {
    let (mut within, mut differs) = (0, Vec::new());
    for Reproduction { rows, wrong, blind, rigid, .. } in WITHOUT_TRACES.iter() {
        assert_eq!((*wrong, blind, rigid), (0, &Vec::new(), &Vec::new()));
        let simulated = |row: &&Row| {
            let place = text(row, "place");
            place.starts_with("Fig. 13") || place.contains("Graph500 of 512 tasks")
        };
        let compared = |row: &&Row| row.number("ours").is_some() && row.get("relation").is_some();
        for row in rows.iter().filter(compared).filter(|row| !simulated(row)) {
            let difference = row.number("ours").unwrap() - row.number("theirs").unwrap();
            let verdict = text(row, "verdict");
            within += usize::from(verdict == "within" && text(row, "paper") == "perfbound");
            if verdict == "differs" {
                differs.push(format!("{}: {}", text(row, "place"), text(row, "quantity")));
            } else {
                assert!(["equal", "within", "set", "shown"].contains(&verdict.as_str()), "{verdict}");
                match text(row, "relation").as_str() {
                    "<" => assert!(difference < 0.0),
                    ">" => assert!(difference > 0.0),
                    _ => assert!(difference.abs() <= row.number("tolerance").unwrap()),
                }
            }
        }
    }
    assert_eq!(within, 3, "Saravanan and Carpenter 2018 gives \"about 1 us\", 7 us and 4 us without decimals");
    // Totoni et al. 2014 does not follow its own formula for the delay, and does not say what it has counted in the
    // others.
    let expected = [
        "Fig. 5 and 6: share of programs that use less of the D links",
        "Section 6: overhead of a delay of 10 us",
        "Fig. 10, CG: capacity of the 6D torus used, more than 10 %",
        "Fig. 10: applications on PERCS and on the 6D torus that use less than 10 % of its capacity",
        "Section 3.1, MILC: links of the 6D torus used",
        "Section 3.1, MILC: power of the machine saved on the 6D torus",
        "Section 3.1, CG: links of PERCS used more than of the 6D torus",
        "Fig. 3, NAMD_PME: links of the 6D torus used more than of PERCS",
        "Section 3.1: links of PERCS unused, at most",
        "Section 3.1, NAMD_PME: D links of PERCS unused",
        "Section 3.1: links of PERCS unused, at least",
    ];
    assert_eq!(differs, expected);
}

/// What the runtime system of Totoni et al. 2014 saves, as simulated: basic, the channels that counting without
/// simulation finds unused; scheduled, more than that and less than the bound of the paper's model, by what the margins
/// of 1 ms before and after each use of 30 ms can take.
#[test]
fn savings_of_totoni_2014() {
    let rows = without_traces(Paper::Runtime);
    for (figure, network) in [("Fig. 11, 2D-Stencil", "PERCS"), ("Fig. 12, 2D-Stencil", "6D torus")] {
        let find = |quantity: String| {
            let found = rows.iter().find(|row| text(row, "place") == figure && text(row, "quantity") == quantity);
            found.and_then(|row| row.number("ours")).unwrap()
        };
        let saved = |what: &str| find(format!("power of links of {network} saved, {what}"));
        let (basic, scheduled) = (saved("basic"), saved("scheduled, delay 10 us"));
        let unused = find(format!("links of {network} unused"));
        assert!((basic - unused).abs() < 1e-6, "{basic} and {unused}");
        let (bound, used) = (saved("model, delay 10 us"), 100.0 - unused);
        // Both margins, both delays, the calls and what little is sent: 2.2 ms of 30 at most of each used channel.
        assert!((bound - used * 2.2 / 30.0..bound).contains(&scheduled), "{scheduled}, and at most {bound}");
        let longer = find(format!("longer iterations on {network}, scheduled, delay 10 us"));
        assert!((0.0..0.2).contains(&longer), "two calls of 20 us, and no wake: {longer}");
    }
}

/// The shares that Totoni et al. 2014 prints, and the tori of its Figures 7 and 8 in 3 to 10 dimensions as an
/// independent program has counted them by the same rules.
#[test]
fn link_usage_of_totoni_2014() {
    let rows = without_traces(Paper::Runtime);
    let equal = rows.iter().filter(|row| text(row, "verdict") == "equal").count();
    assert_eq!(equal, 10);
    let tori = [
        ("2D-Stencil", [0.6933, 0.6100, 0.6480, 0.5200, 0.5619, 0.4604, 0.3676, 0.2975]),
        ("3D-Stencil", [0.8800, 0.8300, 0.8427, 0.6600, 0.7571, 0.6625, 0.5194, 0.3769]),
        ("4D-Stencil", [1.0, 1.0, 0.9883, 0.8417, 0.8810, 0.7396, 0.5671, 0.5104]),
    ];
    for (name, shares) in tori {
        let of_name: Vec<f64> = rows
            .iter()
            .filter(|row| text(row, "place") == format!("Fig. 8, {name}") && row.get("relation").is_none())
            .map(|row| row.number("ours").unwrap())
            .collect();
        assert_eq!(of_name.len(), 8);
        for (ours, share) in of_name.iter().zip(shares) {
            assert!((ours / 100.0 - share).abs() < 0.000_051, "{name}: {ours} % and {share}");
        }
    }
}

#[test]
fn every_column_is_in_the_schema() {
    for row in WITHOUT_TRACES.iter().flat_map(|reproduction| &reproduction.rows) {
        for (name, value) in row.iter() {
            assert_eq!(REPRODUCTION.column(name).map(|column| column.kind), Some(value.kind()), "{name}");
        }
    }
}

#[test]
fn without_traces_rows_tell_where_they_are_looked_for() {
    let empty = tempfile::tempdir().unwrap();
    let rows = reproduce(Paper::PerfBound, empty.path(), None).rows;
    let row = |place: &str| rows.iter().find(|row| text(row, "place") == place).unwrap();
    let looked_for = empty.path().join("sp.A.16.tar.zst");
    let reason = format!("no trace: {} is not there; --traces DIR tells where traces are", looked_for.display());
    for (place, reason) in [
        ("Fig. 9, SP", reason.as_str()),
        ("Fig. 9, ALYA", "no trace of this code is at hand"),
        ("Abstract", "no trace of any of the programs; --traces DIR tells where traces are"),
    ] {
        let row = row(place);
        assert_eq!(text(row, "verdict"), "not run");
        assert!(text(row, "reason").starts_with(reason), "{place}: {}", text(row, "reason"));
        assert_eq!(row.number("ours"), None);
    }
    assert!(rows.iter().all(|row| text(row, "place") != "Fig. 16, BT"), "a quick look leaves BT out");
}

#[test]
fn a_folder_of_traces_that_is_not_there() {
    let options = Options { traces: Some(Path::new("nowhere")), ..Options::default() };
    let error = Paper::PerfBound.reproduce(&options, &|_| ()).unwrap_err();
    insta::assert_snapshot!(error, @r#"
    nowhere: error: this folder of traces does not exist
    help: give the folder that holds the traces, such as --traces traces
    "#);
    let here = Options { quick: true, ..Options::default() };
    assert!(Paper::PerfBound.reproduce(&here, &|_| ()).is_ok(), "the folder that is not given need not be there");
}

/// EP has few messages, so that its cases take a moment.
#[test]
fn a_program_that_has_a_trace() {
    let (traces, out) = (folder_with("ep.W.64.tar.zst"), tempfile::tempdir().unwrap());
    let first = reproduce(Paper::PerfBound, traces.path(), Some(out.path()));
    let of_ep: Vec<&Row> = first.rows.iter().filter(|row| text(row, "place") == "Fig. 16, EP").collect();
    let ours =
        |quantity: &str| of_ep.iter().find(|row| text(row, "quantity") == quantity).unwrap().number("ours").unwrap();
    assert!(of_ep.iter().all(|row| row.get("theirs").is_none() && row.get("verdict").is_none()));
    for policy in ["PerfBound", "DynamicFastwake"] {
        let overhead = ours(&format!("overhead of {policy} at 1 %"));
        assert!(overhead > 0.0, "every delay costs EP time: {overhead}");
        for (links, oracle) in
            [("edge", "energy of edge links, in hindsight"), ("all", "energy of all links, in hindsight")]
        {
            let energy = ours(&format!("energy of {links} links, {policy} at 1 %"));
            assert!(ours(oracle) <= energy && energy < 100.0, "{policy}, {links}: {energy}");
        }
    }
    assert!(ours("energy of edge links, in hindsight") >= 10.0, "that of deep sleep for ever");

    let again = reproduce(Paper::PerfBound, traces.path(), Some(out.path()));
    assert_eq!(again.rows, first.rows, "stored cases give the same");
    check_tables(out.path(), &first);
}

fn check_tables(folder: &Path, reproduction: &Reproduction) {
    let read = |schema| csv::read(schema, fs::File::open(folder.join(schema.file)).unwrap()).unwrap();
    assert_eq!(read(&REPRODUCTION), reproduction.rows);
    assert!(reproduction.files.iter().all(|file| file.is_file()) && reproduction.files.len() == 5);
    let [wake, stall, hybrid, policies] =
        [&PERFBOUND_WAKE, &PERFBOUND_STALL, &PERFBOUND_HYBRID, &PERFBOUND_POLICIES].map(read);
    assert_eq!((wake.len(), stall.len(), hybrid.len(), policies.len()), (2, 8, 11, 7));
    assert!(hybrid.iter().any(|row| text(row, "front") == "true"));
    let always_on = policies.iter().find(|row| text(row, "policy") == "always-on").unwrap();
    assert_eq!(
        ["relative.makespan", "relative.links.node", "links.wakes"].map(|name| always_on.number(name).unwrap()),
        [1.0, 1.0, 0.0]
    );
}

/// EP is as light as a program can be. Without power saving its energy is the port ratio times its run time; with it,
/// trunks shed a port after each window of 10 us, which takes 2.88 us at full power, and nothing brings them back for
/// long.
#[test]
fn power_saving_of_a_light_program_reaches_its_floor() {
    let (traces, out) = (folder_with("ep.W.64.tar.zst"), tempfile::tempdir().unwrap());
    let reproduction = reproduce(Paper::Torus, traces.path(), Some(out.path()));
    assert_eq!(reproduction.wrong, 0);
    let exact: Vec<&Row> =
        reproduction.rows.iter().filter(|row| text(row, "place").starts_with("Section 2.2")).collect();
    assert_eq!(exact.len(), 2, "a quick look has 2D-4X and 1D-16X");
    assert!(exact.iter().all(|row| text(row, "verdict") == "equal"));
    let read = |schema| csv::read(schema, fs::File::open(out.path().join(schema.file)).unwrap()).unwrap();
    let (programs, loads) = (read(&TORUS_PROGRAMS), read(&TORUS_LOADS));
    let graph500 = programs.iter().filter(|row| text(row, "program").starts_with("Graph500")).count();
    assert_eq!(graph500, 6, "as usual and with another choice, on three networks without power saving");
    let ep = programs.len() - graph500;
    assert_eq!((ep, loads.len()), (10, 5), "five networks of 64 nodes, EP with and without computation");
    for (network, ports) in [("2D-4X", 4.0), ("1D-16X", 16.0)] {
        let run = |saving: &str| {
            let chosen = |row: &&Row| {
                [("network", network), ("saving", saving), ("computes", "true")]
                    .iter()
                    .all(|&(name, value)| text(row, name) == value)
            };
            programs.iter().find(chosen).unwrap()
        };
        let number = |saving: &str, name: &str| run(saving).number(name).unwrap();
        assert_eq!(number("false", "ports_on"), ports);
        let run_time_us = 1e6 * number("true", "makespan_s");
        let shed = ports - 1.0;
        let least = 1.0 + (10.0 * shed * (shed + 1.0) / 2.0 + 2.88 * shed) / run_time_us;
        let on = number("true", "ports_on");
        assert!(on > least - 1e-9 && on < least + 0.02 * shed, "{network}: {on} ports on, {least} at least");
        assert!(number("true", "relative.makespan") < 1.01, "messages find a port");
    }
}

#[test]
fn the_json_of_a_row() {
    let row = without_traces(Paper::Torus).iter().find(|row| text(row, "quantity") == "port ratio").unwrap();
    insta::assert_snapshot!(format!("{:#}", json::from_row(row)), @r#"
    {
      "paper": "torus",
      "place": "Table 2, 2D-4X",
      "quantity": "port ratio",
      "unit": "1",
      "theirs": 0.714,
      "relation": "=",
      "ours": 0.7142857142857143,
      "tolerance": 0.001,
      "trivial": "nothing counted: 0",
      "verdict": "equal",
      "reason": "ports of the built network over those of the reference; rounded to 3 decimals"
    }
    "#);
}
