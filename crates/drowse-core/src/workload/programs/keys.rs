//! Programs as experiments name them: a kind, and its keys.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::error::ProgramError;
use super::flow::Communication;
use super::phased::Phased;
use super::program::{Program, Work};

/// The keys of a program in an experiment, beside those that all programs have (`kind`, `iterations`, `compute`,
/// `imbalance`, `jitter`, `distribution`, `mode`).
pub trait ProgramKeys: DeserializeOwned {
    /// The word that selects it (`job.app.kind`).
    const KIND: &'static str;
    /// What it is.
    const ABOUT: &'static str;

    /// Returns what ranks do.
    fn parts(self, given: Given) -> Result<Parts, ProgramError>;
}

/// What the ranks do, one after the other, and how often.
pub type Parts = Vec<(Work, u32)>;

/// Returns parts of one program, but for those that are never run.
pub(super) fn parts<const N: usize>(parts: [(impl Into<Work>, u32); N]) -> Parts {
    parts.into_iter().filter(|&(_, times)| times > 0).map(|(part, times)| (part.into(), times)).collect()
}

/// What a program has beside its keys.
#[derive(Clone, Copy, Debug, Default)]
pub struct Given {
    /// How often it is iterated, if that is written.
    pub iterations: Option<u32>,
    /// What is random is drawn from it.
    pub seed: u64,
}

impl Given {
    /// Iterates a program; once where nothing is written.
    pub fn iterated(self, program: impl Into<Work>) -> Parts {
        vec![(program.into(), self.iterations.unwrap_or(1))]
    }

    /// Iterates a program whose messages have an order.
    pub fn ordered<P: Program + Communication + Clone + 'static>(self, order: Option<Order>, program: P) -> Parts {
        match order.unwrap_or_default() {
            Order::Phases => self.iterated(Phased(program)),
            Order::Program => self.iterated(program),
        }
    }
}

/// In which order the messages of an iteration are sent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Order {
    /// All ranks compute, and then all messages are sent at once, those of collectives included.
    #[default]
    Phases,
    /// That of the program, with its waits and collectives.
    Program,
}
