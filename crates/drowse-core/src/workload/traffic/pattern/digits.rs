//! Node numbers as digits, for the patterns that move a node's switch along each dimension.
//!
//! The digits are the coordinates on tori, meshes and HyperX networks, and the group on networks of groups. On other
//! networks the node number is the only digit. A node keeps its place among the nodes of its switch or group.

use crate::topology::{Geometry, Network};

/// Returns the destination of each node when `digit` changes each of its digits. `digit` takes a digit and its radix.
pub fn table(network: &Network, digit: impl Fn(u32, u32) -> u32) -> Vec<u32> {
    let radices = match &network.geometry {
        Geometry::Grid(grid) => grid.dims.clone(),
        Geometry::HyperX(lattice) => lattice.dims.clone(),
        Geometry::Groups(groups) => vec![groups.count],
        Geometry::Levels(_) | Geometry::Graph(_) | Geometry::Ideal(_) => vec![network.nodes],
    };
    let places = network.nodes / radices.iter().product::<u32>();
    (0..network.nodes).map(|node| change(node, places, &radices, &digit)).collect()
}

/// Applies a function to each digit of a number. Its lowest part, below `places`, stays.
fn change(node: u32, places: u32, radices: &[u32], digit: impl Fn(u32, u32) -> u32) -> u32 {
    let (mut rest, mut unit, mut to) = (node / places, places, node % places);
    for &k in radices {
        to += digit(rest % k, k) * unit;
        rest /= k;
        unit *= k;
    }
    to
}

#[cfg(test)]
mod tests {
    use super::super::tornado;
    use super::*;

    /// On networks without coordinates, the node number is one digit.
    #[test]
    fn a_number_of_one_digit() {
        let moved = |nodes| (0..nodes).map(|node| change(node, 1, &[nodes], tornado::up)).collect::<Vec<_>>();
        assert_eq!(moved(5), [2, 3, 4, 0, 1]);
        assert_eq!(moved(6), [2, 3, 4, 5, 0, 1]);
    }
}
