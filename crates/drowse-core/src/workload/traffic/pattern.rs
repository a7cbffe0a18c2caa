//! Traffic patterns: whom each node sends to (Dally and Towles, Principles and Practices of Interconnection Networks,
//! section 3.2).
//!
//! Patterns on bits permute the bits of the node number, and need a power of two of nodes. Patterns on digits permute
//! the coordinates of a torus or mesh, `k` switches in each dimension; a node keeps its place among those of its switch.
//! On other networks the node number is the only digit.

use crate::model::rng::{Purpose, Stream};
use crate::topology::{Geometry, Network};

/// Whom a node sends to.
#[derive(Clone, Debug, PartialEq)]
pub enum Pattern {
    /// Every node is as likely.
    Uniform,
    /// Bits: the upper half changes places with the lower half. On a square grid of one node per switch, (x, y) sends to
    /// (y, x).
    Transpose,
    /// Node s sends to node N - 1 - s: where N is a power of two, every bit is inverted.
    Complement,
    /// Bits: in reverse order.
    BitReversal,
    /// Bits: rotated up by one (a perfect shuffle).
    Shuffle,
    /// Digits: each goes up by half its dimension less one, ceil(k/2) - 1; the worst case of rings.
    Tornado,
    /// Digits: each goes up by one, around the end.
    Neighbour,
    /// A permutation drawn at random, each as likely, from the seed.
    Permutation,
    /// A share of the messages goes to a few nodes, each of these as likely; the rest to all nodes, those included
    /// (Pfister and Norton, 1985).
    HotSpot {
        /// The hot nodes.
        nodes: Vec<u32>,
        /// The share of messages that is sent to them on purpose, 0 to 1.
        share: f64,
    },
}

/// Why a pattern makes no sense on a network.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum PatternError {
    /// A pattern on bits was asked for where node numbers do not use all values of theirs.
    #[error("{pattern} permutes the bits of node numbers, and {nodes} nodes are no power of two")]
    NoPowerOfTwo {
        /// The pattern.
        pattern: &'static str,
        /// Nodes of the network.
        nodes: u32,
    },
    /// A transpose was asked for where node numbers cannot be halved.
    #[error("transpose swaps the halves of node numbers, and those of {nodes} nodes have an odd number of bits")]
    OddBits {
        /// Nodes of the network.
        nodes: u32,
    },
    /// No hot node was named.
    #[error("a hot spot needs at least one node")]
    NoHotNode,
    /// A hot node does not exist.
    #[error("there is no node {node}: the network has {nodes}, the first is 0")]
    NoSuchNode {
        /// Its position in the list.
        position: usize,
        /// What was named.
        node: u32,
        /// Nodes of the network.
        nodes: u32,
    },
    /// A hot node was named twice.
    #[error("node {node} is named twice")]
    NamedTwice {
        /// Its position in the list, the second time.
        position: usize,
        /// The node.
        node: u32,
    },
    /// The share of hot messages is none.
    #[error("a share of {share} is out of range: it is 0.0 to 1.0")]
    Share {
        /// What was given.
        share: f64,
    },
    /// Every node would send to itself only.
    #[error("no node has another to send to")]
    NobodyElse,
}

/// A pattern made ready for drawing on a network.
#[derive(Clone, Debug)]
pub struct Destinations {
    kind: Kind,
    nodes: u32,
    include_self: bool,
}

#[derive(Clone, Debug)]
enum Kind {
    Uniform,
    /// The destination of each node.
    Fixed(Vec<u32>),
    /// The hot nodes, ascending, and their share.
    HotSpot(Vec<u32>, f64),
}

impl Pattern {
    /// Prepares the destinations of all nodes; a random permutation is drawn from the seed.
    pub fn destinations(&self, network: &Network, include_self: bool, seed: u64) -> Result<Destinations, PatternError> {
        let nodes = network.nodes;
        let all = |to: &dyn Fn(u32) -> u32| Kind::Fixed((0..nodes).map(to).collect());
        let kind = match self {
            Pattern::Uniform => Kind::Uniform,
            Pattern::Complement => all(&|node| nodes - 1 - node),
            Pattern::Transpose => {
                let bits = bits("transpose", nodes)?;
                if !bits.is_multiple_of(2) {
                    return Err(PatternError::OddBits { nodes });
                }
                all(&|node| rotate(node, bits, bits / 2))
            }
            Pattern::BitReversal => {
                let bits = bits("bit-reversal", nodes)?;
                all(&|node| (0..bits).fold(0, |to, bit| to << 1 | (node >> bit & 1)))
            }
            Pattern::Shuffle => {
                let bits = bits("shuffle", nodes)?;
                all(&|node| rotate(node, bits, 1))
            }
            Pattern::Tornado => all(&by_digit(network, |digit, k| (digit + k.div_ceil(2) - 1) % k)),
            Pattern::Neighbour => all(&by_digit(network, |digit, k| (digit + 1) % k)),
            Pattern::Permutation => Kind::Fixed(permutation(nodes, seed)),
            Pattern::HotSpot { nodes: hot, share } => Kind::HotSpot(hot_nodes(hot, nodes, *share)?, *share),
        };
        let destinations = Destinations { kind, nodes, include_self };
        let some = (0..nodes).any(|node| destinations.sends(node));
        if some { Ok(destinations) } else { Err(PatternError::NobodyElse) }
    }
}

impl Destinations {
    /// Returns whether a node has anybody to send to.
    pub fn sends(&self, node: u32) -> bool {
        self.include_self
            || match &self.kind {
                Kind::Fixed(destinations) => destinations[node as usize] != node,
                Kind::Uniform | Kind::HotSpot(..) => self.nodes > 1,
            }
    }

    /// Draws whom a node sends its next message to; the node must be one that sends.
    #[inline]
    pub fn draw(&self, node: u32, stream: &mut Stream) -> u32 {
        match &self.kind {
            Kind::Uniform => self.anybody(node, stream),
            Kind::Fixed(destinations) => destinations[node as usize],
            Kind::HotSpot(hot, share) => {
                if stream.unit() < *share {
                    self.hot(hot, node, stream)
                } else {
                    self.anybody(node, stream)
                }
            }
        }
    }

    fn anybody(&self, node: u32, stream: &mut Stream) -> u32 {
        if self.include_self {
            return stream.below(self.nodes);
        }
        let other = stream.below(self.nodes - 1);
        other + u32::from(other >= node)
    }

    /// Draws one of the hot nodes; the only hot node sends to anybody.
    fn hot(&self, hot: &[u32], node: u32, stream: &mut Stream) -> u32 {
        match hot.binary_search(&node) {
            Ok(_) if hot.len() == 1 && !self.include_self => self.anybody(node, stream),
            Ok(position) if !self.include_self => {
                let other = stream.below(hot.len() as u32 - 1) as usize;
                hot[other + usize::from(other >= position)]
            }
            _ => hot[stream.below(hot.len() as u32) as usize],
        }
    }
}

/// Returns the bits of a node number, all of whose values are in use.
fn bits(pattern: &'static str, nodes: u32) -> Result<u32, PatternError> {
    if nodes.is_power_of_two() {
        Ok(nodes.trailing_zeros())
    } else {
        Err(PatternError::NoPowerOfTwo { pattern, nodes })
    }
}

/// Rotates the lowest `bits` of a number up by so many.
fn rotate(number: u32, bits: u32, by: u32) -> u32 {
    if bits == 0 { number } else { (number << by | number >> (bits - by)) & ((1 << bits) - 1) }
}

/// Makes the destination of a node from what becomes of each digit, given with its radix.
fn by_digit(network: &Network, digit: impl Fn(u32, u32) -> u32) -> impl Fn(u32) -> u32 {
    let radices = match &network.geometry {
        Geometry::Grid(grid) => grid.dims.clone(),
        Geometry::HyperX(lattice) => lattice.dims.clone(),
        // The place within a group stays.
        Geometry::Groups(groups) => vec![groups.count],
        // Elsewhere the number of a node is the only coordinate that it has.
        Geometry::Levels(_) | Geometry::Graph(_) | Geometry::Ideal(_) => vec![network.nodes],
    };
    // The place among the nodes of a switch is the fastest part of the number, and stays.
    let places = network.nodes / radices.iter().product::<u32>();
    move |node| digits(node, places, &radices, &digit)
}

/// Applies a function to each digit of a number whose lowest part, below `places`, stays.
fn digits(node: u32, places: u32, radices: &[u32], digit: impl Fn(u32, u32) -> u32) -> u32 {
    let (mut rest, mut unit, mut to) = (node / places, places, node % places);
    for &k in radices {
        to += digit(rest % k, k) * unit;
        rest /= k;
        unit *= k;
    }
    to
}

/// Draws a permutation by Fisher and Yates.
fn permutation(nodes: u32, seed: u64) -> Vec<u32> {
    let mut stream = Stream::new(seed, Purpose::Permutation, 0);
    let mut drawn: Vec<u32> = (0..nodes).collect();
    for last in (1..nodes).rev() {
        drawn.swap(last as usize, stream.below(last + 1) as usize);
    }
    drawn
}

/// Checks a hot spot and gives its nodes in ascending order.
fn hot_nodes(hot: &[u32], nodes: u32, share: f64) -> Result<Vec<u32>, PatternError> {
    if !(0.0..=1.0).contains(&share) {
        return Err(PatternError::Share { share });
    }
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
    use super::*;

    /// On networks that are no grid, the node number is one digit.
    #[test]
    fn a_number_of_one_digit() {
        let tornado = |digit: u32, k: u32| (digit + k.div_ceil(2) - 1) % k;
        assert_eq!((0..5).map(|node| digits(node, 1, &[5], tornado)).collect::<Vec<_>>(), [2, 3, 4, 0, 1]);
        assert_eq!((0..6).map(|node| digits(node, 1, &[6], tornado)).collect::<Vec<_>>(), [2, 3, 4, 5, 0, 1]);
    }

    /// Computed by an independent implementation of the generator and of Fisher and Yates.
    #[test]
    fn frozen_permutation() {
        assert_eq!(permutation(8, 1), [3, 0, 1, 2, 4, 7, 6, 5]);
        assert_eq!(permutation(8, 2), [7, 0, 3, 1, 2, 5, 4, 6]);
    }
}
