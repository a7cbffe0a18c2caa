//! `[[cost.part]]`: what parts of the machine cost when they are bought.

use drowse_core::model::ids::ChannelId;
use drowse_core::power::investment::Bought;
use drowse_core::topology::Network;
use schemars::JsonSchema;
use serde::Deserialize;

use super::{amount, has_class};
use crate::diagnostic::Diagnostic;
use crate::keys::{Keys, join};
use crate::node::Node;
use crate::wording;

/// Parts of one kind and model, with your prices: none is built in.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PartKeys {
    /// What it is.
    #[schemars(extend("x-hint" = "what is bought"))]
    part: Part,
    /// What you call it. Default: nothing.
    #[schemars(extend("examples" = ["QM9700"]))]
    model: Option<String>,
    /// The links whose cables or modules these are, such as `node`. Default: all links.
    #[schemars(extend("examples" = ["node"]))]
    class: Option<String>,
    /// How many there are. Default: as many as the network has: a cable for each link, two modules for each cable, a NIC
    /// for each node.
    #[schemars(extend("examples" = [40]))]
    count: Option<u64>,
    /// Money for one. Default: it counts nothing.
    #[schemars(extend("examples" = [25000.0]), range(min = 0))]
    price: Option<f64>,
    /// Kilograms of CO2 that making one emits. Default: it counts nothing.
    #[schemars(extend("examples" = [280.0]), range(min = 0))]
    carbon: Option<f64>,
}

/// A part of a machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
enum Part {
    /// A switch.
    Switch,
    /// A cable.
    Cable,
    /// A module at an end of a cable.
    Module,
    /// A NIC.
    Nic,
    /// A compute node.
    Node,
}

impl Part {
    const fn name(self) -> &'static str {
        match self {
            Part::Switch => "switch",
            Part::Cable => "cable",
            Part::Module => "module",
            Part::Nic => "nic",
            Part::Node => "node",
        }
    }

    const fn is_of_links(self) -> bool {
        matches!(self, Part::Cable | Part::Module)
    }

    /// Returns how many of it a network has; of links, those of a class.
    fn count(self, network: &Network, class: Option<&str>) -> u64 {
        let of_class = |channel: &u32| {
            let name = &network.classes[usize::from(network.channel_class(ChannelId(*channel)))];
            class.is_none_or(|class| class == name)
        };
        // The two directions of a link are channels.
        let links = || (0..network.channels()).filter(of_class).count() as u64 / 2;
        match self {
            Part::Switch => u64::from(network.switches()),
            Part::Cable => links(),
            Part::Module => 2 * links(),
            Part::Nic | Part::Node => u64::from(network.nodes),
        }
    }
}

/// Reads all parts.
pub fn read(nodes: Vec<Node<'_>>, network: &Network, keys: &Keys) -> Result<Vec<Bought>, Diagnostic> {
    let mut bought = Vec::new();
    let mut counted: Vec<(Part, Option<String>)> = Vec::new();
    for node in nodes {
        let path = node.path.clone();
        let PartKeys { part, model, class, count, price, carbon } = node.read(keys)?;
        let called = model.as_deref().unwrap_or(part.name());
        let at = |key: &str| join(&path, key);
        if let Some(class) = &class {
            if !part.is_of_links() {
                let message = format!("a {} belongs to no class of links", part.name());
                return Err(keys.error(&at("class"), message, "leave out class, or write count"));
            }
            if !has_class(network, class) {
                return Err(wording::unknown_class(keys, &at("class"), class, network));
            }
        }
        if price.is_none() && carbon.is_none() {
            return Err(keys.error(
                &path,
                format!("`{called}` has no price and no carbon"),
                "write one of them, or both",
            ));
        }
        for (key, value) in [("price", price), ("carbon", carbon)] {
            value.map(|value| amount(keys, &at(key), value)).transpose()?;
        }
        if count.is_none() {
            let is_counted = |(other, of): &(Part, Option<String>)| {
                *other == part && (of.is_none() || class.is_none() || *of == class)
            };
            if counted.iter().any(is_counted) {
                let message = format!("`{called}`: a part above counts each {} already", part.name());
                return Err(keys.error(&path, message, "write count, so that none is counted twice"));
            }
            counted.push((part, class.clone()));
        }
        let count = count.unwrap_or_else(|| part.count(network, class.as_deref()));
        bought.push(Bought { count, price, carbon_kg: carbon });
    }
    Ok(bought)
}
