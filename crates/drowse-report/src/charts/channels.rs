//! Figures of channels, as means over those between two ends.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use crate::endpoint::{Endpoint, Endpoints};
use crate::study::Study;
use crate::table::Table;
use crate::units;

/// A figure of a channel.
pub struct Figure {
    /// Its name for those who ask for it.
    pub name: &'static str,
    /// Its words and unit.
    pub words: String,
    /// Its name in data.
    pub field: String,
    columns: &'static [&'static str],
    of: Of,
    /// What its values are divided by.
    size: f64,
}

/// A figure as tables have it: its name, its words, its columns, what their sum is divided by, and its unit.
struct Known(&'static str, &'static str, &'static [&'static str], Of, Measured);

/// What a figure is measured in.
#[derive(Clone, Copy)]
enum Measured {
    /// Nothing: a count or a share.
    Plain,
    Picoseconds,
    Joules,
}

/// What the sum of the columns is divided by.
#[derive(Clone, Copy)]
enum Of {
    /// Nothing: it is that of a channel.
    Channel,
    /// The measured time.
    Time,
}

const TIMES: [&str; 9] =
    ["on_ps", "entering_ps", "shallow_ps", "deep_ps", "waking_ps", "third_ps", "fourth_ps", "fifth_ps", "sixth_ps"];
/// Times asleep; tables of links with two sleep states may lack the others.
const ASLEEP: &[&str] = &["shallow_ps", "deep_ps", "third_ps", "fourth_ps", "fifth_ps", "sixth_ps"];
const FIGURES: [Known; 7] = [
    Known("utilisation", "utilisation, share of capacity", &["utilisation"], Of::Channel, Measured::Plain),
    Known("flits", "flits sent by a channel", &["flits"], Of::Channel, Measured::Plain),
    Known("asleep", "share of time asleep", ASLEEP, Of::Time, Measured::Plain),
    Known("energy_j", "energy of a channel", &["energy_j"], Of::Channel, Measured::Joules),
    Known("wakes", "wakes of a channel", &["wakes"], Of::Channel, Measured::Plain),
    Known(
        "delayed_messages",
        "messages that waited for a channel to wake",
        &["delayed_messages"],
        Of::Channel,
        Measured::Plain,
    ),
    Known("time_lost_us", "time that these waited", &["time_lost_ps"], Of::Channel, Measured::Picoseconds),
];

/// Channels of one class from one end to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Way<'t> {
    /// The case.
    pub case: usize,
    /// The end that sends.
    pub from: Endpoint,
    /// The end that receives.
    pub to: Endpoint,
    /// The link class.
    pub class: &'t str,
}

/// Sums over channels.
#[derive(Clone, Debug, Default)]
pub struct Sums {
    channels: usize,
    sums: Vec<f64>,
}

impl Sums {
    /// Adds other channels.
    pub fn add(&mut self, other: &Sums) {
        self.channels += other.channels;
        self.sums.resize(other.sums.len(), 0.0);
        self.sums.iter_mut().zip(&other.sums).for_each(|(sum, more)| *sum += more);
    }

    /// Returns the means of the figures.
    pub fn means(&self) -> impl Iterator<Item = f64> {
        self.sums.iter().map(|sum| sum / self.channels as f64)
    }

    /// Writes the means of the figures into a row.
    pub fn write(&self, figures: &[Figure], row: &mut Map<String, Value>) {
        for (figure, mean) in figures.iter().zip(self.means()) {
            row.insert(figure.field.clone(), json!(short(mean)));
        }
    }
}

/// Rounds to five significant digits, which no picture shows: pages stay small.
fn short(value: f64) -> f64 {
    format!("{value:.4e}").parse().unwrap_or(value)
}

/// Returns the figures that a table of channels has, and that are not 0 everywhere, in units that fit them.
pub fn figures(table: &Table) -> Vec<Figure> {
    FIGURES.iter().filter_map(|known| figure(table, known)).collect()
}

fn figure(table: &Table, &Known(name, words, columns, of, measured): &Known) -> Option<Figure> {
    let places: Vec<Option<usize>> = columns.iter().map(|name| table.place(name)).collect();
    (*places.first()?)?;
    let value = |row: usize| places.iter().filter_map(|&place| table.number(row, place)).sum::<f64>();
    let largest = (0..table.len()).map(value).fold(0.0, f64::max);
    let unit = match measured {
        _ if largest == 0.0 => return None,
        Measured::Plain => None,
        Measured::Picoseconds => Some(units::time(largest)),
        Measured::Joules => Some(units::energy(largest)),
    };
    let (words, field) = match unit {
        Some(unit) => (format!("{words}, {}", unit.name), format!("{}_{}", stem(name), unit.field)),
        None => (words.to_owned(), name.to_owned()),
    };
    Some(Figure { name, words, field, columns, of, size: unit.map_or(1.0, |unit| unit.size) })
}

/// Returns a name without its unit.
fn stem(name: &str) -> &str {
    name.rsplit_once('_').map_or(name, |(stem, _)| stem)
}

/// Sums the figures of channels with the same ends; those of cases that are not in the study are left out.
pub fn directions<'t>(table: &'t Table, study: &Study, figures: &[Figure]) -> BTreeMap<Way<'t>, Sums> {
    let ends = ["from", "to"].map(|end| Endpoints::new(table, end));
    let [case, class] = ["case_id", "class"].map(|name| table.place(name));
    let times = TIMES.map(|name| table.place(name));
    let columns: Vec<(Of, f64, Vec<Option<usize>>)> = figures
        .iter()
        .map(|figure| (figure.of, figure.size, figure.columns.iter().map(|name| table.place(name)).collect()))
        .collect();
    let mut directions: BTreeMap<Way<'_>, Sums> = BTreeMap::new();
    for row in 0..table.len() {
        let (Some(from), Some(to)) = (ends[0].of(table, row), ends[1].of(table, row)) else { continue };
        let Some(case) = study.of_id(table.text(row, case)) else { continue };
        let sum = |places: &[Option<usize>]| places.iter().filter_map(|&place| table.number(row, place)).sum::<f64>();
        let value = |(of, size, places): &(Of, f64, Vec<Option<usize>>)| match of {
            Of::Channel => sum(places) / size,
            Of::Time => sum(places) / sum(&times).max(1.0),
        };
        let sums = columns.iter().map(value).collect();
        let way = Way { case, from, to, class: table.text(row, class) };
        directions.entry(way).or_default().add(&Sums { channels: 1, sums });
    }
    directions
}
