//! What naive partial updates get wrong.

use drowse_flows::{Fairness, Rates};

use crate::common::Flow;

/// Makes a solver with flows, solved one by one.
fn built(capacities: &[u64], paths: &[&[u32]]) -> (Rates, Vec<u32>) {
    let mut rates = Rates::new(capacities.to_vec(), Fairness::Flow);
    let mut ids = Vec::new();
    for path in paths {
        ids.push(Flow::over(path).insert(&mut rates));
        rates.solve();
    }
    (rates, ids)
}

fn of(rates: &Rates, ids: &[u32]) -> Vec<u64> {
    ids.iter().map(|id| rates.rate(*id)).collect()
}

#[test]
fn a_change_goes_on_over_links_that_saw_no_change() {
    // Link 0 is freed for flow 1, which takes from flow 2 on link 1, which leaves more to flow 3 on link 2.
    let (mut rates, ids) = built(&[40, 100, 120], &[&[0], &[0, 1], &[1, 2], &[2]]);
    assert_eq!(of(&rates, &ids), [20, 20, 60, 60]);
    rates.set_capacity(1, 90);
    assert_eq!(rates.solve(), [0; 0].as_slice());
    rates.set_capacity(1, 70);
    assert_eq!(rates.solve(), [ids[2], ids[3]]);
    assert_eq!(of(&rates, &ids), [20, 20, 50, 70]);
    rates.remove(ids[0]);
    assert_eq!(rates.solve(), [ids[1], ids[2], ids[3]]);
    assert_eq!(of(&rates, &ids[1..]), [35, 35, 85]);
}

#[test]
fn an_arrival_can_raise_a_rate() {
    let (mut rates, ids) = built(&[100, 100], &[&[0, 1], &[1]]);
    assert_eq!(of(&rates, &ids), [50, 50]);
    let new = [Flow::over(&[0]).insert(&mut rates), Flow::over(&[0]).insert(&mut rates)];
    rates.solve();
    assert_eq!(of(&rates, &ids), [33, 67]);
    assert_eq!(of(&rates, &new), [33, 33]);
}

#[test]
fn a_departure_splits_a_component() {
    let (mut rates, ids) = built(&[90, 30], &[&[0], &[0, 1], &[1], &[0]]);
    assert_eq!(of(&rates, &ids), [37, 15, 15, 37]);
    rates.remove(ids[1]);
    assert_eq!(rates.solve(), [ids[0], ids[2], ids[3]]);
    assert_eq!(of(&rates, &[ids[0], ids[2], ids[3]]), [45, 30, 45]);
}

#[test]
fn the_last_flow_of_a_link_goes() {
    let (mut rates, ids) = built(&[100, 10], &[&[0], &[0, 1]]);
    assert_eq!(of(&rates, &ids), [90, 10]);
    rates.remove(ids[1]);
    rates.solve();
    assert_eq!(rates.rate(ids[0]), 100);
    assert_eq!((rates.used(1), rates.flows_on(1).len()), (0, 0));
}

#[test]
fn a_cap_begins_and_ceases_to_bind() {
    let (mut rates, ids) = built(&[100, 100], &[&[0], &[0, 1], &[1]]);
    for (cap, expected) in [(60, [50, 50, 50]), (20, [80, 20, 80]), (49, [51, 49, 51]), (50, [50, 50, 50])] {
        rates.set_cap(ids[1], Some(cap));
        rates.solve();
        assert_eq!(of(&rates, &ids), expected, "cap {cap}");
    }
    rates.set_cap(ids[1], Some(20));
    rates.solve();
    rates.set_cap(ids[1], None);
    assert_eq!(rates.solve(), ids);
    assert_eq!(of(&rates, &ids), [50, 50, 50]);
}

#[test]
fn a_link_that_cannot_bind_any_more_releases_its_flows() {
    for components in [false, true] {
        let mut rates = Rates::new(vec![100], Fairness::Flow);
        let flows = [Flow::over(&[0]).cap(80), Flow::over(&[0]).cap(40)];
        let ids = flows.map(|flow| flow.insert(&mut rates));
        rates.solve();
        assert_eq!(of(&rates, &ids), [60, 40]);
        rates.set_cap(ids[1], Some(10));
        let _ = if components { rates.solve_components() } else { rates.solve() };
        assert_eq!(of(&rates, &ids), [80, 10]);
    }
}

#[test]
fn two_changes_at_one_instant() {
    let (mut rates, ids) = built(&[100, 100], &[&[0, 1], &[0], &[1]]);
    rates.remove(ids[1]);
    rates.remove(ids[2]);
    assert_eq!(rates.solve(), [ids[0]]);
    assert_eq!(rates.rate(ids[0]), 100);
    rates.set_capacity(0, 60);
    rates.set_capacity(1, 50);
    rates.solve();
    assert_eq!(rates.rate(ids[0]), 50);
}

#[test]
fn near_ties_by_what_rounding_leaves() {
    // Both links have three flows; the capacity of the second is greater by half a unit each, and it gets a unit more
    // from the flow that both share only if the first comes first.
    let (rates, ids) = built(&[10, 11], &[&[0], &[0], &[0, 1], &[1], &[1]]);
    assert_eq!(of(&rates, &ids), [3, 3, 3, 4, 4]);
    let (rates, ids) = built(&[11, 10], &[&[0], &[0], &[0, 1], &[1], &[1]]);
    assert_eq!(of(&rates, &ids), [4, 4, 3, 3, 3]);
}
