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
