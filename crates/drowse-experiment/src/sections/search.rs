//! `[search]`: the question to which `drowse search` finds the answer among the points of `[sweep]`.

use drowse_tables::question::condition::{self, Term};
use drowse_tables::question::{figure, means_key};
use drowse_tables::schema::CASES;
use schemars::JsonSchema;
use serde::Deserialize;

use super::axis::Axis;
use super::simulation::{RawUnit, UNITS};
use super::{in_range, share};
use crate::diagnostic::Diagnostic;
use crate::keys::{Keys, join};
use crate::node::Node;
use crate::wording::meant;

/// The question that `drowse search` answers with a few of the cases of `[sweep]`: which case is the best. Along keys
/// whose values are a range it bisects; of the others, and of seeds, it runs all values.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SearchKeys {
    /// The figure that should be small, as for `drowse best`.
    #[schemars(extend("default" = MINIMIZE))]
    minimize: Option<String>,
    /// What a case must keep.
    #[serde(rename = "where")]
    #[schemars(extend("examples" = ["slowdown <= 1%"]))]
    condition: Option<String>,
    /// Keys of the sweep: an answer is found for each of their values, all of which are run.
    #[serde(default)]
    #[schemars(extend("examples" = [["network"]]))]
    by: Vec<String>,
    /// How much more than the best one a case may have so that the values beside it are tried, too, as a share: figures
    /// rise and fall a little from value to value. 0 for figures that do not.
    #[schemars(extend("default" = MARGIN))]
    margin: Option<f64>,
    /// What moves in all cases of the sweep: with `flow`, they cost far less. Default: `simulation.unit`.
    #[schemars(extend("examples" = ["flow"]))]
    unit: Option<RawUnit>,
    /// Runs the cases that may be the answer again by packets, and some others: these tell by how much flows are off.
    #[schemars(extend("examples" = ["packet"]))]
    verify: Option<Verifying>,
    /// How many cases are drawn to be run by both, beside those that may be the answer; all, if there are fewer.
    #[schemars(extend("default" = PAIRS), range(min = 1, max = 1_000))]
    pairs: Option<u32>,
}

/// What verifies flows.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, JsonSchema)]
#[serde(rename_all = "kebab-case")]
enum Verifying {
    /// Packets.
    Packet,
}

/// The figure that should be small, unless another is named.
const MINIMIZE: &str = "energy";
/// The margin, unless it is written.
const MARGIN: f64 = 0.005;
/// Cases that are drawn to be run by flows and by packets, unless their number is written.
const PAIRS: u32 = 20;

/// A question about the cases of a sweep.
#[derive(Clone, Debug)]
pub struct Search {
    /// The figure that should be small.
    pub minimize: String,
    /// What a case must keep, as it is written.
    pub condition: Option<String>,
    /// The same, taken apart.
    pub terms: Vec<Term>,
    /// Names of keys of the sweep: an answer is wanted for each of their values.
    pub by: Vec<String>,
    /// How much more than the best one a case may have so that the values beside it are tried, as a share.
    pub margin: f64,
    /// How many cases are drawn to be run by flows and by packets, where packets verify flows.
    pub verified: Option<u32>,
}

impl Search {
    /// Returns whether an answer is wanted for each value of a key.
    pub fn is_by(&self, path: &str) -> bool {
        self.by.iter().any(|name| means_key(name, path))
    }

    /// Returns the names of all figures that are asked for.
    pub fn figures(&self) -> impl Iterator<Item = &str> {
        std::iter::once(self.minimize.as_str()).chain(self.terms.iter().map(|term| term.figure.as_str()))
    }
}

/// What a question may name.
pub struct Known<'a, 't> {
    /// The keys that are varied.
    pub axes: &'a [Axis<'t>],
    /// The names of keys that overrides have given one value.
    pub picked: &'a [String],
    /// Whether cases are compared with a baseline.
    pub has_baseline: bool,
    /// What moves by `[simulation]`, where that is written.
    pub unit: Option<&'a str>,
}

/// Returns what moves in the cases of a sweep by `search.unit`, if that is written.
pub fn unit_of(node: &Node<'_>) -> Option<&'static str> {
    UNITS.into_iter().find(|unit| node.text_of("unit") == Some(*unit))
}

/// Reads the section.
pub fn resolve(node: Node<'_>, known: &Known<'_, '_>, keys: &Keys) -> Result<Search, Diagnostic> {
    if !node.is_table() {
        let help = "write a table, such as [search] with minimize = \"energy\" and where = \"slowdown <= 1%\"";
        return Err(keys.error("search", "`search` is not a table", help));
    }
    let SearchKeys { minimize, condition, by, margin, unit, verify, pairs } = node.read(keys)?;
    let verified = known.verified(unit, verify, pairs, keys)?;
    let margin = share(keys, "search.margin", margin.unwrap_or(MARGIN))?;
    let minimize = minimize.unwrap_or_else(|| MINIMIZE.into());
    known.check_figure(&minimize, "search.minimize", keys)?;
    let terms = match &condition {
        None => Vec::new(),
        Some(text) => condition::parse(text).map_err(|wrong| {
            let message = format!("`search.where`, character {}: {}", character(text, wrong.start), wrong.message);
            keys.error("search.where", message, wrong.help)
        })?,
    };
    terms.iter().try_for_each(|term| known.check_figure(&term.figure, "search.where", keys))?;
    let is_picked = |name: &String| known.picked.iter().any(|path| means_key(name, path));
    let paths: Vec<String> = known.axes.iter().map(Axis::name).collect();
    for (number, name) in by.iter().enumerate().filter(|(_, name)| !is_picked(name)) {
        if !paths.iter().any(|path| means_key(name, path)) {
            let paths: Vec<&str> = paths.iter().map(String::as_str).collect();
            let help = format!("{}keys of this sweep: {}", meant(name, &paths), paths.join(", "));
            let place = join("search.by", &number.to_string());
            return Err(keys.error(&place, format!("no key of the sweep is named `{name}`"), help));
        }
    }
    let by = by.into_iter().filter(|name| paths.iter().any(|path| means_key(name, path))).collect();
    Ok(Search { minimize, condition, terms, by, margin, verified })
}

/// Counts characters up to a byte, from 1.
fn character(text: &str, byte: usize) -> usize {
    text[..byte].chars().count() + 1
}

impl Known<'_, '_> {
    /// Checks what moves, and returns how many cases are drawn where packets verify flows.
    fn verified(
        &self,
        unit: Option<RawUnit>,
        verify: Option<Verifying>,
        pairs: Option<u32>,
        keys: &Keys,
    ) -> Result<Option<u32>, Diagnostic> {
        let is_flow = unit.map_or(self.unit == Some("flow"), |unit| unit == RawUnit::Flow);
        if unit.is_some() && self.unit.is_some_and(|written| (written == "flow") != is_flow) {
            let message = "`search.unit` and `simulation.unit` say that different things move";
            return Err(keys.error("search.unit", message, "leave out one of them"));
        }
        let pairs = in_range(pairs, 1_000, keys, "search.pairs")?;
        if verify.is_none() {
            let help = "write verify = \"packet\", or leave it out";
            let alone =
                || keys.error("search.pairs", "`search.pairs` counts what packets verify, and nothing is", help);
            return if pairs.is_some() { Err(alone()) } else { Ok(None) };
        }
        if !is_flow {
            let help = "write unit = \"flow\", or leave out search.verify";
            return Err(keys.error("search.verify", "packets verify flows, but these cases are by packets", help));
        }
        if let Some(axis) = self.axes.iter().map(Axis::name).find(|name| name.starts_with("simulation")) {
            let message = format!("packets cannot verify a sweep over `{axis}`, which says how flows move");
            return Err(keys.error("search.verify", message, "leave out one of both"));
        }
        Ok(Some(pairs.unwrap_or(PAIRS)))
    }

    /// Refuses a figure that no case can have.
    fn check_figure(&self, name: &str, place: &str, keys: &Keys) -> Result<(), Diagnostic> {
        if self.axes.iter().any(|axis| axis.name() == name) {
            return Ok(());
        }
        if !figure::is_known(name) {
            let columns = CASES.columns.iter().map(|column| column.name);
            let known: Vec<&str> = figure::words().chain(columns).collect();
            let words: Vec<&str> = figure::words().collect();
            let all = format!("short names: {}; all others are columns of cases.csv", words.join(", "));
            let help = format!("{}{all}", meant(name, &known));
            return Err(keys.error(place, format!("no figure is named `{name}`"), help));
        }
        if figure::needs_baseline(name) && !self.has_baseline {
            let message = format!("`{name}` needs a baseline, and this sweep has none");
            return Err(keys.error(place, message, "write baseline = \"always-on\" into [sweep]"));
        }
        Ok(())
    }
}
