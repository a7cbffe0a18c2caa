//! From the two ends of each cable, as a file has them, to the cables of a subnet.

use std::collections::{HashMap, HashSet};

use super::draft::{Draft, Drafted, Half, Sort};
use super::names;
use super::rate::{Part, Rate, Written};
use super::subnet::{Cable, Device, End, Kind, LeftOut, Options, Port, Subnet};
use crate::model::wrong::{Wrong, shown};

/// How adapters within switches are called that reduce messages (SHARP).
const AGGREGATION: &str = "Technologies Aggregation Node";

/// Makes a subnet of what a file says.
pub(super) fn join(mut draft: Draft, options: &Options) -> Result<Subnet, Wrong> {
    let pairs = pairs(&draft)?;
    let mut left_out = LeftOut::default();
    let kept = kept(&draft, options, &mut left_out);
    let mut disagreeing = Vec::new();
    let mut cables = Vec::new();
    let mut unknown: Option<(usize, Wrong)> = None;
    for (first, second) in pairs {
        let half = &draft.halves[first];
        let ends = [(half.device, half.port), half.peer];
        let [Some(a), Some(b)] = ends.map(|(key, _)| kept[key]) else { continue };
        if a == b {
            left_out.loops += 1;
            continue;
        }
        let written = rate_of(&draft, half, second, &mut disagreeing);
        let rate = match resolve(written, options) {
            Part::Known(rate) => Some(rate),
            Part::Nothing => None,
            Part::Unknown => {
                unknown.get_or_insert_with(|| (0, unknown_rate(&draft, half))).0 += 1;
                continue;
            }
        };
        let mut ends = [End { device: a, port: ends[0].1 }, End { device: b, port: ends[1].1 }];
        ends.sort_unstable();
        cables.push(Cable { ends, rate, span: half.span.clone() });
    }
    if let Some((count, mut wrong)) = unknown {
        wrong.message = format!("the tool did not know the rate of this link, and of {count} in all");
        return Err(wrong);
    }
    cables.sort_by_key(|cable| cable.ends);
    let notes = std::mem::take(&mut draft.notes);
    let mut subnet =
        Subnet { cables, left_out, disagreeing, notes, signalling: options.signalling, ..Subnet::default() };
    fill_devices(&mut subnet, draft, &kept, options);
    Ok(subnet)
}

/// Returns the halves of each cable: the first in the file, and the other, which a file may leave out.
fn pairs(draft: &Draft) -> Result<Vec<(usize, Option<usize>)>, Wrong> {
    let mut at: HashMap<(usize, u16), usize> = HashMap::new();
    for (index, half) in draft.halves.iter().enumerate() {
        check_ports(draft, half)?;
        if at.insert((half.device, half.port), index).is_some() {
            let message = format!("{} has a cable before this one", draft.shown_port((half.device, half.port)));
            return Err(Wrong::new(&half.span, message, "a port has one cable: remove the wrong line"));
        }
    }
    let mut pairs = Vec::new();
    for (index, half) in draft.halves.iter().enumerate() {
        let own = (half.device, half.port);
        match at.get(&half.peer) {
            Some(&other) if draft.halves[other].peer != own => {
                let other = &draft.halves[other];
                let message = format!(
                    "the ends of a cable disagree: {} names {}, which names {}",
                    draft.shown_port(own),
                    draft.shown_port(half.peer),
                    draft.shown_port(other.peer)
                );
                return Err(Wrong::new(
                    &half.span,
                    message,
                    "read the fabric again: it changed meanwhile, or was edited",
                ));
            }
            Some(&other) if other == index => {
                let message = format!("{} is linked with itself", draft.shown_port(own));
                return Err(Wrong::new(&half.span, message, "a cable has two ends: remove it"));
            }
            Some(&other) if index < other => pairs.push((index, Some(other))),
            Some(_) => {}
            None if draft.one_sided => pairs.push((index, None)),
            None => {
                let message = format!(
                    "{} names {}, of which the file has no line",
                    draft.shown_port(own),
                    draft.shown_port(half.peer)
                );
                let help = "each cable stands at both ends: the file is cut or edited, so read the fabric again";
                return Err(Wrong::new(&half.span, message, help));
            }
        }
    }
    check_one_sided(draft, &pairs)?;
    Ok(pairs)
}

/// Refuses a port that two others name, where cables may stand at one end.
fn check_one_sided(draft: &Draft, pairs: &[(usize, Option<usize>)]) -> Result<(), Wrong> {
    let mut named = HashSet::new();
    for (first, _) in pairs.iter().filter(|(_, second)| second.is_none()) {
        let half = &draft.halves[*first];
        if !named.insert(half.peer) {
            let message = format!("{} has a cable before this one", draft.shown_port(half.peer));
            return Err(Wrong::new(&half.span, message, "a port has one cable: remove the wrong line"));
        }
    }
    Ok(())
}

/// Refuses ends that do not exist.
fn check_ports(draft: &Draft, half: &Half) -> Result<(), Wrong> {
    for (key, port) in [(half.device, half.port), half.peer] {
        let Some(device) = &draft.devices[key] else {
            let message = format!("{} has no record in the file", draft.shown(key));
            let help = "each device has one, with all its cables: the file is cut or edited, so read the fabric again";
            return Err(Wrong::new(&half.span, message, help));
        };
        if port == 0 || port > device.port_count {
            let message = format!("{} has ports 1 to {}, not {port}", draft.shown(key), device.port_count);
            return Err(Wrong::new(&half.span, message, "write a port that it has"));
        }
    }
    Ok(())
}

/// Returns what both ends of a cable say of its rate; where they disagree, names it.
fn rate_of(draft: &Draft, half: &Half, other: Option<usize>, disagreeing: &mut Vec<String>) -> Written {
    let Some(other) = other.map(|other| &draft.halves[other]) else { return half.written };
    let (lanes, same_lanes) = half.written.lanes.join(other.written.lanes);
    let (speed, same_speed) = half.written.speed.join(other.written.speed);
    if !(same_lanes && same_speed) {
        disagreeing.push(format!(
            "{} says {}, {} says {}",
            draft.shown_port((half.device, half.port)),
            words(half.written),
            draft.shown_port((other.device, other.port)),
            words(other.written)
        ));
    }
    Written { lanes, speed }
}

fn words(written: Written) -> String {
    let lanes = if let Part::Known(lanes) = written.lanes { format!("{lanes}x") } else { "??".to_owned() };
    let speed = if let Part::Known(speed) = written.speed { speed.to_string() } else { "???".to_owned() };
    lanes + &speed
}

/// Puts in what the user says for what the tool did not know.
fn resolve(written: Written, options: &Options) -> Part<Rate> {
    match (known(written.lanes, options.lanes), known(written.speed, options.speed)) {
        (Part::Known(lanes), Part::Known(speed)) => Part::Known(Rate { lanes, speed }),
        (Part::Unknown, _) | (_, Part::Unknown) => Part::Unknown,
        (Part::Nothing, _) | (_, Part::Nothing) => Part::Nothing,
    }
}

fn known<T: Copy>(part: Part<T>, given: Option<T>) -> Part<T> {
    match (part, given) {
        (Part::Unknown, Some(value)) => Part::Known(value),
        (part, _) => part,
    }
}

fn unknown_rate(draft: &Draft, half: &Half) -> Wrong {
    let help = format!(
        "{} has a rate that is newer than the tool: write it in place of the question marks, such as 4xXDR, or give \
         width and speed for all such links",
        draft.shown_port((half.device, half.port))
    );
    Wrong::new(&half.span, "", help)
}

/// Returns the new number of each device that is kept, by their records in the file, and counts the others.
fn kept(draft: &Draft, options: &Options, left_out: &mut LeftOut) -> Vec<Option<u32>> {
    let mut linked = vec![false; draft.devices.len()];
    for half in &draft.halves {
        linked[half.device] = true;
        linked[half.peer.0] = true;
    }
    let mut kept = Vec::new();
    for (key, device) in draft.devices.iter().enumerate() {
        let Some(device) = device else { continue };
        let host = names::host(&device.description);
        let count = match device.sort {
            Sort::Router => &mut left_out.routers,
            Sort::Adapter if device.description.contains(AGGREGATION) => &mut left_out.aggregation_nodes,
            Sort::Adapter if options.leave_out.iter().any(|pattern| suits(pattern, host)) => &mut left_out.by_name,
            Sort::Adapter if !linked[key] => &mut left_out.unlinked,
            Sort::Switch | Sort::Adapter => {
                kept.push((device.span.start, key));
                continue;
            }
        };
        *count += 1;
    }
    kept.sort_unstable();
    let mut numbers = vec![None; draft.devices.len()];
    (0..).zip(kept).for_each(|(number, (_, key))| numbers[key] = Some(number));
    numbers
}

/// Returns whether a name suits a pattern in which `*` stands for any text.
fn suits(pattern: &str, name: &str) -> bool {
    let Some((start, rest)) = pattern.split_once('*') else { return pattern == name };
    let Some(mut name) = name.strip_prefix(start) else { return false };
    let mut parts: Vec<&str> = rest.split('*').collect();
    let end = parts.pop().unwrap_or_default();
    for part in parts {
        let Some(at) = name.find(part) else { return false };
        name = &name[at + part.len()..];
    }
    name.ends_with(end)
}

/// Adds the devices that are kept, with their names, and what is to be said of them.
fn fill_devices(subnet: &mut Subnet, draft: Draft, kept: &[Option<u32>], options: &Options) {
    let mut linked: HashMap<u32, Vec<u16>> = HashMap::new();
    for end in subnet.cables.iter().flat_map(|cable| cable.ends) {
        linked.entry(end.device).or_default().push(end.port);
    }
    let mut systems = Vec::new();
    let mut redacted = 0;
    let numbered = draft.devices.into_iter().zip(kept).filter_map(|(device, number)| Some((number.as_ref()?, device?)));
    let mut devices: Vec<(&u32, Drafted)> = numbered.collect();
    devices.sort_unstable_by_key(|(number, _)| **number);
    for (number, device) in devices {
        redacted += usize::from(device.guid.is_none());
        systems.push(device.system);
        subnet.devices.push(finished(device, linked.remove(number).unwrap_or_default()));
    }
    if redacted > 0 && !draft.one_sided {
        let first = subnet.devices.iter().find(|device| device.guid.is_none());
        let first = first.map(|device| shown(&device.description)).unwrap_or_default();
        subnet.notes.push(format!(
            "GUIDs are missing or no hexadecimal numbers at {redacted} devices, such as `{first}`: forwarding tables \
             cannot be matched with these"
        ));
    }
    let systems = options.host_by_system.then_some(&systems[..]);
    subnet.notes.extend(names::name_all(&mut subnet.devices, systems));
    let unlinked_ports = subnet.devices.iter().filter(|device| device.ports.is_empty()).count();
    if unlinked_ports > 0 {
        subnet.notes.push(format!("adapters that are linked with what is left out only: {unlinked_ports}"));
    }
}

/// Makes a device: port 0 of a switch, the linked ports of an adapter.
fn finished(device: Drafted, mut linked: Vec<u16>) -> Device {
    let kind = if device.sort == Sort::Switch { Kind::Switch } else { Kind::Adapter };
    if kind == Kind::Switch {
        linked = vec![0];
    }
    linked.sort_unstable();
    let port = |number: u16| {
        let address = device.addresses.iter().find(|address| address.port == number);
        Port {
            number,
            guid: address.and_then(|address| address.guid),
            lid: address.and_then(|address| address.lid).filter(|&lid| lid != 0),
            lmc: address.map_or(0, |address| address.lmc),
            name: String::new(),
        }
    };
    let ports = linked.into_iter().map(port).collect();
    Device {
        kind,
        guid: device.guid,
        description: device.description,
        name: String::new(),
        host: String::new(),
        port_count: device.port_count,
        ports,
        span: device.span,
    }
}

#[cfg(test)]
mod tests {
    use super::suits;

    #[test]
    fn patterns() {
        for (pattern, name, is) in [
            ("login*", "login1", true),
            ("login*", "node1", false),
            ("*", "", true),
            ("io", "io", true),
            ("io", "io1", false),
            ("*-oss*-ib", "a-oss3-ib", true),
            ("*-oss*-ib", "a-oss3", false),
            ("a*a", "a", false),
        ] {
            assert_eq!(suits(pattern, name), is, "{pattern} {name}");
        }
    }
}
