//! The data of a collective operation that has a root.

/// Data of a root: its bytes in so many elements.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rooted {
    pub root: u32,
    pub bytes: u64,
    pub count: u64,
}
