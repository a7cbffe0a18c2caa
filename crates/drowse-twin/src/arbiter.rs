//! Arbiters, and the hash for random ones.

/// Selects for each arbiter the request with the lowest rank; ties go to the first. Returns the selected requests in
/// order of arbiters.
///
/// For round-robin priority, the rank is the distance of a request behind the arbiter's pointer, by
/// [`usize::wrapping_sub`].
pub fn arbitrate<R: Copy, A: Ord, K: Ord>(requests: &[R], arbiter: impl Fn(R) -> A, rank: impl Fn(R) -> K) -> Vec<R> {
    let mut selected = requests.to_vec();
    selected.sort_by_key(|&request| (arbiter(request), rank(request)));
    selected.dedup_by_key(|request| arbiter(*request));
    selected
}

/// Hashes a number by the finaliser of SplitMix64 (Steele, Lea and Flood 2014).
pub fn mix(value: u64) -> u64 {
    let z = value.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let z = (z ^ z >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ z >> 31
}
