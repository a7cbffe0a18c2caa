//! The outputs that a part of a flow may take at a switch, and those that it takes.

use drowse_flows::Rates;

use crate::engine::link::channel::Channel;
use crate::engine::switch::arbiter::next_in_order;
use crate::engine::switch::pointer::{output_of, pointer};
use crate::engine::switch::switches::Switches;
use crate::model::routing_kind::RoutingKind;
use crate::power::Policy;
use crate::routing::low_diameter::{self, Goal};
use crate::routing::{Candidates, Destination, PortGroup, levels};
use crate::topology::Geometry;

use super::places::Place;

/// An output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Output {
    /// Its channel.
    pub channel: u32,
    /// The virtual channels that packets take there, one bit each.
    pub vcs: u8,
    /// How fast it is.
    pub rate: u64,
}

/// How the parts of a flow go on at a switch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spread {
    /// Each by one output.
    One,
    /// Each by all permitted outputs.
    Even,
}

/// Finds the outputs that routing permits to a part, the one first that packets wake where all sleep. `rate` is that of
/// a channel.
pub fn find<P: Policy>(
    switches: &Switches<P>,
    (place, to, hop): (Place, Destination, u32),
    spread: Spread,
    scratch: &mut Candidates,
    rate: impl Fn(u32) -> u64,
    found: &mut Vec<Output>,
) {
    let (network, router) = (switches.network, &switches.rules.router);
    let first = switches.partition.link(network.first_port[place.switch as usize]);
    found.clear();
    let mut take = |group: PortGroup| {
        for output in group.outputs() {
            let channel = first + u32::from(output);
            if found.iter().all(|other| other.channel != channel) {
                found.push(Output { channel, vcs: group.vcs, rate: rate(channel) });
            }
        }
    };
    match (&network.geometry, router.kind, spread) {
        (Geometry::Levels(tree), RoutingKind::Random, Spread::Even) => {
            take(levels::permitted(tree, RoutingKind::Adaptive, router.all_vcs, place.switch, to, 0));
        }
        (Geometry::Groups(_), RoutingKind::Minimal, Spread::Even) => {
            let vcs = router.hop_vcs.mask(hop);
            let take = |group: PortGroup| take(PortGroup { vcs, ..group });
            low_diameter::all_next_hops(network, place.switch, Goal::Switch(to.switch), take);
        }
        _ => {
            router.candidates(place.switch, to, place.route, || hop, scratch);
            if scratch.adaptive_len == 0 {
                take(scratch.escape);
            } else {
                // The escape is one of these.
                let escape = PortGroup { vcs: scratch.adaptive()[0].vcs, ..scratch.escape };
                take(escape);
                scratch.adaptive().iter().for_each(|group| take(*group));
            }
        }
    }
}

/// Puts into a list those outputs that packets take at time `t` that go on for some picoseconds: those that are on, and
/// those that are on before the packets have gone; else those that wake, else the one that they wake first.
pub fn awake<P: Policy>(switches: &Switches<P>, permitted: &[Output], t: u64, lasts: u64, awake: &mut Vec<Output>) {
    let links = &switches.links;
    awake.clear();
    let on = |output: &&Output| links.is_on(output.channel as usize, t);
    let wakes = |output: &&Output| links.is_waking(output.channel as usize, t);
    if permitted.iter().any(|output| on(&output)) {
        let by = t.saturating_add(lasts);
        let soon = |output: &&Output| wakes(output) && links.hot[output.channel as usize].awake_at < by;
        awake.extend(permitted.iter().filter(|output| on(output) || soon(output)));
        return;
    }
    awake.extend(permitted.iter().filter(wakes));
    if awake.is_empty() {
        // A trunk's ports that its policy has turned off are not woken.
        let free = |output: &&Output| !links.hot[output.channel as usize].has(Channel::GOVERNED);
        awake.extend(permitted.iter().find(free).or(permitted.first()));
    }
}

/// Puts into a list in which proportions outputs are taken: if `free`, in proportion to what they have left, but at
/// least to an equal part of the output for each flow on it.
pub fn weigh(rates: &Rates, free: bool, outputs: &[Output], weights: &mut Vec<u64>) {
    weights.clear();
    weights.extend(outputs.iter().map(|output| {
        if !free || outputs.len() < 2 {
            return 1;
        }
        let part = output.rate / (rates.flows_on(output.channel).len() as u64 + 1);
        output.rate.saturating_sub(rates.used(output.channel)).max(part).max(1)
    }));
}

/// Returns the place of the output in a list, and its virtual channel, that comes first from a queue's pointer on, the
/// outputs of a switch being numbered from `first` on.
pub fn next_in_turn(outputs: &[Output], first: u32, start: u16) -> Option<(usize, u8)> {
    let priority = |output: &Output| {
        let base = pointer((output.channel - first) as u16, 0);
        let candidate = base + u16::from(next_in_order(output.vcs, start.wrapping_sub(base)));
        (candidate.wrapping_sub(start), output_of(candidate).1)
    };
    let best = outputs.iter().enumerate().map(|(place, output)| (priority(output), place)).min();
    best.map(|((_, vc), place)| (place, vc))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two outputs, 10 and 11 of a switch whose first is 10, with two virtual channels each: all four in turn.
    #[test]
    fn outputs_and_virtual_channels_in_turn() {
        let outputs = [10, 11].map(|channel| Output { channel, vcs: 0b11, rate: 1 });
        let mut start = 0;
        let taken = [0; 5].map(|_| {
            let (place, vc) = next_in_turn(&outputs, 10, start).unwrap_or_default();
            start = pointer(place as u16, vc) + 1;
            (place, vc)
        });
        assert_eq!(taken, [(0, 0), (0, 1), (1, 0), (1, 1), (0, 0)]);
    }
}
