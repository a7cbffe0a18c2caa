//! A second solver, written from the definitions: no heap, no buffers, all flows each time.

use std::collections::BTreeMap;

use drowse_flows::{DENOMINATOR, Fairness, Hop};

use crate::common::Flow;

/// A fraction of integers that must fit.
#[derive(Clone, Copy, Debug)]
struct Fraction(u128, u128);

impl Fraction {
    fn is_below(self, other: Fraction) -> bool {
        self.0.checked_mul(other.1).unwrap() < other.0.checked_mul(self.1).unwrap()
    }

    fn is_equal(self, other: Fraction) -> bool {
        !self.is_below(other) && !other.is_below(self)
    }
}

/// A flow, and its hops up to a link.
type Came<'a> = (usize, &'a [Hop]);

/// Returns the rates of flows by their definition; `greatest` is the greatest capacity that the links had at first.
pub fn rates(capacities: &[u64], greatest: u64, flows: &[Flow], fairness: Fairness) -> Vec<u64> {
    match fairness {
        Fairness::Flow => {
            fill(capacities, flows, &flows.iter().map(|flow| u128::from(flow.weight)).collect::<Vec<_>>())
        }
        Fairness::Port => fill(capacities, flows, &weights_by_port(capacities, u128::from(greatest.max(1)), flows)),
    }
}

/// Progressive filling.
fn fill(capacities: &[u64], flows: &[Flow], weights: &[u128]) -> Vec<u64> {
    let mut rates: Vec<Option<u64>> = vec![None; flows.len()];
    let share = |flow: usize, link: usize| -> u128 {
        flows[flow].hops.iter().filter(|hop| hop.link as usize == link).map(|hop| u128::from(hop.share)).sum()
    };
    while rates.contains(&None) {
        let level = |link: usize| {
            let mut rest = u128::from(capacities[link]) * u128::from(DENOMINATOR);
            let mut weight = 0;
            for (flow, rate) in rates.iter().enumerate() {
                match rate {
                    Some(rate) => rest -= share(flow, link) * u128::from(*rate),
                    None => weight += share(flow, link) * weights[flow],
                }
            }
            (weight > 0).then_some(Fraction(rest, weight))
        };
        let of_cap = |flow: usize| flows[flow].cap.map(|cap| Fraction(u128::from(cap), weights[flow]));
        let levels: Vec<Option<Fraction>> = (0..capacities.len()).map(level).collect();
        let open: Vec<usize> = (0..flows.len()).filter(|flow| rates[*flow].is_none()).collect();
        let caps = open.iter().filter_map(|flow| of_cap(*flow));
        let lowest = levels.iter().flatten().copied().chain(caps).reduce(|a, b| if b.is_below(a) { b } else { a });
        let Some(lowest) = lowest else {
            open.iter().for_each(|flow| rates[*flow] = Some(u64::MAX));
            break;
        };
        for flow in open {
            let mut limits = flows[flow].hops.iter().filter_map(|hop| levels[hop.link as usize]).chain(of_cap(flow));
            if limits.any(|limit| limit.is_equal(lowest)) {
                rates[flow] = Some(u64::try_from(weights[flow] * lowest.0 / lowest.1).unwrap());
            }
        }
    }
    rates.into_iter().flatten().collect()
}

/// Returns the least guaranteed part of each flow, in units of which a link of the greatest capacity has 720,720 x
/// 2,048.
fn weights_by_port(capacities: &[u64], greatest: u128, flows: &[Flow]) -> Vec<u128> {
    let is_stopped =
        |flow: &Flow| flow.cap == Some(0) || flow.hops.iter().any(|hop| capacities[hop.link as usize] == 0);
    let mut least = vec![u128::MAX; flows.len()];
    for (link, capacity) in capacities.iter().enumerate() {
        let mut on: Vec<Came> = Vec::new();
        for (flow, place) in flows.iter().enumerate().filter(|(_, flow)| !is_stopped(flow)) {
            if let Some(hop) = place.hops.iter().position(|hop| hop.link as usize == link) {
                on.push((flow, &place.hops[..=hop]));
            }
        }
        let mut pieces = BTreeMap::new();
        divide(&on, 1, &mut pieces);
        for (flow, pieces) in pieces {
            let share = flows[flow].hops.iter().find(|hop| hop.link as usize == link).unwrap().share;
            let part = 720_720 * 2_048 * u128::from(*capacity) * u128::from(DENOMINATOR)
                / (greatest * pieces * u128::from(share));
            least[flow] = least[flow].min(part.clamp(1, u128::from(u32::MAX)));
        }
    }
    let weigh = |(least, flow): (u128, &Flow)| {
        if least == u128::MAX || is_stopped(flow) { u128::from(flow.weight) } else { least * u128::from(flow.weight) }
    };
    least.into_iter().zip(flows).map(|pair| weigh(pair).min(u128::from(u32::MAX))).collect()
}

/// Divides a piece among flows by their last link but one, then the links before.
fn divide(flows: &[Came], pieces: u128, found: &mut BTreeMap<usize, u128>) {
    if let [(flow, _)] = flows {
        found.insert(*flow, pieces);
        return;
    }
    let mut ports: BTreeMap<(u32, usize), Vec<Came>> = BTreeMap::new();
    for (flow, hops) in flows {
        let came = &hops[..hops.len() - 1];
        let is_whole = |hop: &Hop| hop.share == DENOMINATOR;
        let port = match came.last() {
            Some(hop) if is_whole(hop) && hops.last().is_some_and(is_whole) => (hop.link, usize::MAX),
            _ => (u32::MAX, *flow),
        };
        ports.entry(port).or_default().push((*flow, came));
    }
    let pieces = pieces * ports.len() as u128;
    ports.values().for_each(|flows| divide(flows, pieces, found));
}
