//! Random cases against the second solver, to the bit; orders and numbers do not matter.

use drowse_flows::{Fairness, Hop};

use crate::common::{Draw, Flow, Kind, solved};
use crate::naive;

#[test]
fn rates_equal_those_of_the_second_solver() {
    for seed in 0..600 {
        let draw = &mut Draw(seed);
        let kind = Kind::draw(draw);
        let capacities = kind.capacities(draw);
        let flows: Vec<Flow> = (0..=draw.below(24)).map(|_| kind.flow(draw)).collect();
        for fairness in [Fairness::Flow, Fairness::Port] {
            let greatest = capacities.iter().copied().max().unwrap();
            let expected = naive::rates(&capacities, greatest, &flows, fairness);
            assert_eq!(solved(&capacities, &flows, fairness), expected, "seed {seed}, {fairness:?}, {kind:?}");
        }
    }
}

#[test]
fn orders_and_numbers_change_nothing() {
    for seed in 0..200 {
        let draw = &mut Draw(1_000_000 + seed);
        let kind = Kind::draw(draw);
        let capacities = kind.capacities(draw);
        let flows: Vec<Flow> = (0..=draw.below(24)).map(|_| kind.flow(draw)).collect();
        let mut places: Vec<usize> = (0..flows.len()).collect();
        draw.shuffle(&mut places);
        let mut names: Vec<u32> = (0..capacities.len() as u32).collect();
        draw.shuffle(&mut names);
        let mut renamed = vec![0; capacities.len()];
        for (link, name) in names.iter().enumerate() {
            renamed[*name as usize] = capacities[link];
        }
        let rename = |flow: &Flow| {
            let hops = flow.hops.iter().map(|hop| Hop { link: names[hop.link as usize], ..*hop }).collect();
            Flow { hops, ..flow.clone() }
        };
        let moved: Vec<Flow> = places.iter().map(|place| rename(&flows[*place])).collect();
        for fairness in [Fairness::Flow, Fairness::Port] {
            let rates = solved(&capacities, &flows, fairness);
            let expected: Vec<u64> = places.iter().map(|place| rates[*place]).collect();
            assert_eq!(solved(&renamed, &moved, fairness), expected, "seed {seed}, {fairness:?}");
        }
    }
}
