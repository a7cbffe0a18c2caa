//! `HyperX` (Ahn et al. 2009), flattened butterflies and full meshes: products of complete graphs, whose switches are told by
//! their neighbours, whatever their numbers.
//!
//! The neighbours of a switch fall into its lines: those of a line are joined with each other, those of two lines are not.
//! One switch is the origin, and its lines are the axes. Every other switch has, among its neighbours that are nearer to
//! the origin, one for each of its coordinates that are not 0, with 0 in that place: together they tell its coordinates.

use std::collections::BTreeMap;

use super::cabling::{Cabling, Pair, count, pair};
use super::{Recognised, list, same_or_list, usual};

/// The most dimensions.
const MOST_DIMENSIONS: usize = 8;
/// The most links between two switches of a line.
const MOST_WIDTH: u32 = 16;
/// Origins that are tried: cables that differ may be at some.
const ORIGINS: u32 = 12;

/// Where a switch is, dimension by dimension.
type Place = [u32; MOST_DIMENSIONS];

/// Finds the product of complete graphs that a graph is but for some cables.
pub fn find(cabling: &Cabling<'_>) -> Option<Recognised> {
    let switches = cabling.graph.switches();
    let nodes = usual(cabling.graph.nodes.iter().copied()).filter(|&nodes| nodes > 0)?;
    let mut best: Option<Recognised> = None;
    for origin in (0..switches).step_by(switches.div_ceil(ORIGINS).max(1) as usize) {
        let Some(found) = Lattice::from(cabling, origin).map(|lattice| lattice.compare(cabling, nodes)) else {
            continue;
        };
        if best.as_ref().is_none_or(|best| found.deviations.len() < best.deviations.len()) {
            best = Some(found);
        }
        if best.as_ref().is_some_and(|best| best.deviations.is_empty()) {
            break;
        }
    }
    best
}

/// The switches of a lattice by their places, the first dimension fastest.
struct Lattice {
    dims: Vec<u32>,
    at: Vec<u32>,
}

impl Lattice {
    /// Places all switches by the lines of one of them; `None` where these do not fit their number.
    fn from(cabling: &Cabling<'_>, origin: u32) -> Option<Self> {
        let lines = lines(cabling, origin);
        let dims: Vec<u32> = lines.iter().map(|line| line.len() as u32 + 1).collect();
        let product = dims.iter().try_fold(1u32, |product, &size| product.checked_mul(size));
        if lines.is_empty() || lines.len() > MOST_DIMENSIONS || product != Some(cabling.graph.switches()) {
            return None;
        }
        let mut placing = Placing::new(dims, cabling.graph.switches());
        placing.put(origin, Place::default());
        for (dimension, line) in lines.iter().enumerate() {
            for (&switch, at) in line.iter().zip(1..) {
                let mut place = Place::default();
                place[dimension] = at;
                placing.put(switch, place);
            }
        }
        placing.outwards(cabling, origin);
        placing.rest(cabling)
    }

    /// Compares a graph with the lattice.
    fn compare(&self, cabling: &Cabling<'_>, nodes: u32) -> Recognised {
        let mut plan: BTreeMap<Pair, u32> = BTreeMap::new();
        let mut widths = Vec::new();
        let mut stride = 1;
        for &size in &self.dims {
            let pairs = (0..self.at.len() as u32).flat_map(|from| {
                let further = size - from / stride % size;
                (1..further).map(move |on| [from, from + on * stride])
            });
            let pairs: Vec<Pair> = pairs.map(|[a, b]| pair(self.at[a as usize], self.at[b as usize])).collect();
            let joined = pairs.iter().map(|&[a, b]| cabling.links(a, b)).filter(|&links| links > 0);
            let width = usual(joined).unwrap_or(1);
            plan.extend(pairs.into_iter().map(|pair| (pair, width)));
            widths.push(width);
            stride *= size;
        }
        let deviations = cabling.deviations(&plan, |_| nodes);
        let each = count(nodes, "node");
        let words = if let [switches] = self.dims[..] {
            format!("a full mesh of {switches} switches with {each} each")
        } else {
            let sizes: Vec<String> = self.dims.iter().map(u32::to_string).collect();
            format!("a HyperX of {} switches with {each} each", sizes.join(" x "))
        };
        let fits = widths.iter().all(|&width| width <= MOST_WIDTH);
        Recognised { section: fits.then(|| self.section(&widths, nodes)), words, deviations }
    }

    fn section(&self, widths: &[u32], nodes: u32) -> String {
        let of_nodes = if nodes == 1 { String::new() } else { format!("nodes = {nodes}\n") };
        match (&self.dims[..], widths) {
            ([switches], [1]) => format!("kind = \"full\"\nswitches = {switches}\n{of_nodes}"),
            (dims, widths) => {
                let widths = same_or_list("widths", widths);
                format!("kind = \"hyperx\"\ndims = {}\n{widths}{of_nodes}", list(dims))
            }
        }
    }
}

/// Returns the neighbours of a switch by lines, the shortest line first: those that are joined with each other.
fn lines(cabling: &Cabling<'_>, origin: u32) -> Vec<Vec<u32>> {
    let mut left: Vec<u32> = cabling.neighbours(origin).to_vec();
    let mut lines = Vec::new();
    while let Some(first) = left.pop() {
        let mut line = vec![first];
        let mut next = 0;
        while let Some(&at) = line.get(next) {
            next += 1;
            let (joined, others) = left.into_iter().partition(|&other| cabling.links(at, other) > 0);
            left = others;
            line.extend::<Vec<u32>>(joined);
        }
        line.sort_unstable();
        lines.push(line);
    }
    lines.sort_by(|a, b| a.len().cmp(&b.len()).then_with(|| a.cmp(b)));
    lines
}

/// Switches that get their places.
struct Placing {
    dims: Vec<u32>,
    /// By place.
    at: Vec<Option<u32>>,
    /// By switch.
    place: Vec<Option<Place>>,
}

impl Placing {
    fn new(dims: Vec<u32>, switches: u32) -> Self {
        Placing { dims, at: vec![None; switches as usize], place: vec![None; switches as usize] }
    }

    /// Returns the number of a place.
    fn index(&self, place: &Place) -> usize {
        self.dims.iter().zip(place).rev().fold(0, |index, (&size, &at)| index * size as usize + at as usize)
    }

    /// Puts a switch to a place that is free.
    fn put(&mut self, switch: u32, place: Place) {
        let index = self.index(&place);
        if self.at[index].is_none() {
            self.at[index] = Some(switch);
            self.place[switch as usize] = Some(place);
        }
    }

    /// Places switches by their neighbours that are nearer to the origin, from the nearest on.
    fn outwards(&mut self, cabling: &Cabling<'_>, origin: u32) {
        let mut distance = vec![u32::MAX; self.place.len()];
        distance[origin as usize] = 0;
        let mut reached = vec![origin];
        let mut next = 0;
        while let Some(&at) = reached.get(next) {
            next += 1;
            for &neighbour in cabling.neighbours(at) {
                if distance[neighbour as usize] == u32::MAX {
                    distance[neighbour as usize] = distance[at as usize] + 1;
                    reached.push(neighbour);
                }
            }
        }
        for switch in reached {
            if self.place[switch as usize].is_some() {
                continue;
            }
            let here = distance[switch as usize];
            let nearer = cabling.neighbours(switch).iter().filter(|&&other| distance[other as usize] + 1 == here);
            let nearer: Vec<Place> = nearer.filter_map(|&other| self.place[other as usize]).collect();
            let mut place = Place::default();
            for (dimension, at) in place.iter_mut().enumerate() {
                *at = usual(nearer.iter().map(|other| other[dimension]).filter(|&at| at > 0)).unwrap_or(0);
            }
            if place.iter().filter(|&&at| at > 0).count() == here as usize {
                self.put(switch, place);
            }
        }
    }

    /// Puts each switch that is left to the free place whose lines have most of its neighbours; `None` if these are many.
    fn rest(mut self, cabling: &Cabling<'_>) -> Option<Lattice> {
        let left: Vec<u32> =
            (0..).zip(&self.place).filter(|(_, place)| place.is_none()).map(|(switch, _)| switch).collect();
        if left.len() * super::MOST > self.place.len() {
            return None;
        }
        for switch in left {
            let free: Vec<usize> = (0..self.at.len()).filter(|&index| self.at[index].is_none()).collect();
            let places = free.into_iter().map(|index| self.of_index(index));
            let best = places.max_by_key(|place| self.joined(cabling, switch, place))?;
            self.put(switch, best);
        }
        let at = self.at.into_iter().collect::<Option<Vec<u32>>>()?;
        Some(Lattice { dims: self.dims, at })
    }

    /// Returns the place of a number.
    fn of_index(&self, mut index: usize) -> Place {
        let mut place = Place::default();
        for (at, &size) in place.iter_mut().zip(&self.dims) {
            *at = (index % size as usize) as u32;
            index /= size as usize;
        }
        place
    }

    /// Counts the neighbours of a switch that are on a line of a place.
    fn joined(&self, cabling: &Cabling<'_>, switch: u32, place: &Place) -> usize {
        let places = cabling.neighbours(switch).iter().filter_map(|&other| self.place[other as usize]);
        places.filter(|other| other.iter().zip(place).filter(|(a, b)| a != b).count() == 1).count()
    }
}
