//! Says why a network cannot be built, at the key that asks for it.

use drowse_core::topology::NetworkError;

use crate::diagnostic::Diagnostic;
use crate::keys::Keys;

/// Says why a network cannot be built.
pub fn describe(error: &NetworkError, keys: &Keys) -> Diagnostic {
    match error {
        NetworkError::OutOfRange { key, value, reason } => {
            keys.error(key, format!("`{key}` = {value} is out of range"), *reason)
        }
        NetworkError::Refused { key, what, cure } => keys.error(key, what, cure),
        NetworkError::TooLarge { what, most } => {
            let sizes = [
                ("network.dims", "dims, trunk or nodes"),
                ("network.n", "k or n"),
                ("network.levels", "down, up or levels"),
                ("network.groups", "groups or their switches"),
                ("network.children", "children, parents or links"),
            ];
            let size = sizes.into_iter().find(|(path, _)| keys.contains(path));
            let (path, what_to_change) = size.unwrap_or(("network", "it"));
            let help = format!("the most is {most}; make {what_to_change} smaller");
            keys.error(path, format!("the network would have {what}"), help)
        }
    }
}
