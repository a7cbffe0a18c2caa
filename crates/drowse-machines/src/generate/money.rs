//! Draws what nodes draw in more detail, limits of powers, and what energy and machine cost.

use drowse_experiment::System;
use toml::{Table, Value};

use super::{int, put, table};
use crate::draw::Draw;
use crate::machine::Machine;

/// Adds keys to the sections that have been drawn.
pub fn draw(draw: &mut Draw, machine: &mut Machine, system: &System) {
    if draw.chance(15) {
        let nic = amount(draw, 300);
        let node = node(draw);
        if let Some(watts) = within(&mut machine.tables, &["power", "watts"]) {
            put(watts, "nic", nic);
            put(watts, "node", node);
        }
    }
    if draw.chance(15) {
        let cost = cost(draw, machine, system);
        machine.put("cost", cost);
    }
}

/// Returns a table within tables, which is made where it is not there.
fn within<'t>(root: &'t mut Table, path: &[&str]) -> Option<&'t mut Table> {
    path.iter().try_fold(root, |table, key| {
        let inner = table.entry((*key).to_owned()).or_insert_with(|| Table::new().into());
        inner.as_table_mut()
    })
}

/// Draws a number, or limits of one.
fn amount(draw: &mut Draw, most: u64) -> Value {
    let low = draw.below(most);
    if draw.chance(50) {
        return Value::from(low as f64);
    }
    let high = low + draw.below(most);
    table([("low", Value::from(low as f64)), ("high", Value::from(high as f64))]).into()
}

fn node(draw: &mut Draw) -> Table {
    let mut node = Table::new();
    if draw.chance(40) {
        put(&mut node, "preset", draw.pick(&["archer2", "hgx-h100-8", "gb200-tray"]));
    }
    for (key, most) in [("busy", 1_000), ("wait", 800), ("idle", 500), ("free", 300), ("off", 30)] {
        if draw.chance(40) {
            put(&mut node, key, amount(draw, most));
        }
    }
    if draw.chance(40) {
        let mut accelerator = table([("idle", amount(draw, 100)), ("compute", amount(draw, 700))]);
        if draw.chance(50) {
            put(&mut accelerator, "communicate", amount(draw, 400));
        }
        if draw.chance(50) {
            put(&mut accelerator, "per_node", int(draw.within(1..=8)));
        }
        put(&mut node, "accelerator", accelerator);
    }
    node
}

fn cost(draw: &mut Draw, machine: &mut Machine, system: &System) -> Table {
    let price = if draw.chance(50) { Value::from(0.1) } else { series(machine, "prices.csv", PRICES, Table::new()) };
    let mut cost = table([("price", price)]);
    let (file, text) = draw.pick(&CARBON);
    if draw.chance(50) {
        let mut keys = Table::new();
        if file == "map.csv" {
            put(&mut keys, "series", draw.pick(&["direct", "life-cycle"]));
        } else {
            put(&mut keys, "host", "a");
        }
        put(&mut cost, "carbon", series(machine, file, text, keys));
    }
    let is_calendar = |key: &str| cost.get(key).is_some_and(Value::is_table);
    if is_calendar("price") && !(is_calendar("carbon") && file == "hosts.csv") && draw.chance(50) {
        put(&mut cost, "start", "2024-03-31T00:30:00Z");
    }
    if draw.chance(50) {
        put(&mut cost, "pue", 1.25);
    }
    if draw.chance(50) {
        put(&mut cost, "years", 5.0);
        let parts = ["switch", "cable", "module", "nic", "node"];
        let bought: Vec<Value> = parts.iter().map(|part| bought(draw, part, system).into()).collect();
        put(&mut cost, "part", bought);
    }
    cost
}

/// Draws a part of the machine.
fn bought(draw: &mut Draw, part: &str, system: &System) -> Table {
    let mut bought = table([("part", part.into()), ("price", Value::from(100.0))]);
    if draw.chance(30) {
        put(&mut bought, "model", "of mine");
    }
    if draw.chance(30) {
        put(&mut bought, "count", int(draw.below(100)));
    }
    if draw.chance(30) {
        put(&mut bought, "carbon", 10.0);
    }
    if ["cable", "module"].contains(&part) && draw.chance(30) {
        put(&mut bought, "class", system.network.classes[0].as_str());
    }
    bought
}

/// Adds a file, and returns the table that names it.
fn series(machine: &mut Machine, file: &str, text: &str, mut keys: Table) -> Value {
    machine.add_file(file, text.to_owned());
    put(&mut keys, "file", file);
    keys.into()
}

const PRICES: &str = "time,value\n2024-03-31T00:00:00Z,0.1\n2024-03-31T01:00:00Z,-0.02\n2024-03-31T02:00:00Z,0.3\n";

/// Carbon intensities: of Electricity Maps, and of two hosts of SimGrid.
const CARBON: [(&str, &str); 2] = [
    (
        "map.csv",
        "Datetime (UTC),Zone id,Carbon intensity gCO2eq/kWh (direct),Carbon intensity gCO2eq/kWh (Life cycle)\n\
         2024-03-31 00:00:00,DE,300,350\n2024-03-31 01:00:00,DE,310,360\n",
    ),
    ("hosts.csv", "host_id,timestamp,carbon_intensity\na,0,100\nb,0,90\na,3600,200\n"),
];
