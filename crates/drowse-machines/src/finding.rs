//! What checking a law finds.

/// A law that is broken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The law, in the same words for all machines.
    pub law: &'static str,
    /// What was found.
    pub text: String,
}

/// What checking a law says.
pub type Checked = Result<(), Finding>;

/// Fails unless something holds.
pub fn holds(law: &'static str, whether: bool, text: impl FnOnce() -> String) -> Checked {
    if whether { Ok(()) } else { Err(Finding { law, text: text() }) }
}
