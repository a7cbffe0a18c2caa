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
    /// Groups of 96 switches, 1 to 961.
    groups: u32,
    /// Which global port leads to which group. Default `palmtree`.
    #[serde(default)]
    arrangement: Arrangement,
    /// How packets are routed. Default `minimal`.
    #[serde(default)]
    routing: GroupRouting,
}

impl KindKeys for AriesKeys {
    fn resolve(self, _keys: &Keys) -> Result<(TopologySpec, RoutingKind), Diagnostic> {
        let aries = Aries { groups: self.groups, arrangement: self.arrangement.into() };
        Ok((TopologySpec::Aries(aries), self.routing.into()))
    }
}
