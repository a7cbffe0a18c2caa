//! A chained program of another crate.

use std::sync::Arc;

use super::steps::Program;

/// A chained program of another crate.
#[derive(Clone, Debug)]
pub struct OtherProgram(pub Arc<dyn Program>);

impl PartialEq for OtherProgram {
    fn eq(&self, other: &OtherProgram) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for OtherProgram {}
