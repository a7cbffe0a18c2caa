//! Blocks in the language of Graphviz, with fixed places; counts are labels.

use std::fmt::Write;

use super::Overview;
use crate::draw::dot::{place, quoted};

/// Writes blocks as DOT: each block is a node, links between two blocks of one class are an edge with their number.
pub fn dot(overview: &Overview) -> String {
    let mut text = String::new();
    // Writing into a text cannot fail.
    let _ = write(&mut text, overview);
    text
}

fn write(text: &mut String, overview: &Overview) -> std::fmt::Result {
    writeln!(text, "graph {} {{", quoted(&overview.title))?;
    let label = format!("{}\n{}", overview.title, overview.subtitle);
    writeln!(text, "  layout=neato; inputscale=72; outputorder=edgesfirst; label={};", quoted(&label))?;
    writeln!(text, "  node [shape=box, style=filled, fillcolor=white];")?;
    for (number, block) in overview.blocks.iter().enumerate() {
        let label = format!("{}\n{}", block.name, block.counts().join("\n"));
        writeln!(text, "  b{number} [{}, label={}];", place(block.at), quoted(&label))?;
    }
    for bundle in &overview.bundles {
        let entry = &overview.classes[bundle.class];
        writeln!(
            text,
            "  b{} -- b{} [class={}, color=\"{}\", label=\"{}\"];",
            bundle.from,
            bundle.to,
            quoted(&entry.name),
            entry.colour,
            bundle.links
        )?;
    }
    writeln!(text, "}}")
}
