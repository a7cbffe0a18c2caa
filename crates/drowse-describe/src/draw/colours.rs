//! Colours of single links by a figure of theirs: from dark for the least to bright for the most.

use crate::palette::RAMP;

/// A figure of the links of a picture.
#[derive(Clone, Debug, PartialEq)]
pub struct Colours {
    /// What the figure is, and its unit.
    pub words: String,
    /// Its value for the links of each trunk.
    pub trunks: Vec<f64>,
    /// Its value for the link of each node.
    pub nodes: Vec<f64>,
}

impl Colours {
    /// Returns the colour of a value.
    pub(super) fn of(&self, value: f64) -> &'static str {
        let [least, most] = self.range();
        let share = if most > least { (value - least) / (most - least) } else { 0.0 };
        let steps = (RAMP.len() - 1) as f64;
        let nearest = (1..RAMP.len()).rev().find(|&step| share * steps >= step as f64 - 0.5);
        RAMP[nearest.unwrap_or(0)]
    }

    /// Returns the least and the largest value.
    pub(super) fn range(&self) -> [f64; 2] {
        let all = || self.trunks.iter().chain(&self.nodes).copied();
        [all().fold(f64::INFINITY, f64::min), all().fold(f64::NEG_INFINITY, f64::max)]
    }

    /// Returns the colours from least to most.
    pub(super) fn scale() -> &'static [&'static str] {
        &RAMP
    }
}
