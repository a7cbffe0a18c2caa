//! Parts of a subnet that no cable joins.

use super::wiring::{Target, Wiring};

/// A part of a subnet that no cable joins with another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Island {
    /// Its first switch.
    pub switch: String,
    /// Its switches.
    pub switches: u64,
    /// Its compute nodes.
    pub nodes: u64,
}

/// Returns the parts, the largest first.
pub(super) fn islands(wiring: &Wiring<'_>) -> Vec<Island> {
    let mut seen = vec![false; wiring.switches.len()];
    let mut islands = Vec::new();
    for first in 0..wiring.switches.len() as u32 {
        if std::mem::replace(&mut seen[first as usize], true) {
            continue;
        }
        let mut island = Island { switch: wiring.switch_name(first).to_owned(), switches: 0, nodes: 0 };
        let mut stack = vec![first];
        while let Some(switch) = stack.pop() {
            island.switches += 1;
            for (_, target) in wiring.outputs(switch) {
                match target {
                    Target::Host(_) => island.nodes += 1,
                    Target::Switch(next, _) if !std::mem::replace(&mut seen[next as usize], true) => stack.push(next),
                    Target::Switch(..) | Target::Nothing => {}
                }
            }
        }
        islands.push(island);
    }
    islands.sort_by_key(|island| std::cmp::Reverse((island.switches, island.nodes)));
    islands
}
