//! Shares of used links, and comparisons of them in percent.

use std::borrow::Cow;

use drowse_tables::schema::{Column, usage};
use drowse_tables::{Name, Row};

use crate::comparison::{Comparison, Theirs};
use crate::trivial::{Kind, Trivial};

/// The shares of the machine's power that its network draws, and of the network's that its links do (section 3.1).
pub const LINKS_OF_MACHINE: f64 = 0.30 * 0.65;

/// The kind of a percentage of the machine's power that links save.
pub const OF_MACHINE: Kind = Kind::Saved { idle: 100.0 * LINKS_OF_MACHINE };

/// The links whose share is counted.
#[derive(Clone, Copy, Debug)]
pub enum Links {
    /// Channels: each direction of a link.
    Channels,
    /// Cables: links that are used in either direction.
    Cables,
    /// The links of PERCS within a drawer, each direction.
    LL,
    /// Those between the drawers of a supernode.
    LR,
    /// Those between supernodes.
    D,
}

impl Links {
    /// Returns a count of a row, of these columns for channels, cables and link classes.
    fn count(self, row: &Row, [channels, cables, class]: [Column; 3]) -> f64 {
        let name = match self {
            Links::Channels => Name::from(channels),
            Links::Cables => Name::from(cables),
            Links::LL => class.of("LL"),
            Links::LR => class.of("LR"),
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

/// Compares a number of the paper whose setting is not fully known, and of which its words leave so much open.
pub fn found(row: Comparison, (value, open): (f64, f64), trivial: impl Into<Trivial>) -> Comparison {
    let row = row.with_trivial(trivial);
    Comparison { theirs: Theirs::found(value, open, &row.trivial), ..row }
}

/// Compares such a number by the digits with which it is printed.
pub fn digits(row: Comparison, printed: &str, trivial: impl Into<Trivial>) -> Comparison {
    let row = row.with_trivial(trivial);
    Comparison { theirs: Theirs::digits(printed, &row.trivial), ..row }
}

/// Compares a number that the paper gives as a limit.
pub fn limit(row: Comparison, theirs: Theirs, kind: Kind) -> Comparison {
    Comparison { theirs, ..row.with_trivial(kind) }
}

/// Returns a percentage of ours: of what the paper lacks, or shows in a figure only, where nothing is compared with it.
pub fn own(
    place: impl Into<String>,
    quantity: impl Into<String>,
    ours: f64,
    how: impl Into<Cow<'static, str>>,
) -> Comparison {
    Comparison::own(place, quantity, "%", ours, how)
}
