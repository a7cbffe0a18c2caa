//! Diagrams in the language of Graphviz, with fixed places: `dot -Tpdf` draws them much as the SVG does.

use std::fmt::Write;

use super::diagram::Diagram;
use super::point::Point;

/// Writes a diagram as DOT; each link is an edge, switches are `s0`, `s1` ..., nodes `n0`, `n1` ...
pub fn dot(diagram: &Diagram) -> String {
    let mut text = String::new();
    // Writing into a text cannot fail.
    let _ = write(&mut text, diagram);
    text
}

fn write(text: &mut String, diagram: &Diagram) -> std::fmt::Result {
    writeln!(text, "graph {} {{", quoted(&diagram.title))?;
    // Graphviz leads links round switches, which takes it minutes where there are many.
    let links: u32 = diagram.trunks.iter().map(|trunk| trunk.links).sum();
    let lines = if links > 300 { "line" } else { "true" };
    writeln!(
        text,
        "  layout=neato; inputscale=72; outputorder=edgesfirst; splines={lines}; label={};",
        quoted(&legend(diagram))
    )?;
    let width = diagram.switch_radius * 2.0 / 72.0;
    writeln!(
        text,
        "  node [shape=circle, fixedsize=true, width={width:.2}, label=\"\", style=filled, fillcolor=white];"
    )?;
    for (switch, &at) in diagram.switches.iter().enumerate() {
        writeln!(text, "  s{switch} [{}];", place(at))?;
    }
    for (class, entry) in diagram.classes.iter().enumerate().skip(1) {
        writeln!(text, "  edge [class={}, color=\"{}\"];", quoted(&entry.name), entry.colour)?;
        for trunk in diagram.trunks.iter().filter(|trunk| trunk.class == class) {
            for _ in 0..trunk.links {
                writeln!(text, "  s{} -- s{};", trunk.from, trunk.to)?;
            }
        }
    }
    if !diagram.nodes.is_empty() {
        let entry = &diagram.classes[0];
        writeln!(text, "  node [shape=point, width=0.07, fillcolor=\"#555555\"];")?;
        writeln!(text, "  edge [class={}, color=\"{}\"];", quoted(&entry.name), entry.colour)?;
        for (node, &(at, switch)) in diagram.nodes.iter().enumerate() {
            writeln!(text, "  n{node} [{}];", place(at))?;
            writeln!(text, "  s{switch} -- n{node};")?;
        }
    }
    writeln!(text, "}}")
}

/// Pins a place; Graphviz's y grows upwards.
pub(super) fn place(at: Point) -> String {
    format!("pos=\"{:.1},{:.1}!\"", at.x + 0.0, 0.0 - at.y)
}

/// Returns the title, the counts, and the colours of the link classes.
fn legend(diagram: &Diagram) -> String {
    let classes = diagram.classes.iter().filter(|class| class.links > 0);
    let entries: Vec<String> =
        classes.map(|class| format!("{} ({}): {} links", class.name, class.colour, class.links)).collect();
    format!("{}\n{}\n{}", diagram.title, diagram.subtitle, entries.join(", "))
}

/// Quotes a text; a line ends with `\n`.
pub(super) fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n"))
}
