//! Placements: which node each rank runs on.
//!
//! Jobs are placed one after the other on the cores that are left; every core gets at most one rank.

use rustc_hash::FxHashMap;

use crate::model::ids::NodeId;
use crate::model::rng::Stream;

/// The cores of each node that no rank has taken yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FreeCores(Vec<u32>);

/// Why ranks cannot be placed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PlacementError {
    /// There are not enough free cores.
    #[error("{ranks} ranks do not fit: {free} cores are free")]
    TooManyRanks {
        /// Ranks to place.
        ranks: u32,
        /// Cores that are free.
        free: u64,
    },
    /// Cores can be drawn among at most 2^32 - 1.
    #[error("{free} free cores are too many for a random placement: the most is {}", u32::MAX)]
    TooManyCores {
        /// Cores that are free.
        free: u64,
    },
}

impl FreeCores {
    /// Makes nodes with so many cores each, all free.
    pub fn new(nodes: u32, cores: u32) -> Self {
        FreeCores(vec![cores; nodes as usize])
    }

    /// Returns the number of nodes.
    pub fn nodes(&self) -> u32 {
        self.0.len() as u32
    }

    /// Returns the number of free cores.
    pub fn total(&self) -> u64 {
        self.0.iter().map(|&free| u64::from(free)).sum()
    }

    /// Returns the free cores of a node; `None` when it does not exist.
    pub fn of(&self, node: u32) -> Option<u32> {
        self.0.get(node as usize).copied()
    }

    /// Takes a core of a node; `None` when it has none.
    pub fn take(&mut self, node: u32) -> Option<NodeId> {
        let free = self.0.get_mut(node as usize)?;
        *free = free.checked_sub(1)?;
        Some(NodeId(node))
    }

    /// Takes the first free cores: those of one node before those of the next (Andújar et al. 2019, section 3.3).
    pub fn linear(&mut self, ranks: u32) -> Result<Vec<NodeId>, PlacementError> {
        self.check(ranks)?;
        let mut placement = Vec::with_capacity(ranks as usize);
        for (node, free) in (0..).map(NodeId).zip(&mut self.0) {
            let taken = (*free).min(ranks - placement.len() as u32);
            placement.extend(std::iter::repeat_n(node, taken as usize));
            *free -= taken;
        }
        Ok(placement)
    }

    /// Takes the free cores of one node before those of the next, in a random order of the nodes.
    pub fn random_nodes(&mut self, ranks: u32, stream: &mut Stream) -> Result<Vec<NodeId>, PlacementError> {
        self.check(ranks)?;
        let mut nodes: Vec<u32> = (0..self.nodes()).collect();
        let mut placement = Vec::with_capacity(ranks as usize);
        // Fisher and Yates, as far as nodes are needed.
        for place in 0..self.nodes() {
            nodes.swap(place as usize, (place + stream.below(self.nodes() - place)) as usize);
            let node = nodes[place as usize];
            let free = &mut self.0[node as usize];
            let taken = (*free).min(ranks - placement.len() as u32);
            placement.extend(std::iter::repeat_n(NodeId(node), taken as usize));
            *free -= taken;
            if placement.len() == ranks as usize {
                break;
            }
        }
        Ok(placement)
    }

    /// Takes a core of each node in turn, always of the nodes that have most of them free: second cores are taken when no
    /// node has all of its cores left, whichever job took the first.
    pub fn round_robin(&mut self, ranks: u32) -> Result<Vec<NodeId>, PlacementError> {
        self.check(ranks)?;
        let mut placement = Vec::with_capacity(ranks as usize);
        while placement.len() < ranks as usize {
            let most = self.0.iter().copied().max().unwrap_or(0);
            let freest = (0..).map(NodeId).zip(&mut self.0).filter(|(_, free)| **free == most);
            for (node, free) in freest.take(ranks as usize - placement.len()) {
                *free -= 1;
                placement.push(node);
            }
        }
        Ok(placement)
    }

    /// Takes free cores at random: the ranks get the first of a random permutation of all free cores, numbered node by
    /// node.
    pub fn random(&mut self, ranks: u32, stream: &mut Stream) -> Result<Vec<NodeId>, PlacementError> {
        self.check(ranks)?;
        let free = self.total();
        let cores = u32::try_from(free).map_err(|_| PlacementError::TooManyCores { free })?;
        // The number of the first free core behind each node.
        let behind = |end: &mut u32, free: &u32| {
            *end += free;
            Some(*end)
        };
        let ends: Vec<u32> = self.0.iter().scan(0, behind).collect();
        // Fisher and Yates, with only those places written down that no longer hold their own number.
        let mut moved = FxHashMap::default();
        let mut placement = Vec::with_capacity(ranks as usize);
        for place in 0..ranks {
            let other = place + stream.below(cores - place);
            let here = moved.get(&place).copied().unwrap_or(place);
            let core = moved.insert(other, here).unwrap_or(other);
            placement.push(NodeId(ends.partition_point(|&end| end <= core) as u32));
        }
        placement.iter().for_each(|node| self.0[node.index()] -= 1);
        Ok(placement)
    }

    fn check(&self, ranks: u32) -> Result<(), PlacementError> {
        let free = self.total();
        if u64::from(ranks) <= free { Ok(()) } else { Err(PlacementError::TooManyRanks { ranks, free }) }
    }
}
