//! Rows that need no run of a program, against figures that are worked out here.

use std::path::Path;
use std::sync::Mutex;

use drowse_reproduce::{Options, Paper, Progress};
use drowse_tables::Row;

use crate::reproduce::{folder_with, reproduce, text};

fn without_traces(paper: Paper) -> Vec<Row> {
    reproduce(paper, tempfile::tempdir().unwrap().path(), None).rows
}

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

/// A `k:k',n` tree has k^n nodes and, as the sum of a geometric series, (k^n - k'^n) / (k - k') switches; n k^(n-1)
/// where both are the same. The lowest level has k^(n-1), each other one k'/k of the one below, and every switch has k
/// links downward.
#[test]
fn sizes_of_thin_trees() {
    let rows = without_traces(Paper::ThinTrees);
    for (name, down, up, levels) in [
        ("4,3-tree", 4_u32, 4_u32, 3),
        ("2,6-tree", 2, 2, 6),
        ("4:2,3-thintree", 4, 2, 3),
        ("4:3,3-thintree", 4, 3, 3),
        ("8:5,3-thintree", 8, 5, 3),
        ("3:2,5-thintree", 3, 2, 5),
        ("4:1,3-thintree", 4, 1, 3),
    ] {
        let (nodes, top) = (down.pow(levels), up.pow(levels));
        let switches = if down == up { levels * nodes / down } else { (nodes - top) / (down - up) };
        let mut expected = vec![nodes, down + up, switches];
        let mut level = nodes / down;
        for _ in 0..levels {
            expected.push(level);
            level = level * up / down;
        }
        expected.push(switches * down);
        let expected: Vec<f64> = expected.into_iter().map(f64::from).collect();
        assert_near(&ours(&rows, &format!("Table I, {name}")), &expected, name);
    }
    // Ports of a switch, switches, links, nodes; then costs, over those of the 8,4-tree, by switches, ports and the
    // squares of ports.
    for (name, switches, ports) in
        [("8,4-tree", 2048.0, 16.0), ("8:4,4-thintree", 960.0, 12.0), ("8:2,4-thintree", 680.0, 10.0)]
    {
        assert_near(&ours(&rows, &format!("Table II, {name}")), &[ports, switches, 8.0 * switches, 4096.0], name);
        let [fewer, narrower] = [switches / 2048.0, ports / 16.0];
        let costs = [fewer, fewer * narrower, fewer * narrower * narrower];
        let expected = if name == "8,4-tree" { &[] } else { &costs[..] };
        assert_near(&ours(&rows, &format!("Table III, {name}")), expected, name);
    }
}

/// All to all of 64 ranks: 60 of 63 messages leave a switch, 48 a block of 16. The trace of FT has next to nothing
/// else. A quick look counts no trace.
#[test]
fn levels_of_a_trace() {
    let folder = folder_with("ft.A.64.tar.zst");
    let quick = reproduce(Paper::ThinTrees, folder.path(), None).rows;
    assert!(quick.iter().all(|row| !text(row, "place").ends_with(", trace")));
    let full = Options { traces: Some(folder.path()), ..Options::default() };
    let full = Paper::ThinTrees.reproduce(&full, &|_| ()).unwrap().rows;
    assert_eq!(full.len(), quick.len() + 2);
    for (ours, share) in ours(&full, "Fig. 1, FT, trace").iter().zip([6000.0 / 63.0, 4800.0 / 63.0]) {
        assert!((ours - share).abs() < 0.1, "{ours} and {share}");
    }
    for (program, known) in
        [("BT", "three of four messages leave their switch"), ("CG", "does not name the exceptions")]
    {
        let row = find(&quick, &format!("Fig. 1, {program}"), "packets that reach level 2, \"less than 75 %\"");
        assert!(text(row, "reason").contains(known), "{program}");
    }
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
        assert_near(&ours(&rows, &format!("Table 2, {link}")), &[&[total][..], &levels, &shares].concat(), link);
    }
    // 1 % on six links: a sixth each, two sixths on two; and 1 % each.
    for (quantity, expected) in [
        ("local bound, split among six links", 1.0 / 6.0),
        ("overhead of two links with it", 1.0 / 3.0),
        ("overhead of six links with the whole bound each", 6.0),
    ] {
        assert_near(&[number(&rows, "Section 5.1", quantity)], &[expected], quantity);
    }
}

/// One of 4 links of a trunk would be a quarter of the bisection.
#[test]
fn trivial_answers_of_bisections() {
    let rows = without_traces(Paper::Torus);
    for network in ["2D-4X", "3D-4X"] {
        let row = find(&rows, &format!("Section 3.2, {network}"), "bisection bandwidth, reference network = 1");
        assert_eq!(text(row, "trivial"), "one link for each trunk: 0.25");
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
    let options = Options { quick: true, traces, out: None, threads: 2 };
    let tell = |progress: Progress| told.lock().unwrap().push((progress.done, progress.total));
    let rows = Paper::Runtime.reproduce(&options, &tell).unwrap().rows;
    let mut told = told.into_inner().unwrap();
    told.sort_unstable();
    assert_eq!(told, (0..=12).map(|done| (done, 12)).collect::<Vec<_>>(), "2 networks, 3 modes, 2 lengths");

    let used = number(&rows, "Section 3.1, CG", "links of PERCS used");
    let unused = number(&rows, "Section 3.1", "links of PERCS unused, at least");
    assert_near(&[used + unused], &[100.0], "CG");
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
