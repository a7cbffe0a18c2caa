//! Faults: links and switches of any network that do not work.
//!
//! What is left is a graph, and routed as one: arithmetic on coordinates knows no paths around faults. Nodes of failed
//! switches are gone; switches and nodes that are left are numbered without gaps, in their old order. Links that fail
//! at random are drawn from all between switches that are left, each as likely; with the same seed, those of a larger
//! share include those of a smaller.

use super::error::NetworkError;
use super::geometry::Geometry;
use super::geometry::graph::TableKind;
use super::graph::{Graph, some};
use super::network::{End, Network};
use crate::model::ids::{ChannelId, PortId};
use crate::model::rng::{Purpose, Stream};

/// What is faulty.
///
/// ```
/// use drowse_core::topology::{Faults, Faulty, PerDimension, TableKind, TopologySpec, Torus, search};
///
/// let ring = TopologySpec::Torus(Torus::new(vec![6], PerDimension::All(1), 1));
/// let faults = Faults { links: vec![[0, 5]], ..Faults::default() };
/// let cut = TopologySpec::Faulty(Faulty { whole: Box::new(ring.clone()), faults, tables: TableKind::Shortest });
/// let diameter = |network| search(&network).map(|found| found.metrics.diameter);
/// // The ends of the ring that is cut open are 5 steps apart; without faults, half the ring is the farthest.
/// assert_eq!((diameter(ring.build()?), diameter(cut.build()?)), (Some(3), Some(5)));
/// # Ok::<(), drowse_core::topology::NetworkError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Faults {
    /// Links, each by its two switches; one of parallel links each time.
    pub links: Vec<[u32; 2]>,
    /// Switches, with all their links and nodes.
    pub switches: Vec<u32>,
    /// How many of a million of the other links between switches fail at random; the number of links is rounded.
    pub per_million: u32,
    /// The seed of the draw.
    pub seed: u64,
}

impl Faults {
    /// Returns the graph that is left of a network.
    pub fn remove_from(&self, whole: &Network, tables: TableKind) -> Result<Graph, NetworkError> {
        if matches!(whole.geometry, Geometry::Ideal(_)) {
            return refuse(
                "network.failed",
                "there is nothing in an ideal network that could fail",
                "leave failed out",
            );
        }
        let lost = self.lost_switches(whole)?;
        let dead = self.dead_links(whole, &lost)?;
        let is_left = |port: &u32| !lost[whole.port_switch(*port as usize) as usize];
        let keep = |port: PortId| !dead[port.index()] && [port.0, whole.peer[port.index()]].iter().all(is_left);
        let graph = Graph::of(whole, tables, keep);
        check_connected(&graph, &lost)?;
        Ok(without(graph, whole, &lost))
    }

    /// Returns of each switch whether it has failed.
    fn lost_switches(&self, whole: &Network) -> Result<Vec<bool>, NetworkError> {
        let mut lost = vec![false; whole.switches() as usize];
        for (place, &switch) in self.switches.iter().enumerate() {
            let key = format!("network.failed.switches.{place}");
            match lost.get_mut(switch as usize) {
                None => return refuse(&key, no_switch(switch), number_of(whole)),
                Some(true) => return refuse(&key, format!("switch {switch} is named twice"), "name it once"),
                Some(lost) => *lost = true,
            }
        }
        Ok(lost)
    }

    /// Returns of each port between switches, of the lower end of each link, whether its link has failed.
    fn dead_links(&self, whole: &Network, lost: &[bool]) -> Result<Vec<bool>, NetworkError> {
        let mut dead = vec![false; whole.ports() as usize];
        for (place, &[a, b]) in self.links.iter().enumerate() {
            let key = format!("network.failed.links.{place}");
            if let Some(none) = [a, b].into_iter().find(|&switch| switch >= whole.switches()) {
                return refuse(&key, no_switch(none), number_of(whole));
            }
            let ports = whole.first_port[a.min(b) as usize]..whole.first_port[a.min(b) as usize + 1];
            let mut links = ports.filter(|&port| neighbour(whole, port) == Some(a.max(b))).peekable();
            if links.peek().is_none() {
                let near = (0..whole.switches()).filter(|&other| joined(whole, a, other)).collect::<Vec<u32>>();
                return refuse(
                    &key,
                    format!("no link joins switches {a} and {b}"),
                    format!("{a} is joined with {}", some(&near)),
                );
            }
            let Some(port) = links.find(|&port| !dead[port as usize]) else {
                let what = format!("all links between switches {a} and {b} have failed already");
                let cure = "each pair stands for one link: name it no more often than there are links";
                return refuse(&key, what, cure);
            };
            dead[port as usize] = true;
        }
        let kept = |&port: &u32| {
            let here = whole.port_switch(port as usize);
            let there = neighbour(whole, port).filter(|_| whole.peer[port as usize] > port);
            !dead[port as usize] && there.is_some_and(|there| !lost[here as usize] && !lost[there as usize])
        };
        let mut left: Vec<u32> = (0..whole.ports()).filter(kept).collect();
        let count = ((u64::from(self.per_million) * left.len() as u64 + 500_000) / 1_000_000) as usize;
        let mut stream = Stream::new(self.seed, Purpose::Failures, 0);
        for place in 0..count.min(left.len()) {
            let drawn = place + stream.below((left.len() - place) as u32) as usize;
            left.swap(place, drawn);
            dead[left[place] as usize] = true;
        }
        Ok(dead)
    }
}

/// Returns the switch at the other end of a port's link; `None` where there is a node.
fn neighbour(network: &Network, port: u32) -> Option<u32> {
    match network.target(ChannelId(port)) {
        End::Port(PortId(peer)) => Some(network.port_switch(peer as usize)),
        End::Node(_) => None,
    }
}

fn joined(network: &Network, a: u32, b: u32) -> bool {
    let mut ports = network.first_port[a as usize]..network.first_port[a as usize + 1];
    ports.any(|port| neighbour(network, port) == Some(b))
}

fn refuse<T>(key: &str, what: impl Into<String>, cure: impl Into<String>) -> Result<T, NetworkError> {
    Err(NetworkError::Refused { key: key.into(), what: what.into(), cure: cure.into() })
}

fn no_switch(switch: u32) -> String {
    format!("there is no switch {switch}")
}

fn number_of(network: &Network) -> String {
    format!("this network has switches 0 to {}", network.switches() - 1)
}

/// Refuses a graph with several components, switches that are lost left out.
fn check_connected(graph: &Graph, lost: &[bool]) -> Result<(), NetworkError> {
    let mut components = graph.components();
    components.iter_mut().for_each(|component| component.retain(|&switch| !lost[switch as usize]));
    components.retain(|component| !component.is_empty());
    let [most, rest @ ..] = &components[..] else {
        return refuse("network.failed.switches", "all switches have failed", "leave some");
    };
    if let Some(component) = rest.first() {
        let more = if rest.len() > 1 { format!(", nor to {} more parts", rest.len() - 1) } else { String::new() };
        let what = format!("what has failed leaves no path between {} and {}{more}", some(most), some(component));
        let nodeless = component.iter().all(|&switch| graph.nodes[switch as usize] == 0);
        let cure = if nodeless {
            "let fewer links fail, or draw with another seed; switches without nodes may fail, too: name them in failed.switches"
        } else {
            "let fewer links fail, or draw with another seed"
        };
        return refuse("network.failed", what, cure);
    }
    Ok(())
}

/// Leaves out the lost switches, which have no link any more, and says of the others what they were.
fn without(mut graph: Graph, whole: &Network, lost: &[bool]) -> Graph {
    let left: Vec<u32> = (0..graph.switches()).filter(|&switch| !lost[switch as usize]).collect();
    let renumbered = left.len() < lost.len();
    let name = |&switch: &u32| {
        let before = whole.detail(switch);
        match (renumbered, before.is_empty()) {
            (false, _) => before,
            (true, true) => format!("{switch} before"),
            (true, false) => format!("{switch} before, {before}"),
        }
    };
    graph.names = left.iter().map(name).collect();
    let mut number = vec![0; lost.len()];
    (0..).zip(&left).for_each(|(new, &old)| number[old as usize] = new);
    graph.trunks.iter_mut().for_each(|trunk| trunk.ends = trunk.ends.map(|end| number[end as usize]));
    graph.nodes = left.iter().map(|&switch| graph.nodes[switch as usize]).collect();
    graph
}
