//! Parameters that may differ by dimension.

/// A number for all dimensions, or one for each.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PerDimension {
    /// The same everywhere.
    All(u32),
    /// One per dimension.
    Each(Vec<u32>),
}

impl Default for PerDimension {
    fn default() -> Self {
        PerDimension::All(1)
    }
}
