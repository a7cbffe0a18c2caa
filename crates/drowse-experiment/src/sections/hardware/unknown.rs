//! What to do where nobody has published what a port takes: all that lacks at once, and what would help.

use drowse_core::model::units::BitRate;

use super::models::Model;
use super::wanted::{Wanted, speed};
use crate::devices::{Counting, Medium, Module, PortPower};
use crate::diagnostic::Diagnostic;
use crate::keys::join;

/// What a message calls the parts of a port.
pub const PARTS: [&str; 3] = ["the port", "the module", "a link that is up"];
/// What a message calls the energies of what crosses a port.
pub const ENERGIES: &str = "bits and packets";

/// A port of which not all is published.
pub struct Port<'a> {
    pub model: &'a Model<'a>,
    pub wanted: &'a Wanted<'a>,
    pub rate: BitRate,
    pub medium: Medium,
    /// What was measured at the nearest rate with any medium, if anything was.
    pub measured: Option<&'a PortPower>,
    /// What is not known.
    pub lack: &'a [&'static str],
}

/// Makes the message.
pub fn refuse(port: &Port<'_>) -> Diagnostic {
    let Port { model, wanted, rate, medium, lack, .. } = *port;
    let name = &model.device.name;
    let what = format!("what ports of {name} take at {} with {}: {}", speed(rate), medium.word(), lack.join(", "));
    if port.lacks_only_payload() {
        let message = format!("nobody has published {what}, each counted without headers");
        let help = "write counting = \"published\", or set power.watts.per_bit and per_packet";
        return wanted.keys.error("power.watts.counting", message, help);
    }
    let chassis = if port.chassis_is_unknown() { ", and what its chassis draws" } else { "" };
    let known = model.device.port.iter().map(|port| format!("{} at {}", port.medium.word(), speed(port.rate)));
    let known: Vec<String> = known.collect();
    let known = if known.is_empty() { "nothing".to_owned() } else { known.join(", ") };
    let help = format!(
        "known of {name}: {known}; {}write a file of devices (power.watts.devices), or set power.watts.unknown = \
         \"no-saving\" to leave it out",
        port.proposal().map(|proposal| format!("{proposal}, ")).unwrap_or_default()
    );
    wanted.keys.error(&port.path(), format!("nobody has published {what}{chassis}"), help)
}

impl Port<'_> {
    /// Returns the key that asks for what is not known.
    fn path(&self) -> String {
        let written = ["module", "medium"].map(|key| self.wanted.path(key));
        let found = written.into_iter().find(|path| self.wanted.keys.contains(path));
        found.unwrap_or_else(|| join(&self.model.path, "device"))
    }

    /// Returns whether energies are published, and only not as `counting` asks for.
    fn lacks_only_payload(&self) -> bool {
        let published = |port: &PortPower| port.energies(self.model.device.counting, Counting::Published).is_some();
        self.lack == [ENERGIES]
            && self.wanted.counting == Some(Counting::Payload)
            && self.measured.is_some_and(published)
    }

    fn chassis_is_unknown(&self) -> bool {
        self.model.device.base.0.is_none() && !self.wanted.own.switch
    }

    /// Says which keys would say all that lacks; `None` where no keys do.
    fn proposal(&self) -> Option<String> {
        let lacks = |part: &str| self.lack.contains(&part);
        let modules = self.modules();
        let by_module = !modules.is_empty() && PARTS.into_iter().any(lacks);
        if lacks(PARTS[1]) && !by_module {
            return None;
        }
        // A port with another module draws what it was measured to draw, if it was.
        let measured = self.measured.filter(|_| by_module);
        let mut keys = Vec::new();
        let on_is_known = measured.is_some_and(|port| port.on.0.is_some()) || self.wanted.own.on;
        if (lacks(PARTS[0]) && !on_is_known) || (lacks(PARTS[2]) && !by_module) {
            keys.push("on");
        }
        let counted = self.wanted.counting.unwrap_or(Counting::Published);
        let energies = measured.and_then(|port| port.energies(self.model.device.counting, counted));
        if lacks(ENERGIES) && energies.is_none() {
            keys.extend(["per_bit", "per_packet"]);
        }
        if self.chassis_is_unknown() {
            keys.push("switch");
        }
        let keys = match keys.as_slice() {
            [] => None,
            [only] => Some(format!("set power.watts.{only}")),
            [first @ .., last] => Some(format!("set power.watts.{} and {last}", first.join(", "))),
        };
        let module = by_module.then(|| format!("name a module (link.module: {})", modules.join(", ")));
        match (module, keys) {
            (Some(module), Some(keys)) => Some(format!("{module} and {keys}")),
            (module, keys) => module.or(keys),
        }
    }

    /// Returns the modules that go into the device's cages, have the rate, and are of the medium where one was written.
    fn modules(&self) -> Vec<&str> {
        let Port { model, wanted, rate, .. } = *self;
        if wanted.medium.module.is_some() {
            return Vec::new();
        }
        let goes = |module: &&Module| {
            let within =
                |limit: Option<f64>| limit.zip(module.power.most().0).is_none_or(|(limit, most)| most <= limit);
            let mut cages = model.device.ports.iter().filter(|cages| cages.rates.contains(&rate));
            module.rate == rate
                && module.power.usual().0.is_some()
                && wanted.medium.medium.is_none_or(|medium| medium == module.medium)
                && cages.any(|cages| module.form.fits(cages.form) && within(cages.module_limit.0))
        };
        wanted.catalogue.module.iter().filter(goes).map(|module| module.name.as_str()).collect()
    }
}
