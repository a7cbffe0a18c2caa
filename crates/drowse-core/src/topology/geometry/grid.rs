//! The coordinates of a torus or mesh, and the ports of each switch.

use serde::{Deserialize, Serialize};

use crate::model::prefetch::prefetch;

/// Where dimension order goes on a ring where both directions are as long.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Ties {
    /// Up from even coordinates and down from odd ones, so that both directions carry the same.
    #[default]
    Alternate,
    /// The direction that does not cross the end of the coordinates, so that a packet and its answer use the same
    /// links (the analysis of Totoni et al. 2014).
    Direct,
}

/// One dimension: what routing needs of it at every hop, side by side.
#[derive(Clone, Copy, Debug)]
pub struct Ring {
    /// Switches.
    pub size: u32,
    /// Ports in a trunk.
    pub trunk: u16,
    /// It closes to a ring.
    pub wraps: bool,
    /// Dimension order does not lead over the end of the coordinates where both directions are as long.
    ties_direct: bool,
    /// Where its coordinate lies in the packed ones, and how wide it is.
    pub(in crate::topology) shift: u8,
    mask: u16,
}

impl Ring {
    /// Takes the coordinate in this dimension out of packed ones.
    #[inline]
    pub fn coordinate(&self, packed: u64) -> u16 {
        (packed >> self.shift) as u16 & self.mask
    }

    /// Returns whether plain dimension order goes up from `x` to `y`, which is as far away in either direction.
    #[inline]
    pub fn tie_goes_up(&self, x: u16, y: u16) -> bool {
        if self.ties_direct { x < y } else { x.is_multiple_of(2) }
    }

    /// Returns the distance from `x` up to another coordinate, around the end.
    #[inline]
    pub fn forward(&self, x: u16, y: u16) -> u32 {
        // Without a branch, which nobody could foretell.
        let difference = u32::from(y).wrapping_sub(u32::from(x));
        difference.wrapping_add(self.size & (difference.cast_signed() >> 31).cast_unsigned())
    }
}

/// Coordinates and port groups: what routing on a torus or mesh needs.
#[derive(Clone, Debug)]
pub struct Grid {
    /// Switches in each dimension.
    pub dims: Vec<u32>,
    /// Dimensions that close to a ring; those of size 2 do only where that was asked for.
    pub wraps: Vec<bool>,
    /// Where the dateline of each dimension's rings lies: between this coordinate and the next one up, which from the
    /// last is 0; `None` where there are no rings.
    pub datelines: Vec<Option<u16>>,
    /// Ports in a trunk of each dimension.
    pub trunk: Vec<u32>,
    /// Where dimension order goes from a switch that is as far away in either direction.
    pub ties: Ties,
    /// The same, by dimension.
    pub rings: Vec<Ring>,
    /// The dimension of each bit of packed coordinates.
    pub(in crate::topology) dimension_of_bit: [u8; 64],
    /// The coordinates of each switch, packed side by side, the first dimension in the lowest bits.
    pub(in crate::topology) packed: Vec<u64>,
    /// First port of the trunk, relative to the switch's first: per switch and dimension two entries, towards larger
    /// and towards smaller coordinates; [`Grid::NO_TRUNK`] at the rim of a mesh. Without rims, all switches are like
    /// the first.
    pub(in crate::topology) trunk_port: Vec<u16>,
    /// Entries from one switch to the next; 0 without rims.
    pub(in crate::topology) trunk_stride: usize,
}

impl Grid {
    /// Marks a trunk that does not exist.
    pub const NO_TRUNK: u16 = u16::MAX;

    /// Returns the coordinates of a switch, packed; [`Ring::coordinate`] takes them apart.
    #[inline]
    pub fn packed(&self, switch: u32) -> u64 {
        self.packed[switch as usize]
    }

    /// Begins to load the coordinates of a switch.
    #[inline]
    pub fn prefetch(&self, switch: u32) {
        prefetch(&self.packed, switch as usize);
    }

    /// Returns the coordinate of a switch in dimension `d`.
    pub fn coordinate(&self, switch: u32, d: usize) -> u16 {
        self.rings[d].coordinate(self.packed(switch))
    }

    /// Returns the lowest dimension in which two packed coordinates, which are not the same, differ.
    #[inline]
    pub fn first_difference(&self, a: u64, b: u64) -> usize {
        usize::from(self.dimension_of_bit[((a ^ b).trailing_zeros() & 63) as usize])
    }

    /// Returns the first port, relative to the switch's first, of the trunk in dimension `d`; `up` is towards larger
    /// coordinates.
    #[inline]
    pub fn trunk_of(&self, switch: u32, d: usize, up: bool) -> u16 {
        self.trunk_port[switch as usize * self.trunk_stride + d * 2 + usize::from(!up)]
    }
}

/// Lays the dimensions out side by side: 2^30 switches in 10 dimensions need at most 40 bits.
pub(in crate::topology) fn rings(dims: &[u32], trunk: &[u32], wraps: &[bool], ties: Ties) -> Vec<Ring> {
    let mut end = 0;
    let ring = |((&size, &trunk), &wraps): ((&u32, &u32), &bool)| {
        let (width, shift) = ((size - 1).ilog2() + 1, end);
        end += width as u8;
        // On a ring of two both rules are the same: up from 0 and down from 1 is the direct trunk.
        let ties_direct = ties == Ties::Direct;
        Ring { size, trunk: trunk as u16, wraps, ties_direct, shift, mask: ((1u32 << width) - 1) as u16 }
    };
    dims.iter().zip(trunk).zip(wraps).map(ring).collect()
}

/// Returns the dimension of each bit of packed coordinates.
pub(in crate::topology) fn dimensions_of_bits(rings: &[Ring]) -> [u8; 64] {
    let of = |bit: usize| rings.iter().rposition(|ring| usize::from(ring.shift) <= bit).unwrap_or(0) as u8;
    std::array::from_fn(of)
}
