//! The canonical form of a machine: network, switches, links, nodes, power and cost.
//!
//! All fields are named where a struct is taken apart, so that a new one cannot be forgotten.

use drowse_core::model::config::{
    Arbitration, ClassModel, Config, Escape, FlowControl, Forwarding, Injection, NodeModel, OutputQueues, Overheads,
    PauseLevels, Queues, SleepRules, SleepSelection, SwitchModel, TrunkChoice, VirtualChannels,
};
use drowse_core::model::ids::ChannelId;
use drowse_core::model::units::Time;
use drowse_core::power::cost::{CostModel, Tariff};
use drowse_core::power::model::{PowerModel, Reference};
use drowse_core::power::watts::{ClassWatts, NodeWatts, Watts};
use drowse_core::power::{ClassPolicy, Deepen, SleepState, SleepStates};
use drowse_core::topology::Network;
use drowse_experiment::{Drawn, SleepingChannels, System};
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
        model,
        watts,
        tariff,
        cost,
        keys: _,
    } = system;
    // Whose watts they are changes no result, nor does what is audited.
    let Drawn { watts, device: _, own: _, accelerators: _ } = watts;
    let Watts { classes: class_watts, switch: switch_watts, nic, node: node_watts } = watts;
    let Config { switch, classes, node, routing, sleep, seed, audit: _ } = config;
    let policies = policy.classes();
    let class = |index: usize| {
        json!({
            "name": network.classes[index],
            "link": link(&classes[index]),
            "watts": power(&class_watts[index]),
            "policy": sleeping_policy(system, index, &policies[index], written),
        })
    };
    let mut machine = json!({
        "network": network_keys(network, written),
        "routing": routing.name(),
        "seed": seed,
        "switch": switch_keys(switch),
        "classes": (0..classes.len()).map(class).collect::<Vec<_>>(),
        "node": node_keys(node),
        "sleep": sleep_keys(*sleep),
        "channels": channel_keys(*channels),
        "model": model_keys(model),
        "watts": { "switch": switch_watts, "nic": nic, "node": node_power(*node_watts), "cores": cores },
        "tariff": tariff_keys(*tariff),
        "cost": cost.as_ref().map(cost_keys),
    });
    // What is left out of a file is in the warnings of a result.
    if !notes.is_empty() {
        machine["notes"] = json!(notes);
    }
    machine
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
    section
}

fn switch_keys(switch: &SwitchModel) -> Value {
    let SwitchModel {
        clock,
        flit,
        packet_flits,
        vcs: VirtualChannels { adaptive, escape: escape_vcs, any, hop },
        buffer_flits,
        flow_control,
        input_speedup,
        queues,
        forwarding,
        escape,
        arbitration,
        request_busy,
        allocation_gap,
        trunks,
        padding,
    } = switch;
    let mut keys = json!({
        "clock_ps": clock.0,
        "flit_bytes": flit.0,
        "packet_flits": packet_flits,
        "vcs": { "adaptive": adaptive, "escape": escape_vcs, "any": any, "hop": hop },
        "buffer_flits": buffer_flits,
        "input_speedup": input_speedup,
        "escape": match escape {
            Escape::Dateline => "dateline",
            Escape::Bubble => "bubble",
        },
        "arbitration": match arbitration {
            Arbitration::LeastRecentlyServed => "least-recently-served",
            Arbitration::RoundRobin => "round-robin",
            Arbitration::Random => "random",
            Arbitration::Age => "age",
        },
        "request_busy": request_busy,
        "trunks": match trunks {
            TrunkChoice::Balanced => "balanced",
            TrunkChoice::Packed => "packed",
        },
        "padding": padding,
    });
    if *allocation_gap > Time::ZERO {
        keys["allocation_gap_ps"] = json!(allocation_gap.0);
    }
    if let FlowControl::Pause(PauseLevels { xoff_flits, xon_flits }) = flow_control {
        keys["flow_control"] = json!({ "xoff_flits": xoff_flits, "xon_flits": xon_flits });
    }
    // Names from before there were others stay what they were.
    match queues {
        Queues::Input => {}
        Queues::VirtualOutput => keys["queues"] = json!("virtual-output"),
        Queues::Output(OutputQueues { room_flits, speedup, ways }) => {
            keys["queues"] = json!({ "output_flits": room_flits, "speedup": speedup });
            if *ways > 1 {
                keys["queues"]["output_speedup"] = json!(ways);
            }
        }
    }
    match forwarding {
        Forwarding::CutThrough => {}
        Forwarding::StoreAndForward => keys["forwarding"] = json!("store-and-forward"),
    }
    keys
}

fn link(class: &ClassModel) -> Value {
    let ClassModel { bandwidth, lanes, latency, hop, states } = class;
    json!({
        "bandwidth_bits_per_second": bandwidth.0,
        "lanes": lanes,
        "latency_ps": latency.0,
        "hop_ps": hop.0,
        "states": states.as_ref().map(states_keys),
    })
}

fn states_keys(states: &SleepStates) -> Value {
    let SleepStates { shallow, deep, transition, deepen: Deepen { takes, as_shallow } } = states;
    let state = |state: &SleepState| {
        let SleepState { power, enter, wake } = state;
        json!({ "power": power, "enter_ps": enter.0, "wake_ps": wake.0 })
    };
    json!({
        "shallow": state(shallow),
        "deep": state(deep),
        "transition": transition,
        "shallow_to_deep": { "enter_ps": takes.0, "as_shallow": as_shallow },
    })
}

fn power(watts: &ClassWatts) -> Value {
    let ClassWatts { on, per_bit, per_packet, port } = watts;
    json!({ "on": on, "per_bit": per_bit, "per_packet": per_packet, "port": port })
}

fn node_power(NodeWatts { busy, idle }: NodeWatts) -> Value {
    json!({ "busy": busy, "idle": idle })
}

fn tariff_keys(Tariff { price, carbon }: Tariff) -> Value {
    json!({ "price": price, "carbon": carbon })
}

fn node_keys(node: &NodeModel) -> Value {
    let NodeModel {
        memory_latency,
        memory_bandwidth,
        eager_limit,
        nic_latency,
        injection,
        receive_overhead,
        overheads,
    } = node;
    let mut keys = json!({
        "memory_latency_ps": memory_latency.0,
        "memory_bandwidth_bits_per_second": memory_bandwidth.0,
        "eager_limit_bytes": eager_limit.0,
        "nic_latency_ps": nic_latency.0,
        "receive_overhead_ps": receive_overhead.0,
    });
    // What is new is left out where it is as it was, so that ids stay.
    match injection {
        Injection::RoundRobin => {}
        Injection::First => keys["injection"] = json!("first"),
    }
    if *overheads != Overheads::NONE {
        let Overheads { message, byte, gap, gap_per_byte } = overheads;
        keys["overheads"] = json!({
            "message_ps": message.0,
            "byte_ps": byte.0,
            "gap_ps": gap.0,
            "gap_per_byte_ps": gap_per_byte.0,
        });
    }
    keys
}

fn sleep_keys(rules: SleepRules) -> Value {
    let SleepRules { selection, wake_after, both } = rules;
    // As it was written when there were two ways, so that their ids stay.
    let aware = match selection {
        SleepSelection::Awake => json!(true),
        SleepSelection::Blind => json!(false),
        SleepSelection::LeastDelay => json!("least-delay"),
    };
    json!({ "aware": aware, "wake_after_ps": wake_after.map(|after| after.0), "both": both })
}

fn channel_keys(channels: SleepingChannels) -> &'static str {
    match channels {
        SleepingChannels::Switch => "switch",
        SleepingChannels::Node => "node",
        SleepingChannels::All => "all",
    }
}

fn model_keys(model: &PowerModel) -> Value {
    let PowerModel { ports, network, idle_node, reference } = model;
    let reference = reference.map(|Reference { switches, ports }| json!({ "switches": switches, "ports": ports }));
    json!({ "ports": ports, "network": network, "idle_node": idle_node, "reference": reference })
}

fn cost_keys(cost: &CostModel) -> Value {
    let CostModel { system_power, network, links, price, years } = cost;
    json!({ "system_power_w": system_power.0, "network": network, "links": links, "price": price, "years": years })
}
