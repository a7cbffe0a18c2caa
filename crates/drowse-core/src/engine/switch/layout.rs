//! How input queues are numbered: by port and virtual channel, without divisions on the hot path.

use crate::engine::event::NONE;
use crate::model::config::Config;
use crate::topology::Network;

/// The numbering of input queues and read ports.
///
/// The queues of port `p` start at `p << vc_bits`. A queue's bit in the masks of its switch is its place relative to
/// the switch's first queue.
#[derive(Clone, Copy, Debug)]
pub struct Layout {
    /// Virtual channels per port.
    pub vcs: usize,
    /// Places for virtual channels per port, as a power of two.
    pub vc_bits: u32,
    /// Takes the virtual channel out of the place of a queue.
    pub vc_mask: u32,
    /// Words of a bit mask over a switch's input queues.
    pub words: usize,
    /// Read ports of an input port: how many packets it can send at a time.
    pub speedup: usize,
    /// Queues of a read port, as a power of two, where all queues share one read port or each has its own; else
    /// [`NONE`].
    pub reader_bits: u32,
}

impl Layout {
    /// Numbers the queues of a network's switches.
    pub fn new(network: &Network, config: &Config) -> Self {
        let vcs = usize::from(config.switch.vcs.total());
        let vc_bits = vcs.next_power_of_two().trailing_zeros();
        let speedup = usize::from(config.switch.input_speedup);
        let reader_bits = match speedup {
            1 => vc_bits,
            _ if speedup == 1 << vc_bits => 0,
            _ => NONE,
        };
        let words = ((network.radix() as usize) << vc_bits).div_ceil(64);
        Layout { vcs, vc_bits, vc_mask: (1 << vc_bits) - 1, words, speedup, reader_bits }
    }

    /// Returns the place of an input queue.
    #[inline]
    pub fn queue_of(&self, port: u32, vc: u8) -> u32 {
        port << self.vc_bits | u32::from(vc)
    }

    /// Returns the read port of an input queue, by its place or its bit.
    #[inline]
    pub fn reader<const FAST: bool>(&self, place: u32) -> usize {
        if FAST || self.reader_bits < NONE { (place >> self.reader_bits) as usize } else { self.one_of_readers(place) }
    }

    // Not inlined, so that the fast path keeps its values in registers.
    #[inline(never)]
    fn one_of_readers(&self, place: u32) -> usize {
        (place >> self.vc_bits) as usize * self.speedup + (place & self.vc_mask) as usize % self.speedup
    }
}
