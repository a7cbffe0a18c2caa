//! Ranks as a grid.

/// The most dimensions that are tried.
const MOST_DIMENSIONS: usize = 4;

/// A grid of ranks, whose first coordinate changes fastest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Grid {
    sizes: Vec<u32>,
    /// Whether the last rank of a row is a neighbour of the first.
    is_closed: bool,
}

impl Grid {
    /// Returns all grids of a number of ranks.
    pub fn all(ranks: u32) -> Vec<Grid> {
        let mut sizes = Vec::new();
        factorise(ranks, MOST_DIMENSIONS, &mut Vec::new(), &mut sizes);
        let of = |is_closed| move |sizes: &Vec<u32>| Grid { sizes: sizes.clone(), is_closed };
        sizes.iter().map(of(false)).chain(sizes.iter().map(of(true))).collect()
    }

    /// Returns the grid of the same kind with so many ranks, at least so large that no rank is a neighbour of both
    /// borders, whose sizes have grown most evenly.
    pub fn scaled(&self, ranks: u32, reach: &[u32]) -> Option<Grid> {
        let mut all = Vec::new();
        factorise(ranks, self.sizes.len(), &mut Vec::new(), &mut all);
        let fits = |sizes: &&Vec<u32>| {
            sizes.len() == self.sizes.len() && sizes.iter().zip(reach).all(|(&size, &reach)| size > 2 * reach)
        };
        // How much more one size grows than another, as a fraction.
        let unevenness = |sizes: &Vec<u32>| {
            let growth = || sizes.iter().zip(&self.sizes).map(|(&to, &from)| f64::from(to) / f64::from(from));
            growth().fold(0.0, f64::max) / growth().fold(f64::INFINITY, f64::min)
        };
        let best = all.iter().filter(fits).min_by(|one, other| unevenness(one).total_cmp(&unevenness(other)))?;
        Some(Grid { sizes: best.clone(), is_closed: self.is_closed })
    }

    /// Returns the number of ranks.
    pub fn ranks(&self) -> u32 {
        self.sizes.iter().product()
    }

    /// Returns the sizes.
    pub fn sizes(&self) -> &[u32] {
        &self.sizes
    }

    /// Returns where a rank is.
    pub fn place(&self, mut rank: u32) -> Vec<u32> {
        let coordinate = |&size: &u32| {
            let coordinate = rank % size;
            rank /= size;
            coordinate
        };
        self.sizes.iter().map(coordinate).collect()
    }

    /// Returns the rank at a place.
    pub fn rank(&self, place: &[u32]) -> u32 {
        place.iter().zip(&self.sizes).rev().fold(0, |rank, (&coordinate, &size)| rank * size + coordinate)
    }

    /// Returns the way from a rank to another: the shortest one on a closed grid.
    pub fn way(&self, from: u32, to: u32) -> Vec<i64> {
        let pairs = self.place(from).into_iter().zip(self.place(to)).zip(&self.sizes);
        pairs
            .map(|((from, to), &size)| {
                let (way, size) = (i64::from(to) - i64::from(from), i64::from(size));
                match way {
                    _ if !self.is_closed => way,
                    way if 2 * way > size => way - size,
                    way if -2 * way >= size => way + size,
                    way => way,
                }
            })
            .collect()
    }

    /// Returns the rank at the end of a way; `None` beyond the border.
    pub fn at(&self, from: u32, way: &[i64]) -> Option<u32> {
        let coordinate = |((from, way), &size): ((u32, &i64), &u32)| {
            let to = i64::from(from) + way;
            let to = if self.is_closed { to.rem_euclid(size.into()) } else { to };
            u32::try_from(to).ok().filter(|&to| to < size)
        };
        let place: Option<Vec<u32>> = self.place(from).into_iter().zip(way).zip(&self.sizes).map(coordinate).collect();
        place.map(|place| self.rank(&place))
    }

    /// Returns the place in its row of a rank at a like place on a grid whose row has another size.
    fn like(coordinate: u32, size: u32, other: u32, reach: u32) -> u32 {
        if coordinate < reach {
            coordinate
        } else if coordinate + reach >= size {
            other - (size - coordinate)
        } else {
            reach + (coordinate - reach) % (other - 2 * reach)
        }
    }

    /// Returns a rank of another grid at a like place as a rank of this one.
    pub fn like_place(&self, rank: u32, other: &Grid, reach: &[u32]) -> u32 {
        let rows = self.place(rank).into_iter().zip(&self.sizes).zip(&other.sizes).zip(reach);
        let place = rows.map(|(((coordinate, &size), &other), &reach)| Self::like(coordinate, size, other, reach));
        other.rank(&place.collect::<Vec<_>>())
    }

    /// Returns a number that ranks at like places have in common: on a closed grid all ranks.
    pub fn class(&self, rank: u32, reach: &[u32]) -> u32 {
        if self.is_closed {
            return 0;
        }
        let rows = self.place(rank).into_iter().zip(&self.sizes).zip(reach);
        rows.fold(0, |class, ((coordinate, &size), &reach)| {
            class * (2 * reach + 1) + Self::like(coordinate, size, 2 * reach + 1, reach)
        })
    }

    /// Describes it.
    pub fn words(&self) -> String {
        let sizes = self.sizes.iter().map(u32::to_string).collect::<Vec<_>>().join(" x ");
        format!("{} grid of {sizes}", if self.is_closed { "a closed" } else { "an open" })
    }
}

/// Adds all ordered products of at most so many factors above 1.
fn factorise(number: u32, most: usize, factors: &mut Vec<u32>, found: &mut Vec<Vec<u32>>) {
    if number == 1 {
        found.push(if factors.is_empty() { vec![1] } else { factors.clone() });
        return;
    }
    if most == 0 {
        return;
    }
    for factor in (2..=number).filter(|factor| number.is_multiple_of(*factor)) {
        factors.push(factor);
        factorise(number / factor, most - 1, factors, found);
        factors.pop();
    }
}
