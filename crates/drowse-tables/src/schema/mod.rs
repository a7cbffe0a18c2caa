//! The columns of each table: name, type, unit, meaning.
//!
//! Each table has a file here, and each of its columns is a constant there. Rows are written through these constants
//! only. A name may hold one `*`, which stands for the name of a link class, a value of `idle_node`, the index of a
//! list, or the path of a key. The JSON that the commands print has the same names.

pub mod cases;
pub mod channels;
mod columns;
pub mod engine;
pub mod failed;
pub mod idle_pairs;
pub mod idle_periods;
pub mod jobs;
pub mod message_sizes;
pub mod network;
pub mod perfbound;
pub mod power;
pub mod rank_operations;
pub mod ranks;
pub mod reproduction;
pub mod spans;
pub mod statistics;
pub mod switches;
pub mod timeline;
pub mod timers;
pub mod torus;
pub mod trace;
pub mod usage;
pub mod usage_channels;
pub mod usage_matrix;
pub mod wait_matrix;
pub mod waiting;
pub mod waits;
pub mod wakes;

pub use cases::CASES;
pub use channels::CHANNELS;
pub use columns::Column;
pub use engine::ENGINE;
pub use failed::FAILED;
pub use idle_pairs::IDLE_PAIRS;
pub use idle_periods::IDLE_PERIODS;
pub use jobs::JOBS;
pub use message_sizes::MESSAGE_SIZES;
pub use network::NETWORK;
pub use perfbound::{PERFBOUND_HYBRID, PERFBOUND_POLICIES, PERFBOUND_STALL, PERFBOUND_WAKE};
pub use power::POWER;
pub use rank_operations::RANK_OPERATIONS;
pub use ranks::RANKS;
pub use reproduction::REPRODUCTION;
pub use spans::SPANS;
pub use statistics::STATISTICS;
pub use switches::SWITCHES;
pub use timeline::TIMELINE;
pub use timers::TIMERS;
pub use torus::{TORUS_LOADS, TORUS_PROGRAMS, TORUS_SETS};
pub use trace::TRACE;
pub use usage::USAGE;
pub use usage_channels::USAGE_CHANNELS;
pub use usage_matrix::USAGE_MATRIX;
pub use wait_matrix::WAIT_MATRIX;
pub use waiting::WAITING;
pub use waits::WAITS;
pub use wakes::WAKES;

/// Describes one table.
///
/// ```
/// use drowse_tables::schema::{ALL, CASES, cases};
///
/// let column = CASES.column("makespan_s").expect("there is such a column");
/// assert_eq!((column, column.unit), (&cases::MAKESPAN_S, "s"));
/// // A name that fits a pattern has the column of the pattern.
/// assert_eq!(CASES.column("links.by_class.node.wakes"), Some(&cases::LINKS_BY_CLASS_WAKES));
/// assert_eq!(CASES.column("makespan"), None);
/// // Each table has a file of its own.
/// let mut files: Vec<_> = ALL.iter().map(|schema| schema.file).collect();
/// files.sort_unstable();
/// assert!(files.windows(2).all(|two| two[0] < two[1]));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Schema {
    /// The file it is written to.
    pub file: &'static str,
    /// Its columns, in their usual order.
    pub columns: &'static [Column],
}

/// All tables that any command writes, each with a file of its own.
pub const ALL: [&Schema; 33] = [
    &CASES,
    &FAILED,
    &STATISTICS,
    &CHANNELS,
    &SWITCHES,
    &IDLE_PERIODS,
    &IDLE_PAIRS,
    &TIMERS,
    &TIMELINE,
    &SPANS,
    &WAITING,
    &POWER,
    &MESSAGE_SIZES,
    &JOBS,
    &RANKS,
    &RANK_OPERATIONS,
    &WAITS,
    &WAIT_MATRIX,
    &WAKES,
    &ENGINE,
    &NETWORK,
    &TRACE,
    &REPRODUCTION,
    &PERFBOUND_WAKE,
    &PERFBOUND_STALL,
    &PERFBOUND_HYBRID,
    &PERFBOUND_POLICIES,
    &TORUS_PROGRAMS,
    &TORUS_SETS,
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

    /// Returns the names of the columns without a pattern.
    pub fn plain(&self) -> impl Iterator<Item = &'static str> {
        self.columns.iter().map(|column| column.name).filter(|name| !name.contains('*'))
    }

    /// Returns the place of a name among the others of a row: the number of the first column whose pattern has the same
    /// beginning, the text of the `*`, and the column's own number. So the columns of one link class stay together.
    pub(crate) fn place<'n>(&self, name: &'n str) -> Option<(usize, &'n str, usize)> {
        let column = self.column(name)?;
        let own = self.columns.iter().position(|other| other == column)?;
        let Some((before, _)) = column.name.split_once('*') else { return Some((own, "", own)) };
        let alike = |other: &Column| other.name.split_once('*').is_some_and(|(start, _)| start == before);
        let first = self.columns.iter().position(alike)?;
        Some((first, column.star(name)?, own))
    }
}
