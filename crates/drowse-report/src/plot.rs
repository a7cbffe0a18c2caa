//! One chart as the user wants it: what is shown, on which scales, in which panels and how wide. All of it changes the
//! chart's specification, so that a picture and the file for other tools say the same.

use serde_json::{Value, json};

use crate::charts::{self, Chart};
use crate::error::ReportError;
use crate::figure::{self, Look};
use crate::results::Results;
use crate::study::Study;

/// More series in one panel cannot be told apart.
const MOST_SERIES: usize = 14;

/// An axis of a chart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Axis {
    /// To the right.
    X,
    /// Upwards.
    Y,
}

impl Axis {
    /// Returns its name in specifications.
    pub fn name(self) -> &'static str {
        match self {
            Axis::X => "x",
            Axis::Y => "y",
        }
    }
}

/// What a user asks of a chart.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Width and size of the font.
    pub look: Look,
    /// Axes on which equal ways are equal ratios.
    pub log: Vec<Axis>,
    /// The ends of axes.
    pub limits: Vec<(Axis, [f64; 2])>,
    /// The key whose values have a panel each: its path, or its last part.
    pub facet: Option<String>,
    /// Words of what is shown where there is a choice, such as a figure or a case.
    pub show: Vec<String>,
}

/// Makes the chart of a kind as the options want it.
pub fn chart(results: &Results, kind: &str, options: &Options) -> Result<Chart, ReportError> {
    let wrong = |reason: String| ReportError::wrong(&results.folder, reason);
    let mut study = Study::new(results);
    let facet = options.facet.as_deref().map(|key| facet(&study, key)).transpose().map_err(wrong)?;
    study.facet.clone_from(&facet);
    let mut chart = charts::named(results, &study, kind)?;
    options.show.iter().try_for_each(|words| show(&mut chart, words)).map_err(wrong)?;
    for axis in &options.log {
        set_scale(&mut chart, *axis, "log", &|scale| scale["type"] = json!("log")).map_err(wrong)?;
    }
    for (axis, ends) in &options.limits {
        let set = |scale: &mut Value| scale["domain"] = json!(ends);
        set_scale(&mut chart, *axis, "limits", &set).map_err(wrong)?;
        if *axis == Axis::Y {
            set_top(&mut chart.spec, ends[1]);
        }
    }
    if let Some(path) = facet {
        in_panels(&mut chart, &study, &path).map_err(wrong)?;
    } else {
        chart.spec["width"] = json!(options.look.width.round());
    }
    Ok(chart)
}

/// Says what of a chart cannot be seen in print.
pub fn warnings(chart: &Chart) -> Vec<String> {
    let series = figure::series(chart);
    let many = series > MOST_SERIES;
    let text =
        format!("{series} series are more than can be told apart; --facet KEY draws a panel for each value of a key");
    many.then_some(text).into_iter().chain(untold(chart)).collect()
}

/// Says which keys marks of cases do not tell apart: they have the colours of one key.
fn untold(chart: &Chart) -> Option<String> {
    let params = chart.spec["params"].as_array()?;
    let colour = params.iter().find(|param| param["name"] == "colour")?;
    let chosen = colour["bind"]["options"].as_array()?.iter().position(|option| *option == colour["value"])?;
    let labels = colour["bind"]["labels"].as_array()?;
    let others = labels.iter().enumerate().filter(|(at, _)| *at != chosen).filter_map(|(_, label)| label.as_str());
    let others: Vec<&str> = others.collect();
    let first = others.first()?;
    let names = others.join(", ");
    Some(format!(
        "marks do not tell apart: {names}; --facet {first} draws a panel for each value, --show {first} colours by it"
    ))
}

/// Finds the key that has panels.
fn facet(study: &Study, name: &str) -> Result<String, String> {
    let is_it = |key: &&crate::keys::Key| key.path == name || key.name == name;
    study.keys.iter().find(is_it).map(|key| key.path.clone()).ok_or_else(|| {
        let known: Vec<&str> = study.keys.iter().map(|key| key.name.as_str()).collect();
        let known = if known.is_empty() { "no key".to_owned() } else { known.join(", ") };
        format!("has no key `{name}` with several values for --facet; it has {known}")
    })
}

/// Chooses the option whose words are these, or the only one that has them.
fn show(chart: &mut Chart, words: &str) -> Result<(), String> {
    let mut known: Vec<String> = Vec::new();
    for param in chart.spec["params"].as_array_mut().into_iter().flatten() {
        let Some(labels) = param["bind"]["labels"].as_array().or(param["bind"]["options"].as_array()) else { continue };
        let labels: Vec<String> = labels.iter().filter_map(Value::as_str).map(str::to_owned).collect();
        let has = |label: &&String| label.to_lowercase().contains(&words.to_lowercase());
        // The whole label, or all of it but its unit.
        let is_it = |label: &String| label == words || label.starts_with(&format!("{words}, "));
        let found = labels.iter().position(is_it).or_else(|| {
            let mut those = labels.iter().enumerate().filter(|(_, label)| has(label));
            those.next().map(|(at, _)| at).filter(|_| those.next().is_none())
        });
        if let Some(place) = found {
            param["value"] = param["bind"]["options"][place].clone();
            return Ok(());
        }
        known.extend(labels);
    }
    let list = if known.is_empty() { "nothing to choose".to_owned() } else { known.join("; ") };
    Err(format!("the chart `{}` has no single choice with the words `{words}`; it has: {list}", chart.kind))
}

/// Changes the scale of an axis wherever it stands.
fn set_scale(chart: &mut Chart, axis: Axis, option: &str, set: &dyn Fn(&mut Value)) -> Result<(), String> {
    let name = axis.name();
    let is_number = |encoding: &Value| encoding[name]["type"] == "quantitative";
    let log = option == "log";
    let mut done = false;
    let mut change = |encoding: &mut Value| {
        if is_number(encoding) {
            let scale = &mut encoding[name]["scale"];
            set(scale);
            let fields = scale.as_object_mut();
            // A given end stands above what would be found, and a logarithm has no zero.
            fields.into_iter().for_each(|fields| {
                fields.remove("zero");
                if !log {
                    fields.remove("domainMax");
                }
            });
            done = true;
        }
    };
    change(&mut chart.spec["encoding"]);
    if let Some(layers) = chart.spec["layer"].as_array_mut() {
        layers.iter_mut().for_each(|layer| change(&mut layer["encoding"]));
    }
    if !chart.spec["encoding"].is_object() || chart.spec["encoding"].as_object().is_some_and(serde_json::Map::is_empty)
    {
        chart.spec.as_object_mut().into_iter().for_each(|fields| _ = fields.remove("encoding"));
    }
    if !done || ["network", "links", "positions"].contains(&chart.kind) {
        return Err(format!("the chart `{}` has no axis {name} of numbers for --{option}", chart.kind));
    }
    clip(&mut chart.spec);
    Ok(())
}

/// Lets the points of saturated cases beyond a value stand there.
fn set_top(spec: &mut Value, top: f64) {
    if let Some(tops) = spec.pointer_mut("/usermeta/tops").and_then(Value::as_object_mut) {
        tops.values_mut().for_each(|value| *value = json!(top));
        let steps = spec["transform"].as_array_mut().into_iter().flatten();
        steps.filter(|step| step["as"] == "shown").for_each(|step| {
            step["calculate"] = json!(format!("min(datum.y, {top})"));
        });
    }
}

/// Cuts off what lies beyond the ends of axes.
fn clip(spec: &mut Value) {
    let of = |mark: &mut Value| {
        if mark["type"].is_string() {
            mark["clip"] = json!(true);
        }
    };
    if spec["mark"].is_object() {
        of(&mut spec["mark"]);
    }
    spec["layer"].as_array_mut().into_iter().flatten().for_each(|layer| of(&mut layer["mark"]));
}

/// Makes a panel for each value of a key.
fn in_panels(chart: &mut Chart, study: &Study, path: &str) -> Result<(), String> {
    const WIDTH: u32 = 260;
    let key = study.keys.iter().find(|key| key.path == path);
    let (Some(key), true) = (key, ["energy", "latency", "accepted", "swept"].contains(&chart.kind)) else {
        return Err(format!(
            "the chart `{}` has no panels for --facet; energy, latency, accepted and swept have",
            chart.kind
        ));
    };
    let Some(fields) = chart.spec.as_object_mut() else { return Ok(()) };
    let mut panel = json!({ "width": WIDTH, "height": fields.remove("height") });
    for part in ["mark", "encoding", "layer"] {
        if let Some(value) = fields.remove(part) {
            panel[part] = value;
        }
    }
    // What is found from row to row, such as the Pareto front, is found in each panel.
    let steps = panel["layer"].as_array_mut().into_iter().flatten();
    for step in steps.filter_map(|layer| layer["transform"].as_array_mut()).flatten() {
        if step["window"].is_array() {
            step["groupby"] = json!([key.field()]);
        }
    }
    fields.remove("width");
    fields.remove("autosize");
    fields.insert(
        "facet".into(),
        json!({
            "field": key.field(), "type": "nominal", "title": key.name, "sort": { "field": "n", "op": "min" },
        }),
    );
    fields.insert("columns".into(), json!(key.distinct().len().min(3)));
    fields.insert("spec".into(), panel);
    Ok(())
}
