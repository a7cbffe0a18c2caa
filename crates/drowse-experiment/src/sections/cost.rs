//! `[cost]`: a system whose energy is paid for (Saravanan and Carpenter 2018, section 7).

use drowse_core::model::units::Power;
use drowse_core::power::cost::CostModel;
use schemars::JsonSchema;
use serde::Deserialize;

use super::{amount, share};
use crate::diagnostic::Diagnostic;
use crate::keys::Keys;
use crate::node::Node;
use crate::quantity::Quantity;

/// A system whose energy is paid for. With it, results say what sleeping links save in money.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Cost {
    /// Power of the whole system.
    #[schemars(extend("examples" = ["20 MW"]))]
    system_power: Quantity<Power>,
    /// Share of the system's energy that the network draws.
    #[schemars(extend("default" = 0.12), range(min = 0, max = 1))]
    network: Option<f64>,
    /// Share of the network's energy that the links draw.
    #[schemars(extend("default" = 0.6), range(min = 0, max = 1))]
    links: Option<f64>,
    /// Price of a kWh, in any currency.
    #[schemars(extend("examples" = [0.114]), extend("x-hint" = "the money for a kWh"), range(min = 0))]
    price: f64,
    /// How long the system is used, in years.
    #[schemars(extend("examples" = [4]), range(min = 0))]
    years: f64,
}

/// The shares of Saravanan and Carpenter 2018: interconnects are 12 % of a system's energy, and links 60 % of these.
const NETWORK: f64 = 0.12;
const LINKS: f64 = 0.60;

/// Reads the section.
pub fn resolve(node: Node<'_>, keys: &Keys) -> Result<CostModel, Diagnostic> {
    let raw: Cost = node.read(keys)?;
    Ok(CostModel {
        system_power: raw.system_power.0,
        network: share(keys, "cost.network", raw.network.unwrap_or(NETWORK))?,
        links: share(keys, "cost.links", raw.links.unwrap_or(LINKS))?,
        price: amount(keys, "cost.price", raw.price)?,
        years: amount(keys, "cost.years", raw.years)?,
    })
}
