//! The hosts of a cluster by their numbers, and the lists of numbers that shape it.

use std::ops::Range;

use crate::formats::plan::Cable;
use crate::model::wrong::{Word, Wrong, number, shown};

/// A cluster while its links are added.
pub(super) struct Cluster<'d> {
    pub id: &'d str,
    /// The numbers of its hosts in the plan.
    pub hosts: Vec<usize>,
    pub cable: Cable,
    /// Where it begins.
    pub span: Range<usize>,
    /// `topo_parameters`.
    pub parameters: Option<Word<'d>>,
}

impl<'d> Cluster<'d> {
    /// Returns the parameters of a topology that has some.
    pub fn parameters(&self, form: &str) -> Result<Word<'d>, Wrong> {
        let missing = || Wrong::new(&self.span, "`topo_parameters` is missing", format!("write {form}"));
        self.parameters.clone().ok_or_else(missing)
    }

    /// Refuses a number of hosts that does not fit the topology.
    pub fn check_hosts(&self, factors: impl Iterator<Item = u64>, word: &Word<'_>) -> Result<(), Wrong> {
        let needed = factors.fold(1, u64::saturating_mul);
        if needed == self.hosts.len() as u64 {
            return Ok(());
        }
        let message = format!("this topology is of {needed} hosts, and the cluster has {}", self.hosts.len());
        Err(Wrong::new(&word.1, message, format!("write radical=\"0-{}\"", needed.saturating_sub(1))))
    }
}

/// Splits a word, each part with its place.
pub(super) fn split<'t>((text, span): &Word<'t>, sign: char) -> Vec<Word<'t>> {
    let mut at = span.start;
    let place = |part: &'t str| {
        let place = at..at + part.len();
        at = place.end + sign.len_utf8();
        (part.trim(), place)
    };
    text.split(sign).map(place).collect()
}

/// Reads so many numbers, or at least one where the number is free.
pub(super) fn list(word: &Word<'_>, number_of: usize) -> Result<Vec<u32>, Wrong> {
    let parts = split(word, ',');
    if number_of > 1 && parts.len() != number_of {
        let message = format!("`{}` are {} numbers, and the tree has {number_of} levels", shown(word.0), parts.len());
        return Err(Wrong::new(&word.1, message, "write one number for each level"));
    }
    parts.iter().map(|part| number(part, "this list", 1, 65_535)).collect()
}
