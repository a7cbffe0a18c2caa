//! What the allocator works on: heads of input queues, and their requests.

use crate::routing::PortGroup;

/// How many switches or packets are handled together, so that loads of one overlap with work on another.
pub const BATCH: usize = 16;

/// The packet at the head of an input queue.
#[derive(Clone, Copy, Debug)]
#[repr(align(32))]
pub struct Head {
    /// The packet.
    pub id: u32,
    /// The switch.
    pub switch: u32,
    /// The switch's first port.
    pub first: u32,
    /// The place of the input queue among all.
    pub place: u32,
    /// The bit of the input queue in the masks of its switch.
    pub bit: u16,
    /// Which switch of the batch it is.
    pub member: u8,
    /// No other head of its switch is examined.
    pub alone: bool,
    /// The only outputs that it may take; none where that is not known.
    pub group: PortGroup,
}

/// A request of the packet at the head of an input queue for an output of its switch.
#[derive(Clone, Copy, Debug)]
pub struct Request {
    /// The switch.
    pub switch: u32,
    /// The switch's first port.
    pub first: u32,
    /// The bit of the input queue in the masks of its switch.
    pub bit: u16,
    /// The output, relative to the switch's first port.
    pub output: u16,
    /// The virtual channel at the output.
    pub vc: u8,
    /// Which switch of the batch it is.
    pub member: u8,
    /// Its read port has selected it among its queues, or has no other.
    pub leads: bool,
    /// This output is the only one that the packet may take, and it remembers no choice of a virtual channel.
    pub only: bool,
    /// The outputs that the packet may take, where they are one port group.
    pub group: PortGroup,
}

/// The read ports and outputs of a switch for which there are requests.
#[derive(Clone, Copy, Debug, Default)]
pub struct Claims {
    pub inputs: u64,
    pub outputs: u64,
    /// Those with more than one request: all others are granted.
    pub inputs_twice: u64,
    pub outputs_twice: u64,
}

impl Claims {
    /// Adds a request. Ports that differ by 64 count as the same, which only costs a needless arbitration.
    #[inline]
    pub fn add(&mut self, request: &Request, reader_bits: u32) {
        let (input, output) = (1 << (request.bit >> reader_bits & 63), 1 << (request.output & 63));
        self.inputs_twice |= self.inputs & input;
        self.outputs_twice |= self.outputs & output;
        self.inputs |= input;
        self.outputs |= output;
    }
}
