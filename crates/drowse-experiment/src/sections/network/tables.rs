//! `network.paths`: which tables route packets on graphs.

use drowse_core::routing::RoutingKind;
use drowse_core::topology::TableKind;

use crate::diagnostic::Diagnostic;
use crate::keys::Keys;

/// Paths between two switches where no number is written.
pub const PATHS: u32 = 4;

/// Returns a routing with its tables; a number of paths is for that alone which draws one.
pub fn of(keys: &Keys, kind: RoutingKind, paths: Option<u32>) -> Result<(RoutingKind, TableKind), Diagnostic> {
    match paths {
        Some(_) if kind != RoutingKind::KShortest => {
            let message = format!("{} routing draws no paths", kind.name());
            Err(keys.error("network.paths", message, "leave paths out, or write routing = \"k-shortest\""))
        }
        Some(paths) if !(1..=TableKind::MAX_PATHS).contains(&paths) => {
            let message = format!("`network.paths` = {paths} is out of range");
            Err(keys.error("network.paths", message, format!("write 1 to {} paths", TableKind::MAX_PATHS)))
        }
        paths => Ok((kind, TableKind::of(kind, paths.unwrap_or(PATHS)))),
    }
}
