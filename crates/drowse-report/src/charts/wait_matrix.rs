//! Who waits for whom: a heat map of ranks, or of groups of ranks where there are many.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use super::rank_numbers::{RankNumbers, rank};
use super::spec::{choice, new, ramp};
use super::waits::CAUSES;
use super::{Chart, links};
use crate::results::Results;
use crate::study::Study;
use crate::table::Table;
use crate::units::{self, Unit};

const KIND: &str = "wait-matrix";
/// The most rows of the heat map.
const MOST_BLOCKS: usize = 64;

/// The waits of a cell: in all, then by cause.
type Sums = [f64; 6];

/// Draws how long ranks have waited for each other.
pub fn chart(results: &Results, study: &Study) -> Option<Chart> {
    let table = results.wait_matrix.as_ref()?;
    let numbers = RankNumbers::of(table, &["rank", "partner"]);
    let block = numbers.most.div_ceil(MOST_BLOCKS).max(1);
    let cells = read(table, study, &numbers, block);
    let unit = units::time(cells.values().map(|sums| sums[0]).fold(0.0, f64::max));
    let fields = fields(&cells, unit);
    let rows: Vec<Value> = cells.iter().map(|(&at, sums)| cell(study, (at, sums), &fields, unit)).collect();
    (!rows.is_empty()).then_some(())?;
    let several = block > 1;
    let title = |words: &str| if several { format!("{words}, first of {block}") } else { words.to_owned() };
    let axis = |field: &str, words: &str| {
        let labels = json!({ "labelOverlap": true, "labelAngle": 0 });
        json!({ "field": field, "type": "ordinal", "title": title(words), "axis": labels })
    };
    let mut spec = new(KIND, 420);
    spec["usermeta"] = json!({ "aspect": 1.0, "widest": 560 });
    spec["params"] = json!([choice("figure", "colour", &fields), links::shown_case(study, &rows)]);
    spec["transform"] = json!([{ "filter": "datum.case == shown" }, { "calculate": "datum[figure]", "as": "value" }]);
    spec["mark"] = json!({ "type": "rect" });
    spec["encoding"] = json!({
        "x": axis("partner", "waits for rank"),
        "y": axis("rank", "rank"),
        "color": ramp("value"),
        "tooltip": [
            { "field": "rank", "title": title("rank") }, { "field": "partner", "title": title("waits for rank") },
            { "field": "value", "title": format!("waited, {}", unit.name) },
        ],
    });
    let groups = if several {
        format!(" Each row and column stands for {block} ranks, which are summed up.")
    } else {
        String::new()
    };
    Some(Chart {
        kind: KIND,
        title: "Who waits for whom".into(),
        caption: format!(
            "Time that ranks have waited for others, all waits together; waits that no partner ended, such as for a \
             rank's own NIC, are not in it. Ranks of all jobs stand in a row.{groups} Dark is little, bright is much."
        ),
        wide: false,
        spec,
        rows,
        most_cases: None,
    })
}

/// Returns what may be chosen, by its field and its words: all waits, and the causes that there are.
fn fields(cells: &BTreeMap<(usize, usize, usize), Sums>, unit: Unit) -> Vec<(String, String)> {
    let words = std::iter::once("all waits").chain(CAUSES.iter().map(|(words, ..)| *words));
    let some = |place: usize| place == 0 || cells.values().any(|sums| sums[place] > 0.0);
    let named = words.enumerate().filter(|(place, _)| some(*place));
    named.map(|(place, words)| (format!("waited_{place}_{}", unit.field), format!("{words}, {}", unit.name))).collect()
}

fn cell(
    study: &Study,
    ((case, rank, partner), sums): ((usize, usize, usize), &Sums),
    fields: &[(String, String)],
    unit: Unit,
) -> Value {
    let mut row = Map::new();
    row.insert("n".into(), json!(case));
    row.insert("case".into(), json!(study.cases[case].label));
    row.insert("rank".into(), json!(rank));
    row.insert("partner".into(), json!(partner));
    for (place, sum) in sums.iter().enumerate() {
        let field = format!("waited_{place}_{}", unit.field);
        if fields.iter().any(|(known, _)| *known == field) {
            row.insert(field, json!(unit.of(*sum)));
        }
    }
    Value::Object(row)
}

/// Sums up the waits of ranks, so many of which stand together: by case, rank and partner.
fn read(
    table: &Table,
    study: &Study,
    numbers: &RankNumbers<'_>,
    block: usize,
) -> BTreeMap<(usize, usize, usize), Sums> {
    let [id, job, of, partner, waited] =
        ["case_id", "job", "rank", "partner", "waited_ps"].map(|name| table.place(name));
    let columns = CAUSES.map(|(_, column, _)| table.place(column));
    let mut cells: BTreeMap<(usize, usize, usize), Sums> = BTreeMap::new();
    for row in 0..table.len() {
        let (id, job) = (table.text(row, id), table.text(row, job));
        let number = |column| rank(table, row, column).map(|rank| numbers.number(id, job, rank) / block * block);
        let (Some(case), Some(rank), Some(partner)) = (study.of_id(id), number(of), number(partner)) else { continue };
        let cell = cells.entry((case, rank, partner)).or_default();
        let times = std::iter::once(waited).chain(columns).map(|column| table.number(row, column).unwrap_or(0.0));
        cell.iter_mut().zip(times).for_each(|(sum, time)| *sum += time);
    }
    cells
}
