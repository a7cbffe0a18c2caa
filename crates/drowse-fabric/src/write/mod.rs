//! Networks written in formats that Drowse and others read: lists of edges, GraphML, node-link JSON.
//!
//! Reading what is written gives the same switches, links, classes and compute nodes. Names that a format cannot have are
//! replaced, and so are those that stand twice; what is replaced or left out is counted. Ports are not written.

mod edges;
mod graphml;
mod names;
mod node_link;

pub use edges::edges;
pub use graphml::graphml;
pub use node_link::node_link;

use crate::model::attributes::{class_bandwidth, class_latency, class_of, rate_name, time_name};
use drowse_core::topology::NodeLink;

use crate::model::fabric::Fabric;

/// A network as a text of some format.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Written {
    /// The text.
    pub text: String,
    /// What of the network is not in it, or not as it is.
    pub notes: Vec<String>,
}

/// What is written of a link's class.
enum Said<'c> {
    /// The class that links have of which nothing is said.
    Nothing,
    /// A class that is named after a bandwidth or a latency.
    Measured(NodeLink),
    Named(&'c str),
}

impl<'c> Said<'c> {
    fn of(class: &'c str) -> Self {
        let measured = NodeLink { bandwidth: class_bandwidth(class), latency: class_latency(class) };
        match class {
            "link" => Said::Nothing,
            _ if class_of(measured) == class => Said::Measured(measured),
            _ => Said::Named(class),
        }
    }

    /// Returns the names of what is said, and the values.
    fn pairs(&self) -> Vec<(&'static str, String)> {
        match self {
            Said::Nothing => Vec::new(),
            Said::Measured(link) => measures(*link),
            Said::Named(class) => vec![("class", (*class).to_owned())],
        }
    }
}

/// Returns the names and values of a bandwidth and a latency.
fn measures(link: NodeLink) -> Vec<(&'static str, String)> {
    let bandwidth = link.bandwidth.map(|rate| ("bandwidth", rate_name(rate)));
    bandwidth.into_iter().chain(link.latency.map(|time| ("latency", time_name(time)))).collect()
}

/// Says that a format has no place for what the file said of the links of nodes.
fn without_node_link(fabric: &Fabric, notes: &mut Vec<String>) {
    let said: Vec<String> = measures(fabric.graph.node_link).into_iter().map(|(_, value)| value).collect();
    if !said.is_empty() {
        notes.push(format!("links of compute nodes have {}: write it as [[link]] class = \"node\"", said.join(", ")));
    }
}
