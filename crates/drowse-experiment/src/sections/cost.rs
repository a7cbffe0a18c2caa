//! `[cost]`: what energy costs, and a system whose energy is paid for (Saravanan and Carpenter 2018, section 7).

use drowse_core::model::units::Power;
use drowse_core::power::cost::{CostModel, Tariff};
use schemars::JsonSchema;
use serde::Deserialize;

use super::{amount, share};
use crate::diagnostic::Diagnostic;
use crate::keys::Keys;
use crate::node::Node;
use crate::wording;

/// What energy costs and emits; and a system whose energy is paid for. With them, results say what a run costs, and what
/// sleeping links save in money.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Cost {
    /// Power of the whole system, for what sleeping links save over its life. Default: none, and results do not say so.
    #[schemars(extend("examples" = ["20 MW"]))]
    system_power: Option<Power>,
    /// Share of the system's energy that the network draws.
    #[schemars(extend("default" = 0.12), range(min = 0, max = 1))]
    network: Option<f64>,
    /// Share of the network's energy that the links draw.
    #[schemars(extend("default" = 0.6), range(min = 0, max = 1))]
    links: Option<f64>,
    /// Price of a kWh, in any currency. Required with `system_power`. Default: none, and the energy of a run has no
    /// price.
    #[schemars(extend("examples" = [0.114]), extend("x-hint" = "the money for a kWh"), range(min = 0))]
    price: Option<f64>,
    /// Grams of CO2 that are emitted for a kWh. Default: none, and the energy of a run emits none that is said.
    #[schemars(extend("examples" = [350]), range(min = 0))]
    carbon: Option<f64>,
    /// How long the system is used, in years. Required with `system_power`.
    #[schemars(extend("examples" = [4]), range(min = 0))]
    years: Option<f64>,
}

/// The shares of Saravanan and Carpenter 2018: interconnects are 12 % of a system's energy, and links 60 % of these.
const NETWORK: f64 = 0.12;
const LINKS: f64 = 0.60;

/// The section, resolved.
pub struct Resolved {
    /// What energy costs and emits.
    pub tariff: Tariff,
    /// The system that is paid for, if one is described.
    pub system: Option<CostModel>,
}

/// Reads the section.
pub fn resolve(node: Node<'_>, keys: &Keys) -> Result<Resolved, Diagnostic> {
    let raw: Cost = node.read(keys)?;
    let checked = |key: &str, value: Option<f64>| value.map(|value| amount(keys, key, value)).transpose();
    let tariff = Tariff { price: checked("cost.price", raw.price)?, carbon: checked("cost.carbon", raw.carbon)? };
    let years = checked("cost.years", raw.years)?;
    let links = [("cost.network", raw.network, NETWORK), ("cost.links", raw.links, LINKS)];
    let [network, links] = links.map(|(key, value, default)| share(keys, key, value.unwrap_or(default)));
    let (network, links) = (network?, links?);
    let system = match (raw.system_power, tariff.price, years) {
        (Some(system_power), Some(price), Some(years)) => {
            Some(CostModel { system_power, network, links, price, years })
        }
        (Some(_), None, _) => return Err(missing(keys, "price")),
        (Some(_), _, None) => return Err(missing(keys, "years")),
        (None, _, Some(_)) => return Err(missing(keys, "system_power")),
        (None, None, None) if tariff.carbon.is_none() => return Err(missing(keys, "price")),
        (None, _, None) => None,
    };
    Ok(Resolved { tariff, system })
}

/// Makes the error that a key is not there.
fn missing(keys: &Keys, key: &str) -> Diagnostic {
    wording::missing(keys, "cost", key, &[])
}
