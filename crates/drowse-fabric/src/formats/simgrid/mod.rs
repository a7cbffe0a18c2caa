//! Platforms of SimGrid (version 4.1 of the format): clusters, and zones whose routes name their hops.
//!
//! A zone says routes, not cables. A route of one link is taken for a cable between its ends; a longer route must lead
//! over such cables, else nobody knows what its links join. Zones without routes (Vivaldi) and of radio are refused.
//! Links for the host alone (`loopback`) and limits (`limiter_link`) are left out and counted.

mod cables;
mod cluster;
mod dragonfly;
mod numbered;
mod platform;
mod units;
mod zone;

use roxmltree::Node;

use super::xml;
use crate::model::vertices::Vertices;
use crate::model::wrong::{Wrong, shown};
use crate::options::Options;
use crate::recognise::text::Text;
use platform::Platform;

/// An XML document `<platform>`.
pub(crate) fn sign(text: &Text<'_>) -> bool {
    text.root() == Some("platform")
}

/// Reads a platform.
pub(crate) fn parse(text: &str, options: &Options) -> Result<Vertices, Wrong> {
    let document = xml::document(text, true, "write a platform of SimGrid: <platform version=\"4.1\">")?;
    let root = document.root_element();
    check_version(root)?;
    let mut platform = Platform::default();
    for element in root.children().filter(Node::is_element) {
        match element.tag_name().name() {
            "zone" | "AS" => zone::read(element, &mut platform)?,
            "cluster" => cluster::read(element, &mut platform)?,
            "config" | "prop" => {}
            _ => return Err(xml::not_read(element, "a platform has one <zone> or <cluster>")),
        }
    }
    cables::lay(&mut platform)?;
    platform.finish(options)
}

/// Refuses platforms before version 4, whose units differ.
fn check_version(root: Node<'_, '_>) -> Result<(), Wrong> {
    let (version, place) = xml::required(root, "version")?;
    if version.split('.').next().and_then(|major| major.parse::<u32>().ok()) == Some(4) {
        return Ok(());
    }
    let message = format!("version `{}` of SimGrid's platforms is not read here", shown(version));
    Err(Wrong::new(&place, message, "convert it to version 4.1: simgrid_update_xml FILE"))
}
