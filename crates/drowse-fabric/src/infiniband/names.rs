//! Names of switches, hosts and compute nodes. Descriptions are no keys: several devices may have one.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::subnet::{Device, Kind};

/// Adapters of a host from which on their descriptions are rather not set.
const MANY: usize = 17;

/// A port by its device and its place in it.
type PortOf = (usize, usize);
/// What tells hosts apart: a name, or a system image GUID.
type Host = (String, Option<u64>);

/// Returns the name that a description means: of `MF0;name:MODEL/U1` it is `name`, of `MF0;name:MODEL/L01/U2`, which is
/// one chip of several, `name/L01/U2`.
pub(super) fn of_description(description: &str) -> String {
    let managed = || {
        let (_, rest) = description.split_once(';').filter(|(start, _)| start.starts_with("MF"))?;
        let (name, model) = rest.split_once(':')?;
        let (_, chip) = model.split_once('/')?;
        (!name.is_empty()).then(|| if chip == "U1" { name.to_owned() } else { format!("{name}/{chip}") })
    };
    managed().unwrap_or_else(|| description.trim().to_owned())
}

/// Returns the host of an adapter: the first word of its description, without the quotes that some tools add.
pub(super) fn host(description: &str) -> &str {
    description.split_whitespace().next().unwrap_or_default()
}

/// Names devices, hosts and ports. `systems` has the system image GUID of each device where these tell the hosts.
/// Returns what is to be said.
pub(super) fn name_all(devices: &mut [Device], systems: Option<&[Option<u64>]>) -> Option<String> {
    name_devices(devices);
    let mut groups: BTreeMap<Host, Vec<PortOf>> = BTreeMap::new();
    for (at, device) in devices.iter().enumerate().filter(|(_, device)| device.kind == Kind::Adapter) {
        let system = systems.and_then(|systems| systems[at]);
        let name = if system.is_some() { String::new() } else { host(&device.description).to_owned() };
        let group = groups.entry((name, system)).or_default();
        group.extend((0..device.ports.len()).map(|port| (at, port)));
    }
    let mut used = HashSet::new();
    let mut crowd = None;
    // By the order of hosts, so that names do not depend on the order of the file.
    let mut hosts: Vec<(String, Vec<PortOf>)> = groups
        .into_values()
        .filter(|ports| !ports.is_empty())
        .map(|mut ports| {
            ports.sort_by(|a, b| place(devices, *a).cmp(&place(devices, *b)));
            (host(&devices[ports[0].0].description).to_owned(), ports)
        })
        .collect();
    hosts.sort_by(|a, b| (&a.0, place(devices, a.1[0])).cmp(&(&b.0, place(devices, b.1[0]))));
    for (host, ports) in hosts {
        let host = if host.is_empty() { "host".to_owned() } else { host };
        if ports.len() >= MANY && crowd.is_none() {
            crowd = Some(format!(
                "{} adapters are called `{host}`: their descriptions do not name their hosts, so the nodes are \
                 {host}, {host}/2 and so on",
                ports.len()
            ));
        }
        for (number, (device, port)) in (1..).zip(ports) {
            let plain = if number == 1 { host.clone() } else { format!("{host}/{number}") };
            let device = &mut devices[device];
            let name = unique(plain, device.guid, &mut used);
            device.host.clone_from(&host);
            device.ports[port].name = name;
        }
    }
    crowd
}

/// By what the ports of a host are ordered.
fn place(devices: &[Device], (device, port): PortOf) -> (&str, Option<u64>, u16) {
    let device = &devices[device];
    (&device.description, device.guid, device.ports[port].number)
}

/// Names each device as no other: its description, and its GUID behind it where several have it.
fn name_devices(devices: &mut [Device]) {
    let mut count: HashMap<String, usize> = HashMap::new();
    let shown: Vec<String> = devices.iter().map(|device| of_description(&device.description)).collect();
    shown.iter().for_each(|name| *count.entry(name.clone()).or_default() += 1);
    let mut used = HashSet::new();
    for (device, name) in devices.iter_mut().zip(shown) {
        let plain = match (count[&name], device.guid) {
            (1, _) if !name.is_empty() => name,
            (_, Some(guid)) => format!("{name} 0x{guid:016x}").trim_start().to_owned(),
            (_, None) => name,
        };
        device.name = unique(plain, device.guid, &mut used);
        if device.kind == Kind::Switch {
            device.host.clone_from(&device.name);
            device.ports.iter_mut().for_each(|port| port.name.clone_from(&device.name));
        }
    }
}

/// Returns a name that is not used yet: itself, else with the GUID or a number behind it.
fn unique(plain: String, guid: Option<u64>, used: &mut HashSet<String>) -> String {
    let with_guid = guid.map(|guid| format!("{plain} 0x{guid:016x}"));
    let numbered = (2..).map(|number| format!("{plain} ({number})"));
    let candidates = std::iter::once(plain.clone()).chain(with_guid).chain(numbered);
    // A set has fewer names than there are numbers.
    let name = candidates.into_iter().find(|name| !used.contains(name)).unwrap_or(plain);
    used.insert(name.clone());
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_descriptions_mean() {
        for (description, name) in [
            ("leaf1", "leaf1"),
            ("MF0;edge-a:MQM8700/U1", "edge-a"),
            ("MF0;core:CS7520/L01/U2", "core/L01/U2"),
            ("MF0;core", "MF0;core"),
            ("Quantum Mellanox Technologies", "Quantum Mellanox Technologies"),
            ("say \"x\" [1] 'q' # y", "say \"x\" [1] 'q' # y"),
        ] {
            assert_eq!(of_description(description), name);
        }
        assert_eq!((host("node1 HCA-1"), host("node2 mlx5_0"), host("")), ("node1", "node2", ""));
    }
}
