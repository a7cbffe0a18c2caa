//! The figures that a question may name: short words, columns of `cases.csv`, keys of the sweep.

use crate::Kind;
use crate::schema::CASES;

/// What a word makes of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// The value as it is.
    Value,
    /// What it is above 1.
    Above,
    /// What it is below 1.
    Below,
}

/// Words for figures, the column of each, and what it makes of it.
const WORDS: [(&str, &str, Form); 8] = [
    ("energy", "energy.network_j", Form::Value),
    ("slowdown", "relative.makespan", Form::Above),
    ("job-slowdown", "relative.jobs_makespan_max", Form::Above),
    ("saved", "relative.network_j", Form::Below),
    ("edp", "energy.edp", Form::Value),
    ("time", "makespan_s", Form::Value),
    ("latency", "latency.message.mean_ns", Form::Value),
    ("power", "power.network_w", Form::Value),
];

impl Form {
    /// Makes the figure of a column's value.
    pub fn of(self, value: f64) -> f64 {
        match self {
            Form::Value => value,
            Form::Above => value - 1.0,
            Form::Below => 1.0 - value,
        }
    }
}

/// Returns the short words.
pub fn words() -> impl Iterator<Item = &'static str> + Clone {
    WORDS.iter().map(|(word, ..)| *word)
}

/// Returns the column that a word stands for, and what it makes of it.
pub fn of_word(name: &str) -> Option<(&'static str, Form)> {
    WORDS.iter().find(|(word, ..)| *word == name).map(|&(_, column, form)| (column, form))
}

/// Returns the column of a figure, and what its name makes of it: what is no word is a column itself.
pub fn column(name: &str) -> (&str, Form) {
    of_word(name).unwrap_or((name, Form::Value))
}

/// Returns whether a figure is known only where cases have a baseline.
pub fn needs_baseline(name: &str) -> bool {
    column(name).0.starts_with("relative.")
}

/// Returns whether `cases.csv` can have a number of this name.
pub fn is_known(name: &str) -> bool {
    CASES.column(column(name).0).is_some_and(|column| matches!(column.kind, Kind::Integer | Kind::Float))
}
