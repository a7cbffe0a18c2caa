//! Whether a governor allows channels to sleep, or divides power among them, and by which rules.

use super::cap::CapRules;
use crate::model::units::Time;

/// The rules of a governor (`power.policy`, `kind = "bounded"`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GovernorRules {
    /// Share of its time that a program may lose because links wake, in billionths.
    pub bound_billionths: u32,
    /// How long it takes from what a rank learns until channels obey.
    pub reaction: Time,
    /// What may be lost until then, at most, by messages that are on their way.
    pub reserve: Time,
}

/// Puts channels under the control of a governor.
pub trait GovernedPolicy: super::SleepPolicy {
    /// Returns the rules by which a governor allows the channels of a class to sleep, the same for all classes that it
    /// governs; `None` for a class that it does not.
    fn governor(&self, class: u8) -> Option<GovernorRules> {
        let _ = class;
        None
    }

    /// Returns the rules by which a governor keeps the power of the network under a cap; `None` for a class whose ports it
    /// does not command.
    fn cap(&self, class: u8) -> Option<CapRules> {
        let _ = class;
        None
    }

    /// Learns that the channel may lose a share of its time to waking, in billionths, from its next idle period on.
    fn allowed(&self, class: u8, state: &mut Self::State, billionths: u32) {
        let _ = (class, state, billionths);
    }
}
