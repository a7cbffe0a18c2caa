//! The bundles of a network whose power a cap bounds.

use crate::model::config::ClassModel;
use crate::model::ids::{ChannelId, PortId};
use crate::power::cap::Bundle;
use crate::power::{CapRules, Policy};
use crate::topology::{End, Network};

use super::parallel_ports::grouped;

/// Returns whether the ports of a class are under a cap.
pub fn is_capped<P: Policy>(policy: &P, class: u8) -> bool {
    policy.cap(class).is_some()
}

/// Returns the rules of the first class under a cap that has sleep states, if there is one.
pub fn rules<P: Policy>(classes: &[ClassModel], policy: &P) -> Option<CapRules> {
    of_classes(classes, policy).into_iter().flatten().next()
}

/// Returns the rules of each class that is under a cap and has sleep states.
pub fn of_classes<P: Policy>(classes: &[ClassModel], policy: &P) -> Vec<Option<CapRules>> {
    let of_class = |(class, model): (u8, &ClassModel)| model.states.and(policy.cap(class));
    (0..).zip(classes).map(of_class).collect()
}

/// Returns all bundles of a network whose links a cap commands, in the order of their channels; the two directions of a
/// link together, if `both` sleep together.
pub fn all<P: Policy>(network: &Network, classes: &[ClassModel], both: bool, policy: &P) -> Vec<Bundle> {
    let rules = of_classes(classes, policy);
    let of = |port: u32| rules[usize::from(network.channel_class(ChannelId(port)))];
    let mut all = Vec::new();
    for ports in grouped(network, 0..network.switches()) {
        let Some(first) = of(ports[0]).filter(|_| !network.is_node_channel(ChannelId(ports[0]))) else { continue };
        let doubles = first.lanes > 1;
        if !doubles && ports.len() == 1 {
            continue;
        }
        for group in ports.chunks(if doubles { 1 } else { ports.len() }) {
            let most = if doubles { u32::from(first.lanes) } else { group.len() as u32 };
            let port = group.iter().filter_map(|&port| of(port)).map(|rules| rules.port).max().unwrap_or(first.port);
            let bundle = Bundle { channel: ChannelId(group[0]), back: None, most, doubles, port };
            all.extend(if both { with_back(network, bundle, of) } else { Some(bundle) });
        }
    }
    all.sort_unstable_by_key(|bundle| bundle.channel);
    all
}

/// Joins both directions of a bundle; `None` for the one whose number is the larger.
fn with_back(network: &Network, bundle: Bundle, of: impl Fn(u32) -> Option<CapRules>) -> Option<Bundle> {
    let End::Port(PortId(there)) = network.target(bundle.channel) else { return Some(bundle) };
    let back = of(there).map_or(bundle.port, |rules| rules.port);
    let port = bundle.port.saturating_add(back);
    (bundle.channel.0 < there).then_some(Bundle { back: Some(ChannelId(there)), port, ..bundle })
}
