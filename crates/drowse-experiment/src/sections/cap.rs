//! What a cap leaves to divide, from what the parts of a network draw.
//!
//! Everything is counted at its most. A channel that is on draws its power, and the energy of what it can send: its data
//! rate, in packets of one flit, or full ones where all are padded. One in deep sleep draws its share, and sends nothing.
//! The floor is what switches and links draw with one link of each bundle on, or one lane.

use drowse_core::engine;
use drowse_core::model::config::{ClassModel, SwitchModel};
use drowse_core::model::ids::ChannelId;
use drowse_core::power::ByClass;
use drowse_core::power::watts::{ClassWatts, Watts};
use drowse_core::topology::{Geometry, Network};

use super::limit::Limit;
use crate::diagnostic::Diagnostic;
use crate::keys::{Keys, join};

/// The parts of a network that draw power.
pub struct Parts<'a> {
    pub network: &'a Network,
    pub classes: &'a [ClassModel],
    pub watts: &'a Watts,
    pub switch: &'a SwitchModel,
    /// The two channels of a link sleep together.
    pub both: bool,
}

/// A cap as it was written, and the table that has it.
#[derive(Clone, Copy)]
pub struct Written<'a> {
    pub limit: Limit,
    pub path: &'a str,
}

const NANOWATTS: f64 = 1e9;

/// Completes the rules of a cap; returns what to know of it.
pub fn complete(
    policy: &mut ByClass,
    parts: &Parts<'_>,
    written: &[Written<'_>],
    keys: &Keys,
) -> Result<Option<String>, Diagnostic> {
    let Some(first) = written.first().filter(|_| !matches!(parts.network.geometry, Geometry::Ideal(_))) else {
        return Ok(None);
    };
    if let Some(other) = written.iter().find(|other| other.limit != first.limit) {
        let message = "this is another cap, and there is one for the whole network";
        return Err(keys.error(&join(other.path, "cap"), message, "write the same cap for all classes"));
    }
    for (class, rules) in policy.caps_mut() {
        rules.port = parts.saved(class, u64::from(rules.lanes));
    }
    let most = parts.most();
    let bundles = engine::bundles(parts.network, parts.classes, parts.both, &*policy);
    if bundles.is_empty() {
        let message = "no link has others beside it, so that none can go off under a cap";
        let help = "write lanes = 4, so that links narrow, or parallel links (such as network.trunk = 2)";
        return Err(keys.error(&join(first.path, "kind"), message, help));
    }
    let saved: u64 = bundles.iter().map(|bundle| bundle.cost(bundle.most)).fold(0, u64::saturating_add);
    let floor = most.saturating_sub(saved);
    let cap = first.limit.nanowatts(most);
    let Some(spare) = cap.checked_sub(floor) else {
        let least = floor.div_ceil(1_000_000_000);
        let message = format!(
            "a cap of {} is below {}, what switches and links may draw where only those are on that must be",
            watts(cap),
            watts(floor),
        );
        let help = format!("write at least \"{least} W\"; with all links on it is {}", watts(most));
        return Err(keys.error(&join(first.path, "cap"), message, help));
    };
    for (_, rules) in policy.caps_mut() {
        (rules.cap, rules.spare) = (cap, spare);
    }
    let never = cap >= most;
    Ok(never.then(|| format!("the cap of {} is never reached: all links draw {}", watts(cap), watts(most))))
}

/// Writes a power.
fn watts(nanowatts: u64) -> String {
    format!("{:.1} W", nanowatts as f64 / NANOWATTS)
}

/// Returns a power in nanowatts.
#[expect(clippy::cast_sign_loss, reason = "no power is negative, and the cast stops at 0")]
fn nanowatts(watts: f64) -> u64 {
    (watts * NANOWATTS).ceil() as u64
}

impl Parts<'_> {
    /// Returns what all switches and links draw at most, in nanowatts.
    fn most(&self) -> u64 {
        let lanes = |class: usize| self.classes[class].lanes;
        let switches: f64 = self.watts.of_switches(self.network, lanes).sum();
        let channel = |channel: ChannelId| {
            let class = usize::from(self.network.channel_class(channel));
            let drawn = &self.watts.classes[self.watts.place_of(self.network, channel)];
            drawn.on * f64::from(self.classes[class].lanes) + self.sending(class, drawn)
        };
        let channels: f64 = (0..self.network.channels()).map(ChannelId).map(channel).sum();
        nanowatts(switches + channels)
    }

    /// Returns what a channel takes for all that it can send, in watts.
    fn sending(&self, class: usize, drawn: &ClassWatts) -> f64 {
        let flits = if self.switch.padding { self.switch.packet_flits } else { 1 };
        let bits = self.switch.flit.0 as f64 * 8.0 * f64::from(flits);
        self.classes[class].bandwidth.0 as f64 * (drawn.per_bit + drawn.per_packet / bits)
    }

    /// Returns what a channel of a class draws less in deep sleep than on, at least, in nanowatts: a multiple of its
    /// lanes.
    #[expect(clippy::cast_sign_loss, reason = "no power is negative, and the cast stops at 0")]
    fn saved(&self, class: usize, lanes: u64) -> u64 {
        let asleep = self.classes[class].states.map_or(1.0, |states| states.deep.power);
        // Where switches are of several models, of those that save least.
        let drawn = self.watts.classes.iter().skip(class).step_by(self.classes.len().max(1));
        let saved = drawn
            .map(|drawn| drawn.on * f64::from(self.classes[class].lanes) * (1.0 - asleep) + self.sending(class, drawn));
        let least = saved.reduce(f64::min).unwrap_or_default();
        let nanowatts = (least * NANOWATTS).floor() as u64;
        nanowatts - nanowatts % lanes.max(1)
    }
}
