//! The studies of a bound that holds for whole programs: the kept rows beside their sweeps.

use std::sync::Arc;

use drowse_experiment::{Source, Sweep, read_source};
use drowse_run::request::RunRequest;
use drowse_tables::schema::cases as columns;

use crate::support::root;

const NETWORKS: &str = include_str!("../../../../docs/data/bounded.csv");
const OTHERS: &str = include_str!("../../../../docs/data/bounded_others.csv");

fn rows(text: &'static str) -> Vec<Vec<&'static str>> {
    text.lines().skip(1).map(|row| row.split(',').collect()).collect()
}

fn source(file: &str) -> Arc<Source> {
    Arc::new(read_source(&root(file), &[]).unwrap())
}

/// Every case has a row of its own; those of the stencil on the HyperX, which are short, come out as they are kept.
#[test]
fn kept_rows_are_those_of_the_sweeps() {
    for (file, kept) in [("examples/bounded-networks.toml", NETWORKS), ("examples/bounded-others.toml", OTHERS)] {
        let mut names: Vec<Vec<&str>> = rows(kept).iter().map(|row| row[..4].to_vec()).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len() as u64, Sweep::new(&source(file)).unwrap().cases(), "{file}");
    }

    let source = source("examples/bounded-others.toml");
    let (sweep, kept) = (Sweep::new(&source).unwrap(), rows(OTHERS));
    let mut compared = 0;
    for number in 0..sweep.cases() {
        let point = sweep.point(number);
        let says = |word: &str| point.iter().any(|value| value.contains(word));
        let [Some(policy), Some(bound)] =
            [["bounded", "perfbound"], ["0.005", "0.05"]].map(|words| words.into_iter().find(|word| says(word)))
        else {
            continue;
        };
        if !says("stencil2d") || !says("hyperx") {
            continue;
        }
        let names = ["stencil", "HyperX", policy, if bound == "0.05" { "5 %" } else { "0.5 %" }];
        let row = kept.iter().find(|row| row[..4] == names).unwrap();
        let case = sweep.case(number).unwrap();
        let baseline = sweep.baseline(number, &case).unwrap();
        let request = RunRequest { baseline: baseline.as_ref(), ..RunRequest::new(&case) };
        let outcome = request.run().unwrap().case;
        for (column, kept) in
            [(columns::MAKESPAN_S, row[4]), (columns::RELATIVE_MAKESPAN, row[5]), (columns::RELATIVE_LINKS, row[6])]
        {
            let now = outcome.summary.figures.number(column).or_else(|| outcome.relative.figures.number(column));
            let (now, kept): (f64, f64) = (now.unwrap(), kept.parse().unwrap());
            assert!((now - kept).abs() <= 1e-5 * kept.abs(), "{names:?}: {} is {now}, kept {kept}", column.name);
        }
        compared += 1;
    }
    assert_eq!(compared, 4);
}

/// No program by which nothing was chosen loses more than its bound; with the share of `PerfBound` some do.
#[test]
fn others_keep_their_bounds() {
    let longer = |policy: &str| -> Vec<(f64, f64)> {
        let rows = rows(OTHERS).into_iter().filter(|row| row[2] == policy);
        rows.map(|row| {
            (row[5].parse::<f64>().unwrap() - 1.0, row[3].trim_end_matches(" %").parse::<f64>().unwrap() / 100.0)
        })
        .collect()
    };
    let bounded = longer("bounded");
    assert_eq!(bounded.len(), 9 * 6 * 4);
    assert!(bounded.iter().all(|(longer, bound)| longer <= bound), "{bounded:?}");
    assert!(longer("perfbound").iter().any(|(longer, bound)| longer > bound));
}
