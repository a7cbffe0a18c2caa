//! `drowse states`: the catalogues of link states.

use clap::Args;
use drowse_core::model::units::Time;
use drowse_experiment::{LINK_STATES, NamedStates, Published, SINGLE_STATES, SingleState};
use serde_json::{Value, json};

use super::catalogue::Printed;
use crate::failure::Failure;
use crate::output;

/// List the link states that have a name: times, powers and sources
///
/// power.states takes a name, or a table that differs from one; its list takes single states. What is not published has
/// to be written there.
#[derive(Debug, Args)]
pub struct Arguments {
    #[command(flatten)]
    printed: Printed,
}

/// Runs the command.
pub fn execute(arguments: &Arguments) -> Result<(), Failure> {
    arguments.printed.print(output::states::list, output::states::page, all)
}

/// Returns all link states as JSON: the pairs of shallow and deep sleep, then the single ones.
pub fn all() -> Value {
    LINK_STATES.iter().map(pair).chain(SINGLE_STATES.iter().map(single)).collect()
}

/// Returns a pair of states as JSON; what is not published is null.
fn pair(named: &NamedStates) -> Value {
    json!({
        "name": named.name,
        "links": named.links,
        "shallow": published(&named.shallow),
        "deep": published(&named.deep),
        "source": named.source,
    })
}

/// Returns a single state as JSON.
fn single(state: &SingleState) -> Value {
    json!({
        "name": state.name,
        "part": state.part,
        "state": published(&state.published),
        "keeps_link": state.keeps_link,
        "mark": state.mark.name(),
        "source": state.source,
    })
}

/// Returns what is published of a state.
fn published(published: &Published) -> Value {
    let nanoseconds = |time: Option<Time>| time.map(Time::nanoseconds);
    json!({
        "power": published.power,
        "enter_time_ns": nanoseconds(published.enter),
        "wake_time_ns": nanoseconds(published.wake),
        "pays_after_ns": nanoseconds(published.pays_after()),
    })
}
