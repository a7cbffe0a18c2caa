//! The hash that names cases and builds. The build script uses it, too.

/// The 64-bit FNV-1a hash: short, fixed for all time, and good enough to tell cases apart.
pub fn fnv1a(bytes: impl IntoIterator<Item = u8>) -> u64 {
    let add = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
    bytes.into_iter().fold(0xcbf2_9ce4_8422_2325, add)
}
