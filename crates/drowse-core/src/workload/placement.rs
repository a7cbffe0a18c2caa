//! Placements: the node on which each rank runs.
//!
//! Jobs are placed one after the other on the free cores. A core gets at most one rank.

use rustc_hash::FxHashMap;

use crate::model::ids::NodeId;
use crate::model::rng::Stream;

/// The number of free cores of each node.
///
/// ```
/// use drowse_core::model::ids::NodeId;
/// use drowse_core::workload::placement::FreeCores;
///
/// // Two nodes of two cores. The first job takes a core of each, and the second one finds a core on each.
/// let mut free = FreeCores::new(2, 2);
/// assert_eq!(free.round_robin(2)?, [NodeId(0), NodeId(1)]);
/// assert_eq!(free.linear(2)?, [NodeId(0), NodeId(1)]);
/// assert_eq!(free.linear(1).unwrap_err().to_string(), "1 ranks do not fit: 0 cores are free");
/// # Ok::<(), drowse_core::workload::placement::PlacementError>(())
/// ```
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
    /// A random placement draws among at most 2^32 - 1 cores.
    #[error("{free} free cores are too many for a random placement: the most is {}", u32::MAX)]
    TooManyCores {
        /// Cores that are free.
        free: u64,
    },
}

impl FreeCores {
    /// Makes nodes with `cores` free cores each.
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

    /// Takes the first free cores, node by node (Andújar et al. 2019, section 3.3).
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

    /// Takes free cores node by node, in a random order of nodes.
    pub fn random_nodes(&mut self, ranks: u32, stream: &mut Stream) -> Result<Vec<NodeId>, PlacementError> {
        self.check(ranks)?;
        let mut nodes: Vec<u32> = (0..self.nodes()).collect();
        let mut placement = Vec::with_capacity(ranks as usize);
        // The Fisher-Yates shuffle, as far as nodes are needed.
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

    /// Takes one core of each node in turn, always among the nodes with the most free cores. A second core of a node is
    /// taken only when no node has all its cores free, whichever job took the first.
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

    /// Takes free cores at random: the first of a random permutation of all free cores.
    pub fn random(&mut self, ranks: u32, stream: &mut Stream) -> Result<Vec<NodeId>, PlacementError> {
        self.check(ranks)?;
        let free = self.total();
        let cores = u32::try_from(free).map_err(|_| PlacementError::TooManyCores { free })?;
        // Free cores are numbered node by node. This is one more than the number of each node's last free core.
        let end_of = |end: &mut u32, free: &u32| {
            *end += free;
            Some(*end)
        };
        let ends: Vec<u32> = self.0.iter().scan(0, end_of).collect();
        // The Fisher-Yates shuffle, storing only the places that no longer hold their own number.
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

    /// Takes whole nodes side by side: the first block of consecutive nodes all of whose `cores` are free. The rest of
    /// the last node stays free. Returns `None` where there is no such block.
    pub fn contiguous(&mut self, ranks: u32, cores: u32) -> Option<Vec<NodeId>> {
        let first = self.block(ranks, cores)?;
        let mut placement = Vec::with_capacity(ranks as usize);
        for (node, free) in (0..).map(NodeId).zip(&mut self.0).skip(first) {
            let taken = cores.min(ranks - placement.len() as u32);
            placement.extend(std::iter::repeat_n(node, taken as usize));
            *free -= taken;
            if placement.len() == ranks as usize {
                break;
            }
        }
        Some(placement)
    }

    /// Returns the first node of the first block of free nodes, with `cores` each, for so many ranks.
    pub fn block(&self, ranks: u32, cores: u32) -> Option<usize> {
        let length = ranks.div_ceil(cores.max(1)) as usize;
        let mut first = 0;
        for (node, &free) in self.0.iter().enumerate() {
            if free < cores {
                first = node + 1;
            } else if node + 1 - first >= length {
                return Some(first);
            }
        }
        None
    }

    /// Takes free cores of as few groups of nodes as possible, linearly within a group: of the fullest group that has
    /// enough, or else of the emptiest groups until one has enough for the rest. `groups` has the group of each node.
    pub fn grouped(&mut self, ranks: u32, groups: &[u32]) -> Result<Vec<NodeId>, PlacementError> {
        self.check(ranks)?;
        let count = groups.iter().max().map_or(0, |&last| last as usize + 1);
        let mut members: Vec<Vec<u32>> = vec![Vec::new(); count];
        (0..).zip(groups).for_each(|(node, &group)| members[group as usize].push(node));
        let free_of = |nodes: &Vec<u32>| nodes.iter().map(|&node| u64::from(self.0[node as usize])).sum();
        let mut free: Vec<u64> = members.iter().map(free_of).collect();
        let mut placement = Vec::with_capacity(ranks as usize);
        while placement.len() < ranks as usize {
            let left = u64::from(ranks) - placement.len() as u64;
            let enough = (0..count).filter(|&group| free[group] >= left).min_by_key(|&group| free[group]);
            let emptiest = || (0..count).rev().max_by_key(|&group| free[group]);
            let Some(group) = enough.or_else(emptiest) else { break };
            free[group] = 0;
            for &node in &members[group] {
                let taken = self.0[node as usize].min(ranks - placement.len() as u32);
                placement.extend(std::iter::repeat_n(NodeId(node), taken as usize));
                self.0[node as usize] -= taken;
            }
        }
        Ok(placement)
    }

    /// Frees a core of each of these nodes.
    pub fn release(&mut self, placement: &[NodeId]) {
        placement.iter().for_each(|node| self.0[node.index()] += 1);
    }

    fn check(&self, ranks: u32) -> Result<(), PlacementError> {
        let free = self.total();
        if u64::from(ranks) <= free { Ok(()) } else { Err(PlacementError::TooManyRanks { ranks, free }) }
    }
}
