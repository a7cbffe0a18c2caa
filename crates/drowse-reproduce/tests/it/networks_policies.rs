//! The study of networks and policies: what is chosen among rows that are made here, and the kept rows beside the sweep.

use std::sync::Arc;

use drowse_experiment::{Sweep, read_source};
use drowse_run::request::RunRequest;
use drowse_tables::schema::cases as columns;

use crate::networks_policies_choice::used_where_allowed;
use crate::networks_policies_choice::{ALWAYS_ON, Case, Counted, Energy, ORACLE, best, best_of_policy};
use crate::networks_policies_names::names;
use crate::support::root;

const OF_NETWORK: Counted = |case| case.network_energy;
const OF_ALL: Counted = |case| case.total_energy;

/// A run that takes so much longer, and needs so many joules where links that are always on need 8.
fn row(policy: &'static str, time: f64, joules: f64) -> Case {
    let network_energy = Energy { joules, relative: joules / 8.0 };
    let total_energy = Energy { joules: joules + 64.0 * time, relative: (joules + 64.0 * time) / 72.0 };
    Case {
        application: "CG",
        network: "torus",
        policy,
        seconds: 2.0 * time,
        time,
        network_energy,
        total_energy,
        waking: 0.0,
    }
}

#[test]
fn the_least_that_keeps_the_bound_is_chosen() {
    let always_on = row("width", 1.25, 4.0).always_on();
    assert_eq!((always_on.policy, always_on.seconds, always_on.time), (ALWAYS_ON, 2.0, 1.0));
    assert_eq!((OF_NETWORK(&always_on).joules, OF_ALL(&always_on).joules), (8.0, 72.0));

    // The oracle needs the least and cannot be had, the timer is a little too slow, and with nodes the shorter run wins.
    let rows = [always_on, row(ORACLE, 1.0, 2.0), row("timer", 1.01, 3.0), row("width", 1.0099, 5.0)];
    let faster = row("trunk", 1.0, 5.5);
    let cases: Vec<&Case> = rows.iter().chain([&faster]).collect();
    assert_eq!(best(&cases, OF_NETWORK).unwrap().policy, "width");
    assert_eq!(best(&cases, OF_ALL).unwrap().policy, "trunk");
    assert_eq!(best_of_policy(&cases, ORACLE, OF_NETWORK).unwrap().network_energy.joules, 2.0);

    // Where nothing saves, links stay on, whatever rounding makes of it; what misses the bound counts as always on.
    let nothing = row("trunk", 1.0, 7.9996);
    let none = [&rows[0], &rows[1], &rows[2], &nothing];
    assert_eq!(best(&none, OF_NETWORK).unwrap().policy, ALWAYS_ON);
    assert_eq!(used_where_allowed(&rows[2], OF_NETWORK), Energy { joules: 8.0, relative: 1.0 });
    assert_eq!(used_where_allowed(&rows[3], OF_NETWORK).joules, 5.0);
}

/// Returns the kept rows, without their heads.
fn kept() -> Vec<Vec<&'static str>> {
    let rows = include_str!("../../../../docs/data/networks_policies.csv");
    rows.lines().skip(1).map(|row| row.split(',').collect()).collect()
}

/// Every case of the sweep is kept once; those of EP on the Slim Fly, which are short, come out as they are kept.
#[test]
fn kept_rows_are_those_of_the_sweep() {
    let source = Arc::new(read_source(&root("examples/networks-policies.toml"), &[]).unwrap());
    let sweep = Sweep::new(&source).unwrap();
    let kept = kept();
    assert_eq!(kept.len() as u64, sweep.cases());
    for number in 0..sweep.cases() {
        let point = sweep.point(number);
        let job = point.iter().find(|value| value.contains("name = ")).unwrap();
        let names = names(job, &point[0], point.last().unwrap()).unwrap();
        let mut rows = kept.iter().filter(|row| row[..3] == names);
        let (row, other) = (rows.next().unwrap_or_else(|| panic!("{names:?} is not kept")), rows.next());
        assert_eq!(other, None, "{names:?} is kept twice");
        if names[0] != "EP" || names[1] != "Slim Fly" {
            continue;
        }
        let case = sweep.case(number).unwrap();
        let baseline = sweep.baseline(number, &case).unwrap();
        let request = RunRequest { baseline: baseline.as_ref(), ..RunRequest::new(&case) };
        let outcome = request.run().unwrap().case;
        for (column, kept) in [
            (columns::MAKESPAN_S, row[3]),
            (columns::RELATIVE_MAKESPAN, row[4]),
            (columns::ENERGY_NETWORK_J, row[5]),
            (columns::RELATIVE_NETWORK_J, row[6]),
            (columns::ENERGY_TOTAL_J, row[7]),
            (columns::RELATIVE_TOTAL_J, row[8]),
            (columns::PATH_WAKING_FRACTION, row[9]),
        ] {
            let now = outcome.summary.figures.number(column).or_else(|| outcome.relative.figures.number(column));
            let now = now.unwrap_or_else(|| panic!("{names:?}: there is no {}", column.name));
            let kept: f64 = kept.parse().unwrap();
            assert!((now - kept).abs() <= 1e-5 * kept.abs(), "{names:?}: {now}, kept {kept}");
        }
    }
}
