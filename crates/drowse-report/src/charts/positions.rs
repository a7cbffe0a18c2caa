//! A heat map of the links of a grid: each dimension by the position of the sending switch in it.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use super::channels::{self, Sums};
use super::spec::{new, ramp};
use super::{Chart, links};
use crate::endpoint::Endpoint;
use crate::results::Results;
use crate::study::Study;

const KIND: &str = "positions";

/// Draws the links of a network whose classes are dimensions.
pub fn chart(results: &Results, study: &Study) -> Option<Chart> {
    let table = results.channels.as_ref()?;
    let dims = dims(&results.manifest.experiment)?;
    let figures = channels::figures(table);
    figures.first()?;
    let mut cells: BTreeMap<(usize, usize, usize), Sums> = BTreeMap::new();
    for (way, sums) in channels::directions(table, study, &figures) {
        let (Endpoint::Switch(from), Some(dimension)) = (way.from, dimension(way.class)) else { continue };
        if matches!(way.to, Endpoint::Switch(_)) {
            let position = position(&dims, from, dimension)?;
            cells.entry((way.case, dimension, position)).or_default().add(&sums);
        }
    }
    let rows = cells.into_iter().map(|((case, dimension, position), sums)| {
        let mut row = Map::new();
        row.insert("n".into(), json!(case));
        row.insert("case".into(), json!(study.cases[case].label));
        row.insert("dimension".into(), json!(dimension));
        row.insert("position".into(), json!(position));
        sums.write(&figures, &mut row);
        Value::Object(row)
    });
    let rows: Vec<Value> = rows.collect();
    (rows.len() > 1).then_some(())?;
    let mut spec = new(KIND, 0);
    spec["height"] = json!({ "step": 26 });
    spec["params"] = links::params(study, &rows, &figures);
    spec["transform"] = json!([{ "filter": "datum.case == shown" }, { "calculate": "datum[figure]", "as": "value" }]);
    spec["mark"] = json!({ "type": "rect" });
    let labels = json!({ "labelOverlap": true, "labelAngle": 0 });
    let axis = |field: &str, words: &str| json!({ "field": field, "type": "ordinal", "title": words, "axis": labels });
    spec["encoding"] = json!({
        "x": axis("position", "position of the sending switch in the dimension"),
        "y": axis("dimension", "dimension"),
        "color": ramp("value"),
        "tooltip": [
            { "field": "dimension", "title": "dimension" }, { "field": "position", "title": "position" },
            { "field": "value", "title": "value" },
        ],
    });
    Some(Chart {
        kind: KIND,
        title: "Links by dimension and position".into(),
        caption: "A mean over all channels of a dimension that begin at a position. Dark is little, bright is much."
            .into(),
        wide: false,
        spec,
        rows,
        most_cases: None,
    })
}

/// Returns the switches of each dimension of an experiment whose network has dimensions.
fn dims(experiment: &str) -> Option<Vec<usize>> {
    let parsed = experiment.parse::<toml::Table>().ok()?;
    let dims = parsed.get("network")?.get("dims")?.as_array()?;
    dims.iter().map(|size| usize::try_from(size.as_integer()?).ok().filter(|&size| size > 0)).collect()
}

/// Returns the dimension of a link class, such as `dim-1`.
fn dimension(class: &str) -> Option<usize> {
    class.strip_prefix("dim-")?.parse().ok()
}

/// Returns the position of a switch in a dimension; the first dimension counts fastest.
fn position(dims: &[usize], switch: usize, dimension: usize) -> Option<usize> {
    let stride: usize = dims.get(..dimension)?.iter().product();
    Some(switch / stride % dims.get(dimension)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Switch 23 of a torus of 4 x 3 x 2 is 3 + 4 * (2 + 3 * 1).
    #[test]
    fn positions_count_the_first_dimension_fastest() {
        let found: Vec<_> = (0..3).map(|dimension| position(&[4, 3, 2], 23, dimension)).collect();
        assert_eq!(found, [Some(3), Some(2), Some(1)]);
        assert_eq!((dimension("dim-2"), dimension("node")), (Some(2), None));
        assert_eq!(dims("[network]\nkind = \"torus\"\ndims = [4, 3]\n"), Some(vec![4, 3]));
        assert_eq!(dims("[network]\nkind = \"graph\"\n"), None);
    }
}
