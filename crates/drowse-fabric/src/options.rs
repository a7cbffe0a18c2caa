//! What the caller knows of a network and its file does not say.

use drowse_core::model::units::BitRate;

/// What is said of a network beside its file. Nothing of it overrides what the file says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// The compute nodes of a switch of which the file says nothing.
    pub nodes: Option<u32>,
    /// The links between a switch and its parent, or between neighbours of a ring or torus, for files that do not say
    /// how many there are.
    pub uplinks: Option<u32>,
    /// The bandwidth of one direction of all links of which the file says none.
    pub speed: Option<BitRate>,
}
