//! PERCS, the network of IBM's Power 775 (Arimilli et al., Hot Interconnects 2010; Totoni et al. 2014, section 3): supernodes of 32 nodes,
//! each with a hub, in four drawers of eight.
//!
//! Hubs of a drawer are joined by LL links, those of different drawers of a supernode by LR links, supernodes each with each
//! by D links. The D link from supernode i to j sits on hub j mod 32 of supernode i and ends on hub i mod 32 of supernode j,
//! which reproduces the link usage that Totoni et al. 2014 prints.

use serde::Deserialize;

use super::groups::{Cable, CableEnd, Local, Plan};
use super::lattice::Lattice;
use super::network::Network;
use super::{NetworkError, check_range};
use crate::model::units::BitRate;

/// Hubs of a supernode.
const HUBS: u32 = 32;
/// Hubs of a drawer.
const DRAWER: u32 = 8;

/// Parameters of a PERCS network.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Percs {
    /// Number of supernodes.
    pub supernodes: u32,
}

impl Percs {
    /// What one direction of an LL, an LR and a D link carries, in bytes per second.
    pub const BANDWIDTHS: [(&'static str, BitRate); 3] = [
        ("LL", BitRate::from_bytes_per_second(24_000_000_000)),
        ("LR", BitRate::from_bytes_per_second(5_000_000_000)),
        ("D", BitRate::from_bytes_per_second(10_000_000_000)),
    ];

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

    /// Returns the number of ports without building the network.
    pub fn ports(self) -> Result<u64, NetworkError> {
        self.plan()?.ports(u64::from(self.supernodes) * u64::from(self.supernodes.saturating_sub(1)) / 2)
    }

    /// Compiles to tables.
    pub fn build(self) -> Result<Network, NetworkError> {
        let pairs = (0..self.supernodes).flat_map(|i| (i + 1..self.supernodes).map(move |j| (i, j)));
        let end = |group, to| CableEnd { group, switch: to % HUBS, slot: to };
        let cables: Vec<Cable> = pairs.map(|(i, j)| [end(i, j), end(j, i)]).collect();
        Ok(self.plan()?.build(&cables))
    }
}
