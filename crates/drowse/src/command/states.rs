//! `drowse states`: the catalogue of link states.

use clap::{Args, ValueEnum};
use drowse_core::model::units::Time;
use drowse_experiment::{LINK_STATES, NamedStates, Published};
use serde_json::{Value, json};

use crate::failure::Failure;
use crate::output;

/// List the link states that have a name: times, powers and sources
///
/// power.states takes a name, or a table that differs from one. What is not published has to be written there.
#[derive(Debug, Args)]
pub struct Arguments {
    /// Print a list, JSON or a page in Markdown
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    format: Format,
}

/// What is printed.
#[derive(Clone, Copy, Debug, Default, ValueEnum)]
enum Format {
    /// A list
    #[default]
    List,
    /// JSON
    Json,
    /// A page in Markdown
    Markdown,
}

/// Runs the command.
pub fn execute(arguments: &Arguments) -> Result<(), Failure> {
    output::print(&match arguments.format {
        Format::List => output::states::list(),
        Format::Markdown => output::states::page(),
        Format::Json => format!("{:#}\n", all()),
    })
}

/// Returns all link states as JSON.
pub fn all() -> Value {
    LINK_STATES.iter().map(states).collect()
}

/// Returns the states as JSON; what is not published is null.
fn states(named: &NamedStates) -> Value {
    let state = |published: &Published| {
        let nanoseconds = |time: Option<Time>| time.map(Time::nanoseconds);
        json!({
            "power": published.power,
            "enter_time_ns": nanoseconds(published.enter),
            "wake_time_ns": nanoseconds(published.wake),
        })
    };
    json!({
        "name": named.name,
        "links": named.links,
        "shallow": state(&named.shallow),
        "deep": state(&named.deep),
        "source": named.source,
    })
}
