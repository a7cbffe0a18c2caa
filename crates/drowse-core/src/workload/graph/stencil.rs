//! Stencils: ranks in a grid of any number of dimensions, each sending to its neighbours (Totoni et al. 2014, section
//! 2.4).
//!
//! The rank at (x, y, z, ...) is x + X (y + Y (z + ...)). In a periodic dimension of two ranks, each sends two messages
//! to the other, one in each direction. In a periodic dimension of one rank, messages stay at the rank.

use super::error::{GraphError, MOST_RANKS};
use super::flow::{Communication, Flow};

/// The largest number of dimensions.
const MOST_DIMENSIONS: usize = 10;

/// A grid of ranks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stencil {
    dims: Vec<u32>,
    periodic: bool,
    bytes: u64,
}

impl Stencil {
    /// Makes a grid; each message to a neighbour has `bytes` bytes.
    pub fn new(dims: Vec<u32>, periodic: bool, bytes: u64) -> Result<Self, GraphError> {
        check_dims(&dims)?;
        Ok(Stencil { dims, periodic, bytes })
    }
}

impl Communication for Stencil {
    fn ranks(&self) -> u32 {
        self.dims.iter().product()
    }

    fn flows(&self, rank: u32, visit: &mut dyn FnMut(Flow)) {
        neighbours(&self.dims, self.periodic, rank, |_, to| visit(Flow { to, messages: 1, bytes: self.bytes }));
    }
}

/// Refuses a grid with no dimension, too many dimensions or too many ranks.
pub(in crate::workload) fn check_dims(dims: &[u32]) -> Result<(), GraphError> {
    let ranks = dims.iter().try_fold(1u32, |ranks, &size| ranks.checked_mul(size));
    let in_range = ranks.is_some_and(|ranks| (1..=MOST_RANKS).contains(&ranks));
    if in_range && (1..=MOST_DIMENSIONS).contains(&dims.len()) {
        return Ok(());
    }
    let reason =
        format!("write 1 to {MOST_DIMENSIONS} numbers of at least 1 whose product is at most {MOST_RANKS} ranks");
    Err(GraphError { key: "dims", value: format!("{dims:?}"), reason })
}

/// Calls `visit` with each neighbour of a rank and its dimension.
pub(super) fn neighbours(dims: &[u32], periodic: bool, rank: u32, mut visit: impl FnMut(usize, u32)) {
    let mut unit = 1;
    for (d, &size) in dims.iter().enumerate() {
        let x = rank / unit % size;
        let at = |y: u32| rank - x * unit + y * unit;
        if periodic || x > 0 {
            visit(d, at((x + size - 1) % size));
        }
        if periodic || x + 1 < size {
            visit(d, at((x + 1) % size));
        }
        unit *= size;
    }
}
