//! The columns of each table: name, type, unit, meaning.
//!
//! A name may hold one `*`, which stands for the name of a link class, a value of `idle_node`, a count of a list, or the
//! path of a key. One
//! file per table; names are those of the JSON that the commands print.

mod cases;
mod channels;
mod engine;
mod failed;
mod idle_pairs;
mod idle_periods;
mod jobs;
mod network;
mod perfbound;
mod ranks;
mod reproduction;
mod timeline;
mod timers;
mod torus;
mod trace;
mod usage;

pub use cases::CASES;
pub use channels::CHANNELS;
pub use engine::ENGINE;
pub use failed::FAILED;
pub use idle_pairs::IDLE_PAIRS;
pub use idle_periods::IDLE_PERIODS;
pub use jobs::JOBS;
pub use network::NETWORK;
pub use perfbound::{PERFBOUND_HYBRID, PERFBOUND_POLICIES, PERFBOUND_STALL, PERFBOUND_WAKE};
pub use ranks::RANKS;
pub use reproduction::REPRODUCTION;
pub use timeline::TIMELINE;
pub use timers::TIMERS;
pub use torus::{TORUS_LOADS, TORUS_PROGRAMS};
pub use trace::TRACE;
pub use usage::{USAGE, USAGE_CHANNELS, USAGE_MATRIX};

use crate::Kind;

/// Describes one column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Column {
    /// The name, or a pattern with one `*`.
    pub name: &'static str,
    /// The type of its values.
    pub kind: Kind,
    /// The unit; `1` for a ratio or share, empty for text and truth.
    pub unit: &'static str,
    /// What it says, in one line.
    pub meaning: &'static str,
}

/// Describes one table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Schema {
    /// The file it is written to.
    pub file: &'static str,
    /// Its columns, in their usual order.
    pub columns: &'static [Column],
}

/// The keys that a sweep varies.
const SET: Column = text("set.*", "a value that the sweep has set, by the path of its key");

/// All tables.
pub const ALL: [&Schema; 22] = [
    &CASES,
    &FAILED,
    &CHANNELS,
    &IDLE_PERIODS,
    &IDLE_PAIRS,
    &TIMERS,
    &TIMELINE,
    &JOBS,
    &RANKS,
    &ENGINE,
    &NETWORK,
    &TRACE,
    &REPRODUCTION,
    &PERFBOUND_WAKE,
    &PERFBOUND_STALL,
    &PERFBOUND_HYBRID,
    &PERFBOUND_POLICIES,
    &TORUS_PROGRAMS,
    &TORUS_LOADS,
    &USAGE,
    &USAGE_CHANNELS,
    &USAGE_MATRIX,
];

impl Schema {
    /// Finds the column of a name; exact names win over patterns.
    pub fn column(&self, name: &str) -> Option<&'static Column> {
        let exact = self.columns.iter().find(|column| column.name == name);
        exact.or_else(|| self.columns.iter().find(|column| column.matches(name)))
    }
}

impl Schema {
    /// Returns where a name stands among the others of a row: that of the first column whose pattern begins alike, what
    /// the `*` stands for, and the column's own number. So the columns of one link class stay together.
    pub(crate) fn place<'n>(&self, name: &'n str) -> Option<(usize, &'n str, usize)> {
        let column = self.column(name)?;
        let own = self.columns.iter().position(|other| other == column)?;
        let Some((before, after)) = column.name.split_once('*') else { return Some((own, "", own)) };
        let alike = |other: &Column| other.name.split_once('*').is_some_and(|(start, _)| start == before);
        let first = self.columns.iter().position(alike)?;
        Some((first, name.strip_prefix(before)?.strip_suffix(after)?, own))
    }
}

impl Column {
    /// Returns whether a name is this column's, or fits its pattern.
    pub fn matches(&self, name: &str) -> bool {
        match self.name.split_once('*') {
            None => self.name == name,
            Some((before, after)) => {
                name.strip_prefix(before).and_then(|rest| rest.strip_suffix(after)).is_some_and(|star| !star.is_empty())
            }
        }
    }
}

/// Makes a column of whole numbers.
const fn integer(name: &'static str, unit: &'static str, meaning: &'static str) -> Column {
    Column { name, kind: Kind::Integer, unit, meaning }
}

/// Makes a column of numbers.
const fn float(name: &'static str, unit: &'static str, meaning: &'static str) -> Column {
    Column { name, kind: Kind::Float, unit, meaning }
}

/// Makes a column of texts.
const fn text(name: &'static str, meaning: &'static str) -> Column {
    Column { name, kind: Kind::Text, unit: "", meaning }
}

/// Makes a column of truths.
const fn truth(name: &'static str, meaning: &'static str) -> Column {
    Column { name, kind: Kind::Bool, unit: "", meaning }
}
