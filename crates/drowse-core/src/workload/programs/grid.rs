//! Ranks on a grid of any number of dimensions: the rank at (x, y, z, ...) is x + X (y + Y (z + ...)).

use super::error::{MOST_RANKS, ProgramError};

/// The largest number of dimensions.
const MOST_DIMENSIONS: usize = 10;

/// A grid of ranks, whose first dimension has consecutive ones.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Grid {
    dims: Vec<u32>,
    /// Whether it is closed to a torus.
    periodic: bool,
}

impl Grid {
    /// Makes an open grid, or a torus.
    pub fn new(dims: Vec<u32>, periodic: bool) -> Result<Self, ProgramError> {
        check_dims(&dims)?;
        Ok(Grid { dims, periodic })
    }

    /// Returns the number of ranks.
    pub fn ranks(&self) -> u32 {
        self.dims.iter().product()
    }

    /// Returns the number of links between neighbours; in a torus, two ranks of a dimension have two.
    pub fn links(&self) -> u64 {
        let ranks = u64::from(self.ranks());
        let of_a_line = |size: u32| u64::from(if self.periodic && size > 1 { size } else { size - 1 });
        self.dims.iter().map(|&size| ranks / u64::from(size) * of_a_line(size)).sum()
    }

    /// Returns the lower and the higher neighbour of a rank in each dimension; in a torus, two ranks of a dimension are
    /// neighbours in both directions, and one rank is none of itself.
    pub fn neighbours(&self, rank: u32) -> impl DoubleEndedIterator<Item = [Option<u32>; 2]> + '_ {
        let place = move |d: usize| {
            let (unit, size): (u32, u32) = (self.dims[..d].iter().product(), self.dims[d]);
            let x = rank / unit % size;
            let at = |y: u32| rank - x * unit + y * unit;
            let around = self.periodic && size > 1;
            let lower = (x > 0 || around).then(|| at((x + size - 1) % size));
            [lower, (x + 1 < size || around).then(|| at((x + 1) % size))]
        };
        (0..self.dims.len()).map(place)
    }
}

/// Refuses a grid with no dimension, too many dimensions or too many ranks.
pub(super) fn check_dims(dims: &[u32]) -> Result<(), ProgramError> {
    let ranks = dims.iter().try_fold(1u32, |ranks, &size| ranks.checked_mul(size));
    let in_range = ranks.is_some_and(|ranks| (1..=MOST_RANKS).contains(&ranks));
    if in_range && (1..=MOST_DIMENSIONS).contains(&dims.len()) {
        return Ok(());
    }
    let reason =
        format!("write 1 to {MOST_DIMENSIONS} numbers of at least 1 whose product is at most {MOST_RANKS} ranks");
    Err(ProgramError::out_of_range("dims", format!("{dims:?}"), reason))
}
