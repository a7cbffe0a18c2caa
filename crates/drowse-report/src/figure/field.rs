//! Pictures whose colours are values: heat maps and the network.

use std::collections::BTreeMap;

use drowse_picture::{Anchor, Colour, Form, Layer, Picture, Stroke, width};
use serde_json::Value;

use super::data::{self, Row, field, number, rows, text, title};
use super::frame::{Area, Look, colour_scale, fit, picture, ramp};
use super::scale::{Scale, whole};
use crate::charts::Chart;

/// The most lines that are drawn broad.
const FEW: usize = 700;

/// Returns least and most value of rows.
fn extent(rows: &[Row]) -> [f64; 2] {
    let values = || rows.iter().filter_map(|row| number(row, "value"));
    let ends = [values().fold(f64::INFINITY, f64::min), values().fold(f64::NEG_INFINITY, f64::max)];
    if ends[0] <= ends[1] { ends } else { [0.0, 0.0] }
}

fn share(value: f64, [low, high]: [f64; 2]) -> f64 {
    if high > low { (value - low) / (high - low) } else { 1.0 }
}

/// A heat map: the names along both axes, and its cells.
struct Map {
    columns: Vec<String>,
    lines: Vec<String>,
    /// Column, line and value of each cell.
    cells: Vec<(usize, usize, f64)>,
}

impl Map {
    fn of(rows: &[Row], x: &str, y: &str) -> Self {
        let names = |of: &str| {
            let key = |value: &Value| (value.as_u64().unwrap_or(u64::MAX), text(value));
            let mut names: Vec<(u64, String)> = rows.iter().filter_map(|row| row.get(of)).map(key).collect();
            names.sort();
            names.dedup();
            names.into_iter().map(|(_, name)| name).collect::<Vec<String>>()
        };
        let (columns, lines) = (names(x), names(y));
        let places = |names: &[String]| -> BTreeMap<String, usize> {
            names.iter().enumerate().map(|(at, name)| (name.clone(), at)).collect()
        };
        let (of_columns, of_lines) = (places(&columns), places(&lines));
        let cell = |row: &Row| {
            let place = |places: &BTreeMap<String, usize>, of: &str| places.get(&row.get(of).map(text)?).copied();
            Some((place(&of_columns, x)?, place(&of_lines, y)?, number(row, "value")?))
        };
        Map { cells: rows.iter().filter_map(cell).collect(), columns, lines }
    }
}

/// Draws a heat map; its axes are what the cells are of.
pub fn cells(chart: &Chart, look: Look) -> Picture {
    let (encoding, rows) = (&chart.spec["encoding"], rows(chart, &Value::Null));
    let [x, y] = ["x", "y"].map(|channel| field(encoding, channel));
    let (map, ends, font) = (Map::of(&rows, x, y), extent(&rows), look.font);
    let words = data::words(&chart.spec, "figure").unwrap_or_default();
    let inner = (font * 2.0 * map.lines.len() as f64).clamp(font * 8.0, look.width * 0.62);
    picture(&chart.title, inner + font * 6.4, &[], look, |layers, area| {
        let left = map.lines.iter().map(|name| width(name, font)).fold(0.0, f64::max).min(area.width() * 0.3);
        let inside = Area {
            left: area.left + left + font * 2.2,
            top: area.top,
            right: area.right - font,
            bottom: area.top + inner,
        };
        let (wide, tall) = (inside.width() / map.columns.len().max(1) as f64, inner / map.lines.len().max(1) as f64);
        let mut layer = Layer::new("cells");
        for &(column, line, value) in &map.cells {
            let at = [inside.left + wide * column as f64, inside.top + tall * line as f64];
            layer.rectangle(at, [wide, tall], ramp(share(value, ends)));
        }
        layers.push(layer);
        layers.push(labels(&map, inside, [title(encoding, "x"), title(encoding, "y")], area.left, font));
        colour_scale(layers, words, ends, area, area.bottom - font * 0.9, font);
    })
}

/// Writes the names of columns and lines, as many as have room, and what both are.
fn labels(map: &Map, inside: Area, titles: [&str; 2], left: f64, font: f64) -> Layer {
    let mut labels = Layer::new("labels");
    let (wide, tall) = (
        inside.width() / map.columns.len().max(1) as f64,
        (inside.bottom - inside.top) / map.lines.len().max(1) as f64,
    );
    let broadest = map.columns.iter().map(|name| width(name, font)).fold(font, f64::max) + font * 0.6;
    let every = |room: f64, needed: f64| whole((needed / room).ceil()).max(1);
    for (number, name) in map.columns.iter().enumerate().step_by(every(wide, broadest)) {
        let at = [inside.left + wide * (number as f64 + 0.5), inside.bottom + font];
        labels.text(name.clone(), at, font, Anchor::Middle);
    }
    let room = inside.left - left - font * 1.6;
    for (number, name) in map.lines.iter().enumerate().step_by(every(tall, font * 1.2)) {
        let at = [inside.left - font * 0.5, inside.top + tall * (number as f64 + 0.5)];
        labels.text(fit(name, font, room), at, font, Anchor::End);
    }
    let (middle, centre) = (f64::midpoint(inside.left, inside.right), f64::midpoint(inside.top, inside.bottom));
    labels.text(titles[0], [middle, inside.bottom + font * 2.5], font, Anchor::Middle);
    labels.upright(titles[1], [left + font * 0.7, centre], font);
    labels
}

/// Draws the network, its links coloured.
pub fn network(chart: &Chart, look: Look) -> Picture {
    let of_layers = &chart.spec["layer"];
    let (rows, encoding) = (rows(chart, &of_layers[0]), &of_layers[0]["encoding"]);
    let scale = |channel: &str| {
        let ends = data::domain(&encoding[channel]["scale"]).unwrap_or([0.0, 1.0]);
        // Downwards where the ends are turned round.
        Scale { ends, ..Scale::new("", [0.0, 1.0], false) }
    };
    let (x, y, ends) = (scale("x"), scale("y"), extent(&rows));
    let mut lines: BTreeMap<u64, (f64, Vec<[f64; 2]>)> = BTreeMap::new();
    for row in &rows {
        let line = row.get("line").and_then(Value::as_u64).unwrap_or_default();
        let (Some(x), Some(y), Some(value)) = (number(row, "x"), number(row, "y"), number(row, "value")) else {
            continue;
        };
        lines.entry(line).or_insert((value, Vec::new())).1.push([x, y]);
    }
    let aspect = chart.spec["usermeta"]["aspect"].as_f64().unwrap_or(0.6);
    let tall = look.width * aspect;
    let few = lines.len() <= FEW;
    let switches = of_layers[1]["data"]["values"].as_array().cloned().unwrap_or_default();
    picture(&chart.title, tall + look.font * 2.5, &[], look, |layers, area| {
        let at = |[across, up]: [f64; 2]| {
            let (right, up) = (x.place(across)?, y.place(up)?);
            Some([area.left + right * area.width(), area.top + (1.0 - up) * tall])
        };
        let mut links = Layer::new("links");
        for (value, places) in lines.values() {
            let stroke = Stroke::solid(ramp(share(*value, ends)), if few { 2.2 } else { 0.8 });
            links.line(places.iter().filter_map(|place| at(*place)).collect(), stroke);
        }
        let mut dots = Layer::new("switches");
        let places = switches.iter().filter_map(|dot| at([dot["x"].as_f64()?, dot["y"].as_f64()?]));
        let edge = Stroke::solid(Colour::INK, 1.0);
        places.for_each(|place| {
            dots.shape(Form::Circle(place, if few { 4.5 } else { 2.5 }), Some(Colour::WHITE), Some(edge));
        });
        layers.extend([links, dots]);
        let words = data::words(&chart.spec, "figure").unwrap_or_default();
        colour_scale(layers, words, ends, area, area.bottom - look.font * 0.9, look.font);
    })
}
