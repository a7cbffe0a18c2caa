//! Two halves of the partitions, like the red and the black squares of a checkerboard: no link leads from one partition
//! to another of the same half.

use std::collections::BTreeSet;

use super::owners::Owners;
use crate::model::ids::ChannelId;
use crate::topology::{End, Network};

/// Returns the half of each partition, 0 or 1; `None` where there are no such halves.
pub fn halves(network: &Network, owners: &Owners) -> Option<Vec<usize>> {
    let neighbours = neighbours(network, owners);
    let mut halves = vec![None; owners.partitions()];
    for first in 0..halves.len() {
        if halves[first].is_some() {
            continue;
        }
        halves[first] = Some(0);
        let mut found = vec![(first, 0)];
        while let Some((partition, half)) = found.pop() {
            for &neighbour in &neighbours[partition] {
                match halves[neighbour] {
                    Some(other) if other == half => return None,
                    Some(_) => {}
                    None => {
                        halves[neighbour] = Some(1 - half);
                        found.push((neighbour, 1 - half));
                    }
                }
            }
        }
    }
    halves.into_iter().collect()
}

/// Returns the partitions to which links lead from each.
fn neighbours(network: &Network, owners: &Owners) -> Vec<BTreeSet<usize>> {
    let mut neighbours = vec![BTreeSet::new(); owners.partitions()];
    for (ports, owner) in owners.spans() {
        for port in ports {
            let other = match network.target(ChannelId(port)) {
                End::Port(to) => owners.of(to.0),
                End::Node(_) => owner,
            };
            if other != owner {
                neighbours[owner].insert(other);
            }
        }
    }
    neighbours
}

#[cfg(test)]
mod tests {
    use super::super::assignment::assign;
    use super::*;
    use crate::topology::{PerDimension, TopologySpec, Torus};

    fn halves_of(dims: &[u32], parts: usize) -> Option<Vec<usize>> {
        let torus = Torus::new(dims.to_vec(), PerDimension::All(1), 1);
        let network = TopologySpec::Torus(torus).build().unwrap();
        halves(&network, &Owners::new(&network, &assign(&network, parts)))
    }

    /// A ring in an even number of pieces, and blocks of which each dimension has an even number, or one.
    #[test]
    fn checkerboards() {
        assert_eq!(halves_of(&[12], 4), Some(vec![0, 1, 0, 1]));
        assert_eq!(halves_of(&[12], 3), None);
        // Two by four blocks.
        assert_eq!(halves_of(&[4, 4, 4], 8), Some(vec![0, 1, 1, 0, 0, 1, 1, 0]));
        assert_eq!(halves_of(&[4, 4, 4], 1), Some(vec![0]));
    }
}
