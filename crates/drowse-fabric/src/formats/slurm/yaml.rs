//! `topology.yaml`: a list of topologies, of which the default of the cluster is taken.

use super::places::{Places, ring};
use super::tree::{Switch, tree};
use super::{no_network, torus};
use crate::document::{Value, yaml};
use crate::model::vertices::Vertices;
use crate::model::wrong::{Wrong, shown};
use crate::options::Options;
use crate::recognise::text::Text;

/// The kinds of topologies.
const KINDS: [&str; 5] = ["tree", "ring", "torus3d", "block", "flat"];

/// `- topology:`, and the name of a kind.
pub(crate) fn sign(text: &Text<'_>) -> bool {
    text.begins("- topology:") && KINDS.iter().any(|kind| text.has_line(kind, |rest| rest.starts_with(':')))
}

/// Reads the topology that is the cluster's default.
pub(crate) fn parse(text: &str, options: &Options) -> Result<Vertices, Wrong> {
    let document = yaml::parse(text)?;
    let all = document.list("this file")?;
    let topology = match all {
        [] => return Err(document.wrong("this file has no topology", "write - topology: NAME")),
        [only] => only,
        [_, second, ..] => {
            let is_default = |topology: &&Value| topology.get("cluster_default").is_some_and(Value::is_true);
            all.iter().find(is_default).ok_or_else(|| {
                let message = format!("this file has {} topologies, and none is the default", all.len());
                second.wrong(message, "write cluster_default: true to the one that is to be read")
            })?
        }
    };
    let known: Vec<&str> = ["topology", "cluster_default"].into_iter().chain(KINDS).collect();
    topology.check(&known, "a topology")?;
    let (name, place) = topology.need("topology", "a topology")?.text("topology")?;
    let kinds: Vec<(&str, &Value)> = KINDS.iter().filter_map(|kind| Some((*kind, topology.get(kind)?))).collect();
    let [(kind, value)] = kinds[..] else {
        let message = format!("topology `{}` is of {} kinds", shown(name), kinds.len());
        return Err(Wrong::new(&place, message, format!("write one of {}", KINDS.join(", "))));
    };
    let mut vertices = match kind {
        "tree" => read_tree(value, options)?,
        "ring" => read_rings(value, options)?,
        "torus3d" => torus::read(value, options)?,
        _ => return Err(no_network(kind, &place)),
    };
    if all.len() > 1 {
        let number = all.len();
        vertices.note(format!("the file has {number} topologies: only the default, `{}`, is simulated", shown(name)));
    }
    Ok(vertices)
}

fn read_tree(value: &Value, options: &Options) -> Result<Vertices, Wrong> {
    value.check(&["switches"], "a tree")?;
    let switches = value.need("switches", "a tree")?;
    let list = switches.list("switches")?.iter().map(read_switch).collect::<Result<Vec<Switch<'_>>, Wrong>>()?;
    if list.is_empty() {
        return Err(switches.wrong("this tree has no switch", "write - switch: NAME"));
    }
    tree(&list, options)
}

fn read_rings(value: &Value, options: &Options) -> Result<Vertices, Wrong> {
    value.check(&["rings"], "a ring topology")?;
    let rings = value.need("rings", "a ring topology")?;
    let list = rings.list("rings")?.iter().map(read_ring).collect::<Result<Vec<Places<'_>>, Wrong>>()?;
    if list.is_empty() {
        return Err(rings.wrong("there is no ring", "write - ring: NAME"));
    }
    ring(&list, options)
}

fn read_switch(entry: &Value) -> Result<Switch<'_>, Wrong> {
    entry.check(&["switch", "children", "nodes"], "a switch")?;
    let list = |name| entry.get(name).map(|list| list.text(name)).transpose();
    let name = entry.need("switch", "a switch")?.text("switch")?;
    Ok(Switch { name, nodes: list("nodes")?, children: list("children")?, level: None })
}

fn read_ring(entry: &Value) -> Result<Places<'_>, Wrong> {
    entry.check(&["ring", "nodes"], "a ring")?;
    let name = entry.need("ring", "a ring")?.text("ring")?;
    Ok(Places { name, nodes: entry.need("nodes", "a ring")?.text("nodes")? })
}
