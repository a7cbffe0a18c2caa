//! Circles of channels that wait for each other. Routes whose channels have none cannot deadlock (Dally and Seitz
//! 1987).

use std::collections::VecDeque;
use std::fmt;

use super::wiring::Wiring;

/// A channel of a circle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// The switch that sends.
    pub switch: String,
    /// Its port.
    pub port: u16,
    /// The virtual lane, where these are told apart.
    pub lane: Option<u8>,
}

/// Channels of which each waits for the next one, and the last for the first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Circle {
    /// The channels.
    pub steps: Vec<Step>,
}

impl fmt::Display for Circle {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        for Step { switch, port, lane } in &self.steps {
            write!(out, "{switch} [{port}]")?;
            lane.map_or(Ok(()), |lane| write!(out, " VL {lane}"))?;
            out.write_str(" -> ")?;
        }
        out.write_str(self.steps.first().map_or("", |step| &step.switch))
    }
}

/// What waits for what: vertices are channels, or channels and lanes.
#[derive(Debug)]
pub(super) struct Dependencies {
    /// The first edge of each vertex, and one more entry.
    first: Vec<u32>,
    to: Vec<u32>,
}

/// The most searches for the shortest circle.
const SEARCHES: usize = 256;

impl Dependencies {
    /// Takes edges in any order; some may stand more than once.
    pub fn new(vertices: usize, mut edges: Vec<(u32, u32)>) -> Self {
        edges.sort_unstable();
        edges.dedup();
        let mut first = vec![0; vertices + 1];
        edges.iter().for_each(|(from, _)| first[*from as usize + 1] += 1);
        (0..vertices).for_each(|vertex| first[vertex + 1] += first[vertex]);
        Dependencies { first, to: edges.into_iter().map(|(_, to)| to).collect() }
    }

    fn after(&self, vertex: u32) -> &[u32] {
        &self.to[self.first[vertex as usize] as usize..self.first[vertex as usize + 1] as usize]
    }

    /// Returns the number of edges.
    pub fn edges(&self) -> usize {
        self.to.len()
    }

    /// Returns the vertices of a circle, the shortest of those that are looked for; nothing if there is none.
    pub fn circle(&self) -> Option<Vec<u32>> {
        let left = self.left();
        let mut best: Option<Vec<u32>> = None;
        let starts = (0..left.len() as u32).filter(|&vertex| left[vertex as usize]);
        // Vertices that a circle only leads to are left, too, and have none through them.
        for start in starts.take(SEARCHES) {
            let found = self.through(start, &left);
            if let Some(found) = found.filter(|found| best.as_ref().is_none_or(|best| found.len() < best.len())) {
                best = Some(found);
            }
        }
        best.or_else(|| left.iter().position(|&left| left).and_then(|start| self.along(start as u32, &left)))
    }

    /// Returns which vertices remain when all are taken away, again and again, that wait for none: those of circles and
    /// those that lead to one. Then those that none waits for are taken away likewise.
    fn left(&self) -> Vec<bool> {
        let vertices = self.first.len() - 1;
        let mut backward: Vec<(u32, u32)> = Vec::with_capacity(self.to.len());
        for vertex in 0..vertices as u32 {
            backward.extend(self.after(vertex).iter().map(|&to| (to, vertex)));
        }
        backward.sort_unstable();
        let mut first = vec![0_u32; vertices + 1];
        backward.iter().for_each(|(to, _)| first[*to as usize + 1] += 1);
        (0..vertices).for_each(|vertex| first[vertex + 1] += first[vertex]);
        let backward = Dependencies { first, to: backward.into_iter().map(|(_, from)| from).collect() };
        let mut left = vec![true; vertices];
        peel(self, &backward, &mut left);
        peel(&backward, self, &mut left);
        left
    }

    /// Returns the shortest circle through a vertex.
    fn through(&self, start: u32, left: &[bool]) -> Option<Vec<u32>> {
        let mut before = vec![u32::MAX; left.len()];
        let mut queue = VecDeque::from([start]);
        while let Some(vertex) = queue.pop_front() {
            for &to in self.after(vertex).iter().filter(|&&to| left[to as usize]) {
                if to == start {
                    let mut circle = vec![vertex];
                    while let Some(&last) = circle.last().filter(|&&last| last != start) {
                        circle.push(before[last as usize]);
                    }
                    circle.reverse();
                    return Some(circle);
                }
                if before[to as usize] == u32::MAX {
                    before[to as usize] = vertex;
                    queue.push_back(to);
                }
            }
        }
        None
    }

    /// Follows edges among vertices that all have one, until a vertex comes again.
    fn along(&self, start: u32, left: &[bool]) -> Option<Vec<u32>> {
        let mut place = vec![usize::MAX; left.len()];
        let mut path = Vec::new();
        let mut at = start;
        while place[at as usize] == usize::MAX {
            place[at as usize] = path.len();
            path.push(at);
            at = *self.after(at).iter().find(|&&to| left[to as usize])?;
        }
        Some(path.split_off(place[at as usize]))
    }
}

/// Takes vertices away that have no edge to one that is left.
fn peel(forward: &Dependencies, backward: &Dependencies, left: &mut [bool]) {
    let edges = |vertex: u32, left: &[bool]| forward.after(vertex).iter().filter(|&&to| left[to as usize]).count();
    let mut count: Vec<usize> = (0..left.len() as u32).map(|vertex| edges(vertex, left)).collect();
    let mut queue: Vec<u32> =
        (0..left.len() as u32).filter(|&vertex| left[vertex as usize] && count[vertex as usize] == 0).collect();
    while let Some(vertex) = queue.pop() {
        left[vertex as usize] = false;
        for &from in backward.after(vertex) {
            let from_at = from as usize;
            count[from_at] = count[from_at].saturating_sub(1);
            if left[from_at] && count[from_at] == 0 {
                queue.push(from);
            }
        }
    }
}

/// Names a circle of channels, or of channels and lanes.
pub(super) fn named(wiring: &Wiring<'_>, vertices: Vec<u32>, lanes: Option<u32>) -> Circle {
    let step = |vertex: u32| {
        let (channel, lane) = lanes.map_or((vertex, None), |lanes| (vertex / lanes, Some((vertex % lanes) as u8)));
        let (switch, port) = wiring.sender(channel);
        Step { switch: wiring.switch_name(switch).to_owned(), port, lane }
    };
    Circle { steps: vertices.into_iter().map(step).collect() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn circles() {
        let circle = |vertices, edges: &[(u32, u32)]| Dependencies::new(vertices, edges.to_vec()).circle();
        assert_eq!(circle(0, &[]), None);
        assert_eq!(circle(4, &[(0, 1), (1, 2), (0, 2), (3, 0)]), None);
        assert_eq!(circle(2, &[(1, 1)]), Some(vec![1]));
        // A circle of four with a way in and a way out, and a shorter one behind it.
        let edges = [(0, 1), (1, 2), (2, 3), (3, 4), (4, 1), (3, 5), (5, 6), (6, 7), (7, 5), (7, 8)];
        assert_eq!(circle(9, &edges), Some(vec![5, 6, 7]));
    }

    #[test]
    fn circles_of_many_starts() {
        // More vertices lead from one circle to another than are searched from.
        let chain = (2..600).map(|vertex| (vertex, vertex + 1));
        let edges: Vec<(u32, u32)> = chain.chain([(2, 1), (1, 0), (0, 2), (600, 601), (601, 600)]).collect();
        assert_eq!(Dependencies::new(602, edges).circle(), Some(vec![0, 2, 1]));
    }
}
