//! `kind = "aries"`.

use drowse_core::routing::RoutingKind;
use drowse_core::topology::{Aries, TopologySpec};
use schemars::JsonSchema;
use serde::Deserialize;

use super::arrangement::Arrangement;
use super::kind::KindKeys;
use super::routing::GroupRouting;
use crate::diagnostic::Diagnostic;
use crate::keys::Keys;

/// Cascade, the network of Cray's XC systems, made of Aries switches (Faanes et al. 2012).
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AriesKeys {
    /// Number of groups, each of 96 switches.
    #[schemars(extend("examples" = [9]), range(min = 1, max = 961))]
    groups: u32,
    /// Which global port leads to which group.
    #[serde(default)]
    #[schemars(extend("default" = "palmtree"))]
    arrangement: Arrangement,
    /// How packets are routed.
    #[serde(default)]
    #[schemars(extend("default" = "minimal"))]
    routing: GroupRouting,
}

impl KindKeys for AriesKeys {
    fn resolve(self, _keys: &Keys) -> Result<(TopologySpec, RoutingKind), Diagnostic> {
        let aries = Aries { groups: self.groups, arrangement: self.arrangement.into() };
        Ok((TopologySpec::Aries(aries), self.routing.into()))
    }
}
