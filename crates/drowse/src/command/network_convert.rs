//! `drowse network convert`: a network in another format.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use drowse_experiment::Kinds;
use drowse_fabric::write::{self, Written};
use drowse_fabric::{Fabric, class_bandwidth, class_latency, recognise};

use super::to_file::ToFile;
use crate::failure::Failure;
use crate::output;

/// What is written.
#[derive(Debug, Args)]
pub struct Arguments {
    /// Experiment file (.toml), or a file that describes a network
    file: PathBuf,

    /// Replace a key of the file, such as network.uplinks=2 (can be repeated)
    #[arg(long = "set", value_name = "PATH=VALUE")]
    overrides: Vec<String>,

    /// The format
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    to: Format,

    #[command(flatten)]
    output: ToFile,
}

/// A format in which networks are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum Format {
    /// Drowse's own list of edges
    #[default]
    Edges,
    /// GraphML
    Graphml,
    /// Node-link JSON, as networkx has it
    NodeLink,
    /// The section [network] of a regular network
    Kind,
}

/// Runs the command.
pub fn execute(arguments: &Arguments, kinds: &Kinds) -> Result<(), Failure> {
    let target = arguments.output.target(&[&arguments.file])?;
    let fabric = kinds.load_fabric(&arguments.file, &arguments.overrides)?;
    let Written { text, notes } = match arguments.to {
        Format::Edges => write::edges(&fabric),
        Format::Graphml => write::graphml(&fabric),
        Format::NodeLink => write::node_link(&fabric),
        Format::Kind => section(&fabric)?,
    };
    output::save(&target, &text)?;
    output::warn(&fabric.notes.into_iter().chain(notes).collect::<Vec<String>>());
    Ok(())
}

/// Returns the section that builds a network, with the cables that it does not have as they stand there.
fn section(fabric: &Fabric) -> Result<Written, Failure> {
    let found = recognise(&fabric.graph);
    let deviations = found.as_ref().map(|found| found.deviations.clone()).unwrap_or_default();
    let Some(section) = fabric.shape.clone().or(found.and_then(|found| found.section)) else {
        let message = "error: this network has no shape that some network.kind has: write it --to edges";
        return Err(Failure::Refused(message.into()));
    };
    let differs = |line: String| format!("the file differs: {line}");
    let mut notes: Vec<String> =
        if fabric.shape.is_some() { Vec::new() } else { deviations.into_iter().map(differs).collect() };
    let link = link(fabric, &mut notes);
    Ok(Written { text: format!("[network]\n{}\n{link}", section.trim_end()), notes })
}

/// Returns the section `[link]` where all links are alike; else it is said that they are not.
fn link(fabric: &Fabric, notes: &mut Vec<String>) -> String {
    let classes = fabric.graph.classes.iter().map(|class| (class_bandwidth(class), class_latency(class)));
    let node = fabric.graph.node_link;
    let of_nodes = (node.bandwidth, node.latency);
    let mut all: Vec<_> = classes.chain([of_nodes].into_iter().filter(|all| *all != (None, None))).collect();
    all.sort_unstable();
    all.dedup();
    match all[..] {
        [] | [(None, None)] => String::new(),
        [(bandwidth, latency)] => {
            let bandwidth = bandwidth.map_or(String::new(), |rate| format!("bandwidth = \"{} b/s\"\n", rate.0));
            let latency = latency.map_or(String::new(), |time| format!("latency = \"{} ps\"\n", time.0));
            format!("\n[link]\n{bandwidth}{latency}")
        }
        _ => {
            notes.push("links have several bandwidths or latencies: write them as [[link]] of each class".into());
            String::new()
        }
    }
}
