//! Whose watts the joules are, and where these are the watts of another device.

use drowse_core::measure::Record;
use drowse_core::model::units::BitRate;
use drowse_experiment::{NIC_RATE, Own, System};

/// Says what the watts of a run are: what the user set, and what stands for the rest. `device` is what to call that.
pub fn described(system: &System, device: &str) -> String {
    let drawn = &system.watts;
    let node = drawn.watts.node;
    let idle = if node.idle < node.busy { format!(", {} W while it waits", node.idle) } else { String::new() };
    let mut text = format!("{device}; a NIC {} W; a node {} W{idle}", drawn.watts.nic, node.busy);
    let slower = rates(system, |rate, port| rate < port);
    if !slower.is_empty() {
        text.push_str("; links of ");
        text.push_str(&slower.join(", "));
        text.push_str(" as ports of ");
        text.push_str(&speed(drawn.device.rate));
    }
    if !drawn.own.is_empty() {
        let own: Vec<String> = drawn.own.iter().map(own).collect();
        text.push_str("; yours: ");
        text.push_str(&own.join(", "));
    }
    text
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
    [speeds(system), cables(system), nics(system), nodes(system, record)].into_iter().flatten().collect()
}

/// Warns of links that are faster than the device's ports.
fn speeds(system: &System) -> Option<String> {
    let faster = rates(system, |rate, port| rate > port);
    let device = system.watts.device;
    (!faster.is_empty()).then(|| {
        format!(
            "the watts are those of another device: links of {} draw as several ports of {} ({}); set power.watts.on and \
             power.watts.switch",
            faster.join(", "),
            speed(device.rate),
            device.name,
        )
    })
}

/// Warns of links that are longer than the cables with which the device was measured.
fn cables(system: &System) -> Option<String> {
    let device = system.watts.device;
    let longest = classes(system).map(|class| system.config.classes[class].latency).max()?;
    let reach = device.reach.filter(|&reach| longest > reach)?;
    Some(format!(
        "the watts are those of another medium: {} was measured with passive copper cables, which have {reach} at most, \
         and links have {longest}; set power.watts.on to that of optical modules",
        device.name,
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
    let other = record.makespan.is_some() && drawn.accelerators && !drawn.is_own("node.busy");
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

/// Returns the speeds of links that compare so with the device's, each once.
fn rates(system: &System, compare: fn(BitRate, BitRate) -> bool) -> Vec<String> {
    let rate = |class: usize| {
        let class = &system.config.classes[class];
        BitRate(class.bandwidth.0 / u64::from(class.lanes))
    };
    let mut rates: Vec<BitRate> = classes(system).map(rate).collect();
    rates.retain(|&rate| compare(rate, system.watts.device.rate));
    rates.sort_unstable();
    rates.dedup();
    rates.into_iter().map(speed).collect()
}

fn speed(rate: BitRate) -> String {
    format!("{} Gb/s", rate.0 as f64 / 1e9)
}
