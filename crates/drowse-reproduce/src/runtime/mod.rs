//! Totoni et al. 2014: the links that applications use, the bound of savings of section 5, and the savings of its
//! runtime system.
//!
//! The paper does not give its sizes, but for MILC and its likes (4,096 processors, 4 supernodes). Those here were found by
//! search for its printed numbers: a machine of 300 supernodes, or of as many nodes in a torus, with stencils over all of
//! its 307,200 ranks. The numbers that chose them are marked as fitted. Its other numbers stand beside ours, with the
//! reason why they may differ. Left out: figures without numbers.

mod machines;
mod molecules;
mod other;
mod section_3;
mod section_5;
mod section_6;
mod shares;

use drowse_run::sweep::SweepError;

use crate::cause::{self, Change};
use crate::comparison::Comparison;
use crate::options::{Observer, Options};

/// Compares all numbers; a quick reproduction leaves out cases that take seconds.
pub fn reproduce(options: &Options<'_>, observer: Observer<'_>) -> Result<Vec<Comparison>, SweepError> {
    let quick = options.quick;
    let mut comparisons = Vec::new();
    section_3::compare(&mut comparisons)?;
    section_5::compare(&mut comparisons)?;
    section_5::capacity(&mut comparisons)?;
    other::compare(&mut comparisons, quick)?;
    molecules::compare(&mut comparisons, quick)?;
    other::tori(&mut comparisons)?;
    section_6::compare(&mut comparisons, options, observer)?;
    let grids = section_6::other_grids();
    cause::find(&mut comparisons, &grids.each_ref().map(|grid| Change::After(grid)));
    Ok(comparisons)
}
