//! Routing on trees: up until the destination lies below, then down the only way.
//!
//! Every shortest way goes up to one of the lowest common switches; which one is free, so the ports up are the choice:
//! all of them (adaptive), one drawn for the packet and switch (random), or the one that the destination fixes, which
//! spreads destinations evenly over the switches of each level (d-mod-k; Zahavi 2012). Channels are used upwards, then
//! downwards, so their dependencies form no cycle and one virtual channel suffices.

use super::{Outputs, RoutingKind};
use crate::model::rng;
use crate::topology::levels::Levels;

/// Where a packet goes: its node as leaf switch and port.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Destination {
    /// The leaf switch.
    pub switch: u32,
    /// The port of it, which is the node's number among the switch's nodes.
    pub output: u16,
}

/// Finds the permitted outputs from switch `at` to a destination at another leaf switch.
///
/// `salt` is the packet's own random number; `vcs` are all virtual channels.
#[inline(never)]
pub fn permitted(levels: &Levels, kind: RoutingKind, vcs: u8, at: u32, to: Destination, salt: u16) -> Outputs {
    let (level, block) = (usize::from(levels.level[at as usize]), levels.block[at as usize]);
    if level > 0 {
        let (child, arity) = (to.switch / levels.reach[level - 1], levels.shape.down[level]);
        if child / arity == block {
            let links = levels.shape.trunk[level - 1];
            return outputs(child % arity * links, links, vcs);
        }
    }
    let first = levels.children(level, block) * levels.links_to_child(level);
    let (parents, links) = (levels.shape.up[level], levels.shape.trunk[level]);
    let parent = match kind {
        RoutingKind::Random => (rng::mix(u64::from(salt) << 32 | u64::from(at)) % u64::from(parents)) as u32,
        RoutingKind::DModK => {
            let node = u64::from(to.switch) * u64::from(levels.shape.down[0]) + u64::from(to.output);
            (node / u64::from(levels.width[level]) % u64::from(parents)) as u32
        }
        _ => {
            return outputs(first, parents * links, vcs);
        }
    };
    outputs(first + parent * links, links, vcs)
}

fn outputs(first: u32, count: u32, vcs: u8) -> Outputs {
    Outputs { first: first as u16, count: count as u16, vcs }
}
