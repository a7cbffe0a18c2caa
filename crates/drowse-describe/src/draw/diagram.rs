//! A picture of a network in plain data.

use drowse_core::model::ids::NodeId;
use drowse_core::topology::Network;

use super::point::Point;
use super::{layout, trunks};
use crate::palette;

/// A picture of a network.
#[derive(Clone, Debug, PartialEq)]
pub struct Diagram {
    /// What stands above it.
    pub title: String,
    /// Counts in words.
    pub subtitle: String,
    /// The place of each switch.
    pub switches: Vec<Point>,
    /// Half the width of a switch.
    pub switch_radius: f64,
    /// The place of each node, and its switch; empty where there are too many.
    pub nodes: Vec<(Point, usize)>,
    /// The links between switches.
    pub trunks: Vec<Trunk>,
    /// The classes of links, `node` first.
    pub classes: Vec<LinkClass>,
}

/// Parallel links between two switches.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Trunk {
    /// One switch.
    pub from: usize,
    /// The other.
    pub to: usize,
    /// The class of the links.
    pub class: usize,
    /// How many there are.
    pub links: u32,
    /// How far apart they lie, in pixels.
    pub spacing: f64,
    /// How far the middle lies left of the straight line from one to the other, in pixels.
    pub bend: f64,
}

/// A class of links.
#[derive(Clone, Debug, PartialEq)]
pub struct LinkClass {
    /// Its name.
    pub name: String,
    /// Its colour, as in `#0072b2`.
    pub colour: &'static str,
    /// The number of its links.
    pub links: u64,
}

/// The most nodes that are drawn, of the network and of each switch; where there are more, none are.
const MOST_NODES: [u32; 2] = [512, 16];
/// The colours of the classes between switches; there are rarely more than the palette of groups has.
const COLOURS: [&str; 8] = {
    let [a, b, c, d, e, f, _] = palette::GROUPS;
    [a, b, c, d, e, f, "#000000", "#b8a800"]
};
/// The widest that parallel links lie beside each other, in pixels.
const WIDEST_BUNDLE: f64 = 30.0;

impl Diagram {
    /// Lays out a network.
    pub(super) fn new(title: &str, network: &Network) -> Self {
        let ends = trunks::of(network);
        let most_links = ends.iter().map(|ends| ends.links).max().unwrap_or(1);
        let spacing = if network.switch_links() > 600 { 1.7 } else { 2.6 };
        let least = match network.switches() {
            0..=64 => 7.0,
            65..=200 => 5.5,
            _ => 4.5,
        };
        let switch_radius = (bundle_width(most_links, spacing) / 2.0 + 3.0).max(least);
        let shows_nodes = network.nodes <= MOST_NODES[0] && most_nodes(network) <= MOST_NODES[1];
        let layout = layout::of(network, &ends, switch_radius, shows_nodes);
        let trunk = |(ends, bend): (&trunks::Ends, f64)| Trunk {
            from: ends.from as usize,
            to: ends.to as usize,
            class: usize::from(ends.class),
            links: ends.links,
            spacing: bundle_width(ends.links, spacing) / f64::from(ends.links - 1).max(1.0),
            bend,
        };
        let nodes = (0..network.nodes).map(|node| network.node_switch(NodeId(node)).index());
        Diagram {
            title: title.into(),
            subtitle: subtitle(network, shows_nodes),
            switches: layout.switches,
            switch_radius,
            nodes: layout.nodes.into_iter().zip(nodes).collect(),
            classes: classes(network, &ends),
            trunks: ends.iter().zip(layout.bends).map(trunk).collect(),
        }
    }
}

impl Diagram {
    /// Removes faulty parts: `left` is the network without them, `lost` are the faulty switches.
    pub(super) fn without(mut self, lost: &[u32], left: &Network) -> Self {
        let is_left = |switch: usize| !lost.contains(&(switch as u32));
        let old: Vec<usize> = (0..self.switches.len()).filter(|&switch| is_left(switch)).collect();
        let whole = std::mem::take(&mut self.trunks);
        let ends = trunks::of(left);
        self.classes = classes(left, &ends);
        self.subtitle = subtitle(left, !self.nodes.is_empty());
        self.trunks = ends
            .iter()
            .filter_map(|ends| {
                let [from, to] = [ends.from, ends.to].map(|switch| old[switch as usize]);
                let was = whole.iter().find(|t| (t.from, t.to, t.class) == (from, to, usize::from(ends.class)))?;
                Some(Trunk { from: ends.from as usize, to: ends.to as usize, links: ends.links, ..*was })
            })
            .collect();
        let number = |switch: usize| old.binary_search(&switch).ok();
        let nodes = self.nodes.into_iter();
        self.nodes = nodes.filter_map(|(at, switch)| Some((at, number(switch)?))).collect();
        self.switches = old.iter().map(|&switch| self.switches[switch]).collect();
        self
    }

    /// Returns the classes of links that are drawn, by number.
    pub fn seen_classes(&self) -> impl Iterator<Item = (usize, &LinkClass)> {
        let seen = |class: usize| if class == 0 { !self.nodes.is_empty() } else { self.classes[class].links > 0 };
        self.classes.iter().enumerate().filter(move |(class, _)| seen(*class))
    }
}

impl Diagram {
    /// Returns what a network consists of, without places.
    pub(super) fn unplaced(title: &str, network: &Network) -> Self {
        let ends = trunks::of(network);
        let trunk = |ends: &trunks::Ends| Trunk {
            from: ends.from as usize,
            to: ends.to as usize,
            class: usize::from(ends.class),
            links: ends.links,
            spacing: 0.0,
            bend: 0.0,
        };
        Diagram {
            title: title.into(),
            subtitle: subtitle(network, true),
            switches: vec![Point::new(0.0, 0.0); network.switches() as usize],
            switch_radius: 0.0,
            nodes: Vec::new(),
            classes: classes(network, &ends),
            trunks: ends.iter().map(trunk).collect(),
        }
    }
}

impl Trunk {
    /// Returns how far each of the links lies left of the middle of the trunk, in pixels.
    pub fn offsets(&self) -> impl Iterator<Item = f64> {
        let middle = f64::from(self.links - 1) / 2.0;
        (0..self.links).map(move |link| (f64::from(link) - middle) * self.spacing)
    }
}

/// Returns how far apart the outer links of a trunk lie.
fn bundle_width(links: u32, spacing: f64) -> f64 {
    WIDEST_BUNDLE.min(f64::from(links - 1) * spacing)
}

/// Returns the number of nodes of the switch that has most.
fn most_nodes(network: &Network) -> u32 {
    let mut nodes = vec![0; network.switches() as usize];
    (0..network.nodes).for_each(|node| nodes[network.node_switch(NodeId(node)).index()] += 1);
    nodes.into_iter().max().unwrap_or(0)
}

pub(super) fn subtitle(network: &Network, shows_nodes: bool) -> String {
    let count = |count: u32, what: &str, many: &str| format!("{count} {}", if count == 1 { what } else { many });
    format!(
        "{}, {}{}, {} between switches",
        count(network.switches(), "switch", "switches"),
        count(network.nodes, "node", "nodes"),
        if shows_nodes { "" } else { " (not drawn)" },
        count(network.switch_links(), "link", "links"),
    )
}

/// Returns each class its colour, and counts its links.
pub(super) fn classes(network: &Network, ends: &[trunks::Ends]) -> Vec<LinkClass> {
    let colour = |class: usize| if class == 0 { palette::GREY } else { COLOURS[(class - 1) % COLOURS.len()] };
    let links = |class: usize| match class {
        0 => u64::from(network.nodes),
        _ => ends.iter().filter(|ends| usize::from(ends.class) == class).map(|ends| u64::from(ends.links)).sum(),
    };
    let class =
        |(class, name): (usize, &String)| LinkClass { name: name.clone(), colour: colour(class), links: links(class) };
    network.classes.iter().enumerate().map(class).collect()
}
