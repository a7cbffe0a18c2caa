//! `policy`: when the channels of a class sleep.

use std::num::{NonZeroU8, NonZeroU16};
use std::path::PathBuf;

use drowse_core::model::units::Time;
use drowse_core::power::{
    self, ByClass, ClassPolicy, Coalescing, DynamicFastwake, Gathering, Learning, Oracle, PerfBound, Runtime,
    SleepStates, Split, Timers,
};
use drowse_core::routing::route;
use drowse_core::topology::Network;
use serde::Deserialize;

use super::runtime;
use super::trunk::{self, Trunks};
use super::{billionths, repeated, share, timer_table};
use crate::diagnostic::Diagnostic;
use crate::keys::{Keys, join};
use crate::node::Node;
use crate::quantity::Quantity;

/// A policy as it is written.
#[derive(Clone, Debug)]
pub enum PolicySpec {
    /// Stall timers; those that never run out for always-on.
    Timers(Timers),
    /// Frames are gathered.
    Coalescing(Gathering),
    /// Judged in hindsight.
    Oracle,
    /// A file of timers for each channel or class.
    Table { file: PathBuf, path: String },
    /// A bound on what is lost to waking: one timer, or with `fast_wake` two.
    Bounded { bounded: Bounded, fast_wake: bool, path: String },
    /// Trunks that shed ports.
    Trunk(Trunks),
    /// Links of so many lanes that narrow.
    Width { lanes: u8, thresholds: Trunks, path: String },
    /// The runtime system commands links.
    Runtime(power::runtime::Rules),
}

/// How a bound is kept, as it is written.
#[derive(Clone, Copy, Debug)]
pub struct Bounded {
    billionths: u32,
    split: SplitWord,
    correction: bool,
    refresh: NonZeroU16,
}

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Kind {
    AlwaysOn,
    Immediate,
    StallTimer,
    Coalescing,
    Oracle,
    Table,
    #[serde(rename = "perfbound")]
    PerfBound,
    DynamicFastwake,
    Trunk,
    Width,
    Runtime,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Bound {
    bound: f64,
    #[serde(default)]
    split: SplitWord,
    correction: Option<bool>,
    refresh: Option<NonZeroU16>,
}

/// How a bound is split among the channels of a route.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum SplitWord {
    #[default]
    Ratio,
    Equal,
    Local,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Nothing {}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Immediate {
    #[serde(default)]
    sleep: WhichSleep,
}

#[derive(Clone, Copy, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum WhichSleep {
    Shallow,
    #[default]
    Deep,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct StallTimer {
    shallow: Option<Quantity<Time>>,
    deep: Option<Quantity<Time>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Gather {
    frames: u32,
    timeout: Quantity<Time>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    file: String,
}

/// Reads a policy.
pub fn read(mut node: Node<'_>, keys: &Keys) -> Result<PolicySpec, Diagnostic> {
    let path = node.path.clone();
    Ok(match node.require("kind", keys)?.read(keys)? {
        Kind::AlwaysOn => node.read(keys).map(|Nothing {}| PolicySpec::Timers(Timers::NEVER))?,
        Kind::Oracle => node.read(keys).map(|Nothing {}| PolicySpec::Oracle)?,
        Kind::Immediate => PolicySpec::Timers(match node.read::<Immediate>(keys)?.sleep {
            WhichSleep::Shallow => Timers { shallow: Time::ZERO, deep: Time::NEVER },
            WhichSleep::Deep => Timers { shallow: Time::NEVER, deep: Time::ZERO },
        }),
        Kind::StallTimer => {
            let StallTimer { shallow, deep } = node.read(keys)?;
            let timers = timers(shallow.map(|timer| timer.0), deep.map(|timer| timer.0));
            PolicySpec::Timers(check_timers(timers, &path, keys)?)
        }
        Kind::Coalescing => {
            let Gather { frames, timeout } = node.read(keys)?;
            if frames == 0 {
                let help = "write frames = 1 for a channel that wakes for the first frame, or more";
                return Err(keys.error(&join(&path, "frames"), "no frames never come", help));
            }
            let timeout = repeated(keys, &join(&path, "timeout"), timeout.0)?;
            PolicySpec::Coalescing(Gathering { frames, timeout })
        }
        kind @ (Kind::PerfBound | Kind::DynamicFastwake) => {
            let fast_wake = matches!(kind, Kind::DynamicFastwake);
            PolicySpec::Bounded { bounded: read_bound(node, &path, keys)?, fast_wake, path }
        }
        Kind::Trunk => PolicySpec::Trunk(trunk::read(node, &path, keys)?),
        Kind::Width => {
            let (lanes, thresholds) = trunk::read_width(node, &path, keys)?;
            PolicySpec::Width { lanes, thresholds, path }
        }
        Kind::Runtime => PolicySpec::Runtime(runtime::read(node, &path, keys)?),
        Kind::Table => {
            let Table { file } = node.read(keys)?;
            PolicySpec::Table { file: keys.source().resolve(&file), path: join(&path, "file") }
        }
    })
}

fn read_bound(node: Node<'_>, path: &str, keys: &Keys) -> Result<Bounded, Diagnostic> {
    let Bound { bound, split, correction, refresh } = node.read(keys)?;
    let bound = share(keys, &join(path, "bound"), bound)?;
    Ok(Bounded {
        billionths: billionths(bound),
        split,
        correction: correction.unwrap_or(true),
        refresh: refresh.unwrap_or(Learning::REFRESH),
    })
}

/// Makes timers of those that are given.
pub(super) fn timers(shallow: Option<Time>, deep: Option<Time>) -> Timers {
    Timers { shallow: shallow.unwrap_or(Time::NEVER), deep: deep.unwrap_or(Time::NEVER) }
}

/// Refuses timers that do nothing.
fn check_timers(timers: Timers, path: &str, keys: &Keys) -> Result<Timers, Diagnostic> {
    if timers == Timers::NEVER {
        let help =
            "write deep = \"50 us\", shallow = \"1 us\", or both; a policy that never sleeps is kind = \"always-on\"";
        return Err(keys.error(path, "a stall timer needs a time after which links sleep", help));
    }
    if let Some(message) = never_reached(timers) {
        let help = "both run from the start of the idle period: make shallow shorter";
        return Err(keys.error(&join(path, "shallow"), message, help));
    }
    Ok(timers)
}

/// Returns what is wrong with timers of which one is never reached.
pub(super) fn never_reached(timers: Timers) -> Option<String> {
    let Timers { shallow, deep } = timers;
    (shallow != Time::NEVER && shallow >= deep)
        .then(|| format!("shallow sleep after {shallow} is never reached: deep sleep comes after {deep}"))
}

/// Makes the policy of a network from what its classes are given; a class without states stays on.
pub fn by_class<'a>(
    network: &Network,
    keys: &Keys,
    classes: impl Iterator<Item = Option<(&'a PolicySpec, SleepStates)>>,
) -> Result<ByClass, Diagnostic> {
    let classes: Vec<_> = classes.collect();
    let mut hops = 0;
    route::longest(network, |class, channels| {
        hops += if classes[usize::from(class)].is_some() { channels } else { 0 };
    });
    let policy = |(class, spec): (usize, Option<(&PolicySpec, SleepStates)>)| {
        Ok(match spec {
            None => ClassPolicy::StallTimer(Timers::NEVER),
            Some((PolicySpec::Timers(timers), _)) => ClassPolicy::StallTimer(*timers),
            Some((PolicySpec::Coalescing(until), _)) => ClassPolicy::Coalescing(Coalescing { until: *until }),
            Some((PolicySpec::Oracle, states)) => ClassPolicy::Oracle(Oracle::new(states)),
            Some((PolicySpec::Bounded { bounded, fast_wake, path }, states)) => {
                bounded_policy(*bounded, hops, *fast_wake, &states).ok_or_else(|| {
                    let message =
                        "this policy needs a deep sleep that saves more than the shallow one and wakes no faster";
                    keys.error(path, message, "change power.states, or write kind = \"perfbound\"")
                })?
            }
            Some((PolicySpec::Runtime(rules), states)) => ClassPolicy::Runtime(Runtime::new(*rules, &states)),
            Some((PolicySpec::Trunk(trunks), states)) => ClassPolicy::Trunk(trunks.policy(&states)),
            Some((PolicySpec::Width { path, .. }, _)) if class == 0 => {
                let message = "the links of nodes do not narrow";
                let help = "write power.channels = \"switch\", or another policy for [[power.class]] class = \"node\"";
                return Err(keys.error(path, message, help));
            }
            Some((PolicySpec::Width { lanes, thresholds, .. }, states)) => {
                ClassPolicy::Width(thresholds.width(*lanes, &states))
            }
            Some((PolicySpec::Table { file, path }, _)) => {
                ClassPolicy::Table(timer_table::read(file, path, keys, network)?)
            }
        })
    };
    Ok(ByClass::new(classes.into_iter().enumerate().map(policy).collect::<Result<_, Diagnostic>>()?))
}

/// Makes a policy that keeps a bound; the longest route has `hops` channels that may sleep.
fn bounded_policy(bounded: Bounded, hops: u32, fast_wake: bool, states: &SleepStates) -> Option<ClassPolicy> {
    let Bounded { billionths, split, correction, refresh } = bounded;
    let split = match split {
        SplitWord::Ratio => Split::Ratio,
        SplitWord::Equal => Split::Equal { hops: NonZeroU8::new(hops.min(255) as u8).unwrap_or(NonZeroU8::MIN) },
        SplitWord::Local => Split::Local,
    };
    let learning = Learning { bound: power::Bound { billionths, split }, refresh, correction };
    if fast_wake {
        return DynamicFastwake::new(learning, states).map(Box::new).map(ClassPolicy::DynamicFastwake);
    }
    Some(ClassPolicy::PerfBound(PerfBound { learning, wake: states.deep.wake }))
}

impl PolicySpec {
    /// Returns whether no channel ever sleeps.
    pub fn never_sleeps(&self) -> bool {
        matches!(self, PolicySpec::Timers(Timers::NEVER))
    }
}
