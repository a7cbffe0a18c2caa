//! Bisections: the links that part the nodes of a network into two halves.
//!
//! Which cut is the least depends on what counts: links, or the bandwidth that they have. So the cut is asked for that
//! is least by a weight of each link class.

mod boxes;
mod cut;
mod halves;
mod levels;

use super::geometry::Geometry;
use super::network::Network;

pub use cut::{Basis, Bisection};

impl Bisection {
    /// Finds the best cut by a weight of each link class; `None` where there are no channels.
    pub fn of(network: &Network, weights: &[u64]) -> Option<Self> {
        match &network.geometry {
            Geometry::Grid(grid) => Some(boxes::of_grid(grid, weights)),
            Geometry::Levels(levels) => Some(levels::bisection(levels, weights)),
            Geometry::HyperX(lattice) => Some(boxes::of_lattice(lattice, weights)),
            Geometry::Groups(_) | Geometry::Graph(_) => Some(halves::bisection(network, weights)),
            Geometry::Ideal(_) => None,
        }
    }

    /// Finds a cut by improving halves switch by switch, whatever the topology.
    pub fn improved(network: &Network, weights: &[u64]) -> Self {
        halves::bisection(network, weights)
    }

    /// Returns the number of links cut.
    pub fn count(&self) -> u64 {
        self.links.iter().sum()
    }

    /// Returns the weight of the cut.
    pub fn weight(&self, weights: &[u64]) -> u128 {
        self.links.iter().zip(weights).map(|(&links, &weight)| u128::from(links) * u128::from(weight)).sum()
    }
}
