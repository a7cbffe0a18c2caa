//! By which argument a routing is shown to be free of deadlock.

use crate::topology::geometry::graph::paths::Paths;
use crate::topology::geometry::graph::up_down::UpDown;

/// What the check of [`super::dependencies`] follows.
#[derive(Clone, Copy, Debug)]
pub(crate) enum DeadlockRule<'a> {
    /// Each hop has a class of virtual channels of its own, and no packet takes more than so many.
    Hops(u32),
    /// Each hop has a class of virtual channels of its own, along paths that are drawn.
    Paths(&'a Paths),
    /// Each pair of nodes has a path and lanes of its own, by forwarding tables that may be any.
    Forwarding,
    /// The escape channels have an order in which every packet asks for later ones only; all paths are minimal.
    Order,
    /// All channels have an order in which every packet asks for later ones only: paths lead up and then down, and need
    /// not be minimal.
    UpDown(&'a UpDown),
}
