//! What flows do not model is refused by name.

use crate::model::balance::Balance;
use crate::model::config::{Arbitration, Config, Escape, FlowControl};
use crate::model::units::Time;
use crate::power::Policy;
use crate::topology::{Geometry, Network};

use super::link::class::Class;
use super::setup_error::SetupError;

/// What to do instead of what flows do not model.
const INSTEAD: &str = "or leave out simulation.unit, so that packets move";

/// Refuses what flows do not model, if it is flows that move.
pub fn check<P: Policy>(network: &Network, config: &Config, policy: &P, classes: &[Class]) -> Result<(), SetupError> {
    if config.unit.is_packet() || matches!(network.geometry, Geometry::Ideal(_)) {
        return Ok(());
    }
    check_switch(config, classes)?;
    check_policy(config, policy)
}

fn refuse(key: &'static str, what: &str) -> Result<(), SetupError> {
    Err(SetupError { key, reason: format!("{what}, {INSTEAD}") })
}

fn check_switch(config: &Config, classes: &[Class]) -> Result<(), SetupError> {
    let switch = &config.switch;
    if let FlowControl::Pause(_) = switch.flow_control {
        return refuse("switch.flow_control", "flows know of no pauses: write \"credits\"");
    }
    if switch.escape == Escape::Bubble {
        return refuse("switch.escape", "flows know of no bubbles: write \"dateline\"");
    }
    if switch.arbitration == Arbitration::Age {
        return refuse("switch.allocator.kind", "flows have no age: write another kind");
    }
    if let Balance::Flowlet(..) = switch.balance {
        return refuse("switch.balance", "flows know of no gaps between packets: write \"flow-hash\"");
    }
    if !config.node.order.is_any() {
        return refuse("node.order", "the packets of flows come in order: leave it out");
    }
    if switch.allocation_gap > Time::ZERO {
        return refuse("switch.allocator.overlap", "flows know of no gaps between packets: leave it out");
    }
    let shortest = classes.iter().map(|class| class.duration_ceil(switch.packet_flits)).min();
    if shortest.is_some_and(|shortest| shortest < switch.clock.0) {
        return refuse(
            "switch.packet",
            "a packet takes less than a clock cycle, in which a switch grants one: make it longer",
        );
    }
    Ok(())
}

fn check_policy<P: Policy>(config: &Config, policy: &P) -> Result<(), SetupError> {
    let sleeping = || (0..).zip(&config.classes).filter(|(_, class)| class.states.is_some()).map(|(class, _)| class);
    if config.sleep.both && sleeping().next().is_some() {
        return refuse("power.directions", "flows do not let both directions of a link sleep together: write \"each\"");
    }
    if sleeping().any(|class| policy.trunk_window(class).is_some() && policy.lanes(class) > 1) {
        return refuse("power.policy", "flows do not let links change their width: take another policy");
    }
    if sleeping().any(|class| policy.stands_by(class)) {
        return refuse("power.policy", "flows do not let links stand by: take another policy");
    }
    let trunks = sleeping().any(|class| policy.trunk_window(class).is_some());
    if trunks && config.switch.output_queues().is_some() {
        return refuse("switch.queues", "flows do not let trunks go off behind output queues: write \"input\"");
    }
    if sleeping().any(|class| policy.coalescing(class).is_some()) {
        return refuse(
            "power.policy",
            "flows do not wait for several packets before a link wakes: take another policy",
        );
    }
    if sleeping().any(|class| policy.governor(class).is_some()) {
        return refuse(
            "power.policy",
            "flows do not report to a governor by how much they are late: take another policy",
        );
    }
    if policy.counts_waiting() {
        return refuse("simulation.unit", "why packets wait is known of packets only: leave out that table");
    }
    Ok(())
}
