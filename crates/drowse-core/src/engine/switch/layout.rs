//! How input queues are numbered: by port, output and virtual channel, without divisions on the hot path.

use crate::engine::event::NONE;
use crate::model::config::Config;
use crate::topology::Network;

/// The numbering of input queues and read ports.
///
/// The queues of port `p` start at `p << queue_bits`. Where packets for different outputs have queues of their own, the
/// output comes next, then the virtual channel. A queue's bit in the masks of its switch is its place relative to the
/// switch's first queue.
#[derive(Clone, Copy, Debug)]
pub struct Layout {
    /// Virtual channels per port.
    pub vcs: usize,
    /// Places for virtual channels, as a power of two.
    pub vc_bits: u32,
    /// Takes the virtual channel out of the place of a queue.
    pub vc_mask: u32,
    /// Places for the queues of a port, as a power of two; [`Layout::vc_bits`] where it has one for each virtual channel.
    pub queue_bits: u32,
    /// Words of a bit mask over a switch's input queues.
    pub words: usize,
    /// Read ports of an input port: how many packets it can send at a time.
    pub speedup: usize,
    /// Queues of a read port, as a power of two, where all queues share one read port or each has its own; else
    /// [`NONE`].
    pub reader_bits: u32,
    /// The first bits of read ports in a word of queues.
    first_bits: u64,
    /// The queues of the first input port.
    one_port: u64,
}

impl Layout {
    /// Numbers the queues of a network's switches.
    pub fn new(network: &Network, config: &Config) -> Self {
        let vcs = usize::from(config.switch.vcs.total());
        let vc_bits = bits(vcs as u64);
        let queue_bits = bits(config.switch.queues_of_port(network.radix()));
        let speedup = usize::from(config.switch.input_speedup);
        let reader_bits = match speedup {
            1 => queue_bits,
            _ if speedup == 1 << queue_bits => 0,
            _ => NONE,
        };
        let words = ((network.radix() as usize) << queue_bits).div_ceil(64);
        let (vc_mask, first_bits) = ((1 << vc_bits) - 1, first_bits(reader_bits));
        let one_port = !u64::MAX.unbounded_shl(1 << queue_bits);
        Layout { vcs, vc_bits, vc_mask, queue_bits, words, speedup, reader_bits, first_bits, one_port }
    }

    /// Returns whether packets for different outputs have queues of their own.
    #[inline]
    pub fn by_output(&self) -> bool {
        self.queue_bits != self.vc_bits
    }

    /// Returns the place of an input queue; of the one for the first output, where each has its own.
    #[inline]
    pub fn queue_of(&self, port: u32, vc: u8) -> u32 {
        port << self.queue_bits | u32::from(vc)
    }

    /// Returns the place of the queue for an output beside one for the first.
    #[inline]
    pub fn queue_for(&self, first: u32, output: u16) -> u32 {
        first | u32::from(output) << self.vc_bits
    }

    /// Returns what a queue shares a buffer with: the place of the first queue of its port and virtual channel.
    #[inline]
    pub fn buffer_of(&self, place: u32) -> u32 {
        place >> self.queue_bits << self.queue_bits | place & self.vc_mask
    }

    /// Returns the places of all queues of a port and virtual channel.
    pub fn queues_of(&self, port: u32, vc: u8) -> impl Iterator<Item = u32> + use<> {
        let end = (port + 1) << self.queue_bits;
        (self.queue_of(port, vc)..end).step_by(1 << self.vc_bits)
    }

    /// Returns the place of a queue from its switch's first port and its bit.
    #[inline]
    pub fn place_of(&self, first_port: u32, bit: u16) -> usize {
        ((first_port << self.queue_bits) + u32::from(bit)) as usize
    }

    /// Returns the place of the first queue of its input port.
    #[inline]
    pub fn first_of_port(&self, place: usize) -> usize {
        place >> self.queue_bits << self.queue_bits
    }

    /// Numbers a queue among those of its input port.
    #[inline]
    pub fn number(&self, bit: u16) -> u16 {
        bit & ((1 << self.queue_bits) - 1)
    }

    /// Returns the read port of an input queue, by its place or its bit.
    #[inline]
    pub fn reader<const FAST: bool>(&self, place: u32) -> usize {
        if FAST || self.reader_bits < NONE { (place >> self.reader_bits) as usize } else { self.one_of_readers(place) }
    }

    /// Returns a mask of all queues of the read port of one, by its bit in a word; a read port lies in one word.
    #[inline]
    pub fn of_reader(&self, bit: u32) -> u64 {
        !u64::MAX.unbounded_shl(1 << self.reader_bits) << (bit >> self.reader_bits << self.reader_bits)
    }

    /// Returns a mask of all queues of the input port of one, by its bit in a word; an input port lies in one word.
    #[inline]
    pub fn of_port(&self, bit: u32) -> u64 {
        self.one_port << (bit >> self.queue_bits << self.queue_bits)
    }

    /// Returns a mask of all queues of the read ports of some.
    #[inline]
    pub fn of_same_readers(&self, mut queues: u64) -> u64 {
        if queues == 0 {
            return 0;
        }
        (0..self.reader_bits).for_each(|bits| queues |= queues >> (1 << bits));
        let mut all = queues & self.first_bits;
        (0..self.reader_bits).for_each(|bits| all |= all << (1 << bits));
        all
    }

    // Not inlined, so that the fast path keeps its values in registers.
    #[inline(never)]
    fn one_of_readers(&self, place: u32) -> usize {
        (place >> self.queue_bits) as usize * self.speedup + (place & self.vc_mask) as usize % self.speedup
    }
}

/// Returns the first bits of read ports of so many queues each, as a power of two, in a word.
fn first_bits(reader_bits: u32) -> u64 {
    (0..64).step_by(1 << reader_bits.min(6)).fold(0, |bits, bit| bits | 1 << bit)
}

/// Returns the bits of numbers below `count`.
fn bits(count: u64) -> u32 {
    count.next_power_of_two().trailing_zeros()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Against a search of all queues.
    #[test]
    fn queues_of_the_same_read_ports() {
        for reader_bits in 0..=6 {
            let first_bits = first_bits(reader_bits);
            let (vcs, vc_bits, vc_mask, queue_bits, words, speedup) = (4, 2, 3, 4, 1, 1);
            let one_port = 0xFFFF;
            let layout =
                Layout { vcs, vc_bits, vc_mask, queue_bits, words, speedup, reader_bits, first_bits, one_port };
            let reader = |bit: u32| layout.reader::<true>(bit);
            for queues in [0, 1, 1 << 63, 1 << 5 | 1 << 6 | 1 << 40, u64::MAX] {
                let some = |bit| (0..64).any(|other| queues >> other & 1 == 1 && reader(other) == reader(bit));
                let expected = (0..64).filter(|&bit| some(bit)).fold(0, |all, bit| all | 1 << bit);
                assert_eq!(layout.of_same_readers(queues), expected, "{queues:#x}, {reader_bits}");
            }
            for bit in 0..64 {
                assert_eq!(layout.of_reader(bit), layout.of_same_readers(1 << bit), "{bit}, {reader_bits}");
            }
        }
    }
}
