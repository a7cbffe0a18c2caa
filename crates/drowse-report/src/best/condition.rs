//! Conditions on the figures of a table.

use drowse_tables::question::condition::{self, Term};

use crate::best::figure::Figure;
use crate::error::ReportError;
use crate::study::Study;
use crate::table::Table;

/// What cases must keep.
#[derive(Debug)]
pub struct Condition(Vec<(Term, Figure)>);

/// A bound that a case does not keep.
#[derive(Clone, Debug)]
pub struct Missed {
    /// The figure.
    pub figure: Figure,
    /// What the figure is compared with.
    pub bound: f64,
    /// The figure of the case.
    pub value: f64,
}

impl Condition {
    /// Reads a condition; a message names the column of the text.
    pub fn parse(text: &str, table: &Table, study: &Study) -> Result<Self, ReportError> {
        let terms = condition::parse(text).map_err(|wrong| error(text, wrong.start, &wrong.message, &wrong.help))?;
        let found = |term: Term| match Figure::find(table, study, &term.figure) {
            Ok(figure) => Ok((term, figure)),
            Err((message, help)) => Err(error(text, term.start, &message, &help)),
        };
        Ok(Condition(terms.into_iter().map(found).collect::<Result<_, _>>()?))
    }

    /// Returns its terms, and the figure of each.
    pub fn terms(&self) -> &[(Term, Figure)] {
        &self.0
    }

    /// Returns its figures.
    pub fn figures(&self) -> impl Iterator<Item = &Figure> {
        self.0.iter().map(|(_, figure)| figure)
    }

    /// Returns whether a case keeps all terms; a figure that it lacks is not kept.
    pub fn holds(&self, row: usize) -> bool {
        self.0.iter().all(|(term, figure)| figure.of(row).is_some_and(|value| term.holds(value)))
    }

    /// Returns the bounds that a case does not keep, and how far it is from them, as a share of each; `None` for a case
    /// that lacks a figure.
    pub fn missed(&self, row: usize) -> Option<(Vec<Missed>, f64)> {
        let mut missed = Vec::new();
        let mut distance = 0.0;
        for (term, figure) in &self.0 {
            let value = figure.of(row)?;
            if !term.holds(value) {
                let scale = if term.bound == 0.0 { 1.0 } else { term.bound.abs() };
                distance += (value - term.bound).abs() / scale;
                missed.push(Missed { figure: figure.clone(), bound: term.bound, value });
            }
        }
        Some((missed, distance))
    }

    /// Returns the figures of a case that keep their bounds, or not, by less than half the width of their intervals.
    pub fn unsure(&self, row: usize) -> impl Iterator<Item = &Figure> {
        let is_unsure = move |(term, figure): &&(Term, Figure)| {
            let (value, half_width) = (figure.of(row), figure.half_width(row));
            value.zip(half_width).is_some_and(|(value, half_width)| (value - term.bound).abs() < half_width)
        };
        self.0.iter().filter(is_unsure).map(|(_, figure)| figure)
    }
}

/// Makes an error that points into the text.
fn error(text: &str, start: usize, message: &str, help: &str) -> ReportError {
    let column = text[..start].chars().count();
    let help = if help.is_empty() { String::new() } else { format!("\nhelp: {help}") };
    let point = format!("  {text}\n  {}^", " ".repeat(column));
    ReportError::Question(format!("--where:{}: error: {message}\n{point}{help}", column + 1))
}
