//! The options of `drowse usage`.

use drowse_core::model::units::Time;

/// What is counted by class, and switched off together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Counted {
    /// Each direction of a link for itself.
    #[default]
    Channels,
    /// Links, which are used if either direction is.
    Cables,
}

/// How usage is counted and judged.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    /// What is counted by class.
    pub counted: Counted,
    /// The time in which all is sent: an iteration's, or a whole program's.
    pub time: Option<Time>,
    /// The time to switch a channel on or off, which draws full power.
    pub delay: Option<Time>,
}
