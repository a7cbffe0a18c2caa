//! Whose watts the joules are, and where these are the watts of another device.

use std::fmt::Write;

use drowse_core::measure::Record;
use drowse_core::model::units::BitRate;
use drowse_core::power::watts::Watts;
use drowse_experiment::{Drawn, NIC_RATE, Own, System, Whose};

/// Says what the watts of a run are: what the user set, and what stands for the rest. `name` is what to call a device.
pub fn described(system: &System, name: fn(&Whose) -> &String) -> String {
    let drawn = &system.watts;
    let of = |watts: fn(&Watts) -> f64| amount(drawn, watts);
    let of_device = |whose: &Whose| match whose.how.as_str() {
        "" => name(whose).clone(),
        how => format!("{}, {how}", name(whose)),
    };
    let devices = drawn.whose.iter().map(of_device).collect::<Vec<_>>().join(" and ");
    let mut text = format!("{devices}; a NIC {} W; a node {} W", of(|watts| watts.nic), of(|watts| watts.node.busy));
    let node = drawn.watts.node;
    let wait = node.wait.unwrap_or(node.idle);
    if (wait - node.busy).abs() > 0.0 {
        let _ = write!(text, ", {} W while it waits", of(|watts| watts.node.wait.unwrap_or(watts.node.idle)));
    }
    if (node.idle - wait).abs() > 0.0 {
        let _ = write!(text, ", {} W without work", of(|watts| watts.node.idle));
    }
    if drawn.band.is_some() {
        text.push_str("; figures without a band are of its middle");
    }
    for (whose, port) in drawn.whose.iter().filter_map(|whose| Some((whose, whose.rate?))) {
        let slower = rates(system, |rate| rate < port);
        if !slower.is_empty() {
            let of = if drawn.whose.len() > 1 { format!(" of {}", whose.name) } else { String::new() };
            let _ = write!(text, "; links of {} as ports of {}{of}", slower.join(", "), speed(port));
        }
    }
    if !drawn.own.is_empty() {
        let own: Vec<String> = drawn.own.iter().map(own).collect();
        text.push_str("; yours: ");
        text.push_str(&own.join(", "));
    }
    text
}

/// Returns a power, or its limits where it is a band.
fn amount(drawn: &Drawn, of: fn(&Watts) -> f64) -> String {
    let limits = drawn.band.as_deref().map(|band| [of(&band[0]), of(&band[1])]);
    match limits.filter(|[low, high]| low < high) {
        Some([low, high]) => format!("{low} to {high}"),
        None => of(&drawn.watts).to_string(),
    }
}

fn own(own: &Own) -> String {
    match own.value {
        Some(value) => format!("{} {value}", own.key),
        None => own.key.clone(),
    }
}

/// Warns where speed, medium or node are not those of the device whose watts are used.
pub fn warnings(system: &System, record: &Record) -> Vec<String> {
    if system.network.channels() == 0 {
        return Vec::new();
    }
    let of_devices = system.watts.whose.iter().flat_map(|whose| [speeds(system, whose), cables(system, whose)]);
    let known = of_devices.chain([nics(system), nodes(system, record)]).flatten();
    known.chain(system.watts.notes.iter().cloned()).collect()
}

/// Warns of links that are faster than the device's ports, where these share a chassis.
fn speeds(system: &System, whose: &Whose) -> Option<String> {
    let port = whose.rate?;
    let faster = rates(system, |rate| rate > port);
    (!faster.is_empty()).then(|| {
        format!(
            "the watts are those of another device: links of {} draw as several ports of {} ({}); set power.watts.on and \
             power.watts.switch",
            faster.join(", "),
            speed(port),
            whose.name,
        )
    })
}

/// Warns of links that are longer than the cables with which the device was measured, where its ports share a chassis.
fn cables(system: &System, whose: &Whose) -> Option<String> {
    let longest = classes(system).map(|class| system.config.classes[class].latency).max()?;
    let reach = whose.reach.filter(|&reach| longest > reach)?;
    Some(format!(
        "the watts are those of another medium: {} was measured with passive copper cables, which have {reach} at most, \
         and links have {longest}; set power.watts.on to that of optical modules",
        whose.name,
    ))
}

/// Warns of links of nodes that are faster than the NIC.
fn nics(system: &System) -> Option<String> {
    let rate = system.config.classes[0].bandwidth;
    (rate > NIC_RATE && !system.watts.is_own("nic")).then(|| {
        format!(
            "the watts are those of another NIC: nodes have links of {}, and {} W is what a NIC of {} draws; set \
             power.watts.nic",
            speed(rate),
            system.watts.watts.nic,
            speed(NIC_RATE),
        )
    })
}

/// Warns of ranks that are accelerators on nodes that have none.
fn nodes(system: &System, record: &Record) -> Option<String> {
    let drawn = &system.watts;
    let is_own = ["node.busy", "node.accelerator.compute"].iter().any(|key| drawn.is_own(key));
    let other = record.makespan.is_some() && drawn.accelerators && !is_own && !drawn.names_node;
    other.then(|| {
        format!(
            "the watts are those of another node: ranks are accelerators, and {} W is what a node of two processors \
             without any draws; set power.watts.node",
            drawn.watts.node.busy
        )
    })
}

/// Returns the classes whose links draw what ports of the device do, at least in part.
fn classes(system: &System) -> impl Iterator<Item = usize> {
    let drawn = &system.watts;
    let switch = drawn.is_own("switch");
    let is_own = move |name: &str| switch && (drawn.is_own("on") || drawn.is_own(&format!("class.{name}.on")));
    system.network.classes.iter().enumerate().filter(move |(_, name)| !is_own(name)).map(|(class, _)| class)
}

/// Returns the speeds of links for which something holds, each once.
fn rates(system: &System, holds: impl Fn(BitRate) -> bool) -> Vec<String> {
    let rate = |class: usize| {
        let class = &system.config.classes[class];
        BitRate(class.bandwidth.0 / u64::from(class.lanes))
    };
    let mut rates: Vec<BitRate> = classes(system).map(rate).collect();
    rates.retain(|&rate| holds(rate));
    rates.sort_unstable();
    rates.dedup();
    rates.into_iter().map(speed).collect()
}

fn speed(rate: BitRate) -> String {
    format!("{} Gb/s", rate.0 as f64 / 1e9)
}
