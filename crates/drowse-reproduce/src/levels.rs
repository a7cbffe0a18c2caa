//! Navaridas et al. 2010, Fig. 1: the share of packets that need each level of a 4-ary 3-tree, by programs of the NAS Parallel Benchmarks
//! (class A, 64 ranks).
//!
//! The paper prints no number but those of its text. Ours are of one iteration of each program, as its formulas have it, and of
//! its trace, where there is one, which also holds what it does before and behind. Left out: EP, which sends next to nothing.

use std::path::Path;

use drowse_tables::Row;

use super::{Comparison, Theirs, usage};
use drowse_describe::usage::Options;
use drowse_run::run::RunError;

/// The experiment file; each program sets its own job in it.
const EXPERIMENT: &str = include_str!("levels.toml");

/// The programs; those that send to all ranks are the paper's exceptions.
const PROGRAMS: [(&str, &str, bool); 7] = [
    ("BT", "bt", false),
    ("CG", "cg", false),
    ("FT", "ft", true),
    ("IS", "is", true),
    ("LU", "lu", false),
    ("MG", "mg", false),
    ("SP", "sp", false),
];

/// Points of a percentage that can be read off the figure.
const READ: f64 = 5.0;

/// Compares the shares of all programs; a quick look leaves out traces.
pub fn comparisons(quick: bool, traces: Option<&Path>) -> Result<Vec<Comparison>, RunError> {
    let traces = super::traces(traces)?;
    let mut comparisons = Vec::new();
    for (name, kind, to_all) in PROGRAMS {
        let job = format!("{{ app = {{ kind = \"{kind}\", class = \"A\", ranks = 64 }} }}");
        let how = "one iteration by the program's formulas, packets of 64 B";
        compare(&mut comparisons, &format!("Fig. 1, {name}"), to_all, &levels(&job)?, how);
        let file = traces.join(format!("{kind}.A.64.tar.zst"));
        if !quick && file.exists() {
            let job = format!("{{ trace = {} }}", toml::Value::from(file.to_string_lossy().into_owned()));
            let how = "the whole program by its trace, packets of 64 B";
            compare(&mut comparisons, &format!("Fig. 1, {name}, trace"), to_all, &levels(&job)?, how);
        }
    }
    Ok(comparisons)
}

fn levels(job: &str) -> Result<Row, RunError> {
    usage("levels.toml", EXPERIMENT, &[format!("job=[{job}]")], &Options::default())
}

/// Compares the second and third level, which are 1 and 2 here.
fn compare(comparisons: &mut Vec<Comparison>, place: &str, to_all: bool, row: &Row, how: &'static str) {
    let share = |level: u32| row.number(&format!("levels.{level}.packets_fraction")).map(|share| 100.0 * share);
    let mut push = |quantity: &str, theirs, ours| {
        let (place, quantity) = (place.to_owned(), quantity.to_owned());
        comparisons.push(Comparison { place, quantity, unit: "%", theirs, ours, how: how.into() });
    };
    // "Less than" a number is the range from 0 to it.
    let below = |most: f64| Theirs::Found { value: most / 2.0, tolerance: most / 2.0 + READ };
    if to_all {
        push("packets that reach level 2", Theirs::Nothing, share(1));
        let theirs = Theirs::Found { value: 75.0, tolerance: READ };
        push("packets that reach level 3, \"around 25 % lower\"", theirs, share(2));
    } else {
        push("packets that reach level 2, \"less than 75 %\"", below(75.0), share(1));
        push("packets that reach level 3, \"less than 33 %\"", below(33.0), share(2));
    }
}
