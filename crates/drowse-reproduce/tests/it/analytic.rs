//! Rows that need no run of a program, against figures that are worked out here.

use std::path::Path;
use std::sync::Mutex;

use drowse_reproduce::{Options, Paper, Progress};
use drowse_tables::Row;

use crate::reproduce::{text, without_traces};

/// The numbers of ours of a place, in order.
fn ours(rows: &[Row], place: &str) -> Vec<f64> {
    rows.iter().filter(|row| text(row, "place") == place).map(|row| row.number("ours").unwrap()).collect()
}

fn find<'a>(rows: &'a [Row], place: &str, quantity: &str) -> &'a Row {
    let is_it = |row: &&Row| text(row, "place") == place && text(row, "quantity") == quantity;
    rows.iter().find(is_it).unwrap_or_else(|| panic!("{place}: {quantity}"))
}

fn number(rows: &[Row], place: &str, quantity: &str) -> f64 {
    find(rows, place, quantity).number("ours").unwrap()
}

fn assert_near(ours: &[f64], expected: &[f64], what: &str) {
    let near = ours.iter().zip(expected).all(|(ours, expected)| (ours - expected).abs() < 1e-9);
    assert!(near && ours.len() == expected.len(), "{what}: {ours:?} are not {expected:?}");
}

/// A node sends 500 messages to its switch, 400 to its rack and 100 to another: the links that each crosses.
#[test]
fn messages_of_table_2_of_perfbound() {
    let rows = without_traces(Paper::PerfBound);
    for (link, levels) in [
        ("T to L0_0", [500.0, 400.0, 100.0]),
        ("L0_0 to S_0", [500.0, 0.0, 0.0]),
        ("L0_0 to L1_0", [0.0, 400.0, 100.0]),
        ("L1_0 to L0_1", [0.0, 400.0, 0.0]),
        ("L0_1 to S_1", [0.0, 400.0, 0.0]),
        ("L1_0 to L2", [0.0, 0.0, 100.0]),
        ("L2 to L1_1", [0.0, 0.0, 100.0]),
        ("L1_1 to L0_2", [0.0, 0.0, 100.0]),
        ("L0_2 to S_2", [0.0, 0.0, 100.0]),
    ] {
        let total: f64 = levels.iter().sum();
        let shares = levels.map(|messages| messages / total);
        assert_near(&ours(rows, &format!("Table 2, {link}")), &[&[total][..], &levels, &shares].concat(), link);
    }
    // 1 % on six links: a sixth each, two sixths on two; and 1 % each.
    for (quantity, expected) in [
        ("local bound, split among six links", 1.0 / 6.0),
        ("overhead of two links with it", 1.0 / 3.0),
        ("overhead of six links with the whole bound each", 6.0),
    ] {
        assert_near(&[number(rows, "Section 5.1", quantity)], &[expected], quantity);
    }
}

/// One of 4 links of a trunk would be a quarter of the bisection.
#[test]
fn trivial_answers_of_bisections() {
    let rows = without_traces(Paper::Torus);
    for network in ["2D-4X", "3D-4X"] {
        let row = find(rows, &format!("Section 3.2, {network}"), "bisection bandwidth, reference network = 1");
        assert_eq!(text(row, "trivial"), "one link for each trunk: 0.25; no links: 0");
        assert_near(&[row.number("ours").unwrap()], &[1.0], network);
    }
}

/// Sums and formulas of Totoni et al. 2014: what is used and what is not are all; links draw 0.30 x 0.65 = 19.5 % of the
/// machine; a delay d on all links costs 2 d of 10 ms, and a longer one in the model 2 d of 30 ms on those that are
/// used; two calls of 20 us lengthen 30 ms by 0.133 %. Each of 12 runs is told once.
#[test]
fn formulas_of_totoni_2014() {
    let told = Mutex::new(Vec::new());
    let empty = tempfile::tempdir().unwrap();
    let traces: Option<&Path> = Some(empty.path());
    let options = Options { quick: true, traces, threads: 2, ..Options::default() };
    let tell = |progress: Progress| told.lock().unwrap().push((progress.done, progress.total));
    let rows = Paper::Runtime.reproduce(&options, &tell).unwrap().rows;
    let mut told = told.into_inner().unwrap();
    told.sort_unstable();
    assert_eq!(told, (0..=12).map(|done| (done, 12)).collect::<Vec<_>>(), "2 networks, 3 modes, 2 lengths");

    // PME turns its grid between pencils on all 4,096 ranks: there are messages between all supernodes. Of all programs
    // here it leaves the fewest links unused; ISAM uses none.
    let pme = |quantity| number(&rows, "Section 3.1, NAMD_PME", quantity);
    let least = number(&rows, "Section 3.1", "links of PERCS unused, at least");
    assert_near(&[pme("D links of PERCS unused"), pme("links of PERCS unused")], &[0.0, least], "NAMD_PME");
    assert!(least < 100.0 - number(&rows, "Section 3.1, CG", "links of PERCS used"), "{least}");
    let isam = number(&rows, "Section 3.1, ISAM", "links of PERCS used, \"virtually unused\"");
    assert_near(&[isam], &[0.0], "ISAM");
    let milc = |quantity| number(&rows, "Section 3.1, MILC", quantity);
    let saved = [milc("power of the machine saved on PERCS"), milc("power of the machine saved on the 6D torus")];
    let unused = [milc("links of PERCS unused"), 100.0 - milc("links of the 6D torus used")];
    assert_near(&saved, &unused.map(|unused| 0.195 * unused), "MILC");
    let overhead = |us: u64| number(&rows, "Section 6", &format!("overhead of a delay of {us} us"));
    assert_near(&[overhead(10), overhead(30)], &[0.2, 0.6], "delays");
    for (figure, network) in [("Fig. 11, 2D-Stencil", "PERCS"), ("Fig. 12, 2D-Stencil", "6D torus")] {
        let model =
            |what: &str| number(&rows, figure, &format!("power of links of {network} saved, {what}, delay 10 us"));
        let used = 100.0 - number(&rows, figure, &format!("links of {network} unused"));
        assert_near(&[model("model") - model("model with margin")], &[used * 2.0 / 30.0], network);
        let longer = number(&rows, figure, &format!("longer iterations on {network}, scheduled, delay 10 us"));
        assert!((0.133..=0.04 / 30.0 * 100.0).contains(&longer), "{network}: {longer}");
    }
}
