//! Totoni et al. 2014: the links that applications use, the bound of savings of section 5, and the savings of its
//! runtime system.
//!
//! The paper does not give its sizes, but for MILC and its likes (4,096 processors, 4 supernodes). Those here were found by
//! search for its printed numbers: a machine of 300 supernodes, or of as many nodes in a torus, with stencils over all of
//! its 307,200 ranks. The numbers that chose them are marked as fitted. Its other numbers stand beside ours, with the
//! reason why they may differ. Left out: figures without numbers.

mod classes;
mod figure_13;
mod machines;
mod molecules;
mod other;
mod section_3;
mod section_5;
mod section_6;
mod shares;
mod small_torus;
mod tori;

use drowse_run::sweep::SweepError;

use crate::cause::{self, Change};
use crate::comparison::Comparison;
use crate::options::{Observer, Options};

/// Compares all numbers; a quick reproduction leaves out cases that take seconds.
pub fn reproduce(options: &Options<'_>, observer: Observer<'_>) -> Result<Vec<Comparison>, SweepError> {
    let quick = options.quick;
    let mut comparisons = Vec::new();
    let stencils = section_3::compare(&mut comparisons)?;
    classes::compare(&mut comparisons, &stencils, quick)?;
    section_5::compare(&mut comparisons)?;
    section_5::capacity(&mut comparisons)?;
    small_torus::compare(&mut comparisons)?;
    other::compare(&mut comparisons, quick)?;
    molecules::compare(&mut comparisons, quick)?;
    tori::compare(&mut comparisons)?;
    let measured = section_6::compare(&mut comparisons, options, observer)?;
    figure_13::compare(&mut comparisons, &measured, quick)?;
    let mut choices =
        [&figure_13::other_grids()[..], &figure_13::other_ranks()[..], &small_torus::choices()[..]].concat();
    choices.extend([molecules::WITH_PME, classes::LARGE_NAMD, figure_13::BY_THE_MODEL].map(str::to_owned));
    let changes: Vec<Change<'_>> = choices.iter().map(|choice| Change::After(choice)).collect();
    cause::find(&mut comparisons, &changes);
    cause::between(&mut comparisons, &molecules::grids());
    Ok(comparisons)
}
