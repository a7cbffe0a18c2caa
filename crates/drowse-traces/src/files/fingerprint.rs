//! A hash of a trace's text, to tell apart traces of the same name and length.

/// The offset basis of the 64-bit FNV-1a hash, which is short and will never change.
pub(crate) const FNV_OFFSET: u64 = 0xcbf2_9ce4_8422_2325;

/// Adds a byte to a hash.
pub(crate) fn fnv1a(hash: u64, byte: u8) -> u64 {
    (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
}

/// Adds a line and its end to a hash.
pub(crate) fn add_line(hash: u64, line: &[u8]) -> u64 {
    line.iter().chain(b"\n").fold(hash, |hash, &byte| fnv1a(hash, byte))
}
