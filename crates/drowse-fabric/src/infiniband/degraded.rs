//! Cables that run below what most of their kind do: trained down to fewer lanes or a lower speed, or of an older kind.

use std::collections::BTreeMap;

use super::rate::Rate;
use super::subnet::{Cable, Kind, Subnet};

/// A cable that runs below what most links of its kind do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Degraded {
    /// Its ends by name.
    pub cable: String,
    /// What it runs at.
    pub rate: Rate,
    /// The most frequent width and speed of links of its kind.
    pub usual: Rate,
}

/// Returns the cables whose width or speed lies below the most frequent one among links between switches, or among
/// links of hosts. Of two as frequent the higher one counts.
pub fn degraded(subnet: &Subnet) -> Vec<Degraded> {
    let is_trunk = |cable: &&Cable| cable.ends.iter().all(|&end| subnet.device(end).kind == Kind::Switch);
    let (trunks, others): (Vec<&Cable>, Vec<&Cable>) = subnet.cables.iter().partition(is_trunk);
    [trunks, others].into_iter().flat_map(|cables| below(subnet, &cables)).collect()
}

fn below(subnet: &Subnet, cables: &[&Cable]) -> Vec<Degraded> {
    let rates = || cables.iter().filter_map(|cable| cable.rate);
    let Some(lanes) = most_frequent(rates().map(|rate| rate.lanes)) else { return Vec::new() };
    let Some(speed) = most_frequent(rates().map(|rate| rate.speed)) else { return Vec::new() };
    let usual = Rate { lanes, speed };
    let is_below = |rate: &Rate| rate.lanes < lanes || rate.speed < speed;
    let of = |cable: &&Cable| {
        let rate = cable.rate.filter(is_below)?;
        Some(Degraded { cable: subnet.cable_name(cable), rate, usual })
    };
    cables.iter().filter_map(of).collect()
}

/// Returns the value that comes most often; of several the highest.
fn most_frequent<T: Ord>(values: impl Iterator<Item = T>) -> Option<T> {
    let mut count: BTreeMap<T, usize> = BTreeMap::new();
    values.for_each(|value| *count.entry(value).or_default() += 1);
    count.into_iter().max_by_key(|(_, count)| *count).map(|(value, _)| value)
}
