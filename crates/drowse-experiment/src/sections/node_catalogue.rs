//! `watts.node.preset`: nodes whose power has been published, or at least its limits.

use super::band::{Amount, Limits};

/// A published node, without its NICs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NamedNode {
    /// Its name in `power.watts.node.preset`.
    pub name: &'static str,
    /// What it is, for people.
    pub what: &'static str,
    /// What it draws while ranks compute, in watts.
    pub busy: Amount,
    /// While nothing runs on it, where that is published.
    pub idle: Option<Amount>,
    /// Where this was published, and what it rests on.
    pub source: &'static str,
}

const fn band(low: f64, high: f64) -> Amount {
    Amount::Band(Limits { low, high })
}

/// All of them; the first is the default.
pub const NODES: [NamedNode; 3] = [
    NamedNode {
        name: "archer2",
        what: "a node of ARCHER2, two processors of 64 cores",
        // The mean over the jobs of half a year. They compute and wait; what a node draws while its ranks wait is not
        // published.
        busy: Amount::One(410.0),
        idle: None,
        source: "docs.archer2.ac.uk/user-guide/energy, measured by on-system counters",
    },
    NamedNode {
        name: "hgx-h100-8",
        what: "a server with eight H100 accelerators, 8.4 kW at most in training, rated 10.2 kW",
        busy: band(8_400.0, 10_200.0),
        idle: None,
        source: "Latif et al. 2025 (arXiv 2412.08602), claimed in the abstract: most seen in training, and rating",
    },
    NamedNode {
        name: "gb200-tray",
        what: "a compute tray of GB200 with two processors and four accelerators, from idle to its limit",
        // Only idle power and limit are stated, in two editions: a program lies between.
        busy: band(1_000.0, 6_667.0),
        idle: Some(band(900.0, 1_000.0)),
        source: "NVIDIA Dynamic Power Software, device specifications, stated: 1,000 to 6,667 W, before 900 to 5,640 W",
    },
];

impl NamedNode {
    /// Finds a node by its name.
    pub fn named(name: &str) -> Option<&'static NamedNode> {
        NODES.iter().find(|node| node.name == name)
    }
}
