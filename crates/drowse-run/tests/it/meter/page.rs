//! The table of `docs/model/watts.md`: what the published models predict beside what was measured.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use super::fit::{Terms, derive};
use super::readings::{ARISTA, ARISTA_50G, ARISTA_FR, NEXUS, NEXUS_LR, Set, median, of};
use super::snake::{Pair, published};

const BEGIN: &str = "<!-- Made by the test `meter::page` of drowse-run with DROWSE_UPDATE=1. Do not edit. -->\n\n";

/// Predicts ports or links without traffic, by the terms.
fn still(set: Set, test: &str) -> Vec<Pair> {
    let Terms { base, plugged, on, up, .. } = derive(set);
    let modules = of(set, "idle")[0].ports;
    let each = if test == "trx" { on + up } else { on };
    let pair = |reading: &super::readings::Reading| Pair {
        bytes: 0.0,
        gbps: 0.0,
        measured: median(&reading.watts),
        predicted: base + plugged * modules + each * reading.ports,
    };
    of(set, test).iter().map(pair).collect()
}

fn row(table: &mut String, what: &str, part: &str, pairs: &[Pair]) {
    let count = pairs.len() as f64;
    let bias = pairs.iter().map(|pair| pair.predicted - pair.measured).sum::<f64>() / count;
    let errors: Vec<f64> = pairs.iter().map(|pair| (pair.predicted / pair.measured - 1.0).abs() * 100.0).collect();
    let (mean, most) = (errors.iter().sum::<f64>() / count, errors.iter().copied().fold(0.0, f64::max));
    let _ = writeln!(table, "| {what} | {part} | {} | {bias:+.2} W | {mean:.2} % | {most:.2} % |", pairs.len());
}

#[test]
fn the_table_of_the_page_is_what_is_computed() {
    let mut table = String::from(
        "| switch, medium | what | configurations | bias | mean error | largest error |\n\
         |---|---|---:|---:|---:|---:|\n",
    );
    let sets = [
        (ARISTA, "Arista 7280CR3K, copper of 100 Gb/s"),
        (ARISTA_50G, "same, 50 Gb/s by the numbers of 100 Gb/s"),
        (ARISTA_FR, "same, FR4 of 400 Gb/s"),
        (NEXUS, "Nexus 9336C-FX2, copper of 100 Gb/s"),
        (NEXUS_LR, "same, LR of 100 Gb/s"),
    ];
    for (set, what) in sets {
        if set.speed != "50G" {
            row(&mut table, what, "ports enabled", &still(set, "switch"));
            row(&mut table, what, "links up", &still(set, "trx"));
        }
        let snake = of(set, "snake");
        if !snake.is_empty() {
            row(&mut table, what, "traffic", &published(set).beside(&snake));
        }
    }
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/model/watts.md");
    let page = fs::read_to_string(&path).unwrap();
    let (before, rest) = page.split_once(BEGIN).unwrap();
    let (_, after) = rest.split_once("\n\n").unwrap();
    let made = format!("{before}{BEGIN}{table}\n{after}");
    if std::env::var_os("DROWSE_UPDATE").is_some() {
        fs::write(&path, &made).unwrap();
    }
    let page = fs::read_to_string(&path).unwrap();
    assert!(made == page, "docs/model/watts.md is out of date: write it anew with DROWSE_UPDATE=1\n{table}");
}
