//! Draws `[power]`: which channels sleep, by which policy, in which states, and what they draw.

use drowse_core::topology::Geometry;
use drowse_experiment::System;
use toml::{Table, Value};

use super::policy::{self, policy};
use super::{Work, put, state_list, table};
use crate::draw::{self, Draw};
use crate::machine::Machine;

/// The names of sleep states.
const STATES: [&str; 12] = [
    "saravanan-2018",
    "andujar-2019",
    "eee-100m",
    "eee-1g",
    "eee-10g",
    "eee-10g-kx4",
    "eee-10g-kr",
    "eee-25g-t",
    "eee-40g-t",
    "eee-40g",
    "eee-100g-fast-wake",
    "eee-optical",
];

/// Devices whose ports may share a chassis.
const DEVICES: [&str; 4] = ["slingshot-archer2", "nexus-9336c-fx2", "cisco-8201-32fh", "ncs-55a1-24h"];

/// States of which not all is published: what is missing must be written.
const UNPUBLISHED: [&str; 6] =
    ["ethernet-800g", "infiniband-width", "infiniband-speed", "pcie-aspm", "l0p", "photonic-laser"];

/// Draws the section.
pub fn draw(draw: &mut Draw, machine: &mut Machine, bare: &System, work: Work) {
    let mut keys = Table::new();
    let classes = bare.network.classes.len();
    let general = match draw.pick(policy::kinds(work)) {
        "standby" if !(1..classes).all(|class| has_spare(bare, class)) => "trunk",
        // There is something to turn off.
        "cap" if !(1..classes).any(|class| has_spare(bare, class)) => "width",
        kind => kind,
    };
    let mut kinds = vec![general];
    // The links of nodes do not narrow, and none stands by.
    let channels = if ["width", "standby", "cap"].contains(&general) {
        "switch"
    } else {
        draw.pick(&["switch", "switch", "node", "all", "all"])
    };
    if channels != "switch" || draw.chance(20) {
        put(&mut keys, "channels", channels);
    }
    put(&mut keys, "policy", policy(draw, general, machine, bare, work));
    if let Some(states) = states(draw) {
        put(&mut keys, "states", states);
    }
    if draw.chance(40) {
        put(&mut keys, "watts", all_watts(draw));
    }
    if draw.chance(30) {
        let mut classes: Vec<Value> = Vec::new();
        for (index, class) in bare.network.classes.iter().enumerate() {
            let sleeps = channels == "all" || (channels == "node") == (index == 0);
            if let Some(keys) = class_keys(draw, index, sleeps, machine, bare, work, &mut kinds) {
                classes.push(with_class(keys, class).into());
            }
        }
        if !classes.is_empty() && !matches!(bare.network.geometry, Geometry::Ideal(_)) {
            put(&mut keys, "class", classes);
        }
    }
    // These two have no default states.
    if !keys.contains_key("states") && kinds.iter().any(|kind| ["nvlink", "standby"].contains(kind)) {
        put(&mut keys, "states", draw.pick(&STATES));
    }
    rules(draw, &mut keys, &kinds, stores(machine));
    state_list::fit(draw, &mut keys);
    machine.put("power", keys);
}

/// Returns whether packets are stored, so that the other end of a link does not know of their heads, as links must that
/// sleep as a whole.
fn stores(machine: &Machine) -> bool {
    machine.tables["switch"].get("forwarding").and_then(Value::as_str) == Some("store-and-forward")
}

/// Draws how packets meet sleeping channels, and the power model.
fn rules(draw: &mut Draw, keys: &mut Table, kinds: &[&str], stores: bool) {
    if draw.chance(40) {
        put(keys, "wake_after", draw.time(1..=2_000_000));
    }
    // A port that a trunk has shed is never chosen.
    let trunk = ["trunk", "standby", "cap"].into_iter().any(|kind| kinds.contains(&kind));
    if draw.chance(20) {
        put(keys, "sleep_aware", trunk || draw.chance(20));
    } else if draw.chance(50) {
        let words: &[&str] = if trunk { &["awake", "least-delay"] } else { &["awake", "least-delay", "blind"] };
        put(keys, "selection", draw.pick(words));
    }
    // The runtime system commands each channel for itself.
    if draw.chance(40) && !kinds.contains(&"runtime") && !stores {
        put(keys, "directions", draw.pick(&["each", "both", "both"]));
    }
    if draw.chance(15) {
        let idle_node = vec![Value::from(0.0), Value::from(0.5)];
        let reference = table([("switches", 64.into()), ("ports", 7.into())]);
        let model = [
            ("ports", draw.share().into()),
            ("network", draw.share().into()),
            ("idle_node", idle_node.into()),
            ("reference", reference.into()),
        ];
        put(keys, "model", table(model));
    }
}

/// Draws what differs for a class of links, if anything does.
fn class_keys(
    draw: &mut Draw,
    index: usize,
    sleeps: bool,
    machine: &mut Machine,
    bare: &System,
    work: Work,
    kinds: &mut Vec<&'static str>,
) -> Option<Table> {
    let mut keys = Table::new();
    if draw.chance(50) {
        put(&mut keys, "watts", watts(draw));
    }
    // There is one runtime system, with the same rules for all classes.
    let kind = match draw.pick(policy::kinds(Work::Traffic)) {
        "standby" if !has_spare(bare, index) => "trunk",
        // There is one cap, and it is that of the whole network.
        "cap" => "width",
        kind => kind,
    };
    if sleeps && draw.chance(60) && (kind != "width" || index > 0) {
        kinds.push(kind);
        put(&mut keys, "policy", policy(draw, kind, machine, bare, work));
    }
    if let Some(states) = states(draw).filter(|_| sleeps) {
        put(&mut keys, "states", states);
    }
    (!keys.is_empty()).then_some(keys)
}

/// Returns whether some links of a class are parallel, and routing offers all of these.
fn has_spare(bare: &System, class: usize) -> bool {
    let network = &bare.network;
    let trunks = network.trunks();
    let beside = |port: usize| trunks[port].index() != port && usize::from(network.port_class[port]) == class;
    class > 0 && !matches!(network.geometry, Geometry::Graph(_)) && (0..trunks.len()).any(beside)
}

fn with_class(mut keys: Table, class: &str) -> Table {
    put(&mut keys, "class", class);
    keys
}

/// Draws what links, switches, NICs and nodes draw.
fn all_watts(draw: &mut Draw) -> Table {
    let mut watts = watts(draw);
    if draw.chance(50) {
        let device = draw.pick(&DEVICES);
        put(&mut watts, "device", device);
        if device != DEVICES[0] {
            // Bandwidths that are drawn are not those of its ports.
            put(&mut watts, "chassis", "share");
        }
    }
    for key in ["switch", "nic"] {
        if draw.chance(30) {
            put(&mut watts, key, draw.below(300) as f64);
        }
    }
    if draw.chance(50) {
        let (busy, idle) = (draw.below(1_000) as f64, draw.below(500) as f64);
        let mut node = table([("busy", busy.into()), ("idle", idle.into())]);
        for key in ["free", "off"] {
            if draw.chance(20) {
                put(&mut node, key, draw.below(300) as f64);
            }
        }
        put(&mut watts, "node", node);
    }
    watts
}

/// Draws what channels draw.
fn watts(draw: &mut Draw) -> Table {
    let mut watts = Table::new();
    if draw.chance(80) {
        put(&mut watts, "on", draw.below(2_000) as f64 / 1e3);
    }
    if draw.chance(50) {
        put(&mut watts, "per_bit", draw.below(100) as f64 * 1e-13);
    }
    if draw.chance(30) {
        put(&mut watts, "per_packet", draw.below(100) as f64 * 1e-9);
    }
    watts
}

/// Draws sleep states, or those that are usual.
fn states(draw: &mut Draw) -> Option<Value> {
    match draw.below(6) {
        0 => None,
        1 => Some(draw.pick(&STATES).into()),
        2 => Some(state_list::draw(draw).into()),
        _ => {
            let mut states = Table::new();
            let whole = draw.chance(85);
            if draw.chance(30) {
                let published = !whole || draw.chance(60);
                put(&mut states, "preset", draw.pick(if published { &STATES[..] } else { &UNPUBLISHED }));
            }
            if whole {
                ordered(draw, &mut states);
            } else {
                put(&mut states, "shallow", state(draw, 200_000));
                put(&mut states, "deep", state(draw, 2_000_000));
            }
            if draw.chance(30) {
                put(&mut states, "transition", draw.share());
            }
            if draw.chance(30) {
                let mut deepen = Table::new();
                if draw.chance(70) {
                    put(&mut deepen, "enter", draw.time(0..=500_000));
                }
                if draw.chance(70) {
                    put(&mut deepen, "power", draw.pick(&["transition", "shallow"]));
                }
                put(&mut states, "shallow_to_deep", deepen);
            }
            Some(states.into())
        }
    }
}

/// Draws a shallow and a deep state, the second of which saves more and wakes no faster: some policies ask for that.
fn ordered(draw: &mut Draw, states: &mut Table) {
    let (shallow, deep) = (draw.within(300..=1000), draw.below(300));
    let wake = draw.scaled(0..=200_000);
    let longer = wake + draw.scaled(0..=2_000_000);
    for (name, power, wake) in [("shallow", shallow, wake), ("deep", deep, longer)] {
        let enter = draw.time(0..=500_000).into();
        let wake = draw::time(wake).into();
        put(states, name, table([("power", (power as f64 / 1e3).into()), ("enter", enter), ("wake", wake)]));
    }
}

/// Draws a sleep state whose times are at most so long.
fn state(draw: &mut Draw, longest: u64) -> Table {
    let mut state = table([("power", draw.share().into())]);
    if draw.chance(85) {
        put(&mut state, "enter", draw.time(0..=longest));
    }
    if draw.chance(85) {
        put(&mut state, "wake", draw.time(0..=longest));
    }
    state
}

/// Changes policies that the twin lacks, and takes away what it decides otherwise: trunks and links that grow because
/// packets wait.
pub fn fit_twin(tables: &mut Table) {
    let Some(power) = tables.get_mut("power").and_then(Value::as_table_mut) else { return };
    power.get_mut("policy").into_iter().for_each(fit_policy);
    let classes = power.get_mut("class").and_then(Value::as_array_mut);
    classes.into_iter().flatten().filter_map(|class| class.get_mut("policy")).for_each(fit_policy);
}

fn fit_policy(policy: &mut Value) {
    let Some(keys) = policy.as_table_mut() else { return };
    let kind = keys.get("kind").and_then(Value::as_str).unwrap_or_default().to_owned();
    if kind == "standby" {
        *keys = table([("kind", "trunk".into())]);
    }
    if ["standby", "trunk", "width"].contains(&kind.as_str()) {
        put(keys, "backlog", "1 s");
    }
}
