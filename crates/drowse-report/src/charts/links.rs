//! A heat map of the links between switches: who sends, who receives; by groups where there are many, or in blocks.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use super::Chart;
use super::channels::{self, Sums, Way};
use super::spec::{choice, new, ramp};
use crate::endpoint::Endpoint;
use crate::results::Results;
use crate::study::Study;

const KIND: &str = "links";
/// The most rows of a heat map.
const MOST_BLOCKS: usize = 64;

/// The channels of one class from a switch to another.
type Between<'a> = (&'a Way<'a>, [usize; 2], &'a Sums);

/// What a row of the heat map stands for.
struct Blocks {
    /// The switches of a row.
    size: usize,
    /// The difference between the numbers of two rows.
    step: usize,
    /// What these numbers count.
    what: &'static str,
}

impl Blocks {
    /// A row a switch where there are few, a row a group where link classes tell groups, else a row some switches.
    fn of(between: &[Between<'_>], switches: usize) -> Self {
        let blocks = |size, step, what| Blocks { size, step, what };
        match group(between, switches) {
            _ if switches <= MOST_BLOCKS => blocks(1, 1, "switch"),
            Some(group) => {
                let together = (switches / group).div_ceil(MOST_BLOCKS);
                blocks(group * together, together, "group")
            }
            None => blocks(switches.div_ceil(MOST_BLOCKS), switches.div_ceil(MOST_BLOCKS), "switch"),
        }
    }

    fn title(&self, words: &str) -> String {
        if self.step == 1 {
            format!("{words} {}", self.what)
        } else {
            format!("{words} {}, first of {}", self.what, self.step)
        }
    }
}

/// Returns the switches of each group, where groups are of equally many consecutive switches: only global links leave them.
fn group(between: &[Between<'_>], switches: usize) -> Option<usize> {
    let is_global = |between: &&Between<'_>| between.0.class == "global";
    between.iter().find(is_global)?;
    // Whether a switch is of the same group as the one before.
    let mut joined = vec![false; switches];
    for (_, [from, to], _) in between.iter().filter(|between| !is_global(between)) {
        joined[from.min(to) + 1..=*from.max(to)].fill(true);
    }
    let firsts: Vec<usize> = (0..switches).filter(|&switch| !joined[switch]).collect();
    let size = *firsts.get(1)?;
    let equal = switches.is_multiple_of(size) && firsts.iter().copied().eq((0..switches).step_by(size));
    equal.then_some(size)
}

/// Draws the links between switches.
pub fn chart(results: &Results, study: &Study) -> Option<Chart> {
    let table = results.channels.as_ref()?;
    let figures = channels::figures(table);
    figures.first()?;
    let directions = channels::directions(table, study, &figures);
    let between = directions.iter().filter_map(|(way, sums)| match (way.from, way.to) {
        (Endpoint::Switch(from), Endpoint::Switch(to)) => Some((way, [from, to], sums)),
        _ => None,
    });
    let between: Vec<_> = between.collect();
    let switches = between.iter().flat_map(|(_, ends, _)| *ends).max()? + 1;
    let blocks = Blocks::of(&between, switches);
    let mut cells: BTreeMap<(usize, [usize; 2]), Sums> = BTreeMap::new();
    for (way, ends, sums) in between {
        cells.entry((way.case, ends.map(|switch| switch / blocks.size * blocks.step))).or_default().add(sums);
    }
    let rows = cells.into_iter().map(|((case, [from, to]), sums)| {
        let mut row = Map::new();
        row.insert("n".into(), json!(case));
        row.insert("case".into(), json!(study.cases[case].label));
        row.insert("from".into(), json!(from));
        row.insert("to".into(), json!(to));
        sums.write(&figures, &mut row);
        Value::Object(row)
    });
    let rows: Vec<Value> = rows.collect();
    let mut spec = new(KIND, 420);
    spec["usermeta"] = json!({ "aspect": 1.0, "widest": 560 });
    spec["params"] = params(study, &rows, &figures);
    spec["transform"] = json!([{ "filter": "datum.case == shown" }, { "calculate": "datum[figure]", "as": "value" }]);
    spec["mark"] = json!({ "type": "rect" });
    let axis = |field: &str, words: &str| {
        let title = blocks.title(words);
        json!({ "field": field, "type": "ordinal", "title": title, "axis": { "labelOverlap": true, "labelAngle": 0 } })
    };
    spec["encoding"] = json!({
        "x": axis("to", "receiving"),
        "y": axis("from", "sending"),
        "color": ramp("value"),
        "tooltip": [
            { "field": "from", "title": format!("from {}", blocks.what) },
            { "field": "to", "title": format!("to {}", blocks.what) },
            { "field": "value", "title": "value" },
        ],
    });
    let caption =
        format!("A mean over the channels from one {} to another. Dark is little, bright is much.", blocks.what);
    Some(Chart {
        kind: KIND,
        title: "Links between switches".into(),
        caption,
        wide: false,
        spec,
        rows,
        most_cases: None,
    })
}

/// Makes the choices of figure and case.
pub fn params(study: &Study, rows: &[Value], figures: &[channels::Figure]) -> Value {
    let fields: Vec<(String, String)> =
        figures.iter().map(|figure| (figure.field.clone(), figure.words.clone())).collect();
    json!([choice("figure", "colour", &fields), shown_case(study, rows)])
}

/// Makes the choice of the case that is shown; there is none to choose where there is one.
pub fn shown_case(study: &Study, rows: &[Value]) -> Value {
    let has_rows = |n: usize| rows.iter().any(|row| row["n"] == n);
    let cases: Vec<(String, String)> = (0..study.cases.len())
        .filter(|&n| has_rows(n))
        .map(|n| (study.cases[n].label.clone(), study.cases[n].label.clone()))
        .collect();
    if cases.len() == 1 { json!({ "name": "shown", "value": cases[0].0 }) } else { choice("shown", "case", &cases) }
}
