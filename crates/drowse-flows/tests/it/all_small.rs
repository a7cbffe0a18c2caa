//! All sets of up to four flows on three links, built up flow by flow and taken down again.

use drowse_flows::{Fairness, Rates};

use crate::common::Flow;
use crate::naive;

/// All paths over three links, in every order of the links that matters.
fn paths(fairness: Fairness) -> Vec<Vec<u32>> {
    let ordered: Vec<Vec<u32>> = vec![
        vec![0],
        vec![1],
        vec![2],
        vec![0, 1],
        vec![0, 2],
        vec![1, 2],
        vec![0, 1, 2],
        vec![1, 0],
        vec![2, 0],
        vec![2, 1],
        vec![0, 2, 1],
        vec![1, 0, 2],
        vec![1, 2, 0],
        vec![2, 0, 1],
        vec![2, 1, 0],
    ];
    let matters = if fairness == Fairness::Port { ordered.len() } else { 7 };
    ordered.into_iter().take(matters).collect()
}

/// Compares local solves with the second solver after each change.
fn check(capacities: &[u64; 3], flows: &[Flow], fairness: Fairness) {
    let greatest = *capacities.iter().max().unwrap();
    let mut rates = Rates::new(capacities.to_vec(), fairness);
    let mut ids = Vec::new();
    for (index, flow) in flows.iter().enumerate() {
        ids.push(flow.insert(&mut rates));
        rates.solve();
        let expected = naive::rates(capacities, greatest, &flows[..=index], fairness);
        let got: Vec<u64> = ids.iter().map(|id| rates.rate(*id)).collect();
        assert_eq!(got, expected, "{capacities:?} {:?} {fairness:?}", &flows[..=index]);
    }
    for gone in 0..flows.len() {
        let mut rates = rates.clone();
        rates.remove(ids[gone]);
        rates.solve();
        let without =
            |list: &[u32]| list.iter().enumerate().filter(|(flow, _)| *flow != gone).map(|(_, id)| *id).collect();
        let left: Vec<u32> = without(&ids);
        let flows: Vec<Flow> = (0..flows.len()).filter(|flow| *flow != gone).map(|flow| flows[flow].clone()).collect();
        let got: Vec<u64> = left.iter().map(|id| rates.rate(*id)).collect();
        assert_eq!(got, naive::rates(capacities, greatest, &flows, fairness), "{capacities:?} {flows:?} {fairness:?}");
    }
}

/// Calls a function for every multiset of so many paths.
fn each(paths: &[Vec<u32>], from: usize, left: usize, chosen: &mut Vec<Flow>, then: &mut impl FnMut(&[Flow])) {
    if left == 0 {
        then(chosen);
        return;
    }
    for path in from..paths.len() {
        chosen.push(Flow::over(&paths[path]));
        each(paths, path, left - 1, chosen, then);
        chosen.pop();
    }
}

#[test]
fn by_flow() {
    let paths = paths(Fairness::Flow);
    for code in 0..5_u64.pow(3) {
        let capacities = [0, 1, 2].map(|link| [1, 7, 10, 11, 30][(code / 5_u64.pow(link) % 5) as usize]);
        for size in 1..=4 {
            each(&paths, 0, size, &mut Vec::new(), &mut |flows| check(&capacities, flows, Fairness::Flow));
        }
    }
}

#[test]
fn by_port() {
    let paths = paths(Fairness::Port);
    for capacities in [[11, 11, 11], [7, 10, 11], [1_000, 1_001, 2_000], [1, 30, 10]] {
        for size in 1..=4 {
            each(&paths, 0, size, &mut Vec::new(), &mut |flows| check(&capacities, flows, Fairness::Port));
        }
    }
}
