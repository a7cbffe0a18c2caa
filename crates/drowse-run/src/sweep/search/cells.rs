//! Bisection of the boxes between places on a grid.
//!
//! A cell is a box between places that have been judged, its corners. It is halved while it may hold a place that is
//! better than the best one known: while the best lies in it, or while no term of the condition is violated at all its
//! corners and one of them has less than the best, or more by a margin at most. That finds the best place of the grid where in each direction the
//! figures rise or fall all along a cell, or have one valley; of other figures it finds a place that none beside it
//! betters.

use std::collections::BTreeMap;

use super::judge::{Judged, Standing};

/// A number of a value in each dimension.
pub type Place = Vec<u64>;

/// What is known of places; `None` where the sweep leaves the place out.
pub type Known = BTreeMap<Place, Option<Judged>>;

/// A box between places, both included.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Cell {
    low: Place,
    high: Place,
    /// The number of the answer that is looked for in it.
    group: usize,
}

/// The cells that cover a grid.
#[derive(Default)]
pub struct Cells(Vec<Cell>);

impl Cells {
    /// Covers a grid of so many values in each dimension. Those of which all values are wanted lie in cells of their
    /// own, the others are halved once. A function groups places by the answers that are looked for.
    pub fn cover(dimensions: &[(u64, bool)], mut group: impl FnMut(&Place) -> usize) -> Self {
        let mut cells = vec![Cell { low: Place::new(), high: Place::new(), group: 0 }];
        for &(count, is_bisected) in dimensions {
            let spans =
                if is_bisected { halves(0, count - 1) } else { (0..count).map(|value| (value, value)).collect() };
            let extended = |cell: &Cell| spans.iter().map(|&(low, high)| cell.extended(low, high)).collect::<Vec<_>>();
            cells = cells.iter().flat_map(extended).collect();
        }
        cells.iter_mut().for_each(|cell| cell.group = group(&cell.low));
        Cells(cells)
    }

    /// Returns the corners that are not known, in the order of the grid, each once.
    pub fn unknown(&self, known: &Known) -> Vec<Place> {
        let corners = self.0.iter().flat_map(Cell::corners).filter(|corner| !known.contains_key(corner));
        let mut corners: Vec<Place> = corners.collect();
        corners.sort_unstable();
        corners.dedup();
        corners
    }

    /// Halves the cells that may hold a better place than the best one known; returns whether there are any. `limit` is
    /// below what a corner may have so that there may be a better place beside it, by the best.
    pub fn halve(&mut self, known: &Known, limit: impl Fn(f64) -> f64) -> bool {
        let mut best: BTreeMap<usize, (Standing, &Place)> = BTreeMap::new();
        // A place between cells is one of all of them: each cell is asked for its own corners.
        for cell in &self.0 {
            for corner in cell.corners() {
                let Some((place, Some(judged))) = known.get_key_value(&corner) else { continue };
                let candidate = (judged.standing(), place);
                let least = best.entry(cell.group).or_insert(candidate);
                if candidate < *least {
                    *least = candidate;
                }
            }
        }
        let (halved, kept): (Vec<Cell>, Vec<Cell>) = std::mem::take(&mut self.0).into_iter().partition(|cell| {
            let may_hold = |best: (Standing, &Place)| cell.may_hold(known, limit(best.0.goal), best);
            cell.width() > 1 && best.get(&cell.group).copied().is_none_or(may_hold)
        });
        let any = !halved.is_empty();
        self.0 = kept;
        self.0.extend(halved.iter().flat_map(Cell::halves));
        any
    }
}

impl Cell {
    /// Returns the cell with one dimension more.
    fn extended(&self, low: u64, high: u64) -> Cell {
        let with = |place: &Place, value: u64| place.iter().copied().chain([value]).collect();
        Cell { low: with(&self.low, low), high: with(&self.high, high), group: self.group }
    }

    /// Returns the number of steps along its longest side.
    fn width(&self) -> u64 {
        self.low.iter().zip(&self.high).map(|(low, high)| high - low).max().unwrap_or(0)
    }

    /// Returns its corners, each once.
    fn corners(&self) -> Vec<Place> {
        let mut corners = vec![Place::new()];
        for (&low, &high) in self.low.iter().zip(&self.high) {
            let ends = if low == high { vec![low] } else { vec![low, high] };
            let extended = |corner: &Place| {
                ends.iter().map(|&end| corner.iter().copied().chain([end]).collect()).collect::<Vec<Place>>()
            };
            corners = corners.iter().flat_map(extended).collect();
        }
        corners
    }

    /// Returns whether a place lies in it.
    fn holds(&self, place: &Place) -> bool {
        place.iter().zip(self.low.iter().zip(&self.high)).all(|(value, (low, high))| (low..=high).contains(&value))
    }

    /// Returns whether there may be something better in it than the best place known.
    fn may_hold(&self, known: &Known, limit: f64, (best, place): (Standing, &Place)) -> bool {
        if self.holds(place) {
            return true;
        }
        let corners: Option<Vec<&Judged>> =
            self.corners().iter().map(|corner| known.get(corner).and_then(Option::as_ref)).collect();
        // Nothing is known of a place that is left out.
        let Some(corners) = corners else { return true };
        let terms = corners.first().map_or(0, |judged| judged.violations.len());
        let all_violate = |term: usize| corners.iter().all(|judged| judged.violations[term].is_some());
        // Corners that are all alike are no jitter, but flat ground.
        let is_flat = corners.iter().all(|judged| judged.goal.total_cmp(&corners[0].goal).is_eq());
        let limit = if is_flat { best.goal } else { limit };
        let has_less = || corners.iter().any(|judged| judged.goal < limit);
        !(0..terms).any(all_violate) && (best.violation > 0.0 || has_less())
    }

    /// Halves its longest side, the first of several.
    fn halves(&self) -> Vec<Cell> {
        let width = self.width();
        let longest = self.low.iter().zip(&self.high).position(|(low, high)| high - low == width).unwrap_or(0);
        let half = |(low, high): (u64, u64)| {
            let mut cell = self.clone();
            (cell.low[longest], cell.high[longest]) = (low, high);
            cell
        };
        halves(self.low[longest], self.high[longest]).into_iter().map(half).collect()
    }
}

/// Halves a span of two steps or more.
fn halves(low: u64, high: u64) -> Vec<(u64, u64)> {
    let middle = low.midpoint(high);
    if middle == low { vec![(low, high)] } else { vec![(low, middle), (middle, high)] }
}
