//! `network.routing` and `network.paths`: how packets are routed, and by which tables on graphs.

use drowse_core::routing::RoutingKind;
use drowse_core::topology::TableKind;

use super::kinds::Kind;
use crate::diagnostic::Diagnostic;
use crate::keys::Keys;
use crate::node::Node;
use crate::wording;

/// Paths between two switches where no number is written.
pub const PATHS: u32 = 4;

/// The routings that find paths around faults.
pub const AROUND_FAULTS: [RoutingKind; 6] = [
    RoutingKind::Minimal,
    RoutingKind::Valiant,
    RoutingKind::Ugal,
    RoutingKind::Progressive,
    RoutingKind::UpDown,
    RoutingKind::KShortest,
];

/// What is written of the routing.
pub struct Written<'t> {
    routing: Option<Node<'t>>,
    paths: Option<Node<'t>>,
}

impl<'t> Written<'t> {
    /// Takes the keys out of the section that a kind has; where something has failed, all networks are routed by tables.
    pub fn take(node: &mut Node<'t>, kind: &Kind, has_failed: bool) -> Self {
        let is_routed = !kind.routings.is_empty();
        let routing = if is_routed { node.take("routing") } else { None };
        let paths = if is_routed && (has_failed || kind.draws_paths()) { node.take("paths") } else { None };
        Written { routing, paths }
    }

    /// Returns the routing, the kind's usual one where none is written, and its tables.
    pub fn resolve(self, kind: &Kind, keys: &Keys) -> Result<(RoutingKind, TableKind), Diagnostic> {
        let Some(usual) = kind.routings.first() else { return Ok((RoutingKind::Adaptive, TableKind::default())) };
        let routing = match self.routing {
            // Who names tables wants packets to go by them.
            None if keys.contains("network.tables") && kind.routing(RoutingKind::Table.name()).is_some() => {
                RoutingKind::Table
            }
            None => usual.kind,
            Some(written) => {
                let word: String = written.read(keys)?;
                kind.routing(&word).ok_or_else(|| {
                    let known: Vec<&str> = kind.routings.iter().map(|routing| routing.kind.name()).collect();
                    wording::unknown_word(keys, "network.routing", &word, &known)
                })?
            }
        };
        Ok((routing, tables(routing, self.paths, keys)?))
    }

    /// Does as [`Written::resolve`] for a network that has lost something.
    pub fn around_faults(self, kind: &Kind, keys: &Keys) -> Result<(RoutingKind, TableKind), Diagnostic> {
        let word: Option<String> = self.routing.map(|written| written.read(keys)).transpose()?;
        let word = word.unwrap_or_else(|| kind.routings[0].kind.name().to_owned());
        let name = kind.routing(&word).map_or(word.as_str(), |routing| routing.name());
        let found = AROUND_FAULTS.into_iter().find(|routing| routing.name() == name);
        let routing = found.ok_or_else(|| {
            let known = AROUND_FAULTS.map(RoutingKind::name).join(", ");
            // One that is not written is the kind's usual one.
            let place = if keys.contains("network.routing") { "network.routing" } else { "network.failed" };
            let message = format!("{name} routing finds no path around what has failed");
            keys.error(place, message, format!("with network.failed, write one of these routings: {known}"))
        })?;
        Ok((routing, tables(routing, self.paths, keys)?))
    }
}

/// Returns the tables of a routing; a number of paths is for that alone which draws one.
fn tables(routing: RoutingKind, paths: Option<Node<'_>>, keys: &Keys) -> Result<TableKind, Diagnostic> {
    let paths: Option<u32> = paths.map(|paths| paths.read(keys)).transpose()?;
    match paths {
        Some(_) if routing != RoutingKind::KShortest => {
            let message = format!("{} routing draws no paths", routing.name());
            Err(keys.error("network.paths", message, "leave paths out, or write routing = \"k-shortest\""))
        }
        Some(paths) if !(1..=TableKind::MAX_PATHS).contains(&paths) => {
            let message = format!("`network.paths` = {paths} is out of range");
            Err(keys.error("network.paths", message, format!("write 1 to {} paths", TableKind::MAX_PATHS)))
        }
        paths => Ok(TableKind::of(routing, paths.unwrap_or(PATHS))),
    }
}
