//! The sentence of `drowse network --check`.

use std::fmt::Write;

use drowse_tables::{Row, Value};

/// Says what was proven, or lists the channels that wait in a circle.
pub fn sentence(row: &Row) -> String {
    let circle: Vec<_> = row.list("deadlock.circle").collect();
    if !circle.is_empty() {
        let mut text = format!("Deadlock: {} channels wait in a circle, each for the next:\n", circle.len());
        // Nothing can fail that writes into a string.
        circle.iter().for_each(|(_, line)| _ = writeln!(text, "  {line}"));
        return text;
    }
    if let Some(stray) = row.get("deadlock.stray") {
        return format!("Deadlock: {stray} have no escape, or are led away from there\n");
    }
    let count = |name| row.get(name).map_or(String::new(), Value::to_string);
    let [channels, dependencies, longest] =
        ["deadlock.channels", "deadlock.dependencies", "deadlock.longest_chain"].map(count);
    if channels == "0" {
        return "No deadlock: no packet goes from switch to switch\n".into();
    }
    let no_circle = match row.get("deadlock.bubble_rings") {
        None => "none in a circle".into(),
        Some(rings) => format!(
            "none in a circle but along {rings} rings, where packets of one length leave room for one more when they enter"
        ),
    };
    format!(
        "No deadlock, proven: {channels} channels (virtual ones of trunks, adaptive ones aside) wait for each other in {dependencies} pairs, \
         {no_circle}; the longest chain has {longest}\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn circles_are_listed() {
        let mut row = Row::new();
        row.push("deadlock.proven", false);
        row.push("deadlock.circle[0]", "this one");
        row.push("deadlock.circle[1]", "that one");
        let expected = "Deadlock: 2 channels wait in a circle, each for the next:\n  this one\n  that one\n";
        assert_eq!(sentence(&row), expected);
    }
}
