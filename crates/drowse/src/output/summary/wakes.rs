//! The costliest wakes on the critical path, where they were recorded.

use drowse_core::model::ids::ChannelId;
use drowse_run::ends::{end_name, source};
use drowse_run::outcome::Outcome;
use drowse_run::wake_table::{Waited, told};

use crate::output::number::Style;
use crate::output::sheet::Sheet;

/// How many wakes have a line.
const MOST: usize = 8;

/// Adds a line for each of the costliest: its link, when it was on, and for which ranks; the figure is what the message
/// waited.
pub fn add_wakes(sheet: &mut Sheet, outcome: &Outcome) {
    sheet.group("wakes on the critical path, the costliest first");
    for waited in told(outcome).iter().filter(|waited| waited.on_path).take(MOST) {
        sheet.line(label(outcome, waited), Style::Seconds, &[Some(waited.wake.waited.seconds())], None);
    }
}

fn label(outcome: &Outcome, Waited { wake, message, .. }: &Waited<'_>) -> String {
    let (network, channel) = (&outcome.case.system.network, ChannelId(wake.channel));
    let [from, to] = [source(network, channel), network.target(channel)].map(|end| end_name(network, end));
    format!("{from} to {to}, at {}, rank {} to {}", wake.awake, message.from_rank, message.to_rank)
}
