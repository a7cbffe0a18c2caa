//! `kind = "xgft"`.

use drowse_core::routing::RoutingKind;
use drowse_core::topology::{TopologySpec, Xgft};
use schemars::JsonSchema;
use serde::Deserialize;

use super::kind::KindKeys;
use super::routing::TreeRouting;
use crate::diagnostic::Diagnostic;
use crate::keys::Keys;

/// An extended generalised fat tree (Öhring et al. 1995), with parallel links (Zahavi 2012).
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct XgftKeys {
    /// Children of a switch of each level, from the nodes of a switch up to the top.
    children: Vec<u32>,
    /// Parents of a switch of each level but the top: one number less than `children`.
    parents: Vec<u32>,
    /// Parallel links to each of these parents, 1 to 256. Default 1 everywhere.
    links: Option<Vec<u32>>,
    /// How packets are routed. Default `adaptive`.
    #[serde(default)]
    routing: TreeRouting,
}

impl KindKeys for XgftKeys {
    fn resolve(self, _keys: &Keys) -> Result<(TopologySpec, RoutingKind), Diagnostic> {
        let XgftKeys { children, parents, links, routing } = self;
        let links = links.unwrap_or_else(|| vec![1; parents.len()]);
        Ok((TopologySpec::Xgft(Xgft { children, parents, links }), routing.into()))
    }
}
