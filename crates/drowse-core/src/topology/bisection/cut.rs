//! What is known of a bisection.

/// Links that part a network into two halves, as equal as whole switches (on trees: nodes) allow.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bisection {
    /// Links cut, by class.
    pub links: Vec<u64>,
    /// How much is known of it.
    pub basis: Basis,
}

/// How much is known of a cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Basis {
    /// No other halves have less between them.
    Exact,
    /// It is the best of those that were looked at: an upper bound.
    Bound,
}
