//! The outputs that a head packet may take, as masks of bits.

use super::candidates::Candidates;
use super::port_group::PortGroup;

/// The permitted outputs of a head packet at a switch of up to 64 ports, one bit each, and their virtual channels.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Permitted {
    /// Outputs that adaptive routing permits; 0 where it permits none.
    pub adaptive: u64,
    /// The escape, or the only ones.
    pub escape: u64,
    /// The virtual channels of all adaptive ones.
    pub adaptive_vcs: u8,
    /// The virtual channels of the escape.
    pub escape_vcs: u8,
}

impl Permitted {
    /// Takes the outputs of some candidates.
    pub fn new(candidates: &Candidates) -> Self {
        let groups = candidates.adaptive();
        let adaptive_vcs = groups.first().map_or(0, |group| group.vcs);
        // Routings offer each group with the same virtual channels.
        debug_assert!(groups.iter().all(|group| group.vcs == adaptive_vcs), "{groups:?}");
        Permitted {
            adaptive: groups.iter().fold(0, |all, group| all | group.mask()),
            escape: candidates.escape.mask(),
            adaptive_vcs,
            escape_vcs: candidates.escape.vcs,
        }
    }

    /// Returns all outputs, one bit each.
    #[inline]
    pub fn outputs(&self) -> u64 {
        self.adaptive | self.escape
    }

    /// Returns the virtual channels of an output.
    pub fn vcs_at(&self, output: u32) -> u8 {
        let of = |outputs: u64, vcs: u8| if outputs >> output & 1 == 0 { 0 } else { vcs };
        of(self.adaptive, self.adaptive_vcs) | of(self.escape, self.escape_vcs)
    }
}

impl From<PortGroup> for Permitted {
    /// Takes the only group of a packet.
    #[inline]
    fn from(only: PortGroup) -> Self {
        Permitted { adaptive: 0, escape: only.mask(), adaptive_vcs: 0, escape_vcs: only.vcs }
    }
}
