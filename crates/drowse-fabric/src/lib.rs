//! Descriptions of networks as people and machines have them: graphs, dumps of fabrics, topologies of other programs.
//!
//! What stands in a file tells its format ([`FORMATS`]), not its name. All that are read say the same: vertices that
//! are switches, or nodes on exactly one link to a switch, and links with a class and a number. Switches are numbered
//! in the order in which the file names them first, nodes switch by switch. Links with a bandwidth or a latency get a
//! class that is named after it ([`class_bandwidth`]). What a file says is understood or refused; of maps that people
//! drew, what is no part of the network is left out, and said.
//!
//! ```
//! use drowse_core::topology::TableKind;
//! use drowse_fabric::{Options, read};
//!
//! let text = "leaf1 spine\nleaf2 spine\nnode a leaf1\nnode b leaf2\n";
//! let fabric = read(text, &Options::default(), TableKind::Shortest)?;
//! assert_eq!((fabric.graph.names.join(" "), fabric.graph.node_names.join(" ")), ("leaf1 spine leaf2".into(), "a b".into()));
//! # Ok::<(), drowse_fabric::Wrong>(())
//! ```

#[cfg(test)]
mod damage;
mod document;
mod formats;
pub mod hostlist;
pub mod infiniband;
mod model;
mod options;
mod other;
mod recognise;
mod shape;
#[cfg(test)]
mod tests;
pub mod write;

use drowse_core::topology::TableKind;

pub use drowse_core::topology::NodeLink;
pub use formats::{FORMATS, Format};
pub use model::attributes::{class_bandwidth, class_latency};
pub use model::fabric::{Address, Fabric};
pub use model::wrong::Wrong;
pub use options::Options;
pub use other::{Layout, OtherFormat, Place};
pub use shape::{Recognised, recognise};

/// Reads a description of a network; the options say what the file does not.
pub fn read(text: &str, options: &Options, tables: TableKind) -> Result<Fabric, Wrong> {
    read_with(&[], text, options, tables)
}

/// Reads a description of a network, which may have a format of another crate, too.
pub fn read_with(others: &[OtherFormat], text: &str, options: &Options, tables: TableKind) -> Result<Fabric, Wrong> {
    let mut vertices = match others.iter().find(|format| (format.recognises)(text)) {
        Some(format) => (format.read)(text, options)?.0,
        None => formats::of(text).parse(text, options)?,
    };
    if let Some(speed) = options.speed {
        vertices.set_speed(speed);
    }
    vertices.fabric(options.nodes, tables)
}
