//! Hot spots: a share of the messages goes to a few nodes, the rest to all nodes (Pfister and Norton 1985).

use super::error::PatternError;
use super::uniform::Uniform;
use crate::model::rng::Stream;

/// The hot nodes and their share of the messages.
#[derive(Clone, Debug)]
pub struct HotSpot {
    /// The hot nodes in ascending order.
    hot: Vec<u32>,
    share: f64,
    /// Destinations of the other messages.
    rest: Uniform,
}

impl HotSpot {
    /// Checks the hot nodes and their share, and prepares them for drawing.
    pub fn new(hot: &[u32], share: f64, rest: Uniform) -> Result<Self, PatternError> {
        if !(0.0..=1.0).contains(&share) {
            return Err(PatternError::Share { share });
        }
        Ok(HotSpot { hot: sorted(hot, rest.nodes)?, share, rest })
    }

    /// Draws a destination for a node.
    #[inline]
    pub fn draw(&self, node: u32, stream: &mut Stream) -> u32 {
        if stream.unit() < self.share { self.draw_hot(node, stream) } else { self.rest.draw(node, stream) }
    }

    /// Draws a hot node for a node. The only hot node sends to any node.
    fn draw_hot(&self, node: u32, stream: &mut Stream) -> u32 {
        let hot = &self.hot;
        match hot.binary_search(&node) {
            Ok(_) if hot.len() == 1 && !self.rest.include_self => self.rest.draw(node, stream),
            Ok(position) if !self.rest.include_self => {
                let other = stream.below(hot.len() as u32 - 1) as usize;
                hot[other + usize::from(other >= position)]
            }
            _ => hot[stream.below(hot.len() as u32) as usize],
        }
    }
}

/// Sorts the hot nodes. Refuses an empty list, unknown nodes and nodes named twice.
fn sorted(hot: &[u32], nodes: u32) -> Result<Vec<u32>, PatternError> {
    if hot.is_empty() {
        return Err(PatternError::NoHotNode);
    }
    for (position, &node) in hot.iter().enumerate() {
        if node >= nodes {
            return Err(PatternError::NoSuchNode { position, node, nodes });
        }
    }
    let mut sorted: Vec<(u32, usize)> = hot.iter().copied().zip(0..).collect();
    sorted.sort_unstable();
    match sorted.windows(2).find(|pair| pair[0].0 == pair[1].0) {
        Some(pair) => Err(PatternError::NamedTwice { position: pair[1].1, node: pair[1].0 }),
        None => Ok(sorted.into_iter().map(|(node, _)| node).collect()),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::model::rng::Purpose;

    /// Returns all nodes that a node of eight draws in many draws, all of them for hot nodes.
    fn drawn(hot: &[u32], include_self: bool, node: u32) -> Vec<u32> {
        let hot = HotSpot::new(hot, 1.0, Uniform { nodes: 8, include_self }).unwrap();
        let mut stream = Stream::new(1, Purpose::Traffic, node);
        let drawn: BTreeSet<u32> = (0..300).map(|_| hot.draw(node, &mut stream)).collect();
        drawn.into_iter().collect()
    }

    /// A hot node sends to the others, and to itself where nodes may. The only one that may not sends to all others.
    #[test]
    fn hot_nodes_send_to_hot_nodes() {
        assert_eq!([drawn(&[5, 2, 7], false, 3), drawn(&[5, 2, 7], true, 3)], [[2, 5, 7], [2, 5, 7]]);
        assert_eq!([drawn(&[5, 2, 7], false, 2), drawn(&[5, 2, 7], false, 5)], [[5, 7], [2, 7]]);
        assert_eq!([drawn(&[5, 2, 7], false, 7), drawn(&[2, 7], true, 7)], [[2, 5], [2, 7]]);
        assert_eq!([drawn(&[4], true, 4), drawn(&[4], true, 3), drawn(&[4], false, 3)], [[4], [4], [4]]);
        assert_eq!(drawn(&[4], false, 4), [0, 1, 2, 3, 5, 6, 7]);
    }
}
