//! `[network]` of the direct kinds: dragonfly and its relatives, HyperX, full mesh.

use drowse_core::routing::RoutingKind;
use serde::Deserialize;
use serde::de::DeserializeOwned;

use crate::diagnostic::Diagnostic;
use crate::keys::Keys;
use crate::node::Node;

/// How packets find their way on networks of groups; `direct` and `indirect` are the words of PERCS.
#[derive(Clone, Copy, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Routing {
    #[default]
    #[serde(alias = "direct")]
    Minimal,
    #[serde(alias = "indirect")]
    Valiant,
    Ugal,
    Progressive,
}

/// The same where switches have coordinates.
#[derive(Clone, Copy, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CoordinateRouting {
    #[default]
    Minimal,
    DimensionOrder,
    Valiant,
    Ugal,
    Progressive,
}

/// Reads the parameters of a topology, and how packets are routed on it.
pub fn read<T: DeserializeOwned, R: DeserializeOwned + Default + Into<RoutingKind>>(
    mut node: Node<'_>,
    keys: &Keys,
) -> Result<(T, RoutingKind), Diagnostic> {
    let routing: R = node.take("routing").map(|routing| routing.read(keys)).transpose()?.unwrap_or_default();
    Ok((node.read(keys)?, routing.into()))
}

impl From<Routing> for RoutingKind {
    fn from(routing: Routing) -> Self {
        match routing {
            Routing::Minimal => RoutingKind::Minimal,
            Routing::Valiant => RoutingKind::Valiant,
            Routing::Ugal => RoutingKind::Ugal,
            Routing::Progressive => RoutingKind::Progressive,
        }
    }
}

impl From<CoordinateRouting> for RoutingKind {
    fn from(routing: CoordinateRouting) -> Self {
        match routing {
            CoordinateRouting::Minimal => RoutingKind::Minimal,
            CoordinateRouting::DimensionOrder => RoutingKind::DimensionOrder,
            CoordinateRouting::Valiant => RoutingKind::Valiant,
            CoordinateRouting::Ugal => RoutingKind::Ugal,
            CoordinateRouting::Progressive => RoutingKind::Progressive,
        }
    }
}
