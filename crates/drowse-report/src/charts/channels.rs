//! Figures of channels, as means over those between two ends.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use crate::endpoint::{Endpoint, Endpoints};
use crate::study::Study;
use crate::table::Table;

/// A figure of a channel.
pub struct Figure {
    /// Its name in data.
    pub field: &'static str,
    /// Its words and unit.
    pub words: &'static str,
    columns: &'static [&'static str],
    of: Of,
}

/// What the sum of the columns is divided by.
#[derive(Clone, Copy)]
enum Of {
    /// A constant.
    Constant(f64),
    /// The measured time.
    Time,
}

const TIMES: [&str; 9] =
    ["on_ps", "entering_ps", "shallow_ps", "deep_ps", "waking_ps", "third_ps", "fourth_ps", "fifth_ps", "sixth_ps"];
/// Times asleep; tables of links with two sleep states may lack the others.
const ASLEEP: &[&str] = &["shallow_ps", "deep_ps", "third_ps", "fourth_ps", "fifth_ps", "sixth_ps"];
const FIGURES: [Figure; 7] = [
    Figure {
        field: "utilisation",
        words: "utilisation, share of capacity",
        columns: &["utilisation"],
        of: Of::Constant(1.0),
    },
    Figure { field: "flits", words: "flits sent by a channel", columns: &["flits"], of: Of::Constant(1.0) },
    Figure { field: "asleep", words: "share of time asleep", columns: ASLEEP, of: Of::Time },
    Figure { field: "energy_j", words: "energy of a channel, J", columns: &["energy_j"], of: Of::Constant(1.0) },
    Figure { field: "wakes", words: "wakes of a channel", columns: &["wakes"], of: Of::Constant(1.0) },
    Figure {
        field: "delayed_messages",
        words: "messages that waited for a channel to wake",
        columns: &["delayed_messages"],
        of: Of::Constant(1.0),
    },
    Figure {
        field: "time_lost_us",
        words: "time that these waited, us",
        columns: &["time_lost_ps"],
        of: Of::Constant(1e6),
    },
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
    pub fn write(&self, figures: &[&Figure], row: &mut Map<String, Value>) {
        for (figure, mean) in figures.iter().zip(self.means()) {
            row.insert(figure.field.into(), json!(short(mean)));
        }
    }
}

/// Rounds to five significant digits, which no picture shows: pages stay small.
fn short(value: f64) -> f64 {
    format!("{value:.4e}").parse().unwrap_or(value)
}

/// Returns the figures that a table of channels has, and that are not 0 everywhere.
pub fn figures(table: &Table) -> Vec<&'static Figure> {
    let has = |figure: &&Figure| {
        let places: Vec<Option<usize>> = figure.columns.iter().map(|name| table.place(name)).collect();
        let any = |row| places.iter().any(|&place| table.number(row, place).is_some_and(|value| value != 0.0));
        places.first().is_some_and(Option::is_some) && (0..table.len()).any(any)
    };
    FIGURES.iter().filter(has).collect()
}

/// Sums the figures of channels with the same ends; those of cases that are not in the study are left out.
pub fn directions<'t>(table: &'t Table, study: &Study, figures: &[&Figure]) -> BTreeMap<Way<'t>, Sums> {
    let ends = ["from", "to"].map(|end| Endpoints::new(table, end));
    let [case, class] = ["case_id", "class"].map(|name| table.place(name));
    let times = TIMES.map(|name| table.place(name));
    let columns: Vec<(Of, Vec<Option<usize>>)> = figures
        .iter()
        .map(|figure| (figure.of, figure.columns.iter().map(|name| table.place(name)).collect()))
        .collect();
    let mut directions: BTreeMap<Way<'_>, Sums> = BTreeMap::new();
    for row in 0..table.len() {
        let (Some(from), Some(to)) = (ends[0].of(table, row), ends[1].of(table, row)) else { continue };
        let Some(case) = study.of_id(table.text(row, case)) else { continue };
        let sum = |places: &[Option<usize>]| places.iter().filter_map(|&place| table.number(row, place)).sum::<f64>();
        let value = |(of, places): &(Of, Vec<Option<usize>>)| match of {
            Of::Constant(constant) => sum(places) / constant,
            Of::Time => sum(places) / sum(&times).max(1.0),
        };
        let sums = columns.iter().map(value).collect();
        let way = Way { case, from, to, class: table.text(row, class) };
        directions.entry(way).or_default().add(&Sums { channels: 1, sums });
    }
    directions
}
