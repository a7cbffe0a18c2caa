//! The round-robin pointer of an input queue: where its head looks first among outputs and virtual channels.

/// Numbers an output and virtual channel for the round-robin pointer of an input queue.
#[inline]
pub fn pointer(output: u16, vc: u8) -> u16 {
    output * 8 + u16::from(vc)
}

/// Returns the output and virtual channel of a [`pointer`].
#[inline]
pub fn output_of(pointer: u16) -> (u16, u8) {
    (pointer / 8, pointer as u8 & 7)
}
