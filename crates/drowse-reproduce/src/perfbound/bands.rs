//! What each choice that the paper leaves open does to the means over the programs that it has, too.

use super::condition::{AS_TRACED, CHOICES, COMPUTATION, Condition};
use super::figure::Bounded::{DynamicFastwake, PerfBound};
use super::figure::Figure;
use super::measured::Curves;
use super::rows::mean;
use crate::comparison::Comparison;

const FIGURES: [(Figure, &str); 3] = [
    (Figure::Overhead(PerfBound), "mean overhead of PerfBound at 1 %"),
    (Figure::Overhead(DynamicFastwake), "mean overhead of DynamicFastwake at 1 %"),
    (Figure::LessEdp, "mean energy-delay product of DynamicFastwake below PerfBound's at 1 %"),
];

/// Makes the rows of all choices that were run, all as traced before them.
pub fn comparisons(curves: &[Curves]) -> Vec<Comparison> {
    let of_choice = |condition: &Condition| curves.iter().any(|curves| curves.condition == condition);
    let run: Vec<&Condition> = CHOICES.iter().chain(&COMPUTATION).filter(|condition| of_choice(condition)).collect();
    let base = (!run.is_empty()).then_some(&AS_TRACED);
    base.into_iter().chain(run).flat_map(|condition| rows(condition, curves)).collect()
}

fn rows(condition: &Condition, curves: &[Curves]) -> Vec<Comparison> {
    let chosen = |curves: &&Curves| curves.condition == condition && curves.program.is_shared();
    let curves: Vec<&Curves> = curves.iter().filter(chosen).collect();
    let row = |(figure, quantity): (Figure, &'static str)| {
        let values: Vec<f64> = curves.iter().filter_map(|curves| figure.of(curves)).collect();
        let how = format!("over {} programs that the paper has, too; all else as traced", values.len());
        (!values.is_empty()).then(|| Comparison::own(condition.band(), quantity, "%", mean(&values), how))
    };
    FIGURES.into_iter().filter_map(row).collect()
}
