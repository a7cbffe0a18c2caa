//! Who commands links from outside of the network: the runtime system, or a governor.

use std::vec::Drain;

use crate::model::units::Time;
use crate::power::cap::CapGovernor;
use crate::power::governor::{Governor, GovernorRecord};
use crate::power::runtime::{Command, Notification, Rules, RuntimeRecord, RuntimeSystem};

/// One sequential machine between reports and commands.
#[derive(Debug)]
pub enum Commander<'a> {
    /// The runtime system.
    Runtime(Box<RuntimeSystem<'a>>),
    /// A governor.
    Governor(Box<Governor>),
    /// The governor of a cap.
    Cap(Box<CapGovernor>),
}

impl Commander<'_> {
    /// Returns how long it takes at least from a report to a command that follows from it.
    pub fn delay(&self) -> Time {
        match self {
            Commander::Runtime(runtime) => runtime.delay(),
            Commander::Governor(governor) => governor.delay(),
            Commander::Cap(cap) => cap.delay(),
        }
    }

    /// Handles reports, and returns the commands that follow from them.
    pub fn notify(&mut self, notifications: &mut Vec<Notification>) -> Drain<'_, Command> {
        match self {
            Commander::Runtime(runtime) => runtime.notify(notifications),
            Commander::Governor(governor) => governor.notify(notifications),
            Commander::Cap(cap) => cap.notify(notifications),
        }
    }

    /// Returns whether nothing is left to be commanded.
    pub fn is_over(&self) -> bool {
        match self {
            Commander::Runtime(runtime) => runtime.is_over(),
            Commander::Governor(governor) => governor.is_over(),
            // A cap holds to the end.
            Commander::Cap(_) => false,
        }
    }

    /// Returns the rules of the runtime system, if it is one.
    pub fn rules(&self) -> Option<Rules> {
        match self {
            Commander::Runtime(runtime) => Some(runtime.rules()),
            Commander::Governor(_) | Commander::Cap(_) => None,
        }
    }

    /// Returns what the runtime system has done, if it is one.
    pub fn runtime(&self) -> Option<RuntimeRecord> {
        match self {
            Commander::Runtime(runtime) => Some(runtime.record()),
            Commander::Governor(_) | Commander::Cap(_) => None,
        }
    }

    /// Returns what the governor has done, if it is one.
    pub fn governor(&self) -> Option<GovernorRecord> {
        match self {
            Commander::Runtime(_) | Commander::Cap(_) => None,
            Commander::Governor(governor) => Some(governor.record()),
        }
    }

    /// Returns the governor of a cap, if it is one.
    pub fn cap(&self) -> Option<&CapGovernor> {
        match self {
            Commander::Runtime(_) | Commander::Governor(_) => None,
            Commander::Cap(cap) => Some(cap),
        }
    }
}
