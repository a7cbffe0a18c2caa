//! `kind = "graph"`: any graph, from a file.

use std::path::Path;
use std::string::FromUtf8Error;
use std::sync::Arc;

use drowse_core::model::units::BitRate;
use drowse_core::topology::{Graph, TableKind, TopologySpec};
use drowse_fabric::{Fabric, Options, Wrong};
use drowse_traces::input;
use schemars::JsonSchema;
use serde::Deserialize;

use super::forwarding::Named;
use super::make::{Context, Make};
use crate::diagnostic::Diagnostic;
use crate::keys::Keys;
use crate::machine::is_bad_input;
use crate::node::Node;
use crate::source::{Source, without_mark};

/// Any graph, read from a file.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GraphKeys {
    /// File of the graph, relative to the experiment's folder: a list of edges, GraphML, DOT, or another format that is
    /// known by its content.
    #[schemars(extend("examples" = ["graph.txt"]), extend("x-hint" = "a list of edges, GraphML, DOT or another format"))]
    file: String,
    /// Compute nodes of each switch for which the file does not say a number. Default: what the format says.
    #[schemars(extend("examples" = [1]), range(max = 4096))]
    nodes: Option<u32>,
    /// Links between a switch and its parent, or between neighbours of a ring or torus, for files that do not say how
    /// many there are: topologies of Slurm. Such files are refused without it.
    #[schemars(extend("examples" = [1]), range(min = 1, max = 4096))]
    uplinks: Option<u32>,
    /// Bandwidth of all links of which the file says none and gives no class. Default: that of `[link]`.
    #[schemars(extend("examples" = ["200 Gb/s"]))]
    speed: Option<BitRate>,
    /// Forwarding tables of the switches of an InfiniBand subnet, relative to the experiment's folder: the output of
    /// `dump_fts`, or what OpenSM dumps (`opensm-lfts.dump`). For `routing = "table"`, which is usual where tables are named.
    #[schemars(extend("examples" = ["fabric.lft"]))]
    tables: Option<String>,
    /// The service level of each pair, for tables that need virtual lanes: lines `slid dlid sl`, or the output of `saquery PR`.
    /// Goes with `lane_maps`.
    #[schemars(extend("examples" = ["fabric.sl"]))]
    service_levels: Option<String>,
    /// Which virtual lane each switch has for a service level: `opensm-sl2vl.dump`.
    #[schemars(extend("examples" = ["fabric.sl2vl"]))]
    lane_maps: Option<String>,
}

/// The word that selects it.
pub const WORD: &str = "graph";

/// Reads the keys and the file, but no tables.
pub fn fabric(node: Node<'_>, context: &Context<'_>) -> Result<Fabric, Diagnostic> {
    let graph: GraphKeys = node.read(context.keys)?;
    graph.fabric(context, TableKind::default())
}

/// Reads the keys, and returns what reads the file.
pub fn read(node: Node<'_>, keys: &Keys) -> Result<Box<Make>, Diagnostic> {
    let graph: GraphKeys = node.read(keys)?;
    Ok(Box::new(move |context, tables, notes| graph.read_file(context, tables, notes)))
}

impl GraphKeys {
    fn read_file(
        &self,
        context: &Context<'_>,
        tables: TableKind,
        notes: &mut Vec<String>,
    ) -> Result<TopologySpec, Diagnostic> {
        let fabric = self.fabric(context, tables)?;
        let named = Named { tables: &self.tables, service_levels: &self.service_levels, lane_maps: &self.lane_maps };
        let forwarding = named.read(&fabric, tables, context.keys, notes)?;
        notes.extend(fabric.notes);
        Ok(TopologySpec::Graph(Graph { forwarding: forwarding.map(Arc::new), ..fabric.graph }))
    }

    /// Checks the keys, and reads the file.
    fn fabric(&self, context: &Context<'_>, tables: TableKind) -> Result<Fabric, Diagnostic> {
        let keys = context.keys;
        if let Some(nodes) = self.nodes.filter(|&nodes| nodes > 4096) {
            let message = format!("`network.nodes` = {nodes} is out of range");
            return Err(keys.error("network.nodes", message, "a switch has 0 to 4096 nodes"));
        }
        if let Some(uplinks) = self.uplinks.filter(|uplinks| !(1..=4096).contains(uplinks)) {
            let message = format!("`network.uplinks` = {uplinks} is out of range");
            return Err(keys.error("network.uplinks", message, "there are 1 to 4096 links between two switches"));
        }
        let options = Options { nodes: self.nodes, uplinks: self.uplinks, speed: self.speed };
        read_file(&keys.source().resolve(&self.file), context, &options, tables)
    }
}

/// Reads a file; the options say what the file does not.
fn read_file(file: &Path, context: &Context<'_>, options: &Options, tables: TableKind) -> Result<Fabric, Diagnostic> {
    let keys = context.keys;
    let bytes = input::read(file, input::MOST_BYTES).map_err(|error| {
        let message = format!("the graph {} cannot be read: {error}", file.display());
        let help = "write the name of a list of edges, of a GraphML file or of a DOT file";
        Diagnostic { machine: !is_bad_input(&error), ..keys.error("network.file", message, help) }
    })?;
    let text = String::from_utf8(bytes).map(without_mark).map_err(|error| no_text(file, &error))?;
    match drowse_fabric::read_with(context.formats, &text, options, tables) {
        Ok(fabric) if fabric.graph.nodes.iter().all(|&nodes| nodes == 0) => {
            let help = "write how many each switch has, here or in the file";
            Err(keys.error("network.nodes", "this graph has no compute node", help))
        }
        Ok(read) => Ok(read),
        Err(Wrong { span, message, help }) => Err(Source::new(file, text, &[])?.error_at(&span, message, help)),
    }
}

/// Says of a file that it is no text, and what it is instead where its first bytes tell.
fn no_text(file: &Path, error: &FromUtf8Error) -> Diagnostic {
    const KINDS: [(&[u8], &str, &str); 7] = [
        (&[0x1f, 0x8b], "packed by gzip", "unpack it: gunzip FILE"),
        (&[0x28, 0xb5, 0x2f, 0xfd], "packed by zstd", "unpack it: unzstd FILE"),
        (&[0xfd, b'7', b'z', b'X', b'Z'], "packed by xz", "unpack it: unxz FILE"),
        (b"BZh", "packed by bzip2", "unpack it: bunzip2 FILE"),
        (b"PK\x03\x04", "a zip archive", "unpack it, and name the file of the graph"),
        (&drowse_fabric::infiniband::CACHE, "a cache of ibnetdiscover", "print it: ibnetdiscover --load-cache FILE"),
        (&[0xff, 0xfe], "a text in UTF-16", "write it in UTF-8: iconv -f UTF-16 -t UTF-8"),
    ];
    let is_so = |(start, _, _): &&(&[u8], &str, &str)| error.as_bytes().starts_with(start);
    if let Some((_, what, help)) = KINDS.iter().find(is_so) {
        return Diagnostic::of_file(file, format!("this file is {what}"), *help);
    }
    let message = format!("this file is no text in UTF-8, from byte {} on", error.utf8_error().valid_up_to());
    Diagnostic::of_file(file, message, "write a list of edges, GraphML or DOT")
}
