//! Strips of links one beside the other, in the order of their numbers.

use super::{Cells, Group, Means, Strip};
use crate::number::percent;
use crate::results::Results;
use crate::study::Study;
use crate::table::Table;

/// Times of channels by state: those asleep first.
const TIMES: [&str; 9] =
    ["shallow_ps", "deep_ps", "third_ps", "fourth_ps", "fifth_ps", "sixth_ps", "on_ps", "entering_ps", "waking_ps"];
const ASLEEP: usize = 6;

/// Shows how busy the channels of each class are, and how long they sleep unless that is shown over time.
pub fn groups(results: &Results, study: &Study, case: usize, shows_sleep: bool) -> Vec<Group> {
    let Some(table) = &results.channels else { return Vec::new() };
    let [id, class] = ["case_id", "class"].map(|name| table.place(name));
    let mut classes: Vec<(&str, Vec<usize>)> = Vec::new();
    for row in (0..table.len()).filter(|&row| study.of_id(table.text(row, id)) == Some(case)) {
        let name = table.text(row, class);
        match classes.iter_mut().find(|(known, _)| *known == name) {
            Some((_, rows)) => rows.push(row),
            None => classes.push((name, vec![row])),
        }
    }
    let mut groups = Vec::new();
    if !shows_sleep {
        groups.extend(asleep(table, &classes));
    }
    groups.extend(busy(table, &classes));
    groups
}

/// Returns the share of time that a channel sleeps.
fn sleep(table: &Table, row: usize) -> f64 {
    let times = TIMES.map(|name| table.figure(row, name).unwrap_or(0.0));
    let all: f64 = times.iter().sum();
    if all > 0.0 { times[..ASLEEP].iter().sum::<f64>() / all } else { 0.0 }
}

fn asleep(table: &Table, classes: &[(&str, Vec<usize>)]) -> Option<Group> {
    let strip = |(name, rows): &(&str, Vec<usize>)| {
        let means = beside(rows.iter().map(|&row| sleep(table, row)));
        Strip { name: (*name).to_owned(), cells: means.means(), note: format!("{} asleep", percent(means.mean())) }
    };
    let strips: Vec<Strip> = classes.iter().map(strip).collect();
    let sleeps = strips.iter().any(|strip| strip.cells.iter().flatten().any(|share| *share > 0.0));
    let heading = "share of time asleep, channel by channel".to_owned();
    sleeps.then_some(Group { heading, cells: Cells::Asleep, strips, more: 0 })
}

fn busy(table: &Table, classes: &[(&str, Vec<usize>)]) -> Option<Group> {
    let place = table.place("utilisation");
    let of = |row: usize| table.number(row, place).unwrap_or(0.0);
    let strips: Vec<(String, Means, f64)> = classes
        .iter()
        .map(|(name, rows)| {
            let most = rows.iter().map(|&row| of(row)).fold(0.0, f64::max);
            ((*name).to_owned(), beside(rows.iter().map(|&row| of(row))), most)
        })
        .collect();
    let top = strips.iter().flat_map(|(_, means, _)| means.means()).flatten().fold(0.0, f64::max);
    let strips = strips.into_iter().map(|(name, means, most)| Strip {
        name,
        cells: means.means().into_iter().map(|mean| mean.map(|mean| mean / top)).collect(),
        note: format!("to {} busy", percent(most)),
    });
    let heading = format!("how busy channels are, one by one; the darkest is {}", percent(top));
    (top > 0.0).then(|| Group { heading, cells: Cells::Busy, strips: strips.collect(), more: 0 })
}

/// Places values one beside the other; where there are fewer than cells, each has several.
fn beside(values: impl ExactSizeIterator<Item = f64>) -> Means {
    let mut means = Means::new();
    let count = values.len() as f64;
    for (number, value) in values.enumerate() {
        means.add(number as f64 / count, (number + 1) as f64 / count, value);
    }
    means
}
