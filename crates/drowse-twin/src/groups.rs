//! Minimal ways on dragonflies, found by searching the links between two groups.

use std::ops::Range;

use drowse_core::topology::groups::Groups;

use crate::routes::{Output, Routes, mix, with_vcs};

/// The bits of a packet's memory that are its random number; above them are the channels that it has taken.
const SALT: u32 = 13;

/// Counts a channel in a packet's memory.
pub const CHANNEL: u16 = 1 << SALT;

impl Routes<'_> {
    /// Gives the outputs towards a switch: within a group the way there; to another group a link of the switch's own, else the way to
    /// a switch with one. The packet's number picks among trunks, and is another at each switch.
    pub(crate) fn on_groups(&self, groups: &Groups, switch: usize, target: usize, memory: u16) -> Vec<Output> {
        let group = |switch: usize| switch / groups.size as usize;
        let all = if groups.count == 1 { 1 } else { 3 };
        let (taken, width) = (usize::from(memory >> SALT), self.vcs_by_hop() / all);
        let vcs = taken * width..(taken + 1) * width;
        let choice = mix(u64::from(memory & (CHANNEL - 1)) << 32 | switch as u64) as u32 as usize;
        if group(switch) == group(target) {
            return with_vcs(self.leading(switch, |next| next == target), vcs);
        }
        let size = groups.size as usize;
        let members = group(switch) * size..(group(switch) + 1) * size;
        let trunks: Vec<(usize, Range<usize>)> =
            members.flat_map(|member| self.trunks_to(member, |next| group(next) == group(target))).collect();
        let own: Vec<_> = trunks.iter().filter(|(member, _)| *member == switch).collect();
        if !own.is_empty() {
            return with_vcs(own[choice % own.len()].1.clone(), vcs);
        }
        let by = trunks[choice % trunks.len()].0;
        with_vcs(self.leading(switch, |next| next == by), vcs)
    }

    /// Gives the runs of ports of a switch that lead to one and the same switch, of those that are wanted.
    fn trunks_to(&self, switch: usize, wanted: impl Fn(usize) -> bool) -> Vec<(usize, Range<usize>)> {
        let mut trunks: Vec<(usize, Range<usize>)> = Vec::new();
        let mut last = None;
        for port in self.leading(switch, wanted) {
            let to = self.leads_to(port);
            match trunks.last_mut() {
                Some((_, run)) if run.end == port && last == to => run.end += 1,
                _ => trunks.push((switch, port..port + 1)),
            }
            last = to;
        }
        trunks
    }

    /// Gives the ports of a switch that lead to switches that are wanted.
    fn leading(&self, switch: usize, wanted: impl Fn(usize) -> bool) -> Vec<usize> {
        self.ports(switch).filter(|&port| self.leads_to(port).is_some_and(&wanted)).collect()
    }
}
