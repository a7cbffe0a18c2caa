//! Arbiters, and the draws of those that are random.

/// Lets each arbiter choose, of the requests that come to it, the one with the least rank, the first of several; gives them in the
/// order of arbiters.
///
/// Where candidates take turns, the rank is how far one is behind the one at which the arbiter looks first: their difference, by
/// [`usize::wrapping_sub`].
pub fn choose<R: Copy, A: Ord, K: Ord>(requests: &[R], arbiter: impl Fn(R) -> A, rank: impl Fn(R) -> K) -> Vec<R> {
    let mut chosen = requests.to_vec();
    chosen.sort_by_key(|&request| (arbiter(request), rank(request)));
    chosen.dedup_by_key(|request| arbiter(*request));
    chosen
}

/// The finaliser of SplitMix64 (Steele, Lea and Flood, 2014), which spreads every bit.
pub fn mix(value: u64) -> u64 {
    let z = value.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let z = (z ^ z >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ z >> 31
}
