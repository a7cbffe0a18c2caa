//! What is assumed of a machine that is not written.

use toml::{Table, Value};

/// What energy costs and emits, where that is known.
#[derive(Clone, Copy, Debug, Default)]
pub struct Tariff {
    /// The price of a kWh.
    pub price: Option<f64>,
    /// Grams of CO2 for a kWh.
    pub carbon: Option<f64>,
    /// The energy of the building for that of the machine.
    pub pue: Option<f64>,
}

/// Puts into the sections of a machine what it lacks, and what energy costs; returns what is assumed by it, a sentence each.
pub fn complete(machine: &mut Table, tariff: &Tariff) -> Vec<String> {
    let mut assumed = Vec::new();
    if !machine.contains_key("switch") && !machine.contains_key("preset") {
        let keys = [("packet", "4 KiB"), ("buffer", "64 KiB"), ("queues", "virtual-output")];
        let switch: Table = keys.into_iter().map(|(key, value)| (key.to_owned(), value.into())).collect();
        machine.insert("switch".into(), switch.into());
        assumed.push("Packets are of 4 KiB, and switches have virtual output queues with 64 KiB at each input.".into());
    }
    let power = machine.entry("power").or_insert_with(|| Table::new().into());
    if let Value::Table(power) = power {
        if !power.contains_key("channels") {
            power.insert("channels".into(), "all".into());
            assumed.push("All links may sleep, those of nodes among them (power.channels).".into());
        }
        if !power.contains_key("states") {
            let told =
                "Links have the sleep states that Drowse has unless told otherwise; power.states sets those of yours.";
            assumed.push(told.into());
        }
    }
    let keys = [("price", tariff.price), ("carbon", tariff.carbon), ("pue", tariff.pue)];
    let mut known = keys.into_iter().filter_map(|(key, value)| Some((key, value?))).peekable();
    if known.peek().is_some() {
        let cost = machine.entry("cost").or_insert_with(|| Table::new().into());
        if let Value::Table(cost) = cost {
            known.for_each(|(key, value)| drop(cost.insert(key.into(), value.into())));
        }
    }
    assumed
}
