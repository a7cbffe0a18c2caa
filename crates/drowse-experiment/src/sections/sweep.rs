//! `[sweep]`: the keys that are varied, and their values.
//!
//! Each key is a path as for `--set`, quoted (`"power.policy.deep"`) or not; its values are a list, or an exact decimal
//! range `{ from, to, step }` or `{ from, to, factor }`. A key that an override sets is not varied: so `--set` picks one
//! value. Which points there are is read in `points.rs`, what they are compared with in `baseline.rs`.

use schemars::JsonSchema;
use toml::de::{DeTable, DeValue};

use super::axis::Axis;
use super::baseline::{Baseline, BaselineKeys};
use super::points::{ExceptKeys, Points};
use super::sweep_text::{self, Others};
use crate::diagnostic::Diagnostic;
use crate::keys::{Keys, join};
use crate::node::Node;
use crate::source::Source;

/// The keys that are varied: each path of a key, in quotes (`"power.policy.deep"`) or as tables, has a list of values
/// or a range `{ from = 0.1, to = 0.9, step = 0.1 }` or `{ from = "1 us", to = "1000 us", factor = 10 }`. A case is run
/// for each combination. A value that is a table may have a `name`, by which results call it; it changes no result.
#[derive(JsonSchema)]
#[expect(dead_code, reason = "only its schema is used: ranges are exact decimal numbers")]
pub struct SweepKeys {
    /// What each case is compared with: `"always-on"`, the same case with all links on, or a table of keys that the
    /// baseline sets otherwise, their paths in quotes. Each baseline is run once.
    baseline: Option<BaselineKeys>,
    /// Groups of keys whose values go together, the first with the first: `[["network.dims", "network.nodes"]]`.
    zip: Option<Vec<Vec<String>>>,
    /// Points that are left out: each table names values of keys, and a point that has them all is not run.
    except: Option<Vec<ExceptKeys>>,
    #[serde(flatten)]
    varied: std::collections::BTreeMap<String, ValueKeys>,
}

/// The values of a key that is varied.
#[derive(JsonSchema)]
#[serde(untagged)]
#[expect(dead_code, reason = "only its schema is used")]
enum ValueKeys {
    /// A list.
    List(Vec<serde_json::Value>),
    /// A range, or a table of keys.
    Table(serde_json::Map<String, serde_json::Value>),
}

/// The section, read.
pub struct Section<'t> {
    /// The keys that are varied, in the order in which they are written.
    pub axes: Vec<Axis<'t>>,
    /// The names of keys that overrides have given one value.
    pub picked: Vec<String>,
    /// Which combinations of their values there are.
    pub points: Points,
    /// What each case is compared with.
    pub baseline: Option<Baseline<'t>>,
    /// The section as TOML, its keys in their order, without those that overrides have given one value.
    pub text: String,
}

impl Section<'_> {
    /// Returns what an experiment without the section has: one case.
    pub const fn none() -> Self {
        Section { axes: Vec::new(), picked: Vec::new(), points: Points::one(), baseline: None, text: String::new() }
    }
}

/// Reads the section.
pub fn resolve<'t>(node: Node<'t>, keys: &Keys) -> Result<Section<'t>, Diagnostic> {
    let DeValue::Table(mut table) = node.into_value().into_inner() else {
        let help = "write keys and their values, such as \"power.policy.deep\" = [\"10 us\", \"50 us\"]";
        return Err(keys.error("sweep", "`sweep` is not a table", help));
    };
    let source = keys.source();
    let [baseline, zip, except] = ["baseline", "zip", "except"].map(|name| table.remove(name));
    let mut axes = Vec::new();
    collect(&mut axes, "", &table, source)?;
    axes.sort_by_key(|axis| axis.key.start);
    check_paths(&axes, source)?;
    let set = |axis: &Axis<'_>| source.overrides().iter().any(|set| set.path == axis.path);
    let picked: Vec<Axis<'_>> = axes.extract_if(.., |axis| set(axis)).collect();
    let picked: Vec<String> = picked.iter().map(Axis::name).collect();
    let points = Points::read(&axes, &picked, zip.as_ref(), except.as_ref(), keys)?;
    let others = Others { baseline: baseline.as_ref(), zip: zip.as_ref(), except: except.as_ref() };
    let text = sweep_text::text(&axes, &picked, &others);
    let baseline = baseline.map(|value| Baseline::read(value, source)).transpose()?;
    Ok(Section { axes, picked, points, baseline, text })
}

/// Adds the keys of a table, and of the tables in it that are no ranges.
fn collect<'t>(axes: &mut Vec<Axis<'t>>, outer: &str, table: &DeTable<'t>, source: &Source) -> Result<(), Diagnostic> {
    for (key, value) in table {
        let path = join(outer, key.get_ref());
        match value.get_ref() {
            DeValue::Table(inner) if !is_range(inner) => collect(axes, &path, inner, source)?,
            _ => axes.push(Axis::read(&path, key, value, source)?),
        }
    }
    Ok(())
}

fn is_range(table: &DeTable<'_>) -> bool {
    table.keys().any(|key| ["from", "to", "step"].contains(&key.get_ref().as_ref()))
}

/// Refuses a key that would replace what another key sets.
fn check_paths(axes: &[Axis<'_>], source: &Source) -> Result<(), Diagnostic> {
    for (index, axis) in axes.iter().enumerate() {
        let clash = |other: &&Axis<'_>| other.path.starts_with(&axis.path) || axis.path.starts_with(&other.path);
        if let Some(other) = axes[..index].iter().find(clash) {
            let message = format!("`{}` and `{}` set the same key", other.name(), axis.name());
            return Err(source.error_at(&axis.key, message, "vary one of them"));
        }
    }
    Ok(())
}
