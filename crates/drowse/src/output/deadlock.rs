//! The sentence of `drowse network --check`.

use std::fmt::Write;

use drowse_core::model::routing_kind::RoutingKind;
use drowse_experiment::System;
use drowse_tables::Row;
use drowse_tables::schema::{Column, network as columns};

use super::number::Style;
use super::wrap;

/// Returns the verdict in words, with the channels of a cycle where there is one.
pub fn sentence(row: &Row) -> String {
    let cycle: Vec<_> = row.all(columns::DEADLOCK_CIRCLE).collect();
    if !cycle.is_empty() {
        let mut text = format!("Deadlock possible: {} channels wait for each other in a cycle:\n", cycle.len());
        // Writing into a text cannot fail.
        cycle.iter().for_each(|(_, line)| _ = writeln!(text, "  {line}"));
        return text;
    }
    if let Some(stray) = row.get(columns::DEADLOCK_STRAY) {
        return format!("Deadlock possible: {stray} have no escape channel, or are led away from it\n");
    }
    format!("{}\n", wrap::paragraph(&proof(row)))
}

/// Says that the verdict on a network from a file is on a routing of Drowse; empty for other networks.
pub fn whose(system: &System) -> String {
    let routing = system.config.routing;
    if system.topology.kind() != "graph" || routing == RoutingKind::Table {
        return String::new();
    }
    let said = format!(
        "This is by the routing \"{}\" of Drowse. For the routes of a subnet's own tables add --tables.",
        routing.name()
    );
    format!("{}\n", wrap::paragraph(&said))
}

/// Returns the proof in words.
fn proof(row: &Row) -> String {
    let count = |column: Column| row.number(column).map(|count| Style::Count("").show(count)).unwrap_or_default();
    let vertices = count(columns::DEADLOCK_CHANNELS);
    if vertices == "0" {
        return "Deadlock-free: no packet goes from switch to switch.".into();
    }
    let edges = count(columns::DEADLOCK_DEPENDENCIES);
    let graph = format!("the channel dependency graph ({vertices} vertices, {edges} edges)");
    match row.get(columns::DEADLOCK_BUBBLE_RINGS) {
        None => format!("Deadlock-free: {graph} is acyclic."),
        Some(rings) => {
            format!(
                "Deadlock-free: {graph} has no cycle but {rings} rings, which bubble flow control keeps from filling up."
            )
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cycles_are_listed() {
        let mut row = Row::new();
        row.push(columns::DEADLOCK_PROVEN, false);
        row.push_all(columns::DEADLOCK_CIRCLE, ["this one", "that one"]);
        let expected = "Deadlock possible: 2 channels wait for each other in a cycle:\n  this one\n  that one\n";
        assert_eq!(sentence(&row), expected);
    }
}
