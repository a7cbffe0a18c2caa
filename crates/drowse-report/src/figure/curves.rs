//! Points and curves over two axes, in one panel or several.

use drowse_picture::{Colour, Layer, Marker, Picture, Place, Stroke};
use serde_json::Value;

use super::data::{self, Row, field, number, rows, title};
use super::frame::{Entry, Look, Panel, Sample, draw_mark, picture as framed};
use super::panels::Panels;
use super::scale::Scale;
use super::series::{Names, Series};
use crate::charts::{Chart, coloured};

/// Lines to compare with.
const BESIDE: Stroke = Stroke { colour: Colour::GREY, width: 1.0, dash: &[4.0, 3.0] };
const BOUND: Stroke = Stroke { colour: Colour::GREY, width: 1.3, dash: &[1.5, 2.0] };
/// The most points of a line that have marks.
const MOST_MARKS: usize = 60;

/// A chart of curves, read from its specification.
struct Curves<'c> {
    chart: &'c Chart,
    layers: Vec<&'c Value>,
    encoding: &'c Value,
    names: Names,
    /// The rows of each panel with its name.
    panels: Vec<(String, Vec<Row>)>,
    has_lines: bool,
    has_marks: bool,
    /// The value beyond which points of saturated cases stand at the upper end.
    top: Option<f64>,
}

/// Draws points, joined by lines where the specification has lines.
pub fn picture(chart: &Chart, look: Look) -> Picture {
    let curves = Curves::of(chart);
    let [x, y] = curves.scales();
    let panels = Panels::new(curves.panels.len(), curves.panels.len() > 1, look, &x, &y);
    let names: Vec<String> = curves.panels.iter().map(|(name, _)| name.clone()).collect();
    framed(&chart.title, panels.height(), &curves.legend(), look, |layers, area| {
        panels.draw(layers, area, &names, [&x, &y], |number, panel, layers| {
            layers.push(curves.draw(&curves.panels[number].1, panel, look.font));
        });
    })
}

/// Returns how many series the fullest panel of a chart has; none where it has no curves.
pub fn series(chart: &Chart) -> usize {
    if !["energy", "latency", "accepted", "swept"].contains(&chart.kind) {
        return 0;
    }
    let curves = Curves::of(chart);
    curves.panels.iter().map(|(_, rows)| curves.names.series(rows, curves.encoding).len()).max().unwrap_or(0)
}

impl<'c> Curves<'c> {
    fn of(chart: &'c Chart) -> Self {
        let inner = data::inner(&chart.spec);
        let layers: Vec<&Value> = inner["layer"].as_array().map_or(vec![inner], |layers| layers.iter().collect());
        let of_groups = |layer: &&&Value| coloured(&layer["encoding"]).is_some();
        let main = layers.iter().find(of_groups).copied().unwrap_or(inner);
        let own = if main == inner { &Value::Null } else { main };
        let rows = rows(chart, own);
        let encoding = &main["encoding"];
        let has_lines = main["mark"]["type"] == "line";
        let has_points = |layer: &&Value| layer["mark"]["type"] == "point" || !layer["mark"]["point"].is_null();
        let names = Names::of(&chart.spec, encoding, &rows);
        let most = rows.len() / names.count().max(1);
        let field = ["latency", "figure"].into_iter().find_map(|name| data::chosen(&chart.spec, name));
        let top = field.and_then(|field| chart.spec["usermeta"]["tops"][field.as_str()].as_f64());
        Curves {
            chart,
            encoding,
            has_lines,
            has_marks: !has_lines || (layers.iter().any(has_points) && most <= MOST_MARKS),
            names,
            panels: data::panels(&chart.spec, rows),
            layers,
            top,
        }
    }

    /// Returns all points of all panels.
    fn series(&self) -> impl Iterator<Item = Series> + '_ {
        self.panels.iter().flat_map(|(_, rows)| self.names.series(rows, self.encoding))
    }

    /// Makes the scales of both axes: as the specification has them, or around all points.
    fn scales(&self) -> [Scale; 2] {
        let points: Vec<_> = self.series().flat_map(|series| series.points).collect();
        let is_log = |channel: &str| self.encoding[channel]["scale"]["type"] == "log";
        let below = |value: f64| self.top.is_none_or(|top| value <= top);
        let ends = points.iter().flat_map(|point| point.interval.into_iter().flatten().chain([point.y]));
        let ends = ends.filter(|value| below(*value)).chain(self.top);
        let mut horizontal: Vec<f64> = points.iter().map(|point| point.x).collect();
        let mut vertical: Vec<f64> = ends.collect();
        for (channel, value) in self.bounds() {
            if channel == "x" { horizontal.push(value) } else { vertical.push(value) }
        }
        if self.is_ideal() {
            vertical.extend_from_slice(&horizontal);
        }
        let words = ["energy", "latency", "figure"].into_iter().find_map(|name| data::words(&self.chart.spec, name));
        let of_y = words.unwrap_or(title(self.encoding, "y"));
        let scale = |channel: &str, title: &str, values: &[f64], from_zero: bool| {
            let ends = data::domain(&self.encoding[channel]["scale"]);
            let log = is_log(channel);
            Scale::new(title, ends.unwrap_or_else(|| around(values, log, from_zero)), log)
        };
        let zero = self.encoding["y"]["scale"]["zero"] != false;
        let mut y = scale("y", of_y, &vertical, zero);
        if let Some(top) = self.top.filter(|_| data::domain(&self.encoding["y"]["scale"]).is_none()) {
            y.ends[1] = top;
        }
        [scale("x", title(self.encoding, "x"), &horizontal, false), y]
    }

    /// Returns the bounds that are drawn, each with its axis.
    fn bounds(&self) -> Vec<(&'static str, f64)> {
        let shown = |layer: &&&Value| {
            let steps = layer["transform"].as_array().into_iter().flatten();
            let mut conditions = steps.filter_map(|step| step["filter"].as_str());
            conditions.all(|condition| data::holds(&self.chart.spec, condition))
        };
        let rules = self.layers.iter().filter(|layer| layer["data"]["values"][0]["bound"].is_number());
        let bound = |layer: &&Value| {
            let channel = if layer["encoding"]["x"].is_object() { "x" } else { "y" };
            Some((channel, layer["data"]["values"][0]["bound"].as_f64()?))
        };
        rules.filter(shown).filter_map(bound).collect()
    }

    fn is_ideal(&self) -> bool {
        self.chart.kind == "accepted"
    }

    fn has_front(&self) -> bool {
        self.layers.iter().any(|layer| layer["mark"]["interpolate"] == "step-after")
    }

    fn legend(&self) -> Vec<Entry> {
        let mut entries = self.names.entries(self.has_lines, self.has_marks);
        let plain = |line: Stroke, words: &str| (Sample::Series { line: Some(line), mark: None }, words.to_owned());
        if self.is_ideal() {
            entries.push(plain(BESIDE, "accepted as offered"));
        }
        if self.has_front() {
            entries.push(plain(BESIDE, "Pareto front"));
        }
        if !self.bounds().is_empty() {
            entries.push(plain(BOUND, "bound on run time"));
        }
        let saturated: Vec<f64> =
            self.series().flat_map(|series| series.points).filter(|point| point.saturated).map(|p| p.y).collect();
        if !saturated.is_empty() {
            let beyond = self.top.is_some_and(|top| saturated.iter().any(|y| *y > top));
            let words = if beyond { "saturated; at the upper edge: beyond the scale" } else { "saturated" };
            let mark = Some((Marker::Circle, Colour::INK, true));
            entries.push((Sample::Series { line: None, mark }, words.to_owned()));
        }
        entries
    }

    /// Draws the rows of a panel.
    fn draw(&self, rows: &[Row], panel: &Panel<'_>, font: f64) -> Layer {
        let mut layer = Layer { clip: Some(grown(panel.area.corners(), font * 0.5)), ..Layer::new("marks") };
        let line = |places: &[(f64, f64)]| -> Vec<Place> {
            places.iter().filter_map(|(x, y)| panel.at(*x, *y)).map(|at| clamped(at, panel)).collect()
        };
        if self.is_ideal() {
            let low = panel.x.ends[0].max(panel.y.ends[0]);
            let high = panel.x.ends[1].min(panel.y.ends[1]);
            layer.line(line(&[(low, low), (high, high)]), BESIDE);
        }
        if self.has_front() {
            layer.line(line(&front(rows, self.encoding)), BESIDE);
        }
        for (channel, bound) in self.bounds() {
            let ends = if channel == "x" { panel.y.ends.map(|y| (bound, y)) } else { panel.x.ends.map(|x| (x, bound)) };
            layer.line(line(&ends), BOUND);
        }
        let all = self.names.series(rows, self.encoding);
        if self.has_lines {
            all.iter().for_each(|series| draw_line(&mut layer, series, panel));
        }
        for series in &all {
            self.draw_points(&mut layer, series, panel, font);
        }
        layer
    }

    fn draw_points(&self, layer: &mut Layer, series: &Series, panel: &Panel<'_>, font: f64) {
        for point in &series.points {
            if let Some([low, high]) = point.interval {
                let ends: Vec<Place> = [low, high].iter().filter_map(|y| panel.at(point.x, *y)).collect();
                let ends: Vec<Place> = ends.into_iter().map(|at| clamped(at, panel)).collect();
                let stroke = Stroke::solid(series.colour, 1.2);
                for [x, y] in &ends {
                    layer.line(vec![[x - font * 0.25, *y], [x + font * 0.25, *y]], stroke);
                }
                layer.line(ends, stroke);
            }
        }
        for point in series.points.iter().filter(|_| self.has_marks) {
            let y = self.top.filter(|_| point.saturated).map_or(point.y, |top| point.y.min(top));
            let Some(at) = panel.at(point.x, y).filter(|at| is_within(*at, panel)) else { continue };
            draw_mark(layer, series.marker, at, series.colour, point.saturated, font);
        }
    }
}

/// Draws the line of a series, cut where it leaves the panel.
fn draw_line(layer: &mut Layer, series: &Series, panel: &Panel<'_>) {
    let places: Vec<Place> = series.points.iter().filter_map(|point| panel.at(point.x, point.y)).collect();
    let stroke = Stroke { dash: series.dash, ..Stroke::solid(series.colour, 1.8) };
    let mut piece: Vec<Place> = Vec::new();
    for two in places.windows(2) {
        match cut([two[0], two[1]], panel.area.corners()) {
            Some([from, to]) => {
                if piece.last() != Some(&from) {
                    flush(layer, &mut piece, stroke);
                    piece.push(from);
                }
                piece.push(to);
            }
            None => flush(layer, &mut piece, stroke),
        }
    }
    flush(layer, &mut piece, stroke);
}

fn flush(layer: &mut Layer, piece: &mut Vec<Place>, stroke: Stroke) {
    if piece.len() > 1 {
        layer.line(std::mem::take(piece), stroke);
    }
    piece.clear();
}

/// Returns the part of a straight line within a rectangle (Liang and Barsky 1984).
fn cut([from, to]: [Place; 2], [low, high]: [Place; 2]) -> Option<[Place; 2]> {
    let way = [to[0] - from[0], to[1] - from[1]];
    let mut share = [0.0_f64, 1.0_f64];
    for axis in 0..2 {
        for (towards, room) in [(-way[axis], from[axis] - low[axis]), (way[axis], high[axis] - from[axis])] {
            if towards == 0.0 {
                if room < 0.0 {
                    return None;
                }
            } else if towards < 0.0 {
                share[0] = share[0].max(room / towards);
            } else {
                share[1] = share[1].min(room / towards);
            }
        }
    }
    let at = |share: f64, end: Place, whole: bool| {
        if whole { end } else { [from[0] + way[0] * share, from[1] + way[1] * share] }
    };
    (share[0] <= share[1]).then(|| [at(share[0], from, share[0] <= 0.0), at(share[1], to, share[1] >= 1.0)])
}

fn grown([low, high]: [Place; 2], by: f64) -> [Place; 2] {
    [low.map(|at| at - by), high.map(|at| at + by)]
}

fn clamped([x, y]: Place, panel: &Panel<'_>) -> Place {
    let [low, high] = panel.area.corners();
    [x.clamp(low[0], high[0]), y.clamp(low[1], high[1])]
}

fn is_within(at: Place, panel: &Panel<'_>) -> bool {
    let [low, high] = grown(panel.area.corners(), 0.5);
    (0..2).all(|axis| at[axis] >= low[axis] && at[axis] <= high[axis])
}

/// Returns the ends of an axis around values, with some room.
fn around(values: &[f64], log: bool, from_zero: bool) -> [f64; 2] {
    let values = || values.iter().copied().filter(|value| value.is_finite() && (!log || *value > 0.0));
    let (low, high) = (values().fold(f64::INFINITY, f64::min), values().fold(f64::NEG_INFINITY, f64::max));
    if low > high {
        return if log { [1.0, 10.0] } else { [0.0, 1.0] };
    }
    if log {
        return if high > low { [low / 1.15, high * 1.15] } else { [low / 2.0, high * 2.0] };
    }
    let room = if high > low { (high - low) * 0.05 } else { high.abs().max(1.0) * 0.1 };
    if from_zero { [low.min(0.0), high.max(0.0) + room] } else { [low - room, high + room] }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_cut_where_they_leave_the_panel() {
        let corners = [[0.0, 0.0], [10.0, 10.0]];
        let cut = |from, to| cut([from, to], corners).map(|ends| format!("{ends:?}"));
        assert_eq!(cut([5.0, 5.0], [5.0, 25.0]).as_deref(), Some("[[5.0, 5.0], [5.0, 10.0]]"));
        assert_eq!(cut([-5.0, 5.0], [15.0, 5.0]).as_deref(), Some("[[0.0, 5.0], [10.0, 5.0]]"));
        assert_eq!(cut([1.0, 1.0], [2.0, 3.0]).as_deref(), Some("[[1.0, 1.0], [2.0, 3.0]]"));
        assert_eq!(cut([0.0, 11.0], [10.0, 12.0]), None);
    }

    #[test]
    fn ends_leave_some_room() {
        for (values, log, zero, [low, high]) in [
            (&[2.0, 4.0][..], false, true, [0.0, 4.1]),
            (&[1.0, 100.0], true, true, [1.0 / 1.15, 115.0]),
            (&[], false, false, [0.0, 1.0]),
        ] {
            let ends = around(values, log, zero);
            assert!((ends[0] - low).abs() < 1e-9 && (ends[1] - high).abs() < 1e-9, "{values:?}: {ends:?}");
        }
    }
}
