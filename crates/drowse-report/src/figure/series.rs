//! What a chart of points and curves holds, read from its specification.

use drowse_describe::palette::GROUPS;
use drowse_picture::{Colour, Marker, Stroke};
use serde_json::Value;

use super::data::{Row, field, number, text, words};
use super::frame::{Entry, Sample, hex};
use crate::charts::{DASHES, coloured};

/// A series: points that belong together.
#[derive(Debug)]
pub struct Series {
    /// Its colour.
    pub colour: Colour,
    /// The mark of its points.
    pub marker: Marker,
    /// The dashes of its line.
    pub dash: &'static [f64],
    /// Its points, in the order of x.
    pub points: Vec<Point>,
}

/// A point of a series.
#[derive(Clone, Copy, Debug)]
pub struct Point {
    /// Its value to the right.
    pub x: f64,
    /// Its value upwards.
    pub y: f64,
    /// The ends of its interval.
    pub interval: Option<[f64; 2]>,
    /// Whether its case is saturated.
    pub saturated: bool,
}

/// The names of series by what tells them apart: colours and marks, and dashes.
#[derive(Debug)]
pub struct Names {
    groups: Vec<String>,
    lines: Vec<String>,
    /// The fields of both.
    fields: [String; 2],
    /// What the values are of, in front of a number.
    titles: [String; 2],
}

impl Names {
    /// Collects the names of all rows of a chart, in the order in which they come.
    pub fn of(spec: &Value, encoding: &Value, rows: &[Row]) -> Self {
        let channel = coloured(encoding).unwrap_or("color");
        let group = field(encoding, channel).to_owned();
        let line = field(encoding, "strokeDash").to_owned();
        let of = |field: &str| {
            let mut names: Vec<String> = Vec::new();
            for name in rows.iter().filter_map(|row| row.get(field)).map(text) {
                if !names.contains(&name) {
                    names.push(name);
                }
            }
            names
        };
        let title = |channel: &str| encoding[channel]["title"].as_str().unwrap_or_default().to_owned();
        let coloured = words(spec, "colour").map_or_else(|| title(channel), str::to_owned);
        Names {
            groups: of(&group),
            lines: if line == group { Vec::new() } else { of(&line) },
            fields: [group, line],
            titles: [coloured, title("strokeDash")],
        }
    }

    /// Returns how many series there are.
    pub fn count(&self) -> usize {
        self.groups.len().max(1) * self.lines.len().max(1)
    }

    fn colour(number: usize) -> Colour {
        hex(GROUPS[number % GROUPS.len()])
    }

    /// Returns the entries of a legend.
    pub fn entries(&self, has_lines: bool, has_marks: bool) -> Vec<Entry> {
        let told = |title: &str, name: &str| {
            let is_bare = name.starts_with(|c: char| c.is_ascii_digit() || c == '-') && !title.is_empty();
            if is_bare && title != "case" { format!("{title} {name}") } else { name.to_owned() }
        };
        let both = self.lines.is_empty();
        let group = |(number, name): (usize, &String)| {
            let dash = if both { DASHES[number % DASHES.len()] } else { &[] };
            let stroke = Stroke { dash, ..Stroke::solid(Self::colour(number), 2.0) };
            let mark = has_marks.then(|| (Marker::of(number), Self::colour(number), false));
            (Sample::Series { line: has_lines.then_some(stroke), mark }, told(&self.titles[0], name))
        };
        let line = |(number, name): (usize, &String)| {
            let stroke = Stroke { dash: DASHES[number % DASHES.len()], ..Stroke::solid(Colour::INK, 2.0) };
            (Sample::Series { line: Some(stroke), mark: None }, told(&self.titles[1], name))
        };
        let groups = self.groups.iter().enumerate().map(group).filter(|_| self.groups.len() > 1);
        groups.chain(self.lines.iter().enumerate().map(line).filter(|_| self.lines.len() > 1)).collect()
    }

    /// Collects the series of some rows.
    pub fn series(&self, rows: &[Row], encoding: &Value) -> Vec<Series> {
        let [x, y] = ["x", "y"].map(|channel| field(encoding, channel));
        let place = |names: &[String], row: &Row, field: &str| {
            let name = row.get(field).map(text).unwrap_or_default();
            names.iter().position(|known| *known == name).unwrap_or(0)
        };
        let mut found: Vec<((usize, usize), Series)> = Vec::new();
        for row in rows {
            let (Some(x), Some(y)) = (number(row, x), number(row, y)) else { continue };
            let interval = number(row, "y_low").zip(number(row, "y_high")).map(|(low, high)| [low, high]);
            let point = Point { x, y, interval, saturated: row.get("saturated") == Some(&Value::Bool(true)) };
            let group = place(&self.groups, row, &self.fields[0]);
            let line = if self.lines.is_empty() { group } else { place(&self.lines, row, &self.fields[1]) };
            match found.iter_mut().find(|(key, _)| *key == (group, line)) {
                Some((_, series)) => series.points.push(point),
                None => found.push((
                    (group, line),
                    Series {
                        colour: Self::colour(group),
                        marker: Marker::of(group),
                        dash: DASHES[line % DASHES.len()],
                        points: vec![point],
                    },
                )),
            }
        }
        let sorted = |(_, mut series): (_, Series)| {
            series.points.sort_by(|one, other| one.x.total_cmp(&other.x));
            series
        };
        found.into_iter().map(sorted).collect()
    }
}
