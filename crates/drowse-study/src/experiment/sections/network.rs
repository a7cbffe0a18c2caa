//! `[network]`: which topology, and how packets are routed on it.

use std::fmt;
use std::sync::Arc;

use drowse_core::routing::RoutingKind;
use drowse_core::topology::{Network, NetworkError, PerDimension, TopologySpec, Torus};
use serde::Deserialize;
use serde::de::{Deserializer, Error, SeqAccess, Visitor};

use crate::experiment::diagnostic::Diagnostic;
use crate::experiment::keys::Keys;
use crate::experiment::node::Node;

/// The network, built.
pub struct Resolved {
    pub topology: TopologySpec,
    pub network: Arc<Network>,
    pub routing: RoutingKind,
}

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Kind {
    Torus,
    Mesh,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Grid {
    dims: Vec<u32>,
    #[serde(default, deserialize_with = "per_dimension")]
    trunk: PerDimension,
    nodes: Option<u32>,
    #[serde(default)]
    routing: Routing,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Routing {
    #[default]
    Adaptive,
    DimensionOrder,
}

/// Reads the section and builds the network.
pub fn resolve(mut node: Node<'_>, keys: &Keys) -> Result<Resolved, Diagnostic> {
    let kind: Kind = node.require("kind", keys)?.read(keys)?;
    let grid: Grid = node.read(keys)?;
    let torus = Torus { dims: grid.dims, trunk: grid.trunk, nodes: grid.nodes.unwrap_or(1) };
    let topology = match kind {
        Kind::Torus => TopologySpec::Torus(torus),
        Kind::Mesh => TopologySpec::Mesh(torus),
    };
    let network = topology.build().map_err(|error| match error {
        NetworkError::OutOfRange { key, value, reason } => {
            keys.error(key, format!("`{key}` = {value} is out of range"), reason)
        }
        NetworkError::TooLarge { what, most } => {
            let help = format!("the most is {most}; make dims, trunk or nodes smaller");
            keys.error("network.dims", format!("the network would have {what}"), help)
        }
    })?;
    let routing = match grid.routing {
        Routing::Adaptive => RoutingKind::Adaptive,
        Routing::DimensionOrder => RoutingKind::DimensionOrder,
    };
    Ok(Resolved { topology, network: Arc::new(network), routing })
}

/// Reads one number or a list of them.
fn per_dimension<'de, D: Deserializer<'de>>(deserializer: D) -> Result<PerDimension, D::Error> {
    deserializer.deserialize_any(PerDimensionVisitor)
}

struct PerDimensionVisitor;

impl<'de> Visitor<'de> for PerDimensionVisitor {
    type Value = PerDimension;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a whole number such as 4, or a list with one per dimension such as [1, 4]")
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<PerDimension, E> {
        let wrong = |_| E::invalid_value(serde::de::Unexpected::Signed(number), &self);
        u32::try_from(number).map(PerDimension::All).map_err(wrong)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<PerDimension, A::Error> {
        let mut widths = Vec::new();
        while let Some(width) = items.next_element()? {
            widths.push(width);
        }
        Ok(PerDimension::Each(widths))
    }
}
