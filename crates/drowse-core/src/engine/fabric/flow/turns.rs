//! Whose turn it is: where input queues look first among outputs, and NICs among virtual channels, as for packets.
//!
//! An input queue looks first behind the output and virtual channel that it took last. So short messages that come by
//! one channel take the outputs that they may take in turn, and keep all of these from sleeping.

use crate::engine::switch::arbiter::next_in_order;

/// An input queue: the channel by which packets come, and their virtual channel.
pub type Queue = (u32, u8);

/// Where queues and NICs look first.
#[derive(Debug, Default)]
pub struct Turns {
    /// By channel and virtual channel; empty where no packet has a choice.
    queues: Vec<[u16; 8]>,
    /// By node.
    nics: Vec<u8>,
    /// NICs take the first virtual channel, and no turns.
    first_vc: bool,
}

impl Turns {
    /// Begins with the first output and virtual channel everywhere.
    pub fn new(channels: usize, nodes: u32, first_vc: bool) -> Self {
        Turns { queues: vec![[0; 8]; channels], nics: vec![0; nodes as usize], first_vc }
    }

    /// Returns where a queue looks first.
    #[inline]
    pub fn of(&self, (channel, vc): Queue) -> u16 {
        self.queues.get(channel as usize).map_or(0, |queue| queue[usize::from(vc & 7)])
    }

    /// Notes where a queue looks first from now on.
    #[inline]
    pub fn set(&mut self, (channel, vc): Queue, pointer: u16) {
        if let Some(queue) = self.queues.get_mut(channel as usize) {
            queue[usize::from(vc & 7)] = pointer;
        }
    }

    /// Returns the virtual channel of the next packet of a node, among some.
    pub fn next_vc(&mut self, node: u32, vcs: u8) -> u8 {
        if self.first_vc {
            return next_in_order(vcs, 0);
        }
        let Some(next) = self.nics.get_mut(node as usize) else { return 0 };
        let vc = next_in_order(vcs, u16::from(*next));
        *next = vc + 1;
        vc
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn virtual_channels_take_turns() {
        let mut turns = Turns::new(1, 2, false);
        let of_node = |turns: &mut Turns, node| [0; 5].map(|_| turns.next_vc(node, 0b1011));
        assert_eq!(of_node(&mut turns, 0), [0, 1, 3, 0, 1]);
        assert_eq!(of_node(&mut turns, 1), [0, 1, 3, 0, 1]);
        let mut first = Turns::new(1, 1, true);
        assert_eq!(of_node(&mut first, 0), [0; 5]);
    }
}
