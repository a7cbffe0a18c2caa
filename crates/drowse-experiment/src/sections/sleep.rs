//! `policy` and `states` of one class of channels.

use drowse_core::model::sleep_state::SleepStates;

use super::policy::{self, PolicySpec};
use super::state_list::Listed;
use super::states;
use crate::diagnostic::Diagnostic;
use crate::keys::Keys;
use crate::node::Node;

/// How the channels of one class sleep.
#[derive(Clone)]
pub struct Sleep {
    pub policy: PolicySpec,
    pub states: SleepStates,
    pub listed: Listed,
}

impl Default for Sleep {
    /// Never sleeps.
    fn default() -> Self {
        Sleep { policy: PolicySpec::always_on(), states: SleepStates::default(), listed: Listed::default() }
    }
}

impl Sleep {
    /// Replaces what the keys `policy` and `states` of a table override.
    pub fn overridden(mut self, table: &mut Node<'_>, kinds: &[policy::Kind], keys: &Keys) -> Result<Self, Diagnostic> {
        if let Some(policy) = table.take("policy") {
            self.policy = policy::read(policy, kinds, keys)?;
        }
        if let Some(states) = table.take("states") {
            // The medium of links is not known here.
            (self.states, self.listed) = states::read(states, keys, (self.states, self.listed), None)?;
        }
        Ok(self)
    }
}
