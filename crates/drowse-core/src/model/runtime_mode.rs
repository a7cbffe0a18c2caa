//! How far the runtime system goes.

use serde::{Deserialize, Serialize};

/// How far the runtime system goes (`power.policy.mode`), least first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Mode {
    /// All links stay on: what it is turned down to, not a mode of its own.
    #[serde(skip)]
    On,
    /// Channels that are never used are off.
    Basic,
    /// Used channels are off between their uses, too.
    Scheduled,
}

impl Mode {
    /// Returns the word for it.
    pub const fn name(self) -> &'static str {
        match self {
            Mode::On => "on",
            Mode::Basic => "basic",
            Mode::Scheduled => "scheduled",
        }
    }

    /// Returns the next lower one.
    #[must_use]
    pub const fn lower(self) -> Mode {
        match self {
            Mode::Scheduled => Mode::Basic,
            Mode::Basic | Mode::On => Mode::On,
        }
    }
}
