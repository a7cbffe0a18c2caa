//! The rules of a governor that keeps the power of a network under a cap (`kind = "cap"`).

use crate::model::units::Time;

/// The rules of one class of links. All but [`CapRules::port`] and [`CapRules::lanes`] are the same for all classes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CapRules {
    /// How long a window is, at whose end the governor divides the power anew.
    pub window: Time,
    /// How long it takes from the end of a window until switches obey.
    pub reaction: Time,
    /// A bundle of links asks for as many ports as would be busy for this share of the window, in billionths.
    pub on: u32,
    /// What switches and links may draw, in nanowatts.
    pub cap: u64,
    /// What the governor divides: the cap less the floor, in nanowatts.
    pub spare: u64,
    /// What a channel of this class draws more when on than in deep sleep, with all that it can send, in nanowatts.
    pub port: u64,
    /// Lanes of each link, halved and doubled: a power of two; 1 where whole ports of parallel links go off.
    pub lanes: u8,
}
