//! Checks that a cap, where there is one, has what it needs.

use crate::model::config::Config;
use crate::power::{CapRules, Policy};
use crate::topology::{Geometry, Network};

use super::control::bundles;
use super::setup_error::SetupError;

/// Checks the rules of a cap against each other and the network.
pub fn check<P: Policy>(network: &Network, config: &Config, policy: &P) -> Result<(), SetupError> {
    let classes = bundles::of_classes(&config.classes, policy);
    let rules: Vec<CapRules> = classes.into_iter().flatten().collect();
    let Some(first) = rules.first().filter(|_| !matches!(network.geometry, Geometry::Ideal(_))) else { return Ok(()) };
    let alike = |rules: &CapRules| CapRules { port: first.port, lanes: first.lanes, ..*rules } == *first;
    if !rules.iter().all(alike) {
        return refuse("power.class", "there is one cap: all classes that are under it have the same cap and window");
    }
    let states = || (0..).zip(&config.classes).filter(|(_, class)| class.states.is_some()).map(|(class, _)| class);
    if states().any(|class| policy.governor(class).is_some() || policy.runtime_rules(class).is_some()) {
        return refuse("power.class", "one governor commands links: a cap has no \"bounded\" or \"runtime\" beside it");
    }
    if first.reaction < config.switch.clock || first.reaction > first.window {
        let clock = config.switch.clock;
        let reason = format!("must be from one clock cycle of {clock} to a window of {}", first.window);
        return refuse("power.policy.reaction", reason);
    }
    if matches!(network.geometry, Geometry::Graph(_)) && rules.iter().any(|rules| rules.lanes <= 1) {
        let reason = format!(
            "routing \"{}\" of a graph may name a single one of parallel links, and that may be off: write lanes = 4, so \
             that links narrow, or use another network",
            config.routing.name()
        );
        return refuse("power.policy", reason);
    }
    if bundles::all(network, &config.classes, config.sleep.both, policy).is_empty() {
        let reason = "no link has others beside it, so that none may go off: write lanes = 4, so that links narrow, or \
                      parallel links (such as network.trunk = 2)";
        return refuse("power.policy", reason);
    }
    Ok(())
}

fn refuse(key: &'static str, reason: impl Into<String>) -> Result<(), SetupError> {
    Err(SetupError { key, reason: reason.into() })
}
