//! Uniform traffic among some nodes.

use crate::model::rng::Stream;

/// Some nodes of a network that send to each other.
#[derive(Clone, Debug)]
pub struct Among {
    /// The nodes in ascending order.
    pub nodes: Box<[u32]>,
    /// A node may send to itself.
    pub include_self: bool,
}

impl Among {
    /// Returns whether a node is one of them.
    pub fn has(&self, node: u32) -> bool {
        self.nodes.binary_search(&node).is_ok()
    }

    /// Draws a destination for a node, which is one of them.
    #[inline]
    pub fn draw(&self, node: u32, stream: &mut Stream) -> u32 {
        let count = self.nodes.len() as u32;
        if self.include_self {
            return self.nodes[stream.below(count) as usize];
        }
        let own = self.nodes.partition_point(|&other| other < node) as u32;
        let other = stream.below(count - 1);
        self.nodes[(other + u32::from(other >= own)) as usize]
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::model::rng::Purpose;

    /// Each node draws all of the others, and itself where nodes may.
    #[test]
    fn nodes_send_to_each_other() {
        let drawn = |include_self, node| {
            let among = Among { nodes: [1, 4, 9].into(), include_self };
            let mut stream = Stream::new(1, Purpose::Traffic, node);
            (0..100).map(|_| among.draw(node, &mut stream)).collect::<BTreeSet<u32>>()
        };
        assert_eq!([1, 4, 9].map(|node| drawn(false, node)), [[4, 9], [1, 9], [1, 4]].map(BTreeSet::from));
        assert_eq!([1, 4, 9].map(|node| drawn(true, node)), [[1, 4, 9]; 3].map(BTreeSet::from));
    }
}
