//! `[link]`, or `[[link]]` per class: bandwidth, lanes and latency of channels, and the time of a hop.

use drowse_core::model::config::ClassModel;
use drowse_core::model::units::{BitRate, Duration, Time};
use drowse_core::topology::{Geometry, Network, NodeLink, TopologySpec};
use schemars::JsonSchema;
use serde::Deserialize;

use super::hardware::LinkMedium;
use super::{has_class, switch};
use crate::devices::Medium;
use crate::diagnostic::Diagnostic;
use crate::keys::Keys;
use crate::node::Node;
use crate::wording;

/// The links of a class, or of all classes.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Link {
    /// Class of links that the table is for, such as `node` (links of compute nodes) or `dim-0`. `drowse network FILE`
    /// prints the classes of a network. Default: all classes without a table of their own.
    #[schemars(extend("examples" = ["dim-0"]))]
    class: Option<String>,
    /// Bandwidth of one lane in one direction. Topologies that are those of a machine (`percs`, `aries`) bring their
    /// own.
    #[schemars(extend("default" = "10 GB/s"))]
    bandwidth: Option<BitRate>,
    /// Lanes of a link. Flits of one packet travel on all of them in parallel; each counts as a port in power and cost.
    #[schemars(extend("default" = 1), range(min = 1, max = 256))]
    lanes: Option<u32>,
    /// Latency of the wire. Credits take as long.
    #[schemars(extend("default" = "10 ns"))]
    latency: Option<Duration>,
    /// Whole time of a hop over such a link, instead of `switch.hop_latency`. Default: that of `[switch]`.
    #[schemars(extend("examples" = ["80 ns"]))]
    hop_latency: Option<Duration>,
    /// What the links are made of, which tells what their ports draw. Default: `dac`, passive copper.
    #[schemars(extend("examples" = ["lr"]))]
    medium: Option<Medium>,
    /// The module at both ends, by its name; `drowse devices` lists all. Default: none, and ports draw what was
    /// measured with the medium.
    #[schemars(extend("examples" = ["mms4x00-ns400"]))]
    module: Option<String>,
}

/// One table that was written, with its path.
struct Entry {
    path: String,
    link: Link,
}

/// The class's own table and the one for all classes: the first that has a key counts.
struct Tables<'a> {
    entries: Vec<&'a Entry>,
}

/// The links of all classes.
pub struct Resolved {
    /// Their channels; none may sleep yet.
    pub classes: Vec<ClassModel>,
    /// What they are made of.
    pub media: Vec<LinkMedium>,
}

/// Reads the section into one model per link class.
pub fn resolve(
    node: Option<Node<'_>>,
    keys: &Keys,
    switch: &switch::Resolved,
    (topology, network): (&TopologySpec, &Network),
) -> Result<Resolved, Diagnostic> {
    let nodes = node.map(Node::items).unwrap_or_default();
    let read = |node: Node<'_>| Ok(Entry { path: node.path.clone(), link: node.read(keys)? });
    let entries = nodes.into_iter().map(read).collect::<Result<Vec<Entry>, Diagnostic>>()?;
    check_classes(&entries, keys, network)?;
    check_hop_latency(&entries, keys, switch)?;
    let model = |class: &String| {
        let of_nodes = if class == "node" { topology.node_link() } else { NodeLink::default() };
        let usual = Usual {
            bandwidth: topology.bandwidth(class),
            of_file: of_nodes.bandwidth.or_else(|| drowse_fabric::class_bandwidth(class)),
            latency: of_nodes.latency.or_else(|| drowse_fabric::class_latency(class)),
        };
        class_model(&Tables::of(class, &entries), keys, switch, usual)
    };
    let mut models = network.classes.iter().map(model).collect::<Result<Vec<ClassModel>, Diagnostic>>()?;
    if let Geometry::Ideal(ideal) = &network.geometry {
        // Loads are shares of what a node can inject.
        models[0].bandwidth = ideal.bandwidth;
    }
    let media = network.classes.iter().map(|class| Tables::of(class, &entries).medium()).collect();
    Ok(Resolved { classes: models, media })
}

/// Checks that every table names a class of the network, each at most once.
fn check_classes(entries: &[Entry], keys: &Keys, network: &Network) -> Result<(), Diagnostic> {
    for (index, entry) in entries.iter().enumerate() {
        let path = format!("{}.class", entry.path);
        if let Some(class) = entry.link.class.as_ref().filter(|class| !has_class(network, class)) {
            return Err(wording::unknown_class(keys, &path, class, network));
        }
        if entries[..index].iter().any(|earlier| earlier.link.class == entry.link.class) {
            let message = match &entry.link.class {
                Some(class) => format!("class \"{class}\" has two [[link]] tables"),
                None => "two [[link]] tables have no class".into(),
            };
            let help = "a table without class is for all classes that have none of their own; write each once";
            return Err(keys.error(&path, message, help));
        }
    }
    Ok(())
}

/// Checks that a hop's time is given in one way only.
fn check_hop_latency(entries: &[Entry], keys: &Keys, switch: &switch::Resolved) -> Result<(), Diagnostic> {
    let given_by = ["switch.pipeline", "switch.allocator.latency"].into_iter().find(|path| keys.contains(path));
    let of_link = entries.iter().find(|entry| entry.link.hop_latency.is_some());
    let path = match of_link {
        Some(entry) => format!("{}.hop_latency", entry.path),
        None if switch.hop_latency.is_some() => "switch.hop_latency".into(),
        None => return Ok(()),
    };
    given_by.map_or(Ok(()), |other| {
        let message = format!("`{path}` gives the whole time of a hop, and `{other}` a part of it");
        Err(keys.error(&path, message, "write hop_latency alone, or pipeline and allocator.latency"))
    })
}

/// What the network itself says of the links of a class.
#[derive(Clone, Copy)]
struct Usual {
    /// The bandwidth in the machine that the network is of, if it is of one; any `[link]` counts more.
    bandwidth: Option<BitRate>,
    /// The bandwidth in a file of a graph; only a `[[link]]` of the class counts more.
    of_file: Option<BitRate>,
    /// The latency in such a file.
    latency: Option<Time>,
}

/// Returns the channels of a class; `usual` is what the network itself says of them.
fn class_model(
    tables: &Tables<'_>,
    keys: &Keys,
    switch: &switch::Resolved,
    usual: Usual,
) -> Result<ClassModel, Diagnostic> {
    let clock = switch.model.clock;
    let told = usual.of_file.or(usual.bandwidth).unwrap_or(ClassModel::default().bandwidth);
    let lane = match tables.first(|link| link.bandwidth).filter(|found| counts(found, usual.of_file.is_some())) {
        Some((entry, rate)) => super::bandwidth(keys, &format!("{}.bandwidth", entry.path), rate)?,
        None => told,
    };
    let lanes = lanes(tables, keys)?;
    let bandwidth = BitRate(lane.0.saturating_mul(u64::from(lanes)));
    let latency = match tables.first(|link| link.latency).filter(|found| counts(found, usual.latency.is_some())) {
        Some((entry, latency)) => switch::hop_time(keys, &format!("{}.latency", entry.path), latency, clock)?,
        None => usual.latency.unwrap_or(ClassModel::LATENCY),
    };
    let (path, hop) = match tables.first(|link| link.hop_latency) {
        Some((entry, hop)) => {
            let path = format!("{}.hop_latency", entry.path);
            let hop = switch::hop_time(keys, &path, hop, clock)?;
            (path, hop)
        }
        None => match switch.hop_latency {
            Some(hop) => ("switch.hop_latency".into(), hop),
            None => ("switch.pipeline".into(), cycles_hop(keys, switch, latency)?),
        },
    };
    if hop < clock {
        let message = format!("a hop of {hop} is shorter than one clock cycle of {clock}");
        return Err(keys.error(&path, message, "switches grant at clock edges: give a hop at least one cycle"));
    }
    if hop < latency {
        let message = format!("a hop of {hop} is shorter than the wire's latency of {latency}, which is part of it");
        return Err(keys.error(&path, message, "make hop_latency longer, or link.latency shorter"));
    }
    Ok(ClassModel { bandwidth, lanes, latency, hop, states: None })
}

/// Returns whether what a table writes counts: a table for all classes does not where a file tells of each link.
fn counts<T>((entry, _): &(&Entry, T), told_by_file: bool) -> bool {
    !told_by_file || entry.link.class.is_some()
}

/// Returns how many lanes of the bandwidth that is written a link of a class has.
fn lanes(tables: &Tables<'_>, keys: &Keys) -> Result<u32, Diagnostic> {
    const MOST: u32 = 256;
    match tables.first(|link| link.lanes) {
        Some((entry, lanes)) if !(1..=MOST).contains(&lanes) => {
            let path = format!("{}.lanes", entry.path);
            let help =
                format!("write 1 to {MOST}: each has the bandwidth of the link, and is a port in power and cost");
            Err(keys.error(&path, format!("`{path}` = {lanes} is out of range"), help))
        }
        found => Ok(found.map_or(1, |(_, lanes)| lanes)),
    }
}

/// Returns the time of a hop that is made of the switch's cycles and the wire.
fn cycles_hop(keys: &Keys, switch: &switch::Resolved, latency: Time) -> Result<Time, Diagnostic> {
    let through = Duration::Cycles(switch.cycles).time(switch.model.clock).ok_or_else(|| {
        let message = format!("{} cycles of {} are too long", switch.cycles, switch.model.clock);
        keys.error("switch.pipeline", message, "write fewer cycles for pipeline and allocator.latency")
    })?;
    Ok(through + latency)
}

impl<'a> Tables<'a> {
    fn of(class: &str, entries: &'a [Entry]) -> Self {
        let own = entries.iter().filter(|entry| entry.link.class.as_deref() == Some(class));
        let general = entries.iter().filter(|entry| entry.link.class.is_none());
        Tables { entries: own.chain(general).collect() }
    }

    /// Returns what the links are made of. A table with a medium or a module says both.
    fn medium(&self) -> LinkMedium {
        let path = |says: fn(&Link) -> bool| {
            let table = self.entries.iter().find(|entry| says(&entry.link)).or(self.entries.first());
            table.map_or_else(|| "link".to_owned(), |entry| entry.path.clone())
        };
        let says = |link: &Link| link.medium.is_some() || link.module.is_some();
        let link = self.entries.iter().map(|entry| &entry.link).find(|link| says(link));
        LinkMedium {
            medium: link.and_then(|link| link.medium),
            module_name: link.and_then(|link| link.module.clone()),
            module: None,
            path: path(says),
            rate_path: format!("{}.bandwidth", path(|link| link.bandwidth.is_some())),
        }
    }

    /// Finds the first table that has a key, and its value.
    fn first<T>(&self, key: impl Fn(&Link) -> Option<T>) -> Option<(&'a Entry, T)> {
        self.entries.iter().find_map(|entry| key(&entry.link).map(|value| (*entry, value)))
    }
}
