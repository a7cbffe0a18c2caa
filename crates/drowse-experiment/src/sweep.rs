//! The cases of an experiment with `[sweep]`: the product of the values of all keys, the last key fastest, and what each
//! is compared with.

use std::sync::Arc;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::case::Case;
use super::diagnostic::Diagnostic;
use super::document;
use super::grid::Grid;
use super::keys::Keys;
use super::kinds::Kinds;
use super::load::{Networks, resolve_case};
use super::node::Node;
use super::sections::axis::Axis;
use super::sections::baseline::{Baseline, Set};
use super::sections::points::Points;
use super::sections::search::{self, Known, Search};
use super::sections::sweep::{Section, resolve};
use super::source::Source;

/// Values of a point that a message names; more would bury it.
const MOST_NAMED: usize = 8;

/// An experiment that stands for many cases; without `[sweep]` for one.
///
/// ```
/// use std::path::Path;
/// use std::sync::Arc;
///
/// use drowse_experiment::{Source, Sweep};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let text = r#"
///     network = { kind = "torus", dims = [4, 4] }
///     traffic = { pattern = "uniform", load = 0.1, warmup = "1 us", measure = "2 us" }
///     sweep = { "network.dims" = [[4, 4], [8, 8]], "traffic.load" = [0.1, 0.2, 0.3] }
/// "#;
/// let source = Arc::new(Source::new(Path::new("sizes.toml"), text.into(), &[])?);
/// let sweep = Sweep::new(&source)?;
/// // All pairs of two sizes and three loads; the last key is the fastest.
/// assert_eq!(sweep.cases(), 2 * 3);
/// assert_eq!(sweep.describe(4), "network.dims = [8, 8], traffic.load = 0.2");
/// assert_eq!(sweep.case(4)?.system.network.nodes, 64);
/// # Ok(())
/// # }
/// ```
pub struct Sweep<'s> {
    source: &'s Arc<Source>,
    root: DeTable<'s>,
    axes: Vec<Axis<'s>>,
    points: Points,
    baseline: Option<Baseline<'s>>,
    networks: Networks,
    kinds: Kinds,
    /// Which case is looked for, where that is written.
    pub search: Option<Search>,
    /// The experiment as TOML, overrides put in and the sweep left in it, at its end and in its order.
    pub experiment: String,
}

impl<'s> Sweep<'s> {
    /// Reads the sweep of an experiment; its cases are resolved one by one, later.
    pub fn new(source: &'s Arc<Source>) -> Result<Self, Diagnostic> {
        Sweep::of(source, Kinds::default())
    }

    /// Reads the sweep of an experiment that may name these kinds.
    pub fn of(source: &'s Arc<Source>, kinds: Kinds) -> Result<Self, Diagnostic> {
        Sweep::reading(source, kinds, false)
    }

    /// Reads the same sweep with all cases by packets, whatever it says of flows: as one that `search.verify` has
    /// verified.
    pub fn by_packets(source: &'s Arc<Source>, kinds: Kinds) -> Result<Self, Diagnostic> {
        Sweep::reading(source, kinds, true)
    }

    fn reading(source: &'s Arc<Source>, kinds: Kinds, by_packets: bool) -> Result<Self, Diagnostic> {
        let mut table = document::parse_table(source)?;
        let keys = Keys::new(Arc::clone(source), &table, Arc::clone(&kinds.schema));
        if by_packets {
            leave_out_flows(&mut table);
        }
        let mut root = Node::root(table);
        let written = root.text_below("simulation", "unit").map(str::to_owned);
        let Section { axes, picked, points, baseline, text } = match root.take("sweep") {
            Some(sweep) => resolve(sweep, &keys)?,
            None => Section::none(),
        };
        let experiment = root.to_toml() + &text;
        let search = root.take("search");
        let unit = search.as_ref().and_then(search::unit_of);
        let (has_baseline, written) = (baseline.is_some(), written.as_deref());
        let known = Known { axes: &axes, picked: &picked, has_baseline, unit: written };
        let search = search.map(|search| search::resolve(search, &known, &keys)).transpose()?;
        let DeValue::Table(mut root) = root.into_value().into_inner() else {
            return Err(source.error("this is no table", ""));
        };
        if let Some(unit) = unit.filter(|_| written.is_none()) {
            let place = keys.place_of("search.unit");
            let value = Spanned::new(place.clone(), DeValue::String(unit.into()));
            let entry = (Spanned::new(place.clone(), "unit".into()), value);
            document::put(source, &["simulation".into(), "unit".into()], &place, &mut root, entry)?;
        }
        Ok(Sweep { source, root, axes, points, baseline, networks: Networks::default(), kinds, search, experiment })
    }

    /// Returns the experiment's title, or the name of its file.
    pub fn title(&self) -> String {
        let title = self.root.get("title").and_then(|title| title.get_ref().as_str());
        title.map_or_else(|| self.source.name(), str::to_owned)
    }

    /// Makes an error that concerns the file as a whole.
    pub fn error(&self, message: impl Into<String>, help: impl Into<String>) -> Diagnostic {
        self.source.error(message, help)
    }

    /// Returns the cases as places on a grid.
    pub fn grid(&self) -> Grid<'_> {
        Grid::new(&self.axes, &self.points)
    }

    /// Returns the number of cases.
    pub fn cases(&self) -> u64 {
        self.points.len()
    }

    /// Returns the paths of the keys that are varied, in their order.
    pub fn paths(&self) -> Vec<String> {
        self.axes.iter().map(Axis::name).collect()
    }

    /// Returns the values of a key by its number in [`Sweep::paths`].
    pub fn values(&self, axis: usize) -> impl Iterator<Item = String> {
        let axis = &self.axes[axis];
        (0..axis.count()).map(move |index| axis.text(index))
    }

    /// Returns the values of a case by its number from 0, one per key.
    pub fn point(&self, case: u64) -> Vec<String> {
        self.points.indexes(case).iter().zip(&self.axes).map(|(&index, axis)| axis.text(index)).collect()
    }

    /// Resolves a case by its number from 0; a message of what is wrong names the case.
    pub fn case(&self, case: u64) -> Result<Case, Diagnostic> {
        self.resolve(case, &[]).map_err(|error| self.naming(case, error))
    }

    /// Returns what a case is compared with, by its number from 0.
    pub fn baseline(&self, number: u64, case: &Case) -> Result<Option<Case>, Diagnostic> {
        let baseline = match &self.baseline {
            None => return Ok(None),
            Some(Baseline::AlwaysOn) => Ok(case.always_on()),
            Some(Baseline::Keys(sets)) => self.resolve(number, sets),
        };
        baseline.map(Some).map_err(|error| self.naming(number, error))
    }

    /// Returns what baselines are called; `None` without one.
    pub fn baseline_name(&self) -> Option<&'static str> {
        self.baseline.as_ref().map(Baseline::name)
    }

    /// Returns the values that the baseline of a case has, one per key; empty for keys that it does not have.
    pub fn baseline_point(&self, case: u64) -> Vec<String> {
        let point = self.point(case);
        let Some(baseline) = &self.baseline else { return point };
        let value = |(axis, value): (&Axis<'s>, String)| baseline.value(&axis.path, value, self.source);
        self.axes.iter().zip(point).map(value).collect()
    }

    /// Resolves a case, with some more keys set.
    fn resolve(&self, case: u64, sets: &[Set<'s>]) -> Result<Case, Diagnostic> {
        let indexes = self.points.indexes(case);
        // Texts of ranges, which are written nowhere: the tree borrows them.
        let texts: Vec<String> = indexes.iter().zip(&self.axes).map(|(&index, axis)| axis.toml(index)).collect();
        let mut root: DeTable<'_> = self.root.clone();
        for ((axis, index), text) in self.axes.iter().zip(indexes).zip(&texts) {
            let place = axis.place(index);
            let value = match axis.resolved(index) {
                Some(value) => value,
                None => counted(text, self.source, place.clone())?,
            };
            let last = axis.path.last().map(String::as_str).unwrap_or_default();
            let key = Spanned::new(axis.key.clone(), last.into());
            document::put(self.source, &axis.path, &axis.key, &mut root, (key, value))?;
        }
        for set in sets {
            document::put(self.source, &set.path, &set.place, &mut root, set.entry.clone())?;
        }
        let (root, keys) = document::finish(self.source, root, Arc::clone(&self.kinds.schema))?;
        resolve_case(root, keys, &self.kinds.lists, &self.networks)
    }

    /// Adds to a message which case it is about.
    pub fn naming(&self, case: u64, mut error: Diagnostic) -> Diagnostic {
        if self.axes.is_empty() {
            return error;
        }
        let named = format!("this is case {} of {}: {}", case + 1, self.cases(), self.describe(case));
        error.help = if error.help.is_empty() { named } else { format!("{}\n{named}", error.help) };
        error
    }

    /// Names the values of a case, such as `network.trunk = 4, seed = 1`.
    pub fn describe(&self, case: u64) -> String {
        let values = self.points.indexes(case);
        let set = |(axis, &index): (&Axis<'_>, &u64)| format!("{} = {}", axis.name(), axis.toml(index));
        let mut named: Vec<String> = self.axes.iter().zip(&values).take(MOST_NAMED).map(set).collect();
        if self.axes.len() > MOST_NAMED {
            named.push("...".into());
        }
        named.join(", ")
    }
}

/// Parses the text of a range's value, and says that it stands where the range is written.
fn counted<'t>(
    text: &'t str,
    source: &Source,
    place: std::ops::Range<usize>,
) -> Result<Spanned<DeValue<'t>>, Diagnostic> {
    match DeValue::parse(text) {
        Ok(value) => Ok(Spanned::new(place, value.into_inner())),
        Err(error) => Err(source.error_at(&place, format!("`{text}` is no TOML: {}", error.message()), "")),
    }
}

/// Takes out all that says how flows move.
fn leave_out_flows(root: &mut DeTable<'_>) {
    root.remove("simulation");
    if let Some(DeValue::Table(search)) = root.get_mut("search").map(Spanned::get_mut) {
        ["unit", "verify", "pairs"].into_iter().for_each(|key| drop(search.remove(key)));
    }
}
