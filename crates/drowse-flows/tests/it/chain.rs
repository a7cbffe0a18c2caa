//! A chain in which one change reaches a million flows.

use drowse_flows::{Fairness, Rates};

use crate::common::Flow;

const FLOWS: u64 = 1_000_000;

/// Flow i is on links i and i + 1, and link i holds flows i - 1 and i. Rates rise along the chain, so each link decides
/// the rate of the later flow: what the earlier one leaves.
#[test]
fn a_change_goes_through_a_chain() {
    let rate = |flow: u64| 10 + 4 * flow;
    let mut capacities = vec![rate(0)];
    capacities.extend((1..FLOWS).map(|flow| rate(flow - 1) + rate(flow)));
    capacities.push(u64::from(u32::MAX));
    let mut rates = Rates::new(capacities, Fairness::Flow);
    for flow in 0..FLOWS as u32 {
        assert_eq!(Flow::over(&[flow, flow + 1]).insert(&mut rates), flow);
    }
    assert_eq!(rates.solve().len(), FLOWS as usize);
    assert!((0..FLOWS).all(|flow| rates.rate(flow as u32) == rate(flow)));
    // One unit less for the first: one more for the second, one less for the third, and so on.
    rates.set_cap(0, Some(rate(0) - 1));
    assert_eq!(rates.solve().len(), FLOWS as usize);
    let other = |flow: u64| if flow.is_multiple_of(2) { rate(flow) - 1 } else { rate(flow) + 1 };
    assert!((0..FLOWS).all(|flow| rates.rate(flow as u32) == other(flow)));
    rates.set_cap(0, None);
    assert_eq!(rates.solve_components().len(), FLOWS as usize);
    assert!((0..FLOWS).all(|flow| rates.rate(flow as u32) == rate(flow)));
}
