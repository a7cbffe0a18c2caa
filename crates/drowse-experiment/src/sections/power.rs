//! `[power]`: which channels may sleep, under which policy, and the power model.

use drowse_core::model::config::{SleepRules, SleepSelection, SwitchModel};
use drowse_core::model::units::Time;
use drowse_core::power::ByClass;
use drowse_core::power::model::{self, PowerModel};
use drowse_core::topology::{Geometry, Network};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::cap;
use super::hardware::{self, Site};
use super::link;
use super::policy::{self, PolicySpec};
use super::share;
use super::sleep::Sleep;
use super::state_powers;
use super::states::StatesKeys;
use super::watts::{self, Drawn, Own, WattsKeys};
use crate::diagnostic::Diagnostic;
use crate::keys::Keys;
use crate::node::Node;
use crate::wording;

/// Which channels may sleep (`power.channels`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum SleepingChannels {
    /// Channels between switches.
    #[default]
    Switch,
    /// Channels between nodes and switches.
    Node,
    /// All channels.
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

/// The section, resolved for a network.
pub struct Resolved {
    pub channels: SleepingChannels,
    pub policy: ByClass,
    /// By link class, what its sleep states are called, lightest first; none where it never sleeps.
    pub state_names: Vec<Vec<String>>,
    pub sleep: SleepRules,
    pub model: PowerModel,
    pub watts: Drawn,
}

/// Sleeping links: which, when, and what they draw.
#[derive(JsonSchema)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "only its schema is used: some keys are read before the others")]
pub struct PowerKeys {
    #[serde(flatten)]
    power: Power,
    /// When channels sleep; its `kind` is the name of a policy. Default: never (`always-on`).
    policy: Option<PolicySpec>,
    /// The sleep states: their name, or a table of what differs from named ones. Default: `saravanan-2018`; the policies
    /// `nvlink` and `standby` have no default states.
    states: Option<StatesKeys>,
    watts: Option<WattsKeys>,
    /// Classes of links that differ, one table `[[power.class]]` each. Its key `class` is required and names the class,
    /// such as `node` (links of compute nodes) or `dim-0`; `drowse network FILE` prints the classes of a network. Its
    /// keys `policy`, `states` and `watts` have the meaning of those of `[power]`. Default: none.
    class: Option<Vec<ClassKeys>>,
}

/// What differs for one class of links.
#[derive(JsonSchema)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "only its schema is used: its keys are read one by one")]
struct ClassKeys {
    /// Name of the class, such as `node` (links of compute nodes) or `dim-0`.
    #[schemars(extend("examples" = ["node"]))]
    class: String,
    /// When its channels sleep. Default: that of `[power]`.
    policy: Option<PolicySpec>,
    /// Its sleep states. Default: those of `[power]`.
    states: Option<StatesKeys>,
    /// What its channels draw. Default: that of `[power]`.
    watts: Option<watts::ClassKeys>,
}

/// The keys that hold for the whole network.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Power {
    /// Channels that may sleep.
    #[serde(default)]
    #[schemars(extend("default" = "switch"))]
    channels: SleepingChannels,
    model: Option<Model>,
    /// Time after which a packet that waits wakes another sleeping channel that it may take. Default: one wake time of
    /// the channel's deepest sleep state.
    #[schemars(extend("examples" = ["1 us"]))]
    wake_after: Option<Time>,
    /// How packets choose between channels that are on and channels that sleep. Default: `least-delay`.
    #[schemars(extend("examples" = ["awake"]))]
    selection: Option<SleepSelection>,
    /// An older spelling of `selection`: `false` is `blind`, `true` alone is `awake`. Default: none.
    #[schemars(extend("examples" = [false]))]
    sleep_aware: Option<bool>,
    /// Whether the two channels of a link sleep separately or together.
    #[serde(default)]
    #[schemars(extend("default" = "each"))]
    directions: Directions,
}

/// How the two channels of a link sleep.
#[derive(Clone, Copy, Default, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
enum Directions {
    /// Each by itself.
    #[default]
    Each,
    /// Both together, as a pair.
    Both,
}

/// The power model of network and cluster (Andújar et al. 2019, section 2).
#[derive(Deserialize, Default, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Model {
    /// Share of a switch's power that its ports draw (omega_ports).
    #[schemars(extend("default" = 0.65), range(min = 0, max = 1))]
    ports: Option<f64>,
    /// Share of the system's power that the network draws (omega_net).
    #[schemars(extend("default" = 0.15), range(min = 0, max = 1))]
    network: Option<f64>,
    /// Shares of a node's power that it always draws (omega_Snodes); each value makes a column.
    #[schemars(extend("default" = [0.0, 0.25, 0.5, 0.75, 1.0]))]
    idle_node: Option<Vec<f64>>,
    /// Network by whose ports powers are normalised. Default: the network itself.
    reference: Option<Reference>,
}

/// A reference network.
#[derive(Clone, Copy, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Reference {
    /// Number of switches (REF_sw).
    #[schemars(extend("examples" = [64]), range(min = 1))]
    switches: u64,
    /// Ports of a switch (REF_ports).
    #[schemars(extend("examples" = [7]), range(min = 1))]
    ports: u64,
}

/// Reads the section, and sets the states of each class of channels that may sleep.
pub fn resolve(
    node: Option<Node<'_>>,
    kinds: &[policy::Kind],
    keys: &Keys,
    network: &Network,
    links: &mut link::Resolved,
    switch_model: &SwitchModel,
) -> Result<Resolved, Diagnostic> {
    let classes = &mut links.classes;
    let mut node = node.unwrap_or_else(|| Node::empty("power"));
    let mut own: Vec<Own> = node.has("states").then(|| Own { key: "states".into(), value: None }).into_iter().collect();
    let general = Sleep::default().overridden(&mut node, kinds, keys)?;
    let mut general_watts = watts::read(node.take("watts"), keys)?;
    let mut overrides = node.take("class").map(Node::items).unwrap_or_default();
    if matches!(network.geometry, Geometry::Ideal(_)) {
        // An ideal network has no channels that sleep; what is written for another network does no harm.
        overrides.clear();
    }
    let raw: Power = node.read(keys)?;
    let may_sleep = |class| raw.channels.contains(class).then(|| general.clone());
    let mut sleeps: Vec<Option<Sleep>> = (0..network.classes.len() as u8).map(may_sleep).collect();
    let mut watts = vec![watts::ClassKeys::default(); network.classes.len()];
    for node in overrides {
        let states = node.has("states");
        let class = override_class(node, kinds, keys, network, &mut sleeps, &mut watts)?;
        let class = format!("class.{}", network.classes[class]);
        own.extend(states.then(|| Own { key: format!("{class}.states"), value: None }));
    }
    let of_classes = network.classes.iter().zip(&watts);
    own.extend(of_classes.flat_map(|(class, watts)| watts.own(&format!("class.{class}"))));
    // A class that never sleeps needs no states, and costs nothing.
    let sleeps: Vec<Option<Sleep>> =
        sleeps.into_iter().map(|sleep| sleep.filter(|sleep| !sleep.policy.never_sleeps())).collect();
    for (class, sleep) in classes.iter_mut().zip(&sleeps) {
        class.states = sleep.as_ref().map(|sleep| sleep.states);
    }
    let policies = sleeps.iter().map(|sleep| sleep.as_ref().map(|sleep| (&sleep.policy, sleep.states, &sleep.listed)));
    let mut policy = policy::by_class(network, keys, policies)?;
    check_down(&sleeps, raw.directions, keys)?;
    if raw.wake_after == Some(Time::ZERO) {
        return Err(keys.error("power.wake_after", "`power.wake_after` is zero", "write a time, or leave it out"));
    }
    let selection = selection(&raw, keys)?;
    let raw_model = raw.model.unwrap_or_default();
    own.extend(raw_model.ports.map(|ports| Own { key: "model.ports".into(), value: Some(ports) }));
    general_watts.also(own);
    let model = power_model(raw_model, keys)?;
    let media = general_watts.with_modules(&links.media, keys)?;
    let of_optics = hardware::check_states(keys, network, (classes, &media))?;
    let switch = general_watts.switch();
    let packet = switch_model.flit.0 * u64::from(switch_model.packet_flits);
    let site = Site { keys, network, classes, media: &media, packet, links: model.ports, switch };
    let mut drawn = general_watts.resolve(&site, &watts)?;
    drawn.notes.extend(of_optics);
    let both = raw.directions == Directions::Both;
    let written = sleeps.iter().flatten().filter_map(|sleep| sleep.policy.cap());
    let written: Vec<cap::Written<'_>> = written.map(|(limit, path)| cap::Written { limit, path }).collect();
    let parts = cap::Parts { network, classes, watts: &drawn.watts, switch: switch_model, both };
    drawn.notes.extend(cap::complete(&mut policy, &parts, &written, keys)?);
    let names = |sleep: Option<Sleep>| sleep.map(|sleep| sleep.listed.names).unwrap_or_default();
    drawn.notes.extend(state_powers::notes(network, &sleeps));
    Ok(Resolved {
        channels: raw.channels,
        policy,
        state_names: sleeps.into_iter().map(names).collect(),
        sleep: SleepRules { selection, wake_after: raw.wake_after, both },
        watts: drawn,
        model,
    })
}

/// Checks that links whose states do not keep them sleep as a whole: a link is down at both ends.
fn check_down(sleeps: &[Option<Sleep>], directions: Directions, keys: &Keys) -> Result<(), Diagnostic> {
    let down = sleeps.iter().flatten().find_map(|sleep| sleep.listed.first_down());
    let Some(name) = down.filter(|_| directions != Directions::Both) else { return Ok(()) };
    let message =
        format!("the sleep state \"{name}\" takes the whole link down, and here each direction sleeps by itself");
    Err(keys.error("power.states", message, "write power.directions = \"both\""))
}

/// Returns how packets choose, by either spelling.
fn selection(raw: &Power, keys: &Keys) -> Result<SleepSelection, Diagnostic> {
    match (raw.selection, raw.sleep_aware) {
        (Some(selection), Some(aware)) if aware == (selection == SleepSelection::Blind) => {
            let message = format!("`sleep_aware = {aware}` contradicts `selection`");
            Err(keys.error("power.sleep_aware", message, "leave it out: it is an older spelling of `selection`"))
        }
        (Some(selection), _) => Ok(selection),
        (None, Some(false)) => Ok(SleepSelection::Blind),
        (None, Some(true)) => Ok(SleepSelection::Awake),
        (None, None) => Ok(SleepSelection::default()),
    }
}

/// Applies one `[[power.class]]` table, and returns its class.
fn override_class(
    mut node: Node<'_>,
    kinds: &[policy::Kind],
    keys: &Keys,
    network: &Network,
    sleeps: &mut [Option<Sleep>],
    watts: &mut [watts::ClassKeys],
) -> Result<usize, Diagnostic> {
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
        watts[index] = watts::read_class(drawn, keys, watts[index])?;
    }
    if only_watts {
        // Channels that never sleep draw power, too: watts need no policy.
        return Ok(index);
    }
    let Some(sleep) = &mut sleeps[index] else {
        let message = format!("the channels of class \"{class}\" may not sleep");
        return Err(keys.error(&path, message, "write power.channels = \"all\", or leave out what they do"));
    };
    *sleep = std::mem::take(sleep).overridden(&mut node, kinds, keys)?;
    let Nothing {} = node.read(keys)?;
    Ok(index)
}

/// Checks the power model; what is left out is that of Andújar et al. 2019, Table 1.
fn power_model(raw: Model, keys: &Keys) -> Result<PowerModel, Diagnostic> {
    let default = PowerModel::default();
    let model = PowerModel {
        ports: share(keys, "power.model.ports", raw.ports.unwrap_or(default.ports))?,
        network: share(keys, "power.model.network", raw.network.unwrap_or(default.network))?,
        idle_node: raw.idle_node.unwrap_or(default.idle_node),
        reference: raw.reference.map(|Reference { switches, ports }| model::Reference { switches, ports }),
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
