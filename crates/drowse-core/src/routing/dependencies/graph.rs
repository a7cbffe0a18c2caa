//! The graph on which a proof rests: which virtual channels packets may ask for from which.

use crate::model::ids::ChannelId;

use super::direct::{place, words};
use super::trunks::Trunks;
use super::verdict::Proof;

/// What following all packets has found. Channel `trunk * vcs + vc` is that virtual channel of a trunk.
#[derive(Debug)]
pub struct Followed {
    /// The numbers of the proof.
    pub proof: Proof,
    /// By channel: whether a packet may ask for it.
    pub used: Vec<bool>,
    /// By channel: those that packets ask for at its end, one bit each.
    pub asked: Vec<u64>,
}

/// The channel dependency graph of a routing that is proven free of deadlock.
#[derive(Debug)]
pub struct DependencyGraph {
    trunks: Trunks,
    vcs: u32,
    words: usize,
    /// The virtual channels that the proof is about: packets never wait for others alone.
    ordered: u8,
    used: Vec<bool>,
    asked: Vec<u64>,
}

/// A virtual channel of a channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VirtualChannel {
    /// The channel.
    pub channel: ChannelId,
    /// Its virtual channel.
    pub vc: u8,
}

impl DependencyGraph {
    /// Takes what following all packets has found; `ordered` are the virtual channels that the proof is about, one bit
    /// each.
    pub(super) fn new(trunks: Trunks, vcs: u32, ordered: u8, followed: Followed) -> Self {
        let words = words(&trunks, vcs);
        DependencyGraph { trunks, vcs, words, ordered, used: followed.used, asked: followed.asked }
    }

    /// Returns whether a packet that holds room at the end of a virtual channel may ask for one that leaves the switch
    /// there.
    ///
    /// Channels from and to nodes are not part of the graph, nor are adaptive ones beside an escape: these may always
    /// be held and asked for.
    pub fn permits(&self, held: VirtualChannel, asked: VirtualChannel) -> bool {
        let Some((trunk, vc)) = self.ordered(asked) else { return true };
        if !self.used[(trunk * self.vcs + vc) as usize] {
            return false;
        }
        let Some((held_trunk, held_vc)) = self.ordered(held) else { return true };
        let place = place(&self.trunks, self.vcs, trunk, vc);
        let first = (held_trunk * self.vcs + held_vc) as usize * self.words;
        let leaves = self.trunks.leads_to[held_trunk as usize];
        self.trunks.of_switch(leaves).contains(&trunk) && self.asked[first + place / 64] >> (place % 64) & 1 == 1
    }

    /// Returns the trunk of a virtual channel that the proof is about.
    fn ordered(&self, of: VirtualChannel) -> Option<(u32, u32)> {
        let trunk = self.trunks.of_channel(of.channel).filter(|_| self.ordered >> of.vc & 1 == 1);
        trunk.map(|trunk| (trunk, u32::from(of.vc)))
    }
}
