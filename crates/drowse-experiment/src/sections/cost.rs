//! `[cost]`: a system whose energy is paid for (Saravanan and Carpenter 2018, section 7).

use drowse_core::model::units::Power;
use drowse_core::power::cost::CostModel;
use serde::Deserialize;

use super::{amount, share};
use crate::diagnostic::Diagnostic;
use crate::keys::Keys;
use crate::node::Node;
use crate::quantity::Quantity;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Cost {
    system_power: Quantity<Power>,
    network: Option<f64>,
    links: Option<f64>,
    price: f64,
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
