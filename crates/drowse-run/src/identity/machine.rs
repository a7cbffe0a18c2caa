//! The canonical form of a machine: network, switches, links, nodes, power and cost.
//!
//! All fields are named where a system is taken apart, so that a new one cannot be forgotten.

use drowse_core::model::ids::ChannelId;
use drowse_core::power::ClassPolicy;
use drowse_core::power::cost::Tariff;
use drowse_core::power::rate::Rate;
use drowse_core::topology::{Network, graph};
use drowse_experiment::{Drawn, System};
use serde_json::{Value, json};

use super::fingerprint;

/// Returns the canonical machine; `written` are the keys of the experiment in one spelling.
pub fn canonical(system: &System, written: &Value) -> Value {
    let System {
        title: _,
        topology: _,
        network,
        notes,
        config,
        cores,
        channels,
        policy,
        state_names: _,
        model,
        watts,
        tariff,
        investment,
        cost,
        keys: _,
    } = system;
    // Whose watts they are changes no result, nor does what is audited.
    let Drawn { watts, band, whose: _, own: _, names_node: _, accelerators: _, notes: _, left_out: _ } = watts;
    let policies = policy.classes().iter().enumerate();
    let policies: Vec<Value> =
        policies.map(|(class, policy)| sleeping_policy(system, class, policy, written)).collect();
    let mut machine = json!({
        "network": network_keys(network, written),
        "classes": network.classes,
        // What is left out of a file is in the warnings of a result.
        "notes": notes,
        "config": config,
        "cores": cores,
        "channels": channels,
        "policies": policies,
        "model": model,
        "watts": watts,
        "tariff": rates(tariff),
        "cost": cost,
    });
    if let Some(investment) = investment {
        machine["investment"] = json!(investment);
    }
    // What is known to a number needs no band.
    if let Some(band) = band {
        machine["band"] = json!(band);
    }
    machine
}

/// Returns what a kWh costs and emits; the name of a file gives way to what it says.
fn rates(tariff: &Tariff) -> Value {
    let rate = |rate: &Option<Rate>| match rate {
        None => Value::Null,
        Some(Rate::Constant(value)) => json!(value),
        Some(Rate::Steps(steps)) => fingerprint(steps.numbers().map(i64::cast_unsigned)),
    };
    let mut rates = json!({ "price": rate(&tariff.price), "carbon": rate(&tariff.carbon) });
    if let Some(start) = tariff.start {
        rates["start"] = json!(start);
    }
    if tariff.pue > 1.0 {
        rates["pue"] = json!(tariff.pue);
    }
    rates
}

/// Returns the section `network`; the name of a graph's file gives way to what the file says.
fn network_keys(network: &Network, written: &Value) -> Value {
    let mut section = written["network"].clone();
    if let Some(file) = section.get_mut("file") {
        let names: Vec<String> = (0..network.switches()).map(|switch| network.detail(switch)).collect();
        let ports = network.first_port.iter().chain(network.peer.iter()).chain(network.node_port.iter());
        let classes = network.port_class.iter().map(|&class| u64::from(class));
        *file = json!({ "switches": names, "ports": fingerprint(ports.map(|&port| u64::from(port)).chain(classes)) });
    }
    // What tables say gives way to what they are for: paths and lanes.
    if let (Some(tables), Some(file)) = (graph::forwarding(network), section.get_mut("tables")) {
        *file = fingerprint(tables.entries());
        ["service_levels", "lane_maps"]
            .into_iter()
            .for_each(|key| _ = section.as_object_mut().map(|it| it.remove(key)));
    }
    section
}

/// Returns the policy of a class; null where it never sleeps.
fn sleeping_policy(system: &System, class: usize, policy: &ClassPolicy, written: &Value) -> Value {
    if system.config.classes[class].states.is_none() {
        return Value::Null;
    }
    let power = &written["power"];
    let own = match &power["class"] {
        Value::Array(tables) => tables.as_slice(),
        table => std::slice::from_ref(table),
    };
    let own = own.iter().find(|table| table["class"] == system.network.classes[class]);
    let mut section = own.and_then(|table| table.get("policy")).unwrap_or(&power["policy"]).clone();
    if let (ClassPolicy::Table(timers), Some(file)) = (policy, section.get_mut("file")) {
        let of = |channel| timers.of(ChannelId(channel));
        let times = (0..system.network.channels()).flat_map(|channel| [of(channel).shallow.0, of(channel).deep.0]);
        *file = fingerprint(times);
    }
    // The name of a state gives way to its place among the states, whose names change nothing.
    if let (ClassPolicy::Standby(standby), Some(keys)) = (policy, section.as_object_mut()) {
        keys.insert("state".into(), standby.state.name().into());
    }
    section
}
