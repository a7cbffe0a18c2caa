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
//!
//! let fabric = drowse_fabric::read("leaf1 spine\nleaf2 spine\nnode a leaf1\nnode b leaf2\n", None, TableKind::Shortest)?;
//! assert_eq!((fabric.graph.names.join(" "), fabric.graph.node_names.join(" ")), ("leaf1 spine leaf2".into(), "a b".into()));
//! # Ok::<(), drowse_fabric::Wrong>(())
//! ```

mod formats;
pub mod infiniband;
mod model;
mod recognise;
mod shape;
#[cfg(test)]
mod tests;

use drowse_core::topology::TableKind;

pub use formats::{FORMATS, Format};
pub use model::attributes::{class_bandwidth, class_latency};
pub use model::fabric::{Address, Fabric};
pub use model::wrong::Wrong;
pub use shape::{Recognised, recognise};

/// Reads a description of a network; `nodes` are the compute nodes of a switch of which the file says nothing.
pub fn read(text: &str, nodes: Option<u32>, tables: TableKind) -> Result<Fabric, Wrong> {
    formats::of(text).parse(text).and_then(|vertices| vertices.fabric(nodes, tables))
}
