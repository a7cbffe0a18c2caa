//! Values on cache lines of their own.

/// A value on cache lines of its own, so that writing it does not slow down the users of its neighbours. Processors
/// fetch lines in pairs.
#[derive(Debug, Default)]
#[repr(align(128))]
pub struct CacheLine<T>(pub T);
