//! What `drowse network --tables FILE --check` says of a fabric that stands somewhere.

use std::fmt::Write;

use drowse_tables::schema::{Column, network as columns};
use drowse_tables::{Row, Value};

use super::number::Style;
use super::wrap;

/// Lines of a list that are shown; the others are counted, and all stand in the JSON.
const SHOWN: usize = 12;

/// Returns what was found, in words.
pub fn text(row: &Row) -> String {
    let sound = row.get(columns::SOUND) == Some(&Value::Bool(true));
    let mut text = format!(
        "The tables that stand there are {}.\n\n",
        if sound { "sound" } else { "NOT sound, or not known to be" }
    );
    let count = |column: Column| row.number(column).map(|count| Style::Count("").show(count)).unwrap_or_default();
    let word = |column: Column| row.get(column).map(ToString::to_string).unwrap_or_default();
    let mut line = |label: &str, what: String| _ = writeln!(text, "{}", wrap::paragraph(&format!("{label}: {what}")));
    line(
        "pairs of hosts followed",
        format!("{}, {} without a route", count(columns::SOUND_PAIRS), count(columns::SOUND_UNSERVED)),
    );
    line("longest route", format!("{} links", count(columns::SOUND_LONGEST)));
    line("packets of hosts", word(columns::SOUND_HOSTS));
    circle(&mut line, row, columns::SOUND_HOSTS_CIRCLE);
    line("with packets to switches", word(columns::SOUND_SWITCHES));
    if row.get(columns::SOUND_SWITCHES_CIRCLE) != row.get(columns::SOUND_HOSTS_CIRCLE) {
        circle(&mut line, row, columns::SOUND_SWITCHES_CIRCLE);
    }
    list(&mut text, row, columns::SOUND_LEVELS, "bandwidth by level");
    list(&mut text, row, columns::SOUND_SPREAD, "routes over a channel, by level");
    list(&mut text, row, columns::SOUND_FINDINGS, "to look at");
    list(&mut text, row, columns::SOUND_UNUSED, "cables that no route from host to host uses, and that could be off");
    text
}

fn circle(line: &mut impl FnMut(&str, String), row: &Row, column: Column) {
    if let Some(circle) = row.get(column) {
        line("circle of ports", circle.to_string());
    }
}

/// Adds a list, if there is one.
fn list(text: &mut String, row: &Row, column: Column, heading: &str) {
    let lines: Vec<String> = row.all(column).map(|(_, line)| line.to_string()).collect();
    if lines.is_empty() {
        return;
    }
    // Writing into a text cannot fail.
    _ = writeln!(text, "\n{heading}");
    lines.iter().take(SHOWN).for_each(|line| _ = writeln!(text, "  {line}"));
    if let Some(more) = lines.len().checked_sub(SHOWN).filter(|&more| more > 0) {
        _ = writeln!(text, "  and {more} more (--format json)");
    }
}
