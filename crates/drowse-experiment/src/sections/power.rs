//! `[power]`: which channels may sleep, under which policy, and the power model.

use drowse_core::model::config::{ClassModel, SleepRules};
use drowse_core::model::units::Time;
use drowse_core::power::ByClass;
use drowse_core::power::model::{PowerModel, Reference};
use drowse_core::topology::{Geometry, Network};
use serde::Deserialize;

use super::sleep::Sleep;
use super::watts::{self, Watts};
use super::{policy, share};
use crate::diagnostic::Diagnostic;
use crate::keys::Keys;
use crate::node::Node;
use crate::quantity::Quantity;
use crate::wording;

/// Which channels may sleep (`power.channels`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SleepingChannels {
    /// Those between switches.
    #[default]
    Switch,
    /// Those between nodes and switches.
    Node,
    /// All.
    All,
}

impl SleepingChannels {
    /// Returns whether the channels of a link class may sleep; class 0 is `node` in every network.
    pub fn contains(self, class: u8) -> bool {
        match self {
            SleepingChannels::Switch => class != 0,
            SleepingChannels::Node => class == 0,
            SleepingChannels::All => true,
        }
    }
}

/// What the section says of the whole network.
pub struct Resolved {
    pub channels: SleepingChannels,
    pub policy: ByClass,
    pub sleep: SleepRules,
    pub model: PowerModel,
    /// By link class.
    pub watts: Vec<Watts>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Power {
    #[serde(default)]
    channels: SleepingChannels,
    model: Option<Model>,
    wake_after: Option<Quantity<Time>>,
    sleep_aware: Option<bool>,
    #[serde(default)]
    directions: Directions,
}

/// Whether the two channels of a link sleep each for itself.
#[derive(Clone, Copy, Default, PartialEq, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Directions {
    #[default]
    Each,
    Both,
}

#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields)]
struct Model {
    ports: Option<f64>,
    network: Option<f64>,
    idle_node: Option<Vec<f64>>,
    reference: Option<Reference>,
}

/// Reads the section, and gives each class of channels that may sleep its states.
pub fn resolve(
    node: Option<Node<'_>>,
    keys: &Keys,
    network: &Network,
    classes: &mut [ClassModel],
) -> Result<Resolved, Diagnostic> {
    let mut node = node.unwrap_or_else(|| Node::empty("power"));
    let general = Sleep::default().overridden(&mut node, keys)?;
    let general_watts = node.take("watts").map(|node| watts::read(node, keys, Watts::default())).transpose()?;
    let mut overrides = node.take("class").map(Node::items).unwrap_or_default();
    if matches!(network.geometry, Geometry::Ideal(_)) {
        // There is nothing that could sleep; what is written for another network does no harm.
        overrides.clear();
    }
    let raw: Power = node.read(keys)?;
    let may_sleep = |class| raw.channels.contains(class).then(|| general.clone());
    let mut sleeps: Vec<Option<Sleep>> = (0..network.classes.len() as u8).map(may_sleep).collect();
    let mut watts = vec![general_watts.unwrap_or_default(); network.classes.len()];
    for node in overrides {
        override_class(node, keys, network, &mut sleeps, &mut watts)?;
    }
    // One that never sleeps needs no states, and costs nothing.
    let sleeps: Vec<Option<Sleep>> =
        sleeps.into_iter().map(|sleep| sleep.filter(|sleep| !sleep.policy.never_sleeps())).collect();
    for (class, sleep) in classes.iter_mut().zip(&sleeps) {
        class.states = sleep.as_ref().map(|sleep| sleep.states);
    }
    let policies = sleeps.iter().map(|sleep| sleep.as_ref().map(|sleep| (&sleep.policy, sleep.states)));
    let policy = policy::by_class(network, keys, policies)?;
    if raw.wake_after == Some(Quantity(Time::ZERO)) {
        return Err(keys.error("power.wake_after", "`power.wake_after` is zero", "write a time, or leave it out"));
    }
    Ok(Resolved {
        channels: raw.channels,
        policy,
        sleep: SleepRules {
            aware: raw.sleep_aware.unwrap_or(true),
            wake_after: raw.wake_after.map(|after| after.0),
            both: raw.directions == Directions::Both,
        },
        model: power_model(raw.model.unwrap_or_default(), keys)?,
        watts,
    })
}

/// Applies one `[[power.class]]` table.
fn override_class(
    mut node: Node<'_>,
    keys: &Keys,
    network: &Network,
    sleeps: &mut [Option<Sleep>],
    watts: &mut [Watts],
) -> Result<(), Diagnostic> {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Nothing {}

    let name = node.require("class", keys)?;
    let path = name.path.clone();
    let class: String = name.read(keys)?;
    let Some(index) = network.classes.iter().position(|known| *known == class) else {
        return Err(wording::unknown_class(keys, &path, &class, network));
    };
    let drawn = node.take("watts");
    let only_watts = drawn.is_some() && node.is_empty();
    if let Some(drawn) = drawn {
        watts[index] = watts::read(drawn, keys, watts[index])?;
    }
    if only_watts {
        // Channels that never sleep draw power, too.
        return Ok(());
    }
    let Some(sleep) = &mut sleeps[index] else {
        let message = format!("the channels of class \"{class}\" may not sleep");
        return Err(keys.error(&path, message, "write power.channels = \"all\", or leave out what they do"));
    };
    *sleep = std::mem::take(sleep).overridden(&mut node, keys)?;
    let Nothing {} = node.read(keys)?;
    Ok(())
}

/// Checks the power model; what is left out has the values of Andújar et al. 2019, Table 1.
fn power_model(raw: Model, keys: &Keys) -> Result<PowerModel, Diagnostic> {
    let default = PowerModel::default();
    let model = PowerModel {
        ports: share(keys, "power.model.ports", raw.ports.unwrap_or(default.ports))?,
        network: share(keys, "power.model.network", raw.network.unwrap_or(default.network))?,
        idle_node: raw.idle_node.unwrap_or(default.idle_node),
        reference: raw.reference,
    };
    for (index, &idle) in model.idle_node.iter().enumerate() {
        let path = format!("power.model.idle_node.{index}");
        share(keys, &path, idle)?;
        if model.idle_node[..index].contains(&idle) {
            return Err(keys.error(
                &path,
                format!("{idle} is there twice"),
                "each value makes a column: write it once",
            ));
        }
    }
    if let Some(reference) = model.reference {
        for (key, value) in [("switches", reference.switches), ("ports", reference.ports)] {
            if value == 0 {
                let path = format!("power.model.reference.{key}");
                let help = "write the reference network's switches and ports per switch, such as \
                            { switches = 64, ports = 7 }";
                return Err(keys.error(&path, "the reference network has no ports", help));
            }
        }
    }
    Ok(model)
}
