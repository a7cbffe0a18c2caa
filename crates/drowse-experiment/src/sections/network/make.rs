//! What the keys of a kind become: a network, once it is known how it is routed.

use drowse_core::topology::{TableKind, TopologySpec};
use drowse_fabric::OtherFormat;

use crate::diagnostic::Diagnostic;
use crate::keys::Keys;

/// What is needed to make a network of its keys.
#[derive(Clone, Copy)]
pub struct Context<'a> {
    pub keys: &'a Keys,
    /// Formats of files of other crates.
    pub formats: &'a [OtherFormat],
}

/// Context a network that is routed by these tables, if by any; adds to the notes what to know of it.
pub type Make = dyn FnOnce(&Context<'_>, TableKind, &mut Vec<String>) -> Result<TopologySpec, Diagnostic>;
