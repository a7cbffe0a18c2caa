//! Pictures in two dimensions: curves and points, heat maps, the network.

use std::collections::BTreeMap;

use plotters::prelude::*;
use plotters::style::text_anchor::HPos;
use serde_json::Value;

use super::Failed;
use super::data::{self, Row, field, number, rows, text, title};
use super::frame::{Axis, Entry, WIDTH, axes, colour, label, picture, ramp, scale, upright, width};
use crate::charts::Chart;

/// A group of points, by the order in which groups appear.
type Group = (String, Vec<(f64, f64)>);
/// The interval of a point: the number of its group, its place, and both ends.
type Interval = (usize, f64, [f64; 2]);

/// Draws points, joined by lines where the specification has lines.
pub fn curves(chart: &Chart) -> Result<String, Failed> {
    let layers: Vec<&Value> =
        chart.spec["layer"].as_array().map_or(vec![&chart.spec], |layers| layers.iter().collect());
    let of_groups = |layer: &&&Value| layer["encoding"]["color"]["field"].is_string();
    let main = layers.iter().find(of_groups).copied().unwrap_or(&chart.spec);
    let encoding = &main["encoding"];
    let own = if main == &chart.spec { &Value::Null } else { main };
    let rows = rows(chart, own);
    let log = encoding["x"]["scale"]["type"] == "log";
    let groups = groups(&rows, encoding, log);
    let intervals = intervals(&rows, encoding, log, &groups);
    let has_front = layers.iter().any(|layer| layer["mark"]["interpolate"] == "step-after");
    let front = if has_front { front(&rows, encoding) } else { Vec::new() };
    let all = || groups.iter().flat_map(|(_, points)| points);
    let zero = encoding["y"]["scale"]["zero"] != false;
    let x = range(all().map(|point| point.0), false);
    let ends = intervals.iter().flat_map(|(_, _, ends)| *ends);
    let y = range(all().map(|point| point.1).chain(ends), zero);
    let of = data::words(&chart.spec, "colour").unwrap_or(title(encoding, "color"));
    let of = if of.is_empty() || of == "case" { String::new() } else { format!("{of} ") };
    let legend: Vec<Entry> =
        groups.iter().enumerate().map(|(number, (name, _))| (format!("{of}{name}"), colour(number))).collect();
    let lines = main["mark"]["type"] == "line";
    let figure = ["energy", "latency", "figure"].into_iter().find_map(|name| data::words(&chart.spec, name));
    let words = figure.unwrap_or(title(encoding, "y"));
    let legend = if legend.len() > 1 { legend } else { Vec::new() };
    let ideal = chart.kind == "accepted";
    picture(&chart.title, 380, &legend, |area| {
        let x = Axis { title: title(encoding, "x"), range: x, log, numbered: true, us: false };
        let y = Axis { title: words, range: y, log: false, numbered: true, us: false };
        let ends = (x.range.start.max(y.range.start), x.range.end.min(y.range.end));
        let mut chart = axes(area, &x, &y, 84)?;
        let grey = RGBColor(140, 140, 140);
        if ideal {
            chart.draw_series(DashedLineSeries::new(
                [(ends.0, ends.0), (ends.1, ends.1)],
                5,
                4,
                grey.stroke_width(1),
            ))?;
        }
        chart.draw_series(DashedLineSeries::new(front, 5, 4, grey.stroke_width(1)))?;
        for &(place, x, [low, high]) in &intervals {
            chart.draw_series(LineSeries::new([(x, low), (x, high)], colour(place).stroke_width(1)))?;
        }
        for (place, (_, points)) in groups.iter().enumerate() {
            let colour = colour(place);
            if lines {
                chart.draw_series(LineSeries::new(points.iter().copied(), colour.stroke_width(2)))?;
            }
            // Shapes tell groups apart, too.
            let at = || points.iter().copied();
            match place % 3 {
                0 => _ = chart.draw_series(at().map(|at| Circle::new(at, 4, colour.filled())))?,
                1 => _ = chart.draw_series(at().map(|at| TriangleMarker::new(at, 5, colour.filled())))?,
                _ => _ = chart.draw_series(at().map(|at| Cross::new(at, 4, colour.stroke_width(2))))?,
            }
        }
        Ok(())
    })
}

/// Collects the points of each group, in the order of x.
fn groups(rows: &[Row], encoding: &Value, log: bool) -> Vec<Group> {
    let [x, y, group] = ["x", "y", "color"].map(|channel| field(encoding, channel));
    let mut groups: Vec<Group> = Vec::new();
    for row in rows {
        let (Some(x), Some(y)) = (number(row, x), number(row, y)) else { continue };
        let name = row.get(group).map(text).unwrap_or_default();
        let place = groups.iter().position(|(known, _)| *known == name).unwrap_or_else(|| {
            groups.push((name, Vec::new()));
            groups.len() - 1
        });
        groups[place].1.push((if log { x.log10() } else { x }, y));
    }
    groups.iter_mut().for_each(|(_, points)| points.sort_by(|one, other| one.0.total_cmp(&other.0)));
    groups
}

/// Collects the intervals of points that have one.
fn intervals(rows: &[Row], encoding: &Value, log: bool, groups: &[Group]) -> Vec<Interval> {
    let [x, group] = ["x", "color"].map(|channel| field(encoding, channel));
    let interval = |row: &Row| {
        let name = row.get(group).map(text).unwrap_or_default();
        let place = groups.iter().position(|(known, _)| *known == name)?;
        let x = number(row, x)?;
        Some((place, if log { x.log10() } else { x }, [number(row, "y_low")?, number(row, "y_high")?]))
    };
    rows.iter().filter_map(interval).collect()
}

/// Returns the steps of the Pareto front.
fn front(rows: &[Row], encoding: &Value) -> Vec<(f64, f64)> {
    let [x, y] = ["x", "y"].map(|channel| field(encoding, channel));
    let built = rows.iter().filter(|row| !row.contains_key("oracle"));
    let mut points: Vec<(f64, f64)> = built.filter_map(|row| Some((number(row, x)?, number(row, y)?))).collect();
    points.sort_by(|one, other| one.0.total_cmp(&other.0).then(one.1.total_cmp(&other.1)));
    let mut steps: Vec<(f64, f64)> = Vec::new();
    for (x, y) in points {
        match steps.last().copied() {
            Some((_, least)) if y >= least => {}
            Some((_, least)) => steps.extend([(x, least), (x, y)]),
            None => steps.push((x, y)),
        }
    }
    steps
}

/// Returns the ends of an axis, with some room.
fn range(values: impl Iterator<Item = f64> + Clone, zero: bool) -> std::ops::Range<f64> {
    let (low, high) = (values.clone().fold(f64::INFINITY, f64::min), values.fold(f64::NEG_INFINITY, f64::max));
    if low > high {
        return 0.0..1.0;
    }
    let room = if high > low { (high - low) * 0.06 } else { high.abs().max(1.0) * 0.1 };
    if zero { low.min(0.0)..high + room } else { low - room..high + room }
}

/// Returns least and most value of rows.
fn extent(rows: &[Row]) -> [f64; 2] {
    let values = || rows.iter().filter_map(|row| number(row, "value"));
    [values().fold(f64::INFINITY, f64::min), values().fold(f64::NEG_INFINITY, f64::max)]
}

fn share(value: f64, [low, high]: [f64; 2]) -> f64 {
    if high > low { (value - low) / (high - low) } else { 1.0 }
}

/// Draws a heat map; its axes are what the cells are of.
pub fn cells(chart: &Chart) -> Result<String, Failed> {
    let (encoding, rows) = (&chart.spec["encoding"], rows(chart, &Value::Null));
    let [x, y] = ["x", "y"].map(|channel| field(encoding, channel));
    let names = |of: &str| {
        let key = |value: &Value| (value.as_u64().unwrap_or(u64::MAX), text(value));
        let mut names: Vec<(u64, String)> = rows.iter().filter_map(|row| row.get(of)).map(key).collect();
        names.sort();
        names.dedup();
        names
    };
    let (columns, lines) = (names(x), names(y));
    let place = |names: &[(u64, String)], row: &Row, of: &str| {
        let name = row.get(of).map(text)?;
        names.iter().position(|(_, known)| *known == name)
    };
    let ends = extent(&rows);
    let words = data::words(&chart.spec, "figure").unwrap_or_default();
    let tall = (WIDTH * 3 / 4).min(120 + 24 * lines.len() as u32).max(220);
    picture(&chart.title, tall + 30, &[], |area| {
        let (upper, _) = area.split_vertically(tall);
        let left = lines.iter().map(|(_, name)| width(name)).max().unwrap_or(0) + 40;
        let mut axes = ChartBuilder::on(&upper)
            .margin_right(24)
            .margin_top(4)
            .x_label_area_size(44)
            .y_label_area_size(left)
            .build_cartesian_2d(0.0..columns.len() as f64, 0.0..lines.len() as f64)?;
        let cells = rows.iter().filter_map(|row| {
            let (column, line) = (place(&columns, row, x)? as f64, place(&lines, row, y)? as f64);
            let (top, colour) = (lines.len() as f64 - line, ramp(share(number(row, "value")?, ends)));
            Some(Rectangle::new([(column, top), (column + 1.0, top - 1.0)], colour.filled()))
        });
        axes.draw_series(cells)?;
        let (_, base) = area.get_base_pixel();
        let at = |x: f64, y: f64| {
            let (x, y) = axes.backend_coord(&(x, lines.len() as f64 - y));
            (x, y - base)
        };
        let (middle, centre) = (columns.len() as f64 / 2.0, lines.len() as f64 / 2.0);
        let bottom = at(0.0, lines.len() as f64).1;
        for (number, (_, name)) in columns.iter().enumerate().step_by(columns.len().div_ceil(16)) {
            label(area, name, (at(number as f64 + 0.5, 0.0).0, bottom + 12), HPos::Center)?;
        }
        for (number, (_, name)) in lines.iter().enumerate().step_by(lines.len().div_ceil(24)) {
            label(area, name, (left - 6, at(0.0, number as f64 + 0.5).1), HPos::Right)?;
        }
        label(area, title(encoding, "x"), (at(middle, 0.0).0, bottom + 32), HPos::Center)?;
        upright(area, title(encoding, "y"), (14, at(0.0, centre).1))?;
        scale(area, words, ends)
    })
}

/// Draws the network, its links coloured.
#[expect(clippy::cast_sign_loss, reason = "a height is not negative")]
pub fn network(chart: &Chart) -> Result<String, Failed> {
    let layers = &chart.spec["layer"];
    let (rows, encoding) = (rows(chart, &layers[0]), &layers[0]["encoding"]);
    let domain = |channel: &str| {
        let ends = [0, 1].map(|end| encoding[channel]["scale"]["domain"][end].as_f64().unwrap_or_default());
        ends[0]..ends[1]
    };
    let (x, y) = (domain("x"), domain("y"));
    let ends = extent(&rows);
    let mut lines: BTreeMap<u64, (f64, Vec<(f64, f64)>)> = BTreeMap::new();
    for row in &rows {
        let line = row.get("line").and_then(Value::as_u64).unwrap_or_default();
        let (Some(x), Some(y), Some(value)) = (number(row, "x"), number(row, "y"), number(row, "value")) else {
            continue;
        };
        lines.entry(line).or_insert((value, Vec::new())).1.push((x, y));
    }
    let aspect = chart.spec["usermeta"]["aspect"].as_f64().unwrap_or(0.6);
    let tall = (f64::from(WIDTH) * aspect) as u32;
    let wide = if lines.len() > 700 { 1 } else { 3 };
    let switches = layers[1]["data"]["values"].as_array().cloned().unwrap_or_default();
    picture(&chart.title, tall + 30, &[], |area| {
        let (upper, _) = area.split_vertically(tall);
        let mut axes = ChartBuilder::on(&upper).build_cartesian_2d(x, y)?;
        for (value, points) in lines.values() {
            let colour = ramp(share(*value, ends));
            axes.draw_series(LineSeries::new(points.iter().copied(), colour.stroke_width(wide)))?;
        }
        let dots = switches.iter().filter_map(|at| Some((at["x"].as_f64()?, at["y"].as_f64()?)));
        axes.draw_series(
            dots.map(|at| Circle::new(at, if wide > 1 { 5 } else { 3 }, RGBColor(140, 140, 140).filled())),
        )?;
        scale(area, data::words(&chart.spec, "figure").unwrap_or_default(), ends)
    })
}
