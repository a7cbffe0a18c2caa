//! Checks that switches can keep to how packets are to be spread over outputs.

use crate::model::balance::Balance;
use crate::model::config::{Config, Queues, TrunkChoice};
use crate::routing::{self, RoutingKind};
use crate::topology::{Geometry, Network};

use super::setup_error::SetupError;

/// Refuses what contradicts `switch.balance`.
pub fn check(network: &Network, config: &Config) -> Result<(), SetupError> {
    let (switch, kind) = (&config.switch, config.switch.balance.name());
    if switch.balance == Balance::Adaptive || matches!(network.geometry, Geometry::Ideal(_)) {
        return Ok(());
    }
    let refuse = |key, reason| Err(SetupError { key, reason });
    if switch.trunks == TrunkChoice::Packed {
        let reason = format!(
            "packets fill the first links of a trunk, or \"{kind}\" spreads them over all: write trunks = \"balanced\", \
             or leave out switch.balance"
        );
        return refuse("switch.trunks", reason);
    }
    if switch.queues == Queues::VirtualOutput && switch.balance.remembers() {
        let reason = format!(
            "\"{kind}\" depends on the order of packets, and those of queues for each output choose as they come, at any \
             time: write \"flow-hash\", \"spray-random\" or \"spray-queue\", or queues = \"input\""
        );
        return refuse("switch.balance", reason);
    }
    // A packet draws its path by its own number; what is left to choose are parallel links.
    let draws = match network.geometry {
        Geometry::Levels(_) => config.routing == RoutingKind::Random,
        Geometry::Groups(_) => true,
        _ => config.routing == RoutingKind::KShortest,
    };
    if draws && network.trunk_places().iter().all(|&place| place == 0) {
        let reason = format!(
            "\"{}\" routing draws the path of each packet here, over single links, and leaves \"{kind}\" no choice: \
             leave switch.balance out, or write another network.routing or network",
            config.routing.name()
        );
        return refuse("switch.balance", reason);
    }
    if routing::has_single_route(network, config.routing) {
        let reason = format!(
            "\"{}\" routing leaves packets no choice on this network: leave switch.balance out, or write another \
             network.routing",
            config.routing.name()
        );
        return refuse("switch.balance", reason);
    }
    Ok(())
}
