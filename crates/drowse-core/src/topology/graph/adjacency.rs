//! The neighbours of each switch of a graph, and the ports to them.

use super::Graph;

/// The links from one switch to another: ports side by side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Run {
    /// The neighbour.
    pub to: u32,
    /// The first port, relative to the switch's first.
    pub port: u16,
    /// How many.
    pub links: u16,
}

/// The neighbours of all switches.
#[derive(Clone, Debug)]
pub struct Adjacency {
    /// The first run of each switch, and one more entry.
    first: Vec<u32>,
    runs: Vec<Run>,
}

impl Adjacency {
    /// Lays out a graph.
    pub fn new(graph: &Graph) -> Self {
        let mut adjacency = Adjacency { first: vec![0], runs: Vec::new() };
        for trunks in trunks_in_order(graph) {
            let (begin, mut port) = (adjacency.runs.len(), 0);
            for (number, side) in trunks {
                let trunk = &graph.trunks[number];
                let (to, links) = (trunk.ends[1 - side], trunk.links as u16);
                match adjacency.runs[begin..].last_mut() {
                    Some(last) if last.to == to => last.links += links,
                    _ => adjacency.runs.push(Run { to, port, links }),
                }
                port += links;
            }
            adjacency.first.push(adjacency.runs.len() as u32);
        }
        adjacency
    }

    /// Returns the number of switches.
    pub fn switches(&self) -> u32 {
        self.first.len() as u32 - 1
    }

    /// Returns the neighbours of a switch, each once.
    #[inline]
    pub fn of(&self, switch: u32) -> &[Run] {
        &self.runs[self.first[switch as usize] as usize..self.first[switch as usize + 1] as usize]
    }

    /// Returns the number of links of a switch to others.
    pub fn links(&self, switch: u32) -> u32 {
        self.of(switch).iter().map(|run| u32::from(run.links)).sum()
    }

    /// Finds the distances of all switches from some, which stand in `found` at first and in the order of their distance in the
    /// end; [`FAR`] where there is no way.
    pub fn search(&self, found: &mut Vec<u32>, distance: &mut [u32]) {
        distance.fill(FAR);
        found.iter().for_each(|&switch| distance[switch as usize] = 0);
        let mut next = 0;
        // Where ways are short, most of the time would be spent on links between switches that have all been found.
        while let Some(&at) = found.get(next).filter(|_| found.len() < distance.len()) {
            next += 1;
            for run in self.of(at) {
                if distance[run.to as usize] == FAR {
                    distance[run.to as usize] = distance[at as usize] + 1;
                    found.push(run.to);
                }
            }
        }
    }
}

/// No way.
pub const FAR: u32 = u32::MAX;

/// Returns the trunks of each switch, by number and which of their ends is there, those to one neighbour side by side.
pub fn trunks_in_order(graph: &Graph) -> Vec<Vec<(usize, usize)>> {
    let mut of_switch: Vec<Vec<(usize, usize)>> = vec![Vec::new(); graph.nodes.len()];
    for (number, trunk) in graph.trunks.iter().enumerate() {
        (0..2).for_each(|side| of_switch[trunk.ends[side] as usize].push((number, side)));
    }
    // In which place among the neighbours of the switch at hand each switch came first.
    let mut place = vec![usize::MAX; graph.nodes.len()];
    for trunks in &mut of_switch {
        let neighbour = |&(number, side): &(usize, usize)| graph.trunks[number].ends[1 - side] as usize;
        for (order, trunk) in trunks.iter().enumerate().rev() {
            place[neighbour(trunk)] = order;
        }
        trunks.sort_by_key(|trunk| place[neighbour(trunk)]);
    }
    of_switch
}
