//! Shares of used links, and comparisons of them in percent.

use std::borrow::Cow;

use drowse_tables::schema::{Column, usage};
use drowse_tables::{Name, Row};

use crate::comparison::{Comparison, Theirs};
use crate::trivial::{IDLE, ON, Trivial};

/// The shares of the machine's power that its network draws, and of the network's that its links do (section 3.1).
pub const LINKS_OF_MACHINE: f64 = 0.30 * 0.65;

/// Returns what would be saved of the machine's power by links that are always on, and by an idle network.
pub fn idle() -> Trivial {
    Trivial::answers(&[(0.0, ON), (100.0 * LINKS_OF_MACHINE, IDLE)])
}

/// The links whose share is counted.
#[derive(Clone, Copy, Debug)]
pub enum Links {
    /// Channels: each direction of a link.
    Channels,
    /// Cables: links that are used in either direction.
    Cables,
    /// The D links of PERCS, each direction.
    D,
}

impl Links {
    /// Returns a count of a row, of these columns for channels, cables and link classes.
    fn count(self, row: &Row, [channels, cables, class]: [Column; 3]) -> f64 {
        let name = match self {
            Links::Channels => Name::from(channels),
            Links::Cables => Name::from(cables),
            Links::D => class.of("D"),
        };
        row.number(name).unwrap_or(f64::NAN)
    }

    /// Returns the number of used links.
    pub fn used(self, row: &Row) -> f64 {
        self.count(row, [usage::CHANNELS_USED, usage::CABLES_USED, usage::BY_CLASS_USED])
    }

    /// Returns the number of all links.
    pub fn total(self, row: &Row) -> f64 {
        self.count(row, [usage::CHANNELS_TOTAL, usage::CABLES_TOTAL, usage::BY_CLASS_TOTAL])
    }
}

/// Returns the percentage of some links that is used.
pub fn used(row: &Row, links: Links) -> f64 {
    // Whole numbers first: 12 % is 12 exactly.
    100.0 * links.used(row) / links.total(row)
}

/// Returns the percentage that is not used.
pub fn unused(row: &Row, links: Links) -> f64 {
    let total = links.total(row);
    100.0 * (total - links.used(row)) / total
}

/// Compares a number of the paper whose setting is not fully known. Unless it is told otherwise, its trivial answers are
/// those of a network of which nothing, and of which everything, is used or saved.
pub fn found(
    place: impl Into<String>,
    quantity: impl Into<String>,
    (value, tolerance): (f64, f64),
    ours: Option<f64>,
    how: impl Into<Cow<'static, str>>,
) -> Comparison {
    compare(place, quantity, Theirs::Found { value, tolerance }, ours, how)
}

/// Compares a number that the paper gives as a limit.
pub fn above(
    place: impl Into<String>,
    quantity: impl Into<String>,
    limit: f64,
    ours: f64,
    how: impl Into<Cow<'static, str>>,
) -> Comparison {
    compare(place, quantity, Theirs::Above(limit), Some(ours), how).with_trivial(Trivial::answer(0.0, "none at all"))
}

fn compare(
    place: impl Into<String>,
    quantity: impl Into<String>,
    theirs: Theirs,
    ours: Option<f64>,
    how: impl Into<Cow<'static, str>>,
) -> Comparison {
    let trivial = Trivial::answers(&[(0.0, "none at all"), (100.0, "all of them")]);
    Comparison {
        place: place.into(),
        quantity: quantity.into(),
        unit: "%",
        theirs,
        ours,
        how: how.into(),
        trivial,
        cause: None,
    }
}

/// Returns a number of ours that the paper lacks, or shows in a figure only.
pub fn own(
    place: impl Into<String>,
    quantity: impl Into<String>,
    ours: f64,
    how: impl Into<Cow<'static, str>>,
) -> Comparison {
    Comparison::own(place, quantity, "%", ours, how)
}
