//! PERCS, the network of IBM's Power 775 (Arimilli et al., Hot Interconnects 2010; Totoni et al. 2014, section 3):
//! supernodes of 32 nodes, each with a hub, in four drawers of eight.
//!
//! Hubs of a drawer are joined by LL links, those of different drawers of a supernode by LR links, supernodes each with
//! each by D links. The D link from supernode i to j sits on hub j mod 32 of supernode i and ends on hub i mod 32 of
//! supernode j, which reproduces the link usage that Totoni et al. 2014 prints.

use serde::Deserialize;

use super::error::{NetworkError, check_range};
use super::geometry::groups::Local;
use super::geometry::lattice::Lattice;
use super::group_plan::{Cable, CableEnd, Plan};
use super::member::Topology;
use super::network::Network;
use crate::model::units::BitRate;

/// Hubs of a supernode.
const HUBS: u32 = 32;
/// Hubs of a drawer.
const DRAWER: u32 = 8;

/// What one direction of an LL, an LR and a D link carries, in bytes per second.
const BANDWIDTHS: [(&str, BitRate); 3] = [
    ("LL", BitRate::from_bytes_per_second(24_000_000_000)),
    ("LR", BitRate::from_bytes_per_second(5_000_000_000)),
    ("D", BitRate::from_bytes_per_second(10_000_000_000)),
];

/// PERCS, the network of IBM's Power 775 (Arimilli et al. 2010): supernodes of 32 nodes,
/// every two of which are joined.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Percs {
    /// Number of supernodes.
    #[cfg_attr(feature = "schema", schemars(extend("examples" = [4]), range(min = 1, max = 512)))]
    pub supernodes: u32,
}

impl Percs {
    fn plan(self) -> Result<Plan<'static>, NetworkError> {
        let reason = "a hub has 16 D links, each to another supernode: there are 1 to 512 supernodes";
        check_range("network.supernodes", self.supernodes, 1..=512, reason)?;
        Ok(Plan {
            count: self.supernodes,
            local: Local::Lattice(Lattice::new(vec![HUBS], vec![1])),
            classes: ["node", "LL", "LR", "D"].map(String::from).to_vec(),
            class: &|_, hub, other| if hub / DRAWER == other / DRAWER { 1 } else { 2 },
            nodes: 1,
        })
    }
}

impl Topology for Percs {
    fn kind(&self) -> &'static str {
        "percs"
    }

    fn ports(&self) -> Result<u64, NetworkError> {
        self.plan()?.ports(u64::from(self.supernodes) * u64::from(self.supernodes.saturating_sub(1)) / 2)
    }

    fn build(&self) -> Result<Network, NetworkError> {
        let pairs = (0..self.supernodes).flat_map(|i| (i + 1..self.supernodes).map(move |j| (i, j)));
        let end = |group, to| CableEnd { group, switch: to % HUBS, slot: to };
        let cables: Vec<Cable> = pairs.map(|(i, j)| [end(i, j), end(j, i)]).collect();
        Ok(self.plan()?.build(&cables))
    }

    fn bandwidth(&self, class: &str) -> Option<BitRate> {
        BANDWIDTHS.iter().find(|(name, _)| *name == class).map(|(_, rate)| *rate)
    }
}
