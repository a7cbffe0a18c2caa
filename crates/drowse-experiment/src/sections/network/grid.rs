//! `kind = "torus"` and `kind = "mesh"`.

use std::borrow::Cow;

use drowse_core::routing::RoutingKind;
use drowse_core::topology::{self, TopologySpec, Torus};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::Deserialize;

use super::kind::KindKeys;
use super::per_dimension::PerDimension;
use super::routing::GridRouting;
use crate::diagnostic::Diagnostic;
use crate::keys::Keys;

/// A torus of 1 to 10 dimensions: each switch is joined with its two neighbours in every dimension.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TorusKeys {
    /// Switches in each dimension, 2 to 65535.
    #[schemars(extend("examples" = [[4, 4]]))]
    dims: Vec<u32>,
    /// Parallel links between neighbours, 1 to 256: one number, or one per dimension.
    #[serde(default)]
    #[schemars(extend("default" = 1))]
    trunk: PerDimension,
    /// Compute nodes of each switch.
    #[schemars(extend("default" = 1), range(min = 1, max = 4096))]
    nodes: Option<u32>,
    /// How packets are routed.
    #[serde(default)]
    #[schemars(extend("default" = "adaptive"))]
    routing: GridRouting,
    /// Whether dimensions of two switches are closed to rings too, so that two trunks join the switches.
    #[schemars(extend("default" = false))]
    rings_of_two: Option<bool>,
    /// Direction that `dimension-order` routing takes on a ring where both are equally long.
    #[schemars(extend("default" = "alternate"))]
    ties: Option<Ties>,
}

/// A mesh: a torus without the links that close its rings, and without the keys about them.
#[derive(Deserialize)]
#[serde(transparent)]
pub struct MeshKeys(TorusKeys);

/// Direction that dimension order takes on a ring where both are equally long.
#[derive(Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
enum Ties {
    /// Up from even coordinates and down from odd ones, so that both directions carry the same.
    Alternate,
    /// The direction that does not cross the end of the coordinates, so that a packet and its answer use the same
    /// links.
    Direct,
}

impl JsonSchema for MeshKeys {
    fn schema_name() -> Cow<'static, str> {
        "MeshKeys".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let mut schema = TorusKeys::json_schema(generator);
        schema.insert("description".into(), "A mesh: a torus without the links that close its rings.".into());
        if let Some(keys) = schema.get_mut("properties").and_then(|keys| keys.as_object_mut()) {
            ["rings_of_two", "ties"].into_iter().for_each(|key| _ = keys.remove(key));
        }
        schema
    }
}

impl KindKeys for TorusKeys {
    fn resolve(self, keys: &Keys) -> Result<(TopologySpec, RoutingKind), Diagnostic> {
        self.check_rings(keys, true)?;
        let (torus, routing) = self.torus();
        Ok((TopologySpec::Torus(torus), routing))
    }
}

impl KindKeys for MeshKeys {
    fn resolve(self, keys: &Keys) -> Result<(TopologySpec, RoutingKind), Diagnostic> {
        self.0.check_rings(keys, false)?;
        let (torus, routing) = self.0.torus();
        Ok((TopologySpec::Mesh(torus), routing))
    }
}

impl TorusKeys {
    fn torus(self) -> (Torus, RoutingKind) {
        let torus = Torus {
            rings_of_two: self.rings_of_two.unwrap_or(false),
            ties: self.ties.map_or(topology::Ties::Alternate, topology::Ties::from),
            ..Torus::new(self.dims, self.trunk.0, self.nodes.unwrap_or(1))
        };
        (torus, self.routing.into())
    }

    /// Refuses keys of rings where they mean nothing.
    fn check_rings(&self, keys: &Keys, has_rings: bool) -> Result<(), Diagnostic> {
        let written = [("network.rings_of_two", self.rings_of_two.is_some()), ("network.ties", self.ties.is_some())];
        if let Some((path, _)) = written.into_iter().find(|&(_, written)| written && !has_rings) {
            return Err(keys.error(path, format!("`{path}` is about rings, which a mesh has none of"), "remove it"));
        }
        if self.ties.is_some() && self.routing != GridRouting::DimensionOrder {
            let message = "`network.ties` is about dimension order; adaptive routing takes either direction".to_owned();
            return Err(keys.error("network.ties", message, "remove it, or write routing = \"dimension-order\""));
        }
        Ok(())
    }
}

impl From<Ties> for topology::Ties {
    fn from(ties: Ties) -> Self {
        match ties {
            Ties::Alternate => topology::Ties::Alternate,
            Ties::Direct => topology::Ties::Direct,
        }
    }
}
