//! `policy`: when the channels of a class sleep. One file per kind holds its keys, and [`KINDS`] lists the kinds.

mod always_on;
mod bound;
mod bounded;
mod cap;
mod coalescing;
mod dynamic_fastwake;
mod immediate;
mod kind;
mod nvlink;
mod oracle;
mod perfbound;
mod predictive;
mod random_timer;
mod runtime;
pub mod schema;
mod stall_timer;
mod standby;
mod table;
mod thresholds;
mod timer_table;
mod trunk;
mod width;

use std::sync::Arc;

use drowse_core::model::sleep_state::SleepStates;
use drowse_core::model::units::Time;
use drowse_core::power::{ByClass, ClassPolicy, CoalescingLimits, Timers};
use drowse_core::routing::route;
use drowse_core::topology::Network;

pub use self::kind::{Class, Kind, Place, PolicyKeys};

use crate::diagnostic::Diagnostic;
use crate::keys::Keys;
use crate::node::Node;
use crate::sections::limit::Limit;
use crate::sections::state_list::Listed;
use crate::wording;

/// The kinds of policy that are known here, in the order of error messages and of the key reference.
pub const KINDS: &[Kind] = &[
    Kind::of::<always_on::AlwaysOn>("always-on"),
    Kind::of::<immediate::Immediate>("immediate"),
    Kind::of::<stall_timer::StallTimer>("stall-timer"),
    Kind::of::<nvlink::NvLink>("nvlink"),
    Kind::of::<CoalescingLimits>("coalescing"),
    Kind::of::<oracle::Oracle>("oracle"),
    Kind::of::<table::Table>("table"),
    Kind::of::<perfbound::PerfBound>("perfbound"),
    Kind::of::<dynamic_fastwake::DynamicFastwake>("dynamic-fastwake"),
    Kind::of::<bounded::Bounded>("bounded"),
    Kind::of::<predictive::Predictive>("predictive"),
    Kind::of::<random_timer::RandomTimer>("random-timer"),
    Kind::of::<trunk::Trunk>("trunk"),
    Kind::of::<standby::Standby>("standby"),
    Kind::of::<width::Width>("width"),
    Kind::of::<cap::Cap>("cap"),
    Kind::of::<runtime::Runtime>("runtime"),
];

/// The kind of policies that are written in Python, which only the Python package knows.
pub const PYTHON: &str = "python";

/// A policy as it is written.
#[derive(Clone, Debug)]
pub struct PolicySpec {
    path: String,
    policy: Arc<dyn PolicyKeys>,
}

impl PolicySpec {
    /// Returns the policy where nothing is written: channels never sleep.
    pub fn always_on() -> Self {
        PolicySpec { path: String::new(), policy: Arc::new(always_on::AlwaysOn {}) }
    }

    /// Returns the cap that it keeps, if it keeps one, and its path.
    pub fn cap(&self) -> Option<(Limit, &str)> {
        self.policy.cap().map(|limit| (limit, self.path.as_str()))
    }

    /// Returns whether no channel ever sleeps.
    pub fn never_sleeps(&self) -> bool {
        self.policy.never_sleeps()
    }
}

/// Reads a policy of one of these kinds.
pub fn read(mut node: Node<'_>, kinds: &[Kind], keys: &Keys) -> Result<PolicySpec, Diagnostic> {
    let path = node.path.clone();
    let kind = node.require("kind", keys)?;
    let kind_path = kind.path.clone();
    let word: String = kind.read(keys)?;
    let Some(kind) = kinds.iter().find(|kind| kind.word == word) else {
        if word == PYTHON {
            let message = "this policy is written in Python";
            return Err(keys.error(&kind_path, message, "run the experiment from Python, where the policy is"));
        }
        let known: Vec<&str> = kinds.iter().map(|kind| kind.word).collect();
        return Err(wording::unknown_word(keys, &kind_path, &word, &known));
    };
    let policy = kind.read.keys(node, keys)?;
    policy.check(&Place { path: &path, keys })?;
    Ok(PolicySpec { path, policy })
}

/// Makes the policy of a network from those of its classes; a class without states stays on.
pub fn by_class<'a>(
    network: &Network,
    keys: &Keys,
    classes: impl Iterator<Item = Option<(&'a PolicySpec, SleepStates, &'a Listed)>>,
) -> Result<ByClass, Diagnostic> {
    let classes: Vec<_> = classes.collect();
    let mut hops = 0;
    route::longest(network, |class, channels| {
        hops += if classes[usize::from(class)].is_some() { channels } else { 0 };
    });
    let policy = |(index, sleep): (usize, Option<(&PolicySpec, SleepStates, &Listed)>)| {
        let Some((PolicySpec { path, policy }, states, listed)) = sleep else {
            return Ok(ClassPolicy::StallTimer(Timers::NEVER));
        };
        let place = Place { path, keys };
        let made = policy.policy(&place, &Class { index, states, listed, network, hops })?;
        check_learns(&made, &states, &place)?;
        Ok(made)
    };
    Ok(ByClass::new(classes.into_iter().enumerate().map(policy).collect::<Result<_, Diagnostic>>()?))
}

/// Checks that a policy that adds up times of many wakes has states that wake in a second at most.
fn check_learns(policy: &ClassPolicy, states: &SleepStates, place: &Place<'_>) -> Result<(), Diagnostic> {
    const LONGEST: Time = Time(1_000_000_000_000);
    let adds = matches!(
        policy,
        ClassPolicy::PerfBound(_)
            | ClassPolicy::DynamicFastwake(_)
            | ClassPolicy::Bounded(_)
            | ClassPolicy::Predictive(_)
            | ClassPolicy::RandomTimer(_)
            | ClassPolicy::Runtime(_)
    );
    let slow = [states.shallow, states.deep].iter().any(|state| state.enter > LONGEST || state.wake > LONGEST);
    if !adds || !slow {
        return Ok(());
    }
    let message = "this policy uses the first two sleep states, and one of them takes longer than 1 s";
    let help = "write faster states first in states.list, or kind = \"stall-timer\", \"standby\" or \"oracle\"";
    Err(place.error("kind", message, help))
}
