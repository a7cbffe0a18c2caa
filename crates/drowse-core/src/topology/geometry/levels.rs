//! Networks of switch levels with nodes at the bottom: the tables and the arithmetic that all trees share.
//!
//! A switch of level `l` has `down[l]` children (nodes at level 0) and, below the top, `up[l]` parents, with `trunk[l]`
//! parallel links to each. Switches of a level that reach the same nodes form a block of `width[l]` switches; switch
//! `i` of a block is joined by its up port `p` to switch `p * width[l] + i` of the block above. For k-ary n-trees and
//! thin trees this is the wiring of Navaridas et al. 2010, section III, with the primes that its printed formulas have
//! lost; every port is used once.
//!
//! Switches are numbered level by level from the bottom, in a level block by block. Ports of a switch: its children's,
//! then its parents'. The up ports of the top level are not plugged (Navaridas et al. 2010, section III) and do not
//! exist here.

/// The shape of a network of levels.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shape {
    /// Children of a switch by level; at level 0 its nodes.
    pub down: Vec<u32>,
    /// Parents of a switch by level; one entry less than `down`.
    pub up: Vec<u32>,
    /// Parallel links to each parent, by level of the lower switch.
    pub trunk: Vec<u32>,
    /// Switches of level 0; blocks above may be incomplete.
    pub leaf_switches: u32,
}

/// The shape with what follows from it, and the place of each switch: what routing needs.
#[derive(Clone, Debug)]
pub struct Levels {
    /// The shape.
    pub shape: Shape,
    /// Blocks of each level.
    pub blocks: Vec<u32>,
    /// Switches of a block of each level.
    pub width: Vec<u32>,
    /// Switches of level 0 below a block of each level.
    pub reach: Vec<u32>,
    /// The level of each switch.
    pub level: Vec<u8>,
    /// The block of each switch within its level.
    pub block: Vec<u32>,
}

impl Shape {
    /// Returns the number of levels of switches.
    pub fn levels(&self) -> usize {
        self.down.len()
    }

    /// Returns blocks, widths and reaches by level.
    pub(in crate::topology) fn sizes(&self) -> [Vec<u32>; 3] {
        let (mut blocks, mut width, mut reach) = (vec![self.leaf_switches], vec![1], vec![1]);
        for l in 1..self.levels() {
            blocks.push(blocks[l - 1].div_ceil(self.down[l]));
            width.push(width[l - 1] * self.up[l - 1]);
            reach.push(reach[l - 1] * self.down[l]);
        }
        [blocks, width, reach]
    }
}

impl Levels {
    /// Returns the number of children of a switch.
    #[inline]
    pub fn children(&self, level: usize, block: u32) -> u32 {
        match level {
            0 => self.shape.down[0],
            l => self.shape.down[l].min(self.blocks[l - 1] - block * self.shape.down[l]),
        }
    }

    /// Returns the parallel links to each child of a switch.
    #[inline]
    pub fn links_to_child(&self, level: usize) -> u32 {
        if level == 0 { 1 } else { self.shape.trunk[level - 1] }
    }
}
