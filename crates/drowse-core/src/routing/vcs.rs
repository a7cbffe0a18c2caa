//! Which virtual channels a routing needs, and their numbers.

use crate::model::config::{Escape, VirtualChannels};

/// The virtual channels that a routing needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NeededVcs {
    /// A class of its own for each hop, so many: packets cannot wait in a circle, whatever their paths.
    Hops(u32),
    /// Adaptive and escape ones.
    Grid {
        /// Some dimension closes to a ring, which a dateline or a bubble keeps from filling up.
        rings: bool,
    },
    /// So many lanes: tables say which a packet takes at each hop.
    Lanes(u32),
    /// Any: paths alone make sure that packets cannot wait in a circle.
    Any,
    /// None: nothing is routed.
    None,
}

/// The virtual channels of tori and meshes by purpose, as masks.
#[derive(Clone, Copy, Debug)]
pub struct GridVcs {
    /// Those of adaptive outputs.
    pub adaptive: u8,
    /// Before and after the dateline of a ring.
    pub(super) escape: [u8; 2],
    pub(super) escape_all: u8,
}

impl GridVcs {
    /// Numbers the virtual channels: adaptive ones first, then the escape ones, in two halves where there are
    /// datelines.
    pub fn new(vcs: VirtualChannels, escape: Escape) -> Self {
        let mask = |first: u8, count: u8| (((1u16 << count) - 1) << first) as u8;
        let half = vcs.escape / 2;
        let all = mask(vcs.adaptive, vcs.escape);
        GridVcs {
            adaptive: mask(0, vcs.adaptive),
            escape: match escape {
                Escape::Dateline => [mask(vcs.adaptive, half), mask(vcs.adaptive + half, vcs.escape - half)],
                Escape::Bubble => [all; 2],
            },
            escape_all: all,
        }
    }

    /// Returns the virtual channels of the escape, one bit each.
    pub fn escape(&self) -> u8 {
        self.escape_all
    }
}

/// The virtual channels of low-diameter networks by hop.
#[derive(Clone, Copy, Debug)]
pub(crate) struct HopVcs {
    /// Virtual channels of each class.
    width: u8,
    classes: u8,
}

impl HopVcs {
    /// Deals the virtual channels out to so many classes, evenly; where they do not suffice, the last have none.
    pub fn new(vcs: VirtualChannels, classes: u32) -> Self {
        let classes = (classes.min(u32::from(VirtualChannels::MAX)) as u8).max(1);
        HopVcs { width: (vcs.hop / classes).max(1), classes: classes.min(vcs.hop.max(1)) }
    }

    /// Returns the virtual channels of a hop, from 0 on; beyond the last there are none.
    #[inline]
    pub fn mask(self, hop: u32) -> u8 {
        let all = (1u16 << self.width) - 1;
        if hop < u32::from(self.classes) { (all << (hop as u8 * self.width)) as u8 } else { 0 }
    }

    /// Returns the hop that follows one on a virtual channel.
    #[inline]
    pub fn after(self, vc: u32) -> u32 {
        vc / u32::from(self.width) + 1
    }
}
