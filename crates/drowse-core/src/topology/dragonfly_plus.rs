//! Dragonfly+ (Shpiner et al., `HiPINEB` 2017), also Megafly: groups of leaf switches, which have the nodes, and spine
//! switches, which have the global links; each leaf is joined with each spine.

use serde::Deserialize;

use super::dragonfly::{Arrangement, MAX_GROUPS};
use super::error::{NetworkError, check_range, check_size};
use super::geometry::groups::Local;
use super::group_plan::Plan;
use super::member::Topology;
use super::network::Network;

/// A Dragonfly+ (Shpiner et al. 2017), also called Megafly: groups of leaf switches with nodes and of spine switches
/// with global links.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct DragonflyPlus {
    /// Compute nodes of each leaf switch.
    #[cfg_attr(feature = "schema", schemars(extend("examples" = [8]), extend("x-hint" = "the nodes of a leaf switch"), range(min = 1, max = 4096)))]
    pub nodes: u32,
    /// Leaf switches of each group.
    #[cfg_attr(feature = "schema", schemars(extend("examples" = [8]), range(min = 1, max = 1024)))]
    pub leaves: u32,
    /// Spine switches of each group.
    #[cfg_attr(feature = "schema", schemars(extend("examples" = [8]), range(min = 1, max = 1024)))]
    pub spines: u32,
    /// Global links of each spine switch.
    #[cfg_attr(feature = "schema", schemars(extend("examples" = [4]), extend("x-hint" = "the global links of a switch"), range(min = 1, max = 2048)))]
    pub h: u32,
    /// Number of groups, at most spines * h + 1.
    #[cfg_attr(feature = "schema", schemars(extend("examples" = [9]), range(min = 1, max = 8192)))]
    pub groups: u32,
    /// Which global port leads to which group.
    #[serde(default)]
    pub arrangement: Arrangement,
}

impl DragonflyPlus {
    fn plan(&self) -> Result<Plan<'static>, NetworkError> {
        check_range("network.nodes", self.nodes, 1..=4096, "a leaf switch has 1 to 4096 nodes")?;
        check_range("network.leaves", self.leaves, 1..=1024, "a group has 1 to 1024 leaf switches")?;
        check_range("network.spines", self.spines, 1..=1024, "a group has 1 to 1024 spine switches")?;
        check_range("network.h", self.h, 1..=2048, "a spine switch has 1 to 2048 global links")?;
        let most = (self.spines * self.h + 1).min(MAX_GROUPS);
        let reason = "every pair of groups needs a link: there are 1 to spines * h + 1 groups, and at most 8192";
        check_range("network.groups", self.groups, 1..=most, reason)?;
        let switches = u128::from(self.groups) * u128::from(self.leaves + self.spines);
        check_size(switches, u64::from(self.leaves + self.spines + self.h + self.nodes))?;
        Ok(Plan {
            count: self.groups,
            local: Local::LeafSpine { leaves: self.leaves, spines: self.spines },
            classes: ["node", "local", "global"].map(String::from).to_vec(),
            class: &|_, _, _| 1,
            nodes: self.nodes,
        })
    }
}

impl Topology for DragonflyPlus {
    fn kind(&self) -> &'static str {
        "dragonfly-plus"
    }

    fn ports(&self) -> Result<u64, NetworkError> {
        self.plan()?.ports(Arrangement::count(self.groups, self.spines, self.h))
    }

    fn build(&self) -> Result<Network, NetworkError> {
        Ok(self.plan()?.build(&self.arrangement.cables(self.groups, self.spines, self.h, self.leaves)))
    }
}
