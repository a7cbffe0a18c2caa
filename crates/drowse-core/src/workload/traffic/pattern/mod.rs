//! Traffic patterns: whom each node sends to (Dally and Towles, Principles and Practices of Interconnection Networks,
//! section 3.2).
//!
//! Each pattern has a file of its own. A pattern that gives every node one fixed destination returns a table. The
//! others draw each destination anew. Bit patterns permute the bits of the node number and need a power of two of nodes
//! ([`bits`]). Digit patterns change the coordinates of a node's switch and keep its place at the switch ([`digits`]).
//!
//! To add a pattern: its file, a line in `patterns!`, and one in [`Pattern::destinations`].

mod among;
pub(in crate::workload) mod bit_reversal;
mod bits;
pub(in crate::workload) mod complement;
mod digits;
mod error;
mod hot_spot;
mod neighbour;
mod other;
pub(in crate::workload) mod permutation;
mod rotation;
pub(in crate::workload) mod shuffle;
pub(in crate::workload) mod tornado;
pub(in crate::workload) mod transpose;
mod uniform;

use serde::Serialize;

use crate::model::rng::Stream;
use crate::topology::Network;

use among::Among;
pub use error::PatternError;
use hot_spot::HotSpot;
pub use other::{OtherPattern, Receivers, TrafficPattern};
use uniform::Uniform;

/// Defines the patterns, and the words of those without parameters.
macro_rules! patterns {
    ($(#[$of_all:meta])* pub enum Pattern { $($(#[doc = $doc:literal])+ $name:ident = $word:literal,)+ }) => {
        $(#[$of_all])*
        #[derive(Clone, Debug, PartialEq, Serialize)]
        pub enum Pattern {
            $($(#[doc = $doc])+ $name,)+
            /// Sends a share of the messages to a few hot nodes, each equally likely. The rest goes to all nodes, the hot
            /// ones included (Pfister and Norton 1985).
            HotSpot {
                /// The hot nodes.
                nodes: Vec<u32>,
                /// The share of messages sent to them on purpose, 0 to 1.
                share: f64,
            },
            /// A pattern of another crate.
            Other(OtherPattern),
        }

        impl Pattern {
            /// The patterns without parameters: the word in experiments (`traffic.pattern`), and what the pattern is.
            pub const WORDS: &[(&str, &str, Pattern)] = &[$(($word, concat!($($doc,)+), Pattern::$name),)+];
        }
    };
}

patterns! {
    /// Whom a node sends to.
    ///
    /// ```
    /// use drowse_core::model::rng::{Purpose, Stream};
    /// use drowse_core::topology::{PerDimension, TopologySpec, Torus};
    /// use drowse_core::workload::traffic::Pattern;
    ///
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let network = TopologySpec::Torus(Torus::new(vec![4, 4], PerDimension::All(1), 1)).build()?;
    /// let to = |pattern: Pattern, node| {
    ///     let mut stream = Stream::new(1, Purpose::Traffic, node);
    ///     pattern.destinations(&network, false, 1).map(|destinations| destinations.draw(node, &mut stream))
    /// };
    /// // Node 6 is at (2, 1): it sends to (1, 2), to 15 - 6, and to (3, 2).
    /// assert_eq!(to(Pattern::Transpose, 6)?, 1 + 4 * 2);
    /// assert_eq!(to(Pattern::Complement, 6)?, 9);
    /// assert_eq!(to(Pattern::Neighbour, 6)?, 3 + 4 * 2);
    /// # Ok(())
    /// # }
    /// ```
    pub enum Pattern {
        /// Every node is as likely.
        Uniform = "uniform",
        /// The upper half of the bits of a node's number changes places with the lower half.
        Transpose = "transpose",
        /// Node s of N sends to node N - 1 - s.
        Complement = "complement",
        /// The bits of a node's number in reverse order.
        BitReversal = "bit-reversal",
        /// The bits of a node's number, rotated up by one (a perfect shuffle).
        Shuffle = "shuffle",
        /// The bits of a node's number, rotated down by one: a shuffle the other way.
        BitRotation = "bit-rotation",
        /// Each digit of a node's number goes up by half its dimension less one: the worst case of rings.
        Tornado = "tornado",
        /// Each digit of a node's number goes up by one, around the end.
        Neighbour = "neighbour",
        /// A permutation drawn at random from the seed.
        Permutation = "permutation",
    }
}

/// A pattern prepared for a network, ready for drawing.
#[derive(Clone, Debug)]
pub struct Destinations {
    kind: Kind,
    nodes: u32,
    include_self: bool,
}

/// In place of a node's fixed destination: it sends nothing.
const NOBODY: u32 = u32::MAX;

/// How a destination is found. A match on it costs less per message than a virtual call.
#[derive(Clone, Debug)]
enum Kind {
    Uniform(Uniform),
    /// The destination of each node, or [`NOBODY`].
    Fixed(Vec<u32>),
    HotSpot(HotSpot),
    /// Every one of some nodes is equally likely.
    Among(Among),
    /// Every entry of a node's list is equally likely.
    Listed(Vec<Vec<u32>>),
}

impl Pattern {
    /// Prepares the destinations of all nodes. A random permutation is drawn from the seed.
    pub fn destinations(&self, network: &Network, include_self: bool, seed: u64) -> Result<Destinations, PatternError> {
        let nodes = network.nodes;
        let kind = match self {
            Pattern::Uniform => Kind::Uniform(Uniform { nodes, include_self }),
            Pattern::Transpose => Kind::Fixed(transpose::table(nodes)?),
            Pattern::Complement => Kind::Fixed(complement::table(nodes)),
            Pattern::BitReversal => Kind::Fixed(bit_reversal::table(nodes)?),
            Pattern::Shuffle => Kind::Fixed(shuffle::table(nodes)?),
            Pattern::BitRotation => Kind::Fixed(rotation::table(nodes)?),
            Pattern::Tornado => Kind::Fixed(tornado::table(network)),
            Pattern::Neighbour => Kind::Fixed(neighbour::table(network)),
            Pattern::Permutation => Kind::Fixed(permutation::table(nodes, seed)),
            Pattern::HotSpot { nodes: hot, share } => {
                Kind::HotSpot(HotSpot::new(hot, *share, Uniform { nodes, include_self })?)
            }
            Pattern::Other(other) => match other.receivers(network, seed)? {
                Receivers::One(one) => Kind::Fixed(one.into_iter().map(|to| to.unwrap_or(NOBODY)).collect()),
                Receivers::Some(mut lists) => {
                    let others = |(node, list): (u32, &mut Vec<u32>)| list.retain(|&to| include_self || to != node);
                    (0..).zip(&mut lists).for_each(others);
                    Kind::Listed(lists)
                }
            },
        };
        Destinations { kind, nodes, include_self }.checked()
    }
}

impl Destinations {
    /// Returns whether a node has anybody to send to.
    pub fn sends(&self, node: u32) -> bool {
        let others = match &self.kind {
            Kind::Fixed(destinations) if destinations[node as usize] == NOBODY => return false,
            Kind::Among(among) if !among.has(node) => return false,
            Kind::Listed(lists) => return !lists[node as usize].is_empty(),
            Kind::Fixed(destinations) => destinations[node as usize] != node,
            Kind::Among(among) => among.nodes.len() > 1,
            Kind::Uniform(_) | Kind::HotSpot(_) => self.nodes > 1,
        };
        self.include_self || others
    }

    /// Draws the destination of a node's next message. The node must be one that sends.
    #[inline]
    pub fn draw(&self, node: u32, stream: &mut Stream) -> u32 {
        match &self.kind {
            Kind::Uniform(uniform) => uniform.draw(node, stream),
            Kind::Fixed(destinations) => destinations[node as usize],
            Kind::HotSpot(hot_spot) => hot_spot.draw(node, stream),
            Kind::Among(among) => among.draw(node, stream),
            Kind::Listed(lists) => {
                let list = &lists[node as usize];
                list[stream.below(list.len() as u32) as usize]
            }
        }
    }

    /// Lets only some nodes, in ascending order, send and be sent to. One whose fixed destination is another node
    /// sends nothing.
    pub fn among(mut self, some: &[u32]) -> Result<Self, PatternError> {
        let is_one = |node: u32| some.binary_search(&node).is_ok();
        self.kind = match self.kind {
            Kind::HotSpot(_) => return Err(PatternError::HotSpotAmong),
            Kind::Fixed(mut destinations) => {
                for (node, to) in (0..).zip(&mut destinations) {
                    if !is_one(node) || !is_one(*to) {
                        *to = NOBODY;
                    }
                }
                Kind::Fixed(destinations)
            }
            Kind::Listed(mut lists) => {
                for (node, list) in (0..).zip(&mut lists) {
                    list.retain(|&to| is_one(node) && is_one(to));
                }
                Kind::Listed(lists)
            }
            Kind::Uniform(_) | Kind::Among(_) => {
                Kind::Among(Among { nodes: some.into(), include_self: self.include_self })
            }
        };
        self.checked()
    }

    /// Refuses destinations of nobody.
    fn checked(self) -> Result<Self, PatternError> {
        let some = (0..self.nodes).any(|node| self.sends(node));
        if some { Ok(self) } else { Err(PatternError::NobodyElse) }
    }
}
