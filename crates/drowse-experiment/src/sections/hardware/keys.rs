//! Keys of `power.watts` that say which hardware stands for the switches.

use schemars::JsonSchema;
use serde::Deserialize;

/// How much of a chassis a switch draws.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ChassisRule {
    /// Each switch is a chassis, which draws its base power however few of its ports have a link.
    Whole,
    /// A switch draws the share of the chassis that its ports have, and modules sleep with their links.
    Share,
    /// All these switches are parts of one chassis, which draws its base power once.
    One,
}

/// What becomes of a power or energy that nobody has published.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum UnknownRule {
    /// The experiment is refused, and told what lacks.
    #[default]
    Refuse,
    /// It is left out, so that it saves nothing; a warning names it.
    NoSaving,
}

/// Switches that differ from the others.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SwitchKeys {
    /// These switches: their numbers from 0, or their names in a graph. Either this or `level` is required.
    #[schemars(extend("examples" = [[0, 1]]))]
    pub of: Option<Vec<SwitchName>>,
    /// The switches of this level of a tree, 0 at the nodes. Either this or `of` is required.
    #[schemars(extend("examples" = [1]))]
    pub level: Option<u8>,
    /// The model of these switches. Default: that of `[power.watts]`.
    #[schemars(extend("examples" = ["arista-7280cr3k-32d4"]))]
    pub device: Option<String>,
    /// How much of a chassis they draw. Default: that of `[power.watts]`, unless the model differs.
    pub chassis: Option<ChassisRule>,
    /// Modules that are plugged in each of their chassis. Default: that of `[power.watts]`, unless the model differs.
    #[schemars(extend("examples" = [32]))]
    pub plugged: Option<u32>,
    /// Ports that are enabled in each of their chassis. Default: that of `[power.watts]`, unless the model differs.
    #[schemars(extend("examples" = [8]))]
    pub enabled: Option<u32>,
}

/// A switch, by its number or its name.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum SwitchName {
    /// Its number, from 0.
    Number(u32),
    /// Its name in a graph.
    Name(String),
}
