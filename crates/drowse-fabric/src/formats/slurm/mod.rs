//! Topologies of Slurm: `topology.conf`, what `scontrol show topology` prints, and `topology.yaml`.
//!
//! Slurm knows which nodes lie below which switches, and neither cables nor speeds. So how many links a switch has to
//! its parent is asked of the caller ([`Options::uplinks`](crate::Options::uplinks)), and never guessed. Blocks and
//! flat topologies are no networks and are refused by their name.

pub(super) mod conf;
mod places;
mod torus;
mod tree;
pub(super) mod yaml;

use std::ops::Range;

use crate::hostlist;
use crate::model::wrong::{Word, Wrong};
use crate::options::Options;

/// The most links between two neighbours.
const MOST_LINKS: u32 = 4096;

/// Returns the names of a list of hosts.
fn names((list, span): &Word<'_>) -> Result<Vec<String>, Wrong> {
    hostlist::expand(list).map_err(|wrong| {
        // What is escaped in a file stands elsewhere than in its text.
        if list.len() == span.len() { wrong.moved(span.start) } else { Wrong { span: span.clone(), ..wrong } }
    })
}

/// Returns the number of links between two neighbours, which the caller must say.
fn links(options: &Options, span: &Range<usize>, between: &str) -> Result<u32, Wrong> {
    match options.uplinks {
        Some(links @ 1..=MOST_LINKS) => Ok(links),
        Some(links) => {
            let message = format!("{links} links between {between} cannot be");
            Err(Wrong::new(span, message, format!("write uplinks = 1 to {MOST_LINKS} in [network]")))
        }
        None => {
            let message = format!("Slurm does not say how many links there are between {between}");
            let help = "write it in [network], such as uplinks = 1, and their bandwidth, such as speed = \"200 Gb/s\"";
            Err(Wrong::new(span, message, help))
        }
    }
}

/// Says that a topology is no network.
fn no_network(kind: &str, span: &Range<usize>) -> Wrong {
    let message = format!("a topology of kind {kind} says which nodes are near each other, not by which network");
    let help = "give a topology of kind tree, or write the network as [network], such as kind = \"xgft\"";
    Wrong::new(span, message, help)
}
