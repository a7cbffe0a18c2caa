//! Fig. 1: the share of packets that need each level of a 4-ary 3-tree, by programs of the NAS
//! Parallel Benchmarks (class A, 64 ranks).
//!
//! The paper prints only the numbers of its text. Ours are of one iteration of each program by its formulas, and of its
//! whole trace, where there is one. Left out: EP, which sends next to nothing.

use std::borrow::Cow;

use drowse_describe::usage;
use drowse_run::error::RunError;
use drowse_tables::Row;
use drowse_tables::schema::usage as columns;

use crate::comparison::{Comparison, Theirs};
use crate::described;
use crate::options::Options;
use crate::trivial::Trivial;

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

/// Half of the step in which the text gives "around 25 %".
const AROUND: f64 = 2.5;

/// The percentages of packets that reach levels 2 and 3 if each node sends to every other as often: of 63 nodes, 60 are
/// at other switches and 48 in other blocks of 16.
const NO_LOCALITY: [f64; 2] = [6000.0 / 63.0, 4800.0 / 63.0];

/// Compares the shares of all programs; a quick reproduction leaves out traces.
pub fn comparisons(options: &Options<'_>) -> Result<Vec<Comparison>, RunError> {
    let traces = options.trace_folder()?;
    let mut comparisons = Vec::new();
    for (name, kind, to_all) in PROGRAMS {
        let job = format!("{{ app = {{ kind = \"{kind}\", class = \"A\", ranks = 64 }} }}");
        let how = "one iteration by the program's formulas, packets of 64 B";
        compare(&mut comparisons, &format!("Fig. 1, {name}"), to_all, &levels(&job)?, how);
        let file = traces.join(format!("{kind}.A.64.tar.zst"));
        if !options.quick && file.exists() {
            let job = format!("{{ trace = {} }}", toml::Value::from(file.to_string_lossy().into_owned()));
            let how = "the whole program by its trace, packets of 64 B";
            compare(&mut comparisons, &format!("Fig. 1, {name}, trace"), to_all, &levels(&job)?, how);
        }
    }
    Ok(comparisons)
}

fn levels(job: &str) -> Result<Row, RunError> {
    described::usage("levels.toml", EXPERIMENT, &[format!("job=[{job}]")], &usage::Options::default())
}

/// Compares the second and third level, which are 1 and 2 here.
fn compare(comparisons: &mut Vec<Comparison>, place: &str, to_all: bool, row: &Row, how: &'static str) {
    let share = |level: u32| row.number(columns::LEVELS_PACKETS_FRACTION.of(level)).map(|share| 100.0 * share);
    let mut push = |quantity: &str, theirs, ours, how: Cow<'static, str>, trivial| {
        let (cause, place, quantity) = (by_formula(place), place.to_owned(), quantity.to_owned());
        comparisons.push(Comparison { place, quantity, unit: "%", theirs, ours, how, trivial, cause });
    };
    if to_all {
        push("packets that reach level 2", Theirs::Nothing, share(1), how.into(), Trivial::None("nothing is compared"));
        let theirs = Theirs::Found { value: 75.0, tolerance: AROUND };
        let trivial = Trivial::answer(100.0, "every packet climbs to the top");
        push("packets that reach level 3, \"around 25 % lower\"", theirs, share(2), how.into(), trivial);
        return;
    }
    for (index, most) in (0..).zip([75.0, 33.0]) {
        let quantity = format!("packets that reach level {}, \"less than {most} %\"", index + 2);
        let how = format!("{how}; \"in most cases\", says the paper, and does not name the exceptions");
        let trivial = Trivial::answer(NO_LOCALITY[index as usize], "each node sends to every other as often");
        push(&quantity, Theirs::Below(most), share(index + 1), how.into(), trivial);
    }
}

/// Returns why a program does not keep a limit, if its formulas say so.
fn by_formula(place: &str) -> Option<String> {
    let squares = ["BT", "SP"].iter().any(|name| place.contains(name));
    squares.then(|| {
        "by the squares of BT and SP three of four messages leave their switch and one of three its block of 16, which are \
         the limits themselves"
            .into()
    })
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use super::*;
    use crate::thin_trees::test::ours;

    fn comparisons_with(traces: &Path, quick: bool) -> Vec<Comparison> {
        comparisons(&Options { quick, traces: Some(traces), ..Options::default() }).unwrap()
    }

    /// By messages of equal size in closed form: BT and SP send three of four packets beyond a switch and one of three
    /// beyond a block of 16; of 63 partners, FT has 60 and 48 there. These three miss the paper's limits, and MG the
    /// second.
    #[test]
    fn levels_of_formulas() {
        let empty = tempfile::tempdir().unwrap();
        let rows = comparisons_with(empty.path(), true);
        for (name, shares) in
            [("BT", [75.0, 100.0 / 3.0]), ("SP", [75.0, 100.0 / 3.0]), ("FT", [6000.0 / 63.0, 4800.0 / 63.0])]
        {
            for (ours, share) in ours(&rows, &format!("Fig. 1, {name}")).iter().zip(shares) {
                assert!((ours - share).abs() < 0.05, "{name}: {ours} and {share}");
            }
        }
        let missed = rows.iter().filter(|row| match row.theirs {
            Theirs::Below(limit) => row.ours.unwrap() >= limit,
            _ => false,
        });
        let missed: Vec<&str> = missed.map(|row| row.place.trim_start_matches("Fig. 1, ")).collect();
        assert_eq!(missed, ["BT", "BT", "MG", "SP", "SP"]);
        assert!(rows.iter().all(|row| !row.is_blind()));
        let explained: Vec<&str> =
            rows.iter().filter(|row| row.cause.is_some()).map(|row| row.place.as_str()).collect();
        assert_eq!(explained, ["Fig. 1, BT", "Fig. 1, BT", "Fig. 1, SP", "Fig. 1, SP"]);
    }

    /// All to all of 64 ranks: 60 of 63 messages leave a switch, 48 a block of 16. The trace of FT has next to nothing
    /// else. A quick look counts no trace.
    #[test]
    fn levels_of_a_trace() {
        let (folder, name) = (tempfile::tempdir().unwrap(), "ft.A.64.tar.zst");
        let traces = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../traces"));
        fs::copy(traces.join(name), folder.path().join(name)).unwrap();
        let [quick, full] = [true, false].map(|quick| comparisons_with(folder.path(), quick));
        assert!(ours(&quick, "Fig. 1, FT, trace").is_empty());
        assert_eq!(full.len(), quick.len() + 2);
        for (ours, share) in ours(&full, "Fig. 1, FT, trace").iter().zip([6000.0 / 63.0, 4800.0 / 63.0]) {
            assert!((ours - share).abs() < 0.1, "{ours} and {share}");
        }
    }
}
