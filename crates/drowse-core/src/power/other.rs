//! A policy of another crate, in the place of those that are known here: who runs the experiment knows its type, and runs it
//! [`WithOther`](super::WithOther).

use std::any::Any;
use std::fmt::{self, Debug, Formatter};
use std::sync::Arc;

use super::policy::{SleepPolicy, Timers};
use crate::model::ids::ChannelId;

/// The policy of a link class in another crate. By itself it is one under which channels stay on.
#[derive(Clone)]
pub struct Other {
    /// The word that selects it.
    pub kind: &'static str,
    /// What its crate knows of it.
    pub inside: Arc<dyn Any + Send + Sync>,
}

impl Debug for Other {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Other").field("kind", &self.kind).finish_non_exhaustive()
    }
}

impl PartialEq for Other {
    fn eq(&self, other: &Other) -> bool {
        Arc::ptr_eq(&self.inside, &other.inside)
    }
}

impl SleepPolicy for Other {
    type State = ();

    fn start(&self, _channel: ChannelId, _class: u8) {}

    fn timers(&self, _class: u8, _state: &()) -> Timers {
        Timers::NEVER
    }
}

crate::sleep_only!(Other);
