//! Files of graphs: switches and the links between them, as `network = { kind = "graph", file = "..." }` names them.
//!
//! What stands in a file tells its format (`formats.rs`), not its name. All that are read say the same: vertices that
//! are switches, or nodes on exactly one link to a switch, and links with a class and a number. Switches are numbered
//! in the order in which the file names them first, nodes switch by switch. Links with a bandwidth or a latency get a
//! class that is named after it (`attributes.rs`). What a file says is understood or refused; of maps that people drew,
//! what is no part of the network is left out, and said (`left_out.rs`).

mod attributes;
mod columns;
mod dot;
mod edges;
mod formats;
mod graphml;
mod left_out;
mod parts;
mod signs;
mod speed;
#[cfg(test)]
mod tests;
mod text;
mod vertices;
mod xml_bounds;

use std::ops::Range;
use std::path::Path;
use std::string::FromUtf8Error;

use drowse_core::topology::{Graph, TableKind};
use drowse_traces::input;

pub use attributes::{class_bandwidth, class_latency};
pub use formats::{FORMATS, Format};

use crate::diagnostic::Diagnostic;
use crate::keys::Keys;
use crate::machine::is_bad_input;
use crate::source::{Source, without_mark};

/// What is wrong with a place of a file, and what to do.
#[derive(Debug)]
struct Wrong {
    span: Range<usize>,
    message: String,
    help: String,
}

impl Wrong {
    fn new(span: &Range<usize>, message: impl Into<String>, help: impl Into<String>) -> Self {
        Wrong { span: span.clone(), message: message.into(), help: help.into() }
    }
}

/// A text and where it stands in the file.
type Word<'t> = (&'t str, Range<usize>);

/// Reads a graph, and returns what to know of it; `nodes` are those of a switch of which the file says nothing.
pub fn read(
    file: &Path,
    keys: &Keys,
    nodes: Option<u32>,
    tables: TableKind,
) -> Result<(Graph, Vec<String>), Diagnostic> {
    let bytes = input::read(file, input::MOST_BYTES).map_err(|error| {
        let message = format!("the graph {} cannot be read: {error}", file.display());
        let help = "write the name of a list of edges, of a GraphML file or of a DOT file";
        Diagnostic { machine: !is_bad_input(&error), ..keys.error("network.file", message, help) }
    })?;
    let text = String::from_utf8(bytes).map(without_mark).map_err(|error| no_text(file, &error))?;
    let graph = formats::of(&text).parse(&text).and_then(|vertices| vertices.graph(nodes, tables));
    match graph {
        Ok((graph, _)) if graph.nodes.iter().all(|&nodes| nodes == 0) => {
            let help = "write how many each switch has, here or in the file";
            Err(keys.error("network.nodes", "this graph has no compute node", help))
        }
        Ok(read) => Ok(read),
        Err(Wrong { span, message, help }) => Err(Source::new(file, text, &[])?.error_at(&span, message, help)),
    }
}

/// Says of a file that it is no text, and what it is instead where its first bytes tell.
fn no_text(file: &Path, error: &FromUtf8Error) -> Diagnostic {
    const KINDS: [(&[u8], &str, &str); 6] = [
        (&[0x1f, 0x8b], "packed by gzip", "unpack it: gunzip FILE"),
        (&[0x28, 0xb5, 0x2f, 0xfd], "packed by zstd", "unpack it: unzstd FILE"),
        (&[0xfd, b'7', b'z', b'X', b'Z'], "packed by xz", "unpack it: unxz FILE"),
        (b"BZh", "packed by bzip2", "unpack it: bunzip2 FILE"),
        (b"PK\x03\x04", "a zip archive", "unpack it, and name the file of the graph"),
        (&[0xff, 0xfe], "a text in UTF-16", "write it in UTF-8: iconv -f UTF-16 -t UTF-8"),
    ];
    let is_so = |(start, _, _): &&(&[u8], &str, &str)| error.as_bytes().starts_with(start);
    if let Some((_, what, help)) = KINDS.iter().find(is_so) {
        return Diagnostic::of_file(file, format!("this file is {what}"), *help);
    }
    let message = format!("this file is no text in UTF-8, from byte {} on", error.utf8_error().valid_up_to());
    Diagnostic::of_file(file, message, "write a list of edges, GraphML or DOT")
}

/// Returns a word of a file as messages show it: its beginning, if it is long.
fn shown(word: &str) -> String {
    const MOST: usize = 40;
    match word.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}...", &word[..end]),
        None => word.to_owned(),
    }
}

/// Reads a number within bounds.
fn number((word, span): &Word<'_>, what: &str, least: u32, most: u32) -> Result<u32, Wrong> {
    let number = word.parse::<u32>().ok().filter(|number| (least..=most).contains(number));
    number.ok_or_else(|| {
        Wrong::new(
            span,
            format!("`{}` is no number of {what}", shown(word)),
            format!("write a whole number, {least} to {most}"),
        )
    })
}
