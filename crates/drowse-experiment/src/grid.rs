//! The cases of a sweep as places on a grid, whose dimensions are keys, or groups of keys that go together.

use toml::Spanned;
use toml::de::DeValue;

use super::sections::axis::Axis;
use super::sections::points::Points;

/// The cases of a sweep as places on a grid.
pub struct Grid<'a> {
    /// The dimensions; the last is the fastest in the order of the cases.
    pub dimensions: Vec<Dimension>,
    points: &'a Points,
    /// The dimension and the values of a key that sets the policy to the oracle.
    oracles: Vec<(usize, Vec<u64>)>,
}

/// A dimension of the grid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dimension {
    /// The number of values.
    pub count: u64,
    /// What they are.
    pub values: Values,
    /// The keys that have them.
    pub paths: Vec<String>,
}

/// The values of a dimension.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Values {
    /// Any, in no order.
    Listed,
    /// Numbers of a range, in their order.
    Numbers,
    /// Seeds: cases that differ in these only are one.
    Seeds,
}

impl<'a> Grid<'a> {
    /// Makes the grid of points of these keys.
    pub(super) fn new(axes: &[Axis<'_>], points: &'a Points) -> Self {
        let dimension = |(group, &count): (usize, &u64)| {
            let members =
                || axes.iter().zip(points.groups()).filter(move |(_, of)| **of == group).map(|(axis, _)| axis);
            let is_seed = |axis: &Axis<'_>| axis.path.last().is_some_and(|name| name == "seed");
            let values = if members().all(is_seed) {
                Values::Seeds
            } else if members().any(Axis::is_range) {
                Values::Numbers
            } else {
                Values::Listed
            };
            Dimension { count, values, paths: members().map(Axis::name).collect() }
        };
        let dimensions = points.counts().iter().enumerate().map(dimension).collect();
        let oracles = axes.iter().zip(points.groups()).map(|(axis, &group)| (group, oracles(axis)));
        Grid { dimensions, points, oracles: oracles.filter(|(_, values)| !values.is_empty()).collect() }
    }

    /// Returns the case that has a value of each dimension; `None` where it is left out.
    pub fn case(&self, values: &[u64]) -> Option<u64> {
        self.points.at(values)
    }

    /// Returns whether the sweep sets the policy to the oracle there.
    pub fn is_oracle(&self, values: &[u64]) -> bool {
        self.oracles.iter().any(|(dimension, oracles)| oracles.contains(&values[*dimension]))
    }
}

/// Returns the numbers of a key's values that set the policy to the oracle, where it has others.
fn oracles(axis: &Axis<'_>) -> Vec<u64> {
    let is_oracle = |index: &u64| {
        let kind = axis.listed(*index).map(Spanned::get_ref);
        let kind = match (axis.name().as_str(), kind) {
            ("power.policy", Some(DeValue::Table(policy))) => policy.get("kind").map(Spanned::get_ref),
            ("power.policy.kind", kind) => kind,
            _ => None,
        };
        kind.and_then(DeValue::as_str) == Some("oracle")
    };
    if axis.count() > 1 { (0..axis.count()).filter(is_oracle).collect() } else { Vec::new() }
}
