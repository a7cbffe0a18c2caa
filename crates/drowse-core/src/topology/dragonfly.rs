//! Dragonfly (Kim et al., ISCA 2008): groups of `a` switches, each with `p` nodes and `h` global links, joined each
//! with each.
//!
//! The `a * h` global ports of a group are numbered switch by switch. Where there are fewer than `a * h + 1`
//! groups, the same pattern is repeated over as many of the ports as give every pair of groups the same number of links;
//! those left over are not plugged. Arrangements: Hastings et al., CLUSTER 2015; palmtree: Camarero et al., TACO 2014.

use serde::{Deserialize, Serialize};

use super::error::{NetworkError, check_range, check_size};
use super::geometry::groups::Local;
use super::geometry::lattice::Lattice;
use super::group_plan::{Cable, CableEnd, Plan};
use super::member::Topology;
use super::network::Network;

/// A dragonfly (Kim et al. 2008): all switches of a group are joined with each other, and so are all groups.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Dragonfly {
    /// Compute nodes of each switch.
    #[cfg_attr(feature = "schema", schemars(extend("examples" = [4]), extend("x-hint" = "the nodes of a switch"), range(min = 1, max = 4096)))]
    pub p: u32,
    /// Switches of each group.
    #[cfg_attr(feature = "schema", schemars(extend("examples" = [8]), extend("x-hint" = "the switches of a group"), range(min = 1, max = 2048)))]
    pub a: u32,
    /// Global links of each switch.
    #[cfg_attr(feature = "schema", schemars(extend("examples" = [4]), extend("x-hint" = "the global links of a switch"), range(min = 1, max = 2048)))]
    pub h: u32,
    /// Number of groups, at most a * h + 1.
    #[cfg_attr(feature = "schema", schemars(extend("examples" = [9]), range(min = 1, max = 8192)))]
    pub groups: u32,
    /// Which global port leads to which group.
    #[serde(default)]
    pub arrangement: Arrangement,
}

/// Which global port of a group leads to which other group (experiment key `network.arrangement`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Arrangement {
    /// Port k leads to group k, or k + 1 from the group's own number on.
    Absolute,
    /// Port k leads k + 1 groups on.
    Relative,
    /// Port k leads k + 1 groups back.
    #[default]
    Palmtree,
}

impl Arrangement {
    /// Returns the port within a round, below `groups - 1`, that leads from a group to another.
    fn port(self, groups: u32, from: u32, to: u32) -> u32 {
        match self {
            Arrangement::Absolute => to - u32::from(to > from),
            Arrangement::Relative => (to + groups - from) % groups - 1,
            Arrangement::Palmtree => (from + groups - to) % groups - 1,
        }
    }

    /// Returns the cables between groups of `switches` switches with `ports` global ports each; `first` is the number
    /// of the first switch with global ports.
    pub fn cables(self, groups: u32, switches: u32, ports: u32, first: u32) -> Vec<Cable> {
        if groups < 2 {
            return Vec::new();
        }
        let rounds = switches * ports / (groups - 1);
        let pairs = (0..groups).flat_map(|from| (from + 1..groups).map(move |to| (from, to)));
        let end = |round: u32, group: u32, to: u32| {
            let slot = round * (groups - 1) + self.port(groups, group, to);
            CableEnd { group, switch: first + slot / ports, slot }
        };
        let cables = pairs.flat_map(|(a, b)| (0..rounds).map(move |round| [end(round, a, b), end(round, b, a)]));
        cables.collect()
    }

    /// Returns the number of cables.
    pub fn count(groups: u32, switches: u32, ports: u32) -> u64 {
        if groups < 2 {
            return 0;
        }
        let rounds = u64::from(switches) * u64::from(ports) / u64::from(groups - 1);
        rounds * u64::from(groups) * u64::from(groups - 1) / 2
    }
}

/// The largest number of groups of any network: there is a table of their pairs.
pub const MAX_GROUPS: u32 = 8192;

impl Dragonfly {
    fn plan(&self) -> Result<Plan<'static>, NetworkError> {
        check_range("network.p", self.p, 1..=4096, "a switch has 1 to 4096 nodes")?;
        check_range("network.a", self.a, 1..=2048, "a group has 1 to 2048 switches")?;
        check_range("network.h", self.h, 1..=2048, "a switch has 1 to 2048 global links")?;
        let most = (self.a * self.h + 1).min(MAX_GROUPS);
        let reason = "every pair of groups needs a link: there are 1 to a * h + 1 groups, and at most 8192";
        check_range("network.groups", self.groups, 1..=most, reason)?;
        check_size(u128::from(self.groups) * u128::from(self.a), u64::from(self.a + self.h + self.p))?;
        Ok(Plan {
            count: self.groups,
            local: Local::Lattice(Lattice::new(vec![self.a], vec![1])),
            classes: ["node", "local", "global"].map(String::from).to_vec(),
            class: &|_, _, _| 1,
            nodes: self.p,
        })
    }
}

impl Topology for Dragonfly {
    fn kind(&self) -> &'static str {
        "dragonfly"
    }

    fn ports(&self) -> Result<u64, NetworkError> {
        self.plan()?.ports(Arrangement::count(self.groups, self.a, self.h))
    }

    fn build(&self) -> Result<Network, NetworkError> {
        Ok(self.plan()?.build(&self.arrangement.cables(self.groups, self.a, self.h, 0)))
    }
}
