//! The climate model ISAM by itself (Jain and Yang 2005), as Totoni et al. 2014 describe it: it computes from stored data
//! and sends nothing but when it starts and ends, which is left out.

use super::steps::{Program, Steps, Writer};
use crate::workload::graph::{GraphError, MOST_RANKS, check};

/// Ranks that compute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Isam {
    ranks: u32,
}

impl Isam {
    /// Makes the program.
    pub fn new(ranks: u32) -> Result<Self, GraphError> {
        check("ranks", ranks, 1..=MOST_RANKS)?;
        Ok(Isam { ranks })
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
    fn count(&self, _: u32) -> u64 {
        1
    }

    fn take(&self, _: u32, _: u64, writer: &mut Writer<'_>) {
        writer.compute();
    }
}
