//! What every kind of network does with its keys.

use drowse_core::routing::RoutingKind;
use drowse_core::topology::TopologySpec;
use serde::de::DeserializeOwned;

use crate::diagnostic::Diagnostic;
use crate::keys::Keys;

/// The keys of a kind of network, as they were written.
pub trait KindKeys: DeserializeOwned {
    /// Returns the topology and the routing, or what is wrong with the keys.
    fn resolve(self, keys: &Keys) -> Result<(TopologySpec, RoutingKind), Diagnostic>;

    /// Does the same, and adds to the notes what to know of the network.
    fn resolve_noting(self, keys: &Keys, _: &mut Vec<String>) -> Result<(TopologySpec, RoutingKind), Diagnostic> {
        self.resolve(keys)
    }
}
