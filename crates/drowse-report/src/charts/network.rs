//! The network with its links coloured by what they did.

use std::collections::HashMap;

use drowse_describe::draw::{Colours, Diagram, Point, of_experiment};
use drowse_describe::palette::GREY;
use serde_json::{Map, Value, json};

use super::channels::{self, Figure, Sums, Way};
use super::spec::{new, ramp, tooltip};
use super::{Chart, links};
use crate::endpoint::Endpoint;
use crate::error::ReportError;
use crate::results::Results;
use crate::study::Study;

const KIND: &str = "network";
/// The most lines that a page draws.
const MOST_LINES: usize = 3000;
/// Straight pieces of a bent link.
const PIECES: usize = 8;

/// Draws the network of a run.
pub fn chart(results: &Results, study: &Study) -> Option<Chart> {
    let table = results.channels.as_ref()?;
    let figures = channels::figures(table);
    figures.first()?;
    let diagram = diagram(&results.manifest.experiment)?;
    let lines = lines(&diagram);
    (lines.len() <= MOST_LINES).then_some(())?;
    let sums = both_directions(channels::directions(table, study, &figures));
    let mut rows = Vec::new();
    for case in 0..study.cases.len() {
        for (number, line) in lines.iter().enumerate() {
            if let Some(sums) = sums.get(&(case, line.ends, line.class)) {
                rows.extend(points(study, case, number, line, sums, &figures));
            }
        }
    }
    (!rows.is_empty()).then_some(())?;
    let (low, high) = frame(&diagram);
    let size = high - low;
    let mut spec = new(KIND, 420);
    spec["usermeta"] =
        json!({ "aspect": (size.y / size.x).clamp(0.3, 1.2), "widest": if lines.len() > 200 { 900 } else { 560 } });
    spec["params"] = links::params(study, &rows, &figures);
    let axis = |field: &str, from: f64, to: f64| {
        let scale = json!({ "domain": [from, to], "nice": false, "zero": false });
        json!({ "field": field, "type": "quantitative", "axis": null, "scale": scale })
    };
    let (x, y) = (axis("x", low.x, high.x), axis("y", high.y, low.y));
    let (width, dot, large) = match lines.len() {
        0..=200 => (3.5, 60, false),
        201..=700 => (2.0, 30, true),
        _ => (1.0, 10, true),
    };
    let links = json!({
        "transform": [{ "filter": "datum.case == shown" }, { "calculate": "datum[figure]", "as": "value" }],
        "mark": { "type": "line", "interpolate": "cardinal", "strokeCap": "round" },
        "encoding": {
            "x": x, "y": y,
            "detail": { "field": "line" },
            "order": { "field": "order" },
            "strokeWidth": { "condition": { "test": "datum.class == 'node'", "value": width * 0.5 }, "value": width },
            "color": ramp("value"),
            "tooltip": tooltip(&[("between", "between"), ("class", "link class"), ("value", "value")]),
        },
    });
    let switch = |(number, at): (usize, &Point)| json!({ "x": short(at.x), "y": short(at.y), "switch": number });
    let switches = json!({
        "data": { "values": diagram.switches.iter().enumerate().map(switch).collect::<Vec<_>>() },
        "mark": { "type": "circle", "size": dot, "color": GREY, "opacity": 1 },
        "encoding": { "x": x, "y": y, "tooltip": { "field": "switch", "title": "switch" } },
    });
    spec["layer"] = json!([links, switches]);
    Some(Chart {
        kind: KIND,
        title: "The network".into(),
        caption: format!(
            "{}. A mean over both directions of parallel links. Dark is little, bright is much.",
            diagram.subtitle
        ),
        wide: large,
        spec,
        rows,
        most_cases: None,
    })
}

/// Lays out the network of an experiment; none for a graph, because nobody knows where its file is now.
fn diagram(experiment: &str) -> Option<Diagram> {
    let parsed = experiment.parse::<toml::Table>().ok()?;
    parsed.get("network")?.get("file").is_none().then(|| of_experiment(experiment)).flatten()
}

/// Returns the colours of the links of a network by a figure of the first case, with the words of that figure.
pub fn colours(results: &Results, diagram: &Diagram, figure: Option<&str>) -> Result<Colours, ReportError> {
    let path = || results.folder.join("channels.csv");
    let Some(table) = &results.channels else {
        let reason = "is not there: only `drowse run --out` writes what each channel did";
        return Err(ReportError::wrong(path(), reason));
    };
    let figures = channels::figures(table);
    let known: Vec<&str> = figures.iter().map(|figure| figure.name).collect();
    let wanted = figure.unwrap_or_else(|| known.first().copied().unwrap_or_default());
    let Some(place) = known.iter().position(|name| *name == wanted) else {
        let reason = format!("has no `{wanted}` that is not 0; give one of: {}", known.join(", "));
        return Err(ReportError::wrong(path(), reason));
    };
    let figure = &figures[place..=place];
    let sums = both_directions(channels::directions(table, &Study::new(results), figure));
    let lines = lines(diagram);
    let of_line = |line: &Line<'_>| sums.get(&(0, line.ends, line.class))?.means().next();
    let values: Vec<Option<f64>> = lines.iter().map(of_line).collect();
    let drawn =
        |ends: &[Endpoint; 2]| !diagram.nodes.is_empty() || ends.iter().all(|end| matches!(end, Endpoint::Switch(_)));
    let in_results = sums.keys().filter(|(case, ends, _)| *case == 0 && drawn(ends)).count();
    if values.iter().any(Option::is_none) || in_results != values.len() {
        return Err(ReportError::wrong(
            path(),
            "holds the channels of another network than that of the experiment file",
        ));
    }
    let mut values: Vec<f64> = values.into_iter().flatten().collect();
    let nodes = values.split_off(diagram.trunks.len());
    Ok(Colours { words: figure[0].words.clone(), trunks: values, nodes })
}

/// A line of the picture: the links between two ends.
struct Line<'d> {
    ends: [Endpoint; 2],
    class: &'d str,
    points: Vec<Point>,
}

/// Returns the lines of links between switches and of those of nodes.
fn lines(diagram: &Diagram) -> Vec<Line<'_>> {
    let between = diagram.trunks.iter().map(|trunk| {
        let [from, to] = [trunk.from, trunk.to].map(|switch| diagram.switches[switch]);
        // The control point lies twice as far out as the curve's middle.
        let control = (from + to) * 0.5 + (to - from).left() * (2.0 * trunk.bend);
        let pieces = if trunk.bend == 0.0 { 1 } else { PIECES };
        let point = |piece: usize| {
            let share = piece as f64 / pieces as f64;
            from * ((1.0 - share) * (1.0 - share)) + control * (2.0 * share * (1.0 - share)) + to * (share * share)
        };
        Line {
            ends: sorted([Endpoint::Switch(trunk.from), Endpoint::Switch(trunk.to)]),
            class: &diagram.classes[trunk.class].name,
            points: (0..=pieces).map(point).collect(),
        }
    });
    let of_nodes = diagram.nodes.iter().enumerate().map(|(node, &(at, switch))| Line {
        ends: sorted([Endpoint::Switch(switch), Endpoint::Node(node)]),
        class: &diagram.classes[0].name,
        points: vec![diagram.switches[switch], at],
    });
    between.chain(of_nodes).collect()
}

fn sorted(mut ends: [Endpoint; 2]) -> [Endpoint; 2] {
    ends.sort();
    ends
}

/// Sums both directions.
fn both_directions<'t>(
    directions: impl IntoIterator<Item = (Way<'t>, Sums)>,
) -> HashMap<(usize, [Endpoint; 2], &'t str), Sums> {
    let mut both: HashMap<_, Sums> = HashMap::new();
    for (way, sums) in directions {
        both.entry((way.case, sorted([way.from, way.to]), way.class)).or_default().add(&sums);
    }
    both
}

/// Returns a row a point of a line.
fn points(study: &Study, case: usize, number: usize, line: &Line<'_>, sums: &Sums, figures: &[Figure]) -> Vec<Value> {
    let name = |end: Endpoint| match end {
        Endpoint::Switch(switch) => format!("switch {switch}"),
        Endpoint::Node(node) => format!("node {node}"),
    };
    let mut common = Map::new();
    common.insert("n".into(), json!(case));
    common.insert("case".into(), json!(study.cases[case].label));
    common.insert("line".into(), json!(number));
    common.insert("between".into(), json!(line.ends.map(name).join(" and ")));
    common.insert("class".into(), json!(line.class));
    sums.write(figures, &mut common);
    let row = |(order, at): (usize, &Point)| {
        let mut row = common.clone();
        row.insert("order".into(), json!(order));
        row.insert("x".into(), json!(short(at.x)));
        row.insert("y".into(), json!(short(at.y)));
        Value::Object(row)
    };
    line.points.iter().enumerate().map(row).collect()
}

/// Returns the corners of the picture, with some room.
fn frame(diagram: &Diagram) -> (Point, Point) {
    let room = diagram.switch_radius + 12.0;
    let lines = lines(diagram);
    let all = || diagram.switches.iter().chain(lines.iter().flat_map(|line| &line.points));
    let least = |of: fn(&Point) -> f64| all().map(of).fold(f64::INFINITY, f64::min) - room;
    let most = |of: fn(&Point) -> f64| all().map(of).fold(f64::NEG_INFINITY, f64::max) + room;
    (Point::new(least(|at| at.x), least(|at| at.y)), Point::new(most(|at| at.x), most(|at| at.y)))
}

/// Rounds a length to a tenth of a pixel.
fn short(length: f64) -> f64 {
    (length * 10.0).round() / 10.0
}
