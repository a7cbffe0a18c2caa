//! What the file of one rank tells.

use std::collections::BTreeMap;

use super::call::Call;
use super::group::Definitions;
use super::timeline::Step;

/// What the file of one rank tells.
#[derive(Debug, Default)]
pub(crate) struct RankTrace {
    /// The file, for messages.
    pub label: String,
    /// The rank and the number of ranks that it names.
    pub rank: Option<u64>,
    pub world: Option<u64>,
    pub definitions: Definitions,
    /// The communications that steps name: each is a list of calls that go on together.
    pub communications: Vec<Vec<Call>>,
    pub steps: Vec<Step>,
    /// How long it was recorded, in nanoseconds; 0 in files without times.
    pub recorded: u64,
    pub counts: Counts,
    /// A hash of the file.
    pub hash: u64,
}

/// What files hold beside their communications, in numbers.
#[derive(Debug, Default)]
pub(crate) struct Counts {
    /// What is simulated, by the names of the format.
    pub events: BTreeMap<&'static str, u64>,
    /// What is approximated or left out, by what is said of it.
    pub approximated: BTreeMap<&'static str, u64>,
    pub left_out: BTreeMap<&'static str, u64>,
}

impl Counts {
    /// Adds those of another file.
    pub fn add(&mut self, other: Counts) {
        let sum = |mine: &mut BTreeMap<&'static str, u64>, theirs: BTreeMap<&'static str, u64>| {
            theirs.into_iter().for_each(|(name, count)| *mine.entry(name).or_default() += count);
        };
        sum(&mut self.events, other.events);
        sum(&mut self.approximated, other.approximated);
        sum(&mut self.left_out, other.left_out);
    }
}
