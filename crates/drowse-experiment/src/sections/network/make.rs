//! What the keys of a kind become: a network, once it is known how it is routed.

use drowse_core::topology::{TableKind, TopologySpec};

use crate::diagnostic::Diagnostic;
use crate::keys::Keys;

/// Makes a network that is routed by these tables, if by any; adds to the notes what to know of it.
pub type Make = dyn FnOnce(&Keys, TableKind, &mut Vec<String>) -> Result<TopologySpec, Diagnostic>;
