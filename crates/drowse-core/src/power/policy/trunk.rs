//! How many ports of a trunk, or lanes of a link, are on.

use crate::model::link_state::LinkState;
use crate::model::units::Time;

/// What a switch has measured of a trunk in a window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TrunkWindow {
    /// Its ports.
    pub ports: u32,
    /// Those of them that are on.
    pub on: u32,
    /// Sum of the times for which its ports were sending.
    pub busy: Time,
    /// How long one port would need for the packets that wait for the trunk at the window's end: those of all input
    /// queues whose head may take one of its ports.
    pub backlog: Time,
}

/// What changes in a trunk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// So many more ports go on, as far as there are some.
    More(u8),
    /// So many ports go off, but never the first.
    Fewer(u8),
    /// All stay as they are.
    None,
}

/// Decides at the end of windows how many ports of a trunk are on.
///
/// A port that is off is not offered to packets, and packets do not wake it. The first port of each trunk is always on.
pub trait TrunkPolicy {
    /// Returns the length of the windows after which the sending switch resizes the trunks of a class; `None` where all
    /// ports stay on. Links of nodes are never resized.
    fn trunk_window(&self, class: u8) -> Option<Time> {
        let _ = class;
        None
    }

    /// Returns whether ports that are off stand by: no packet turns one on, and what may be off goes off at the start.
    fn stands_by(&self, class: u8) -> bool {
        let _ = class;
        false
    }

    /// Returns the sleep state of ports of a class that are off.
    fn off_state(&self, class: u8) -> LinkState {
        let _ = class;
        LinkState::Deep
    }

    /// Returns the change of a trunk of a class. The trunk has more than one port, and none of them is going on or off.
    fn resize(&self, class: u8, seen: &TrunkWindow) -> Change {
        let _ = (class, seen);
        Change::None
    }
}
