//! `kind = "standby"`: spare links stand by.

use drowse_core::model::ids::ChannelId;
use drowse_core::model::link_state::LinkState;
use drowse_core::model::units::Time;
use drowse_core::power::{self, ClassPolicy};
use drowse_core::topology::{Geometry, Network};
use schemars::JsonSchema;
use serde::Deserialize;

use super::kind::{Class, Place, PolicyKeys};
use crate::diagnostic::Diagnostic;
use crate::sections::{billionths, share};
use crate::wording;

/// Spare links of trunks are taken down at the start of a run, and up and down by their load at the end of each window.
/// Packets bring none up.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Standby {
    /// Name of the sleep state of links that stand by. Default: the last of `states.list`, or deep sleep.
    #[schemars(extend("examples" = ["module-low"]))]
    state: Option<String>,
    /// Length of a window, at whose end links go up and down; 10 us to 7200 s.
    #[schemars(extend("default" = "60 s"))]
    every: Option<Time>,
    /// Largest share of the links of a trunk that stand by.
    #[schemars(extend("default" = 0.5), range(min = 0, max = 1))]
    budget: Option<f64>,
    /// Links of a trunk that stay up at least, so that as many paths without a common link stay between any two switches,
    /// as far as there were so many.
    #[schemars(extend("default" = 1), range(min = 1, max = 255))]
    paths: Option<u8>,
    /// Utilisation of the links that are up above which more come up.
    #[schemars(extend("default" = 0.5), range(min = 0, max = 1))]
    on: Option<f64>,
    /// Links go down as far as those that stay up would not be used for more than this; below `on` and above 0.
    #[schemars(extend("default" = 0.25), range(min = 0, max = 1))]
    off: Option<f64>,
}

const EVERY: Time = Time(60_000_000_000_000);
const SHORTEST: Time = Time::from_us(10);
const LONGEST: Time = Time(7_200_000_000_000_000);

impl Standby {
    /// Checks all keys but the state.
    fn checked(&self, place: &Place<'_>) -> Result<power::Standby, Diagnostic> {
        let part = |key: &str, value: f64| share(place.keys, &place.at(key), value).map(billionths);
        let every = self.every.unwrap_or(EVERY);
        if !(SHORTEST..=LONGEST).contains(&every) {
            let message = format!("links that stand by go up and down every {every}: that is out of range");
            return Err(place.error("every", message, "write 10 us to 7200 s; usual are seconds to minutes"));
        }
        let paths = self.paths.unwrap_or(1);
        if paths == 0 {
            let help = "write 1 or more";
            return Err(place.error("paths", "with no path left, switches would not reach each other", help));
        }
        let (on, off) = (part("on", self.on.unwrap_or(0.5))?, part("off", self.off.unwrap_or(0.25))?);
        if off == 0 || off >= on {
            let message = "with this `off`, links would go up and down in turn at a constant load, or never down";
            let key = if self.off.is_some() { "off" } else { "on" };
            return Err(place.error(key, message, "write `off` above 0 and below `on`"));
        }
        let budget = part("budget", self.budget.unwrap_or(0.5))?;
        Ok(power::Standby { every, state: LinkState::Deep, budget, paths, on, off })
    }

    /// Returns the sleep state of links that stand by.
    fn sleep(&self, place: &Place<'_>, class: &Class<'_>) -> Result<LinkState, Diagnostic> {
        let names = &class.listed.names;
        let Some(name) = &self.state else { return Ok(LinkState::SLEEPS[names.len().clamp(1, 6) - 1]) };
        let found = names.iter().position(|known| known == name).and_then(|at| LinkState::SLEEPS.get(at));
        found.copied().ok_or_else(|| {
            let known: Vec<&str> = names.iter().map(String::as_str).collect();
            wording::unknown_word(place.keys, &place.at("state"), name, &known)
        })
    }
}

impl PolicyKeys for Standby {
    fn check(&self, place: &Place<'_>) -> Result<(), Diagnostic> {
        self.checked(place).map(|_| ())
    }

    fn policy(&self, place: &Place<'_>, class: &Class<'_>) -> Result<ClassPolicy, Diagnostic> {
        class.chosen(
            place,
            "links that stand by are down for seconds or minutes, and the states of Ethernet are for microseconds",
            "power.states.list = [{ name = \"module-low\", power = 0.2, enter = \"100 ms\", wake = \"5 s\" }]",
        )?;
        let state = self.sleep(place, class)?;
        if !has_spare(class.network, class.index) {
            let name = class.network.classes.get(class.index).map_or("", String::as_str);
            let message =
                format!("links of class \"{name}\" have none beside them: without one, no packet would arrive");
            let help = "only parallel links between two switches stand by, because routes stay as they are: write more \
                        of them (such as network.trunk = 2), or another policy for this class";
            return Err(place.error("kind", message, help));
        }
        Ok(ClassPolicy::Standby(power::Standby { state, ..self.checked(place)? }))
    }
}

/// Returns whether some links of a class have others beside them, between the same two switches. An ideal network has no
/// links, and takes any policy.
fn has_spare(network: &Network, class: usize) -> bool {
    if matches!(network.geometry, Geometry::Ideal(_)) {
        return true;
    }
    let trunks = network.trunks();
    let of_class = |port: usize| usize::from(network.port_class[port]) == class;
    let beside = |port: usize| trunks[port].index() != port && !network.is_node_channel(ChannelId(port as u32));
    (0..trunks.len()).any(|port| of_class(port) && beside(port))
}
