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
    /// Children of a switch of each level: first the nodes of a lowest switch, last the children
    /// of a top switch. Each is 1 to 2048.
    #[schemars(
        extend("examples" = [[16, 16, 4]]),
        extend("x-hint" = "from the nodes of a switch up to the top")
    )]
    children: Vec<u32>,
    /// Parents of a switch of each level but the top, 1 to 2048: one number less than `children`.
    #[schemars(extend("examples" = [[4, 4]]), extend("x-hint" = "one less than children"))]
    parents: Vec<u32>,
    /// Parallel links to each of these parents, 1 to 256 at each level. Default: 1 at each level.
    #[schemars(extend("examples" = [[1, 2]]))]
    links: Option<Vec<u32>>,
    /// How packets are routed.
    #[serde(default)]
    #[schemars(extend("default" = "adaptive"))]
    routing: TreeRouting,
}

impl KindKeys for XgftKeys {
    fn resolve(self, _keys: &Keys) -> Result<(TopologySpec, RoutingKind), Diagnostic> {
        let XgftKeys { children, parents, links, routing } = self;
        let links = links.unwrap_or_else(|| vec![1; parents.len()]);
        Ok((TopologySpec::Xgft(Xgft { children, parents, links }), routing.into()))
    }
}
