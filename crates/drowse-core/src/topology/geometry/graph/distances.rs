//! The channels between every two switches of a graph.

use super::adjacency::Adjacency;

/// The distances of all pairs of switches.
#[derive(Clone, Debug)]
pub struct Distances {
    switches: usize,
    /// By pair; 255 stands for all that are longer, too, which no routing that asks for distances can take.
    table: Vec<u8>,
    /// The most channels between two switches with nodes.
    pub between_nodes: u32,
    /// The most from a switch with nodes to any.
    pub from_nodes: u32,
    /// The most between any two switches.
    pub between_any: u32,
}

impl Distances {
    /// Measures a graph by a search from every switch: time in proportion to switches times links.
    pub fn new(adjacency: &Adjacency, nodes: &[u32]) -> Self {
        let switches = nodes.len();
        let mut measured = Distances {
            switches,
            table: Vec::with_capacity(switches * switches),
            between_nodes: 0,
            from_nodes: 0,
            between_any: 0,
        };
        let (mut found, mut distance) = (Vec::with_capacity(switches), vec![0; switches]);
        for (switch, &own) in (0..).zip(nodes) {
            found.clear();
            found.push(switch);
            adjacency.search(&mut found, &mut distance);
            measured.table.extend(distance.iter().map(|&distance| distance.min(u32::from(u8::MAX)) as u8));
            // The last found is the farthest.
            let farthest = |found: Option<&u32>| found.map_or(0, |&switch| distance[switch as usize]);
            measured.between_any = measured.between_any.max(farthest(found.last()));
            if own > 0 {
                let with_nodes = found.iter().rev().find(|&&switch| nodes[switch as usize] > 0);
                measured.between_nodes = measured.between_nodes.max(farthest(with_nodes));
                measured.from_nodes = measured.from_nodes.max(farthest(found.last()));
            }
        }
        measured
    }

    /// Returns the distances of all switches from one.
    #[inline]
    pub fn of(&self, switch: u32) -> &[u8] {
        &self.table[switch as usize * self.switches..][..self.switches]
    }
}
