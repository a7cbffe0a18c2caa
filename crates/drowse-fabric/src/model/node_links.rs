//! The bandwidths and latencies of the links of compute nodes, which are one class in every network.

use std::collections::BTreeMap;

use drowse_core::model::units::{BitRate, Time};
use drowse_core::topology::NodeLink;

use super::attributes::{rate_name, time_name};

/// How many links of nodes there are of each kind.
#[derive(Debug, Default)]
pub(super) struct NodeLinks(BTreeMap<NodeLink, u32>);

impl NodeLinks {
    /// Counts a link.
    pub fn add(&mut self, link: NodeLink) {
        *self.0.entry(link).or_default() += 1;
    }

    /// Returns what the most links are like; those that differ are counted and said.
    pub fn usual(&self, notes: &mut Vec<String>) -> NodeLink {
        let Some((&usual, &like)) = self.0.iter().max_by_key(|(_, number)| **number) else {
            return NodeLink::default();
        };
        let others: u32 = self.0.values().sum::<u32>() - like;
        if let Some((other, _)) = self.0.iter().find(|(link, _)| **link != usual) {
            notes.push(format!(
                "links of compute nodes are one class here: {others} of {} that differ ({} and the like) are simulated as \
                 the {like} others ({})",
                others + like,
                words(*other),
                words(usual)
            ));
        }
        usual
    }
}

/// Says what a link is like.
fn words(link: NodeLink) -> String {
    let parts = [link.bandwidth.map(|rate: BitRate| rate_name(rate)), link.latency.map(|time: Time| time_name(time))];
    let said: Vec<String> = parts.into_iter().flatten().collect();
    if said.is_empty() { "nothing is said of them".to_owned() } else { said.join(", ") }
}
