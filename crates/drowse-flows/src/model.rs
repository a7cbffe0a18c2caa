//! What users say: how links are shared, what a hop is, and in which units.

/// What a whole flow takes of a link; the parts of a split flow are counted in it. Divisible by all numbers up to 10,
/// and by 12, 14, 15 and 16.
pub const DENOMINATOR: u32 = 5_040;

/// The greatest capacity of a link, in units of 2^-8 bytes per second: 7 terabytes per second. Greater ones count as
/// it.
pub const MAX_CAPACITY: u64 = i64::MAX as u64 / DENOMINATOR as u64;

/// How flows share a link. The documentation of the crate says what each means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fairness {
    /// Equal parts for the input ports of a link.
    Port,
    /// Max-min fairness among flows.
    Flow,
}

/// A link of a flow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hop {
    /// The number of the link.
    pub link: u32,
    /// The part of the flow that takes this link, of [`DENOMINATOR`].
    pub share: u32,
}

impl Hop {
    /// Makes the hop of a whole flow.
    pub fn whole(link: u32) -> Self {
        Hop { link, share: DENOMINATOR }
    }
}
