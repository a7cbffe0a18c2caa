//! The outputs that routing permits.

use super::port_group::PortGroup;

/// The permitted outputs of a packet at a switch.
#[derive(Clone, Debug)]
pub struct Candidates {
    /// Groups of adaptive outputs.
    pub adaptive: [PortGroup; Candidates::MOST],
    /// How many of `adaptive` are in use.
    pub adaptive_len: usize,
    /// The escape output, or the only one; the node's port at the last switch.
    pub escape: PortGroup,
}

impl Candidates {
    /// At most two directions in each of 10 dimensions, or so many port groups of a graph.
    pub const MOST: usize = 64;

    /// Makes an empty set.
    pub const fn new() -> Self {
        Candidates { adaptive: [PortGroup::NONE; Self::MOST], adaptive_len: 0, escape: PortGroup::NONE }
    }

    /// Makes one group the only permitted outputs.
    #[inline]
    pub fn set_only(&mut self, group: PortGroup) {
        self.adaptive_len = 0;
        self.escape = group;
    }

    /// Removes all groups.
    #[inline]
    pub fn clear(&mut self) {
        (self.adaptive_len, self.escape) = (0, PortGroup::NONE);
    }

    /// Adds a group that is as good as those before; the first is the escape, too. Those beyond the most are left out.
    #[inline]
    pub fn offer(&mut self, group: PortGroup) {
        if self.escape.count == 0 {
            self.escape = group;
            return;
        }
        if self.adaptive_len == 0 {
            self.adaptive[0] = self.escape;
            self.adaptive_len = 1;
        }
        if self.adaptive_len < Self::MOST {
            self.adaptive[self.adaptive_len] = group;
            self.adaptive_len += 1;
        }
    }

    /// Returns all groups that were [offered](Candidates::offer), each once.
    pub fn all(&self) -> impl Iterator<Item = PortGroup> + '_ {
        let only = Some(self.escape).filter(|group| self.adaptive_len == 0 && group.count > 0);
        self.adaptive().iter().copied().chain(only)
    }

    /// Returns all permitted outputs, the adaptive ones before those of the escape; these may be among them.
    #[inline]
    pub fn outputs(&self) -> impl Iterator<Item = u16> + '_ {
        self.adaptive().iter().chain(std::iter::once(&self.escape)).flat_map(PortGroup::outputs)
    }

    /// Returns all permitted outputs, each once.
    #[inline]
    pub fn each_output(&self) -> impl Iterator<Item = u16> + '_ {
        let is_adaptive = |output| self.adaptive().iter().any(|group| group.outputs().contains(&output));
        let escape = self.escape.outputs().filter(move |&output| !is_adaptive(output));
        self.adaptive().iter().flat_map(PortGroup::outputs).chain(escape)
    }

    /// Returns the groups that adaptive routing permits; none where it permits only the escape.
    #[inline]
    pub fn adaptive(&self) -> &[PortGroup] {
        &self.adaptive[..self.adaptive_len]
    }
}

impl Default for Candidates {
    fn default() -> Self {
        Self::new()
    }
}
