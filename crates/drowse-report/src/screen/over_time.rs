//! Strips over simulated time: links asleep, and power.

use std::collections::BTreeMap;

use drowse_describe::palette::STATES;

use super::{Cells, Group, Means, Strip};
use crate::number::percent;
use crate::results::Results;
use crate::study::Study;
use crate::table::Table;
use crate::units;

/// The states of links that are no sleep.
const AWAKE: [&str; 3] = ["on", "entering", "waking"];

/// Shows which share of the links of each class sleeps, from the timeline of a case.
pub fn asleep(results: &Results, study: &Study, case: usize) -> Option<Group> {
    let table = results.spans.as_ref()?;
    let classes = classes(results, study, case);
    let [id, kind, channel, from, to, state] =
        ["case_id", "kind", "channel", "from_ps", "to_ps", "state"].map(|name| table.place(name));
    let of_links = |row: &usize| table.text(*row, kind) == "link" && study.of_id(table.text(*row, id)) == Some(case);
    let rows: Vec<usize> = (0..table.len()).filter(of_links).collect();
    let end = rows.iter().filter_map(|&row| table.number(row, to)).fold(0.0, f64::max);
    let mut strips: BTreeMap<&str, Means> = BTreeMap::new();
    for &row in &rows {
        let state = table.text(row, state);
        let (Some(from), Some(to)) = (table.number(row, from), table.number(row, to)) else { continue };
        if end <= 0.0 || !STATES.iter().any(|(known, _)| *known == state) {
            continue;
        }
        let class = classes.get(table.text(row, channel)).copied().unwrap_or("links");
        let sleeps = f64::from(u8::from(!AWAKE.contains(&state)));
        strips.entry(class).or_insert_with(Means::new).add(from / end, to / end, sleeps);
    }
    let strip = |(name, means): (&str, Means)| Strip {
        name: name.to_owned(),
        cells: means.means(),
        note: format!("{} asleep", percent(means.mean())),
    };
    let strips: Vec<Strip> = strips.into_iter().map(strip).collect();
    let heading = format!("links asleep, from 0 to {} of simulated time", units::shown(end, units::time(end)));
    (!strips.is_empty()).then_some(Group { heading, cells: Cells::Asleep, strips, more: 0 })
}

/// Returns the class of each channel of a case.
fn classes<'r>(results: &'r Results, study: &Study, case: usize) -> BTreeMap<&'r str, &'r str> {
    let Some(table) = &results.channels else { return BTreeMap::new() };
    let [id, channel, class] = ["case_id", "channel", "class"].map(|name| table.place(name));
    let rows = (0..table.len()).filter(|&row| study.of_id(table.text(row, id)) == Some(case));
    rows.map(|row| (table.text(row, channel), table.text(row, class))).collect()
}

/// Shows the power of each part over time, where it was recorded.
pub fn power(results: &Results, study: &Study, case: usize) -> Option<Group> {
    let table = results.power.as_ref()?;
    let id = table.place("case_id");
    let rows: Vec<usize> = (0..table.len()).filter(|&row| study.of_id(table.text(row, id)) == Some(case)).collect();
    let [time, interval, part, class, watts] =
        ["time_ps", "interval_ps", "part", "class", "watts"].map(|name| table.place(name));
    let span = |row: usize| Some((table.number(row, time)?, table.number(row, interval)?));
    let end = rows.iter().filter_map(|&row| span(row)).map(|(from, length)| from + length).fold(0.0, f64::max);
    let mut parts: Vec<(String, Means)> = Vec::new();
    for &row in &rows {
        let (Some((from, length)), Some(watts)) = (span(row), table.number(row, watts)) else { continue };
        let name = named(table, row, [part, class]);
        let place = parts.iter().position(|(known, _)| *known == name).unwrap_or_else(|| {
            parts.push((name, Means::new()));
            parts.len() - 1
        });
        parts[place].1.add(from / end, (from + length) / end, watts);
    }
    let strips: Vec<Strip> = parts.into_iter().map(|(name, means)| of_power(name, &means)).collect();
    let heading = format!("power, from 0 to {} of simulated time", units::shown(end, units::time(end)));
    (!strips.is_empty()).then_some(Group { heading, cells: Cells::Power, strips, more: 0 })
}

fn named(table: &Table, row: usize, [part, class]: [Option<usize>; 2]) -> String {
    match table.text(row, class) {
        "" => table.text(row, part).to_owned(),
        class => format!("{}, {class}", table.text(row, part)),
    }
}

fn of_power(name: String, means: &Means) -> Strip {
    let watts = means.means();
    let most = watts.iter().flatten().copied().fold(0.0, f64::max);
    let share = |watts: f64| if most > 0.0 { watts / most } else { 0.0 };
    let unit = units::power(most);
    let note = format!("mean {}", units::shown(means.mean(), unit));
    Strip { name, cells: watts.into_iter().map(|watts| watts.map(share)).collect(), note }
}
