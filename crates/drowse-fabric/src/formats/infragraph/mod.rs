//! InfraGraph, in YAML or JSON: instances of devices, and links between their components.
//!
//! Each instance is one host or one switch; what is inside of devices is left out and counted. A device with an `xpu`
//! or `cpu` is a host. Where a file does not have the device, an instance that is linked by its `nic` is one. Links are
//! `edges` with two ends and a scheme, or `connections` as before version 2: `server.0.nic.1.eth1.leafsw.0.port.1`.

mod ends;
mod links;

use std::collections::HashMap;
use std::ops::Range;

use super::plan::{Cable, Plan};
use crate::document::{Value, json, yaml};
use crate::model::vertices::Vertices;
use crate::model::wrong::{Wrong, shown};
use crate::options::Options;
use crate::recognise::text::Text;
use ends::{Device, End};

/// The most instances of one name, and the most links of one edge.
pub(super) const MOST: u32 = 1 << 20;

/// `instances:` and `connections:` or `edges:`.
pub(crate) fn sign(text: &Text<'_>) -> bool {
    let has = |name: &str| text.begins(&format!("{name}:"));
    has("infrastructure") || has("instances") && (has("connections") || has("edges") || has("devices"))
}

/// JSON with `"instances"` and `"connections"` or `"edges"`.
pub(crate) fn sign_of_json(text: &Text<'_>) -> bool {
    text.is_json_with(&["instances", "connections"]) || text.is_json_with(&["instances", "edges"])
}

/// Reads YAML.
pub(crate) fn parse(text: &str, options: &Options) -> Result<Vertices, Wrong> {
    build(&yaml::parse(text)?, options)
}

/// Reads JSON.
pub(crate) fn parse_json(text: &str, options: &Options) -> Result<Vertices, Wrong> {
    build(&json::parse(text)?, options)
}

/// An infrastructure while it is read.
pub(super) struct Infra<'v> {
    /// Devices by their names.
    devices: HashMap<&'v str, Device<'v>>,
    /// The device and the number of instances by their names; no number is any.
    instances: HashMap<&'v str, (&'v str, Option<u32>)>,
    cables: HashMap<&'v str, Cable>,
    /// The instances that are linked, by name and number, each with its place and whether it is a host.
    points: HashMap<(&'v str, u32), (Range<usize>, bool)>,
    /// Their names and numbers in the order of the file.
    order: Vec<(&'v str, u32)>,
    found: Vec<Found<'v>>,
}

/// A link between two instances, given by name and number.
type Found<'v> = ([(&'v str, u32); 2], Cable, Range<usize>);

fn build(document: &Value, options: &Options) -> Result<Vertices, Wrong> {
    let root = document.get("infrastructure").unwrap_or(document);
    root.check(&["name", "description", "devices", "links", "instances", "edges", "connections"], "an infrastructure")?;
    let Some(list) = root.get("instances") else {
        return Err(
            root.wrong("this file has no instances, and so no network", "give the file with instances and edges")
        );
    };
    let mut infra = Infra {
        devices: ends::devices(root)?,
        instances: HashMap::new(),
        cables: links::read(root)?,
        points: HashMap::new(),
        order: Vec::new(),
        found: Vec::new(),
    };
    for instance in list.list("instances")? {
        instance.check(&["name", "description", "device", "count"], "an instance")?;
        let (name, place) = instance.need("name", "an instance")?.text("name")?;
        let device = instance.need("device", "an instance")?.text("device")?.0;
        let count = instance.get("count").map(|count| count.number("instances", 1, MOST)).transpose()?;
        if infra.instances.insert(name, (device, count)).is_some() {
            return Err(Wrong::new(
                &place,
                format!("instance `{}` stands twice", shown(name)),
                "give each a name of its own",
            ));
        }
    }
    for edge in root.get("edges").map_or(Ok(&[][..]), |edges| edges.list("edges"))? {
        infra.edge(edge)?;
    }
    for connection in root.get("connections").map_or(Ok(&[][..]), |list| list.list("connections"))? {
        infra.connection(connection)?;
    }
    infra.finish(root, options)
}

impl<'v> Infra<'v> {
    /// Adds the links of an edge.
    fn edge(&mut self, edge: &'v Value) -> Result<(), Wrong> {
        edge.check(&["ep1", "ep2", "scheme", "link"], "an edge")?;
        let [from, to] = [self.ends(edge.need("ep1", "an edge")?)?, self.ends(edge.need("ep2", "an edge")?)?];
        let cable = self.cable(&edge.need("link", "an edge")?.text("link")?)?;
        let (scheme, place) =
            edge.get("scheme").map_or(Ok(("one2one", edge.span.clone())), |scheme| scheme.text("scheme"))?;
        let pairs: Vec<(&End<'v>, &End<'v>)> = match scheme {
            "one2one" if from.len() == to.len() => from.iter().zip(&to).collect(),
            "one2one" => {
                let message = format!("{} ends are to be joined with {} ones, one each", from.len(), to.len());
                return Err(Wrong::new(&edge.span, message, "name as many on both sides"));
            }
            "many2many" if from.len().saturating_mul(to.len()) <= MOST as usize => {
                from.iter().flat_map(|a| to.iter().map(move |b| (a, b))).collect()
            }
            "many2many" => {
                return Err(Wrong::new(&edge.span, format!("this edge is more than {MOST} links"), "write fewer"));
            }
            other => {
                let message = format!("the scheme `{}` is not read here", shown(other));
                return Err(Wrong::new(&place, message, "write one2one or many2many"));
            }
        };
        for (a, b) in pairs {
            self.join([a, b], cable, &edge.span);
        }
        Ok(())
    }

    /// Adds the link of a connection: `server.0.nic.1.eth1.leafsw.0.port.1`.
    fn connection(&mut self, connection: &'v Value) -> Result<(), Wrong> {
        let word = connection.text("a connection")?;
        let parts: Vec<&'v str> = word.0.split('.').collect();
        let [a, a_at, a_part, a_number, link, b, b_at, b_part, b_number] = parts[..] else {
            let message = format!("`{}` is no connection of two ends", shown(word.0));
            return Err(Wrong::new(&word.1, message, "write INSTANCE.0.COMPONENT.0.LINK.INSTANCE.0.COMPONENT.0"));
        };
        let cable = self.cable(&(link, word.1.clone()))?;
        let end = |instance: &'v str, at: &str, part: &'v str, number: &str| {
            let index = |text: &str| crate::model::wrong::number(&(text, word.1.clone()), "this connection", 0, MOST);
            index(number)?;
            self.end(instance, index(at)?, part, &word.1)
        };
        let ends = [end(a, a_at, a_part, a_number)?, end(b, b_at, b_part, b_number)?];
        self.join([&ends[0], &ends[1]], cable, &word.1);
        Ok(())
    }

    fn cable(&self, (name, span): &(&str, Range<usize>)) -> Result<Cable, Wrong> {
        self.cables.get(name).copied().ok_or_else(|| {
            let message = format!("there is no link `{}`", shown(name));
            Wrong::new(span, message, "declare it among links of the infrastructure")
        })
    }

    /// Adds a link between two instances; what is within one is inside of it.
    fn join(&mut self, ends: [&End<'v>; 2], cable: Cable, span: &Range<usize>) {
        for end in ends {
            let (_, is_host) = self.points.entry(end.point).or_insert_with(|| {
                self.order.push(end.point);
                (span.clone(), false)
            });
            *is_host |= end.is_host;
        }
        if ends[0].point != ends[1].point {
            self.found.push((ends.map(|end| end.point), cable, span.clone()));
        }
    }

    fn finish(self, root: &Value, options: &Options) -> Result<Vertices, Wrong> {
        if self.found.is_empty() {
            return Err(root.wrong("no two instances are linked", "write edges between instances"));
        }
        let mut plan = Plan::new("hosts");
        let mut numbers = HashMap::new();
        let mut hosts: Vec<&str> = Vec::new();
        for &(name, at) in &self.order {
            let (span, is_host) = &self.points[&(name, at)];
            numbers.insert((name, at), plan.add(format!("{name}.{at}"), span, *is_host)?);
            if *is_host && hosts.last() != Some(&name) {
                hosts.push(name);
            }
        }
        hosts.sort_unstable();
        hosts.dedup();
        let of_all = self.instances.values().filter_map(|(_, count)| *count).map(u64::from).sum::<u64>();
        let counted = self.order.iter().filter(|(name, _)| self.instances[name].1.is_some()).count() as u64;
        let unused = of_all.saturating_sub(counted);
        for (ends, cable, span) in self.found {
            plan.link(ends.map(|end| numbers[&end]), &span, cable)?;
        }
        let mut vertices = plan.finish(options.speed)?;
        let listed = hosts.iter().map(|name| format!("`{}`", shown(name))).collect::<Vec<_>>().join(", ");
        let listed = if listed.is_empty() { "none".to_owned() } else { listed };
        vertices.note(format!("each instance is one host or one switch, its inside is left out; hosts are {listed}"));
        if unused > 0 {
            vertices.note(format!("instances without a link, which are left out: {unused}"));
        }
        Ok(vertices)
    }
}
