//! The links between switches, parallel ones together.

use drowse_core::model::ids::ChannelId;
use drowse_core::topology::{End, Network};

/// Parallel links of one class between two switches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ends {
    /// The switch with the lower number.
    pub from: u32,
    /// The other.
    pub to: u32,
    /// Their class.
    pub class: u8,
    /// How many there are.
    pub links: u32,
}

/// Finds them all, those of switches with low numbers first.
pub fn of(network: &Network) -> Vec<Ends> {
    let mut links: Vec<(u32, u32, u8)> = (0..network.ports())
        .filter_map(|port| match network.target(ChannelId(port)) {
            End::Port(there) if port < there.0 => {
                let [a, b] = [port, there.0].map(|port| network.port_switch(port as usize));
                Some((a.min(b), a.max(b), network.port_class[port as usize]))
            }
            _ => None,
        })
        .collect();
    links.sort_unstable();
    let trunk = |links: &[(u32, u32, u8)]| {
        let (from, to, class) = links[0];
        Ends { from, to, class, links: links.len() as u32 }
    };
    links.chunk_by(|a, b| a == b).map(trunk).collect()
}
