//! InfiniBand fabrics as their tools describe them: the subnet, its forwarding tables, and whether both are sound.
//!
//! [`Subnet::parse`] reads the output of `ibnetdiscover` and its kin, [`Tables::read`] what `dump_fts` or OpenSM say of
//! routes, and [`check()`] follows all of these routes.
//!
//! ```text
//! text -> Draft (each cable twice) -> Subnet -> Vertices -> Fabric
//! dump -> Tables -+
//!        Subnet --+-> Wiring -> Soundness
//! ```

pub mod check;
mod degraded;
mod draft;
mod join;
mod names;
mod rate;
mod read;
mod simulated;
mod subnet;
pub mod tables;
mod vertices;

pub use check::check;
pub use degraded::{Degraded, degraded};
pub use rate::{Rate, Speed, lanes};
pub use simulated::{Dump, Unrouted};
pub use subnet::{Cable, Device, End, Kind, LeftOut, Options, Port, Subnet};
pub use tables::{LaneTables, ServiceLevels, Tables};

use drowse_core::topology::TableKind;

use crate::model::fabric::Fabric;
use crate::model::vertices::Vertices;
use crate::model::wrong::Wrong;
use crate::recognise::infiniband as signs;
use crate::recognise::text::Text;

/// The first bytes of a cache of `ibnetdiscover`, which is no text: `ibnetdiscover --load-cache FILE` prints it.
pub const CACHE: [u8; 8] = [0x2b, 0x83, 0xe7, 0x8f, 1, 0, 0, 0];

/// Returns whether a text is of a format.
type Sign = fn(&Text<'_>) -> bool;
/// Reads a subnet from a text of a format.
type Reader = fn(&str, &Options) -> Result<Subnet, Wrong>;

/// The formats of subnets.
const READERS: [(Sign, Reader); 5] = [
    (signs::ibnetdiscover, read::discover::discovered),
    (signs::ibsim, read::discover::simulated),
    (signs::ports, read::ports::read),
    (signs::links, read::links::read),
    (signs::link_info, read::link_info::read),
];

impl Subnet {
    /// Reads a subnet from a text, whose content tells the format: output of `ibnetdiscover` (also `-p`) or
    /// `iblinkinfo`, input of ibsim, or OpenSM's list of links.
    pub fn parse(text: &str, options: &Options) -> Result<Subnet, Wrong> {
        let start = Text::new(text);
        let Some((_, reader)) = READERS.iter().find(|(sign, _)| sign(&start)) else {
            let end = text.find('\n').unwrap_or(text.len());
            let help = "name the output of ibnetdiscover, an input of ibsim, or opensm-subnet.lst";
            return Err(Wrong::new(&(0..end), "this is no description of an InfiniBand subnet", help));
        };
        reader(text, options)
    }

    /// Makes the network that is simulated: switches, and a compute node for each port of an adapter that has a cable.
    pub fn fabric(&self, tables: TableKind) -> Result<Fabric, Wrong> {
        vertices::vertices(self).and_then(|vertices| vertices.fabric(None, tables))
    }
}

/// Reads a subnet as a graph: switches, and a compute node for each linked port of an adapter.
pub(crate) fn graph(text: &str) -> Result<Vertices, Wrong> {
    Subnet::parse(text, &Options::default()).and_then(|subnet| vertices::vertices(&subnet))
}
