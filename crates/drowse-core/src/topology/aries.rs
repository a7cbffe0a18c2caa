//! Cascade, the network of Cray's XC systems, made of Aries switches (Faanes et al., SC 2012).
//!
//! A group is two cabinets: 6 chassis of 16 switches, each with 4 nodes. The switches of a chassis are joined each with
//! each ("green" links), those of the same slot in all chassis by three links each ("black"), groups by the 10 global
//! links of each switch ("blue"), arranged as those of a dragonfly.

use serde::Deserialize;

use super::dragonfly::Arrangement;
use super::error::{NetworkError, check_range};
use super::geometry::groups::Local;
use super::geometry::lattice::Lattice;
use super::group_plan::Plan;
use super::member::Topology;
use super::network::Network;
use crate::model::units::BitRate;

/// Switches of a chassis.
const SLOTS: u32 = 16;
/// Chassis of a group.
const CHASSIS: u32 = 6;
/// Parallel links between two switches of the same slot.
const BLACK: u32 = 3;
/// Global links of a switch.
const BLUE: u32 = 10;

/// What one direction of a link within a group and between groups carries.
const BANDWIDTHS: [(&str, BitRate); 3] = [
    ("row", BitRate::from_bytes_per_second(5_250_000_000)),
    ("column", BitRate::from_bytes_per_second(5_250_000_000)),
    ("global", BitRate::from_bytes_per_second(4_700_000_000)),
];

/// Cascade, the network of Cray's XC systems, made of Aries switches (Faanes et al. 2012).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Aries {
    /// Number of groups, each of 96 switches.
    #[cfg_attr(feature = "schema", schemars(extend("examples" = [9]), range(min = 1, max = 961)))]
    pub groups: u32,
    /// Which global port leads to which group.
    #[serde(default)]
    pub arrangement: Arrangement,
}

impl Aries {
    fn plan(self) -> Result<Plan<'static>, NetworkError> {
        let reason = "every pair of groups needs a link, and a group has 960: there are 1 to 961 groups";
        check_range("network.groups", self.groups, 1..=SLOTS * CHASSIS * BLUE + 1, reason)?;
        Ok(Plan {
            count: self.groups,
            local: Local::Lattice(Lattice::new(vec![SLOTS, CHASSIS], vec![1, BLACK])),
            classes: ["node", "row", "column", "global"].map(String::from).to_vec(),
            class: &|d, _, _| d as u8 + 1,
            nodes: 4,
        })
    }
}

impl Topology for Aries {
    fn kind(&self) -> &'static str {
        "aries"
    }

    fn ports(&self) -> Result<u64, NetworkError> {
        self.plan()?.ports(Arrangement::count(self.groups, SLOTS * CHASSIS, BLUE))
    }

    fn build(&self) -> Result<Network, NetworkError> {
        Ok(self.plan()?.build(&self.arrangement.cables(self.groups, SLOTS * CHASSIS, BLUE, 0)))
    }

    fn bandwidth(&self, class: &str) -> Option<BitRate> {
        BANDWIDTHS.iter().find(|(name, _)| *name == class).map(|(_, rate)| *rate)
    }
}
