//! Long random sequences of changes: local solves, solves of components, full solves and the second solver agree to the
//! bit after each, and no link carries more than it can.

use drowse_flows::{DENOMINATOR, Fairness, Rates};

use crate::common::{Draw, Flow, Kind};
use crate::naive;

/// A network in the course of a sequence.
struct State {
    kind: Kind,
    capacities: Vec<u64>,
    greatest: u64,
    flows: Vec<(u32, Flow)>,
    rates: Rates,
    /// The flows that have come since the last solve.
    fresh: Vec<u32>,
}

impl State {
    fn new(draw: &mut Draw, kind: Kind, fairness: Fairness) -> Self {
        let capacities = kind.capacities(draw);
        let greatest = capacities.iter().copied().max().unwrap();
        State {
            kind,
            rates: Rates::new(capacities.clone(), fairness),
            capacities,
            greatest,
            flows: Vec::new(),
            fresh: Vec::new(),
        }
    }

    /// Changes something; flows come and go so that there are about `usual`.
    fn change(&mut self, draw: &mut Draw, usual: u64) {
        match draw.below(12) {
            0 => {
                let link = draw.below(self.kind.links) as usize;
                let capacity = if draw.once_in(4) { 0 } else { self.kind.capacity(draw) };
                self.capacities[link] = capacity;
                self.rates.set_capacity(link as u32, capacity);
            }
            1 if !self.flows.is_empty() => {
                let flow = draw.below(self.flows.len() as u64) as usize;
                let cap = self.kind.cap(draw);
                self.flows[flow].1.cap = cap;
                self.rates.set_cap(self.flows[flow].0, cap);
            }
            _ if draw.below(2 * usual) < self.flows.len() as u64 => {
                let flow = draw.below(self.flows.len() as u64) as usize;
                self.rates.remove(self.flows.swap_remove(flow).0);
            }
            _ => {
                let flow = self.kind.flow(draw);
                let id = flow.insert(&mut self.rates);
                self.flows.push((id, flow));
                self.fresh.push(id);
            }
        }
    }

    fn now(&self) -> Vec<u64> {
        self.flows.iter().map(|(id, _)| self.rates.rate(*id)).collect()
    }

    /// Checks that what a link carries is what it is said to carry, and fits.
    fn conserves(&self) {
        for (link, capacity) in self.capacities.iter().enumerate() {
            let mut load = 0;
            for (id, flow) in &self.flows {
                let hops = flow.hops.iter().filter(|hop| hop.link as usize == link);
                load += hops.map(|hop| u128::from(hop.share) * u128::from(self.rates.rate(*id))).sum::<u128>();
            }
            assert!(load <= u128::from(*capacity) * u128::from(DENOMINATOR), "link {link} carries too much");
            assert_eq!(u128::from(self.rates.used(link as u32)), load.div_ceil(u128::from(DENOMINATOR)));
        }
    }

    /// Checks that each flow is at its cap, or at a full link on its path (but for what rounding leaves).
    fn is_limited(&self) {
        for (id, flow) in &self.flows {
            let Some(link) = self.rates.bottleneck(*id) else {
                assert_eq!(Some(self.rates.rate(*id)), flow.cap);
                continue;
            };
            assert!(flow.hops.iter().any(|hop| hop.link == link));
            let left = self.capacities[link as usize] - self.rates.used(link);
            assert!(left < self.rates.flows_on(link).len() as u64 + 1, "link {link} has {left} left");
        }
    }
}

/// Runs a sequence; several changes at one instant now and then.
fn run(seed: u64, kind: Kind, usual: u64, instants: u32, fairness: Fairness, is_small: bool) {
    let draw = &mut Draw(seed);
    let mut state = State::new(draw, kind, fairness);
    for instant in 0..instants {
        let before: Vec<(u32, u64)> = state.flows.iter().map(|(id, _)| (*id, state.rates.rate(*id))).collect();
        for _ in 0..if draw.once_in(4) { 1 + draw.below(5) } else { 1 } {
            state.change(draw, usual);
        }
        state.fresh.retain(|id| state.flows.iter().any(|(other, _)| other == id));
        let place = format!("seed {seed}, instant {instant}, {fairness:?}, {kind:?}");
        let (mut full, mut component) = (state.rates.clone(), state.rates.clone());
        let changed = state.rates.solve().to_vec();
        assert_eq!(full.solve_fully(), changed, "{place}: full and local");
        assert_eq!(component.solve_components(), changed, "{place}: components and local");
        for (id, _) in &state.flows {
            assert_eq!(state.rates.rate(*id), full.rate(*id), "{place}: full, flow {id}");
            assert_eq!(state.rates.rate(*id), component.rate(*id), "{place}: components, flow {id}");
        }
        let mut differ: Vec<u32> = state.flows.iter().map(|(id, _)| *id).collect();
        differ.retain(|id| {
            let old = before.iter().find(|(other, _)| other == id && !state.fresh.contains(id));
            let old = old.map_or(0, |(_, rate)| *rate);
            state.rates.rate(*id) != old
        });
        differ.retain(|id| !changed.contains(id));
        assert_eq!(differ, [0_u32; 0], "{place}: changes that are not told");
        state.fresh.clear();
        if is_small {
            let flows: Vec<Flow> = state.flows.iter().map(|(_, flow)| flow.clone()).collect();
            assert_eq!(state.now(), naive::rates(&state.capacities, state.greatest, &flows, fairness), "{place}");
            state.is_limited();
        }
        state.conserves();
    }
}

#[test]
fn small_networks() {
    for seed in 0..120 {
        let kind = Kind::draw(&mut Draw(seed));
        for fairness in [Fairness::Flow, Fairness::Port] {
            run(seed, kind, 3 + seed % 14, 150, fairness, true);
        }
    }
}

#[test]
fn large_networks() {
    for seed in 0..12 {
        let draw = &mut Draw(seed);
        let kind = Kind { links: 30 + draw.below(120), longest: 2 + draw.below(10), ..Kind::draw(draw) };
        for fairness in [Fairness::Flow, Fairness::Port] {
            run(seed, kind, 100, 600, fairness, false);
        }
    }
}

/// Equal links and long paths: nearly equal levels everywhere.
#[test]
fn near_ties() {
    for seed in 0..30 {
        let kind = Kind {
            links: 12,
            greatest: [100, 1_000, 99_999, 12_800_000_000_000][seed as usize % 4],
            is_equal: true,
            has_weights: false,
            has_caps: false,
            has_splits: false,
            longest: 3,
        };
        for fairness in [Fairness::Flow, Fairness::Port] {
            run(seed, kind, 30, 300, fairness, true);
        }
    }
}
