//! The climate model ISAM by itself (Jain and Yang 2005), as Totoni et al. 2014 describe it: it computes from stored data
//! and sends nothing but when it starts and ends, which is left out.

use serde::Deserialize;

use super::error::{MOST_RANKS, ProgramError, check};
use super::keys::{Given, Parts, ProgramKeys};
use super::program::{Program, Steps};
use super::writer::Writer;

/// Ranks that compute.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Isam {
    /// Ranks.
    #[cfg_attr(feature = "schema", schemars(extend("examples" = [64])))]
    ranks: u32,
}

impl Isam {
    /// Makes the program.
    pub fn new(ranks: u32) -> Result<Self, ProgramError> {
        check("ranks", ranks, 1..=MOST_RANKS)?;
        Ok(Isam { ranks })
    }
}

impl ProgramKeys for Isam {
    const KIND: &'static str = "isam";
    const ABOUT: &'static str = "The climate model ISAM by itself, which computes and sends nothing.";

    fn parts(self, given: Given) -> Result<Parts, ProgramError> {
        Ok(given.iterated(Isam::new(self.ranks)?))
    }
}

impl Program for Isam {
    fn ranks(&self) -> u32 {
        self.ranks
    }

    fn messages(&self) -> u64 {
        0
    }

    fn largest(&self) -> u64 {
        0
    }

    fn prepare(&self) -> Box<dyn Steps> {
        Box::new(*self)
    }
}

impl Steps for Isam {
    fn take(&self, _: u32, _: u64, writer: &mut Writer<'_>) {
        writer.compute();
    }
}
