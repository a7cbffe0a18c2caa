//! What the governor of a cap has done.

/// What the governor of a cap has done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CapRecord {
    /// What switches and links may draw, in nanowatts.
    pub cap_nw: u64,
    /// The floor: what they draw at most where only what is always on is on.
    pub floor_nw: u64,
    /// What they draw at most with all links on.
    pub all_nw: u64,
    /// Windows at whose end it divided the power: those in which something was sent by links that it commands.
    pub windows: u64,
    /// Those at whose end it refused a port.
    pub refused_windows: u64,
    /// Ports that were asked for and refused, times the length of a window, in picoseconds; a lane is a part of one.
    pub refused_ps: u128,
    /// How often it changed the number of ports or lanes that are on of a bundle.
    pub commands: u64,
    /// What the floor and all else that counted drew at most.
    pub most_nw: u64,
}
