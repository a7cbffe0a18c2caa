//! Stacked bars: lying, a case or class each, or standing, over bins of numbers.

use plotters::prelude::*;
use plotters::style::text_anchor::HPos;
use serde_json::Value;

use super::Failed;
use super::data::{field, number, rows, text, title};
use super::frame::{Axis, Entry, axes, colour, hex, label, picture, width};
use crate::charts::{Chart, US_LABELS};

/// The height of a lying bar with its distance to the next.
const STEP: u32 = 22;
/// The widest label of a bar.
const WIDEST: i32 = 300;

/// Returns the parts that bars are stacked of, with their colours.
fn parts(encoding: &Value, names: impl Iterator<Item = String>) -> Vec<Entry> {
    let scale = &encoding["color"]["scale"];
    if let (Some(names), Some(colours)) = (scale["domain"].as_array(), scale["range"].as_array()) {
        let pairs = names.iter().zip(colours);
        return pairs.map(|(name, of)| (text(name), hex(of.as_str().unwrap_or_default()))).collect();
    }
    let mut different: Vec<String> = Vec::new();
    names.for_each(|name| {
        if !different.contains(&name) {
            different.push(name);
        }
    });
    different.into_iter().enumerate().map(|(number, name)| (name, colour(number))).collect()
}

/// Draws bars that lie: a label, and shares one behind the other, or parts from one place to another.
pub fn lying(chart: &Chart) -> Result<String, Failed> {
    let (encoding, rows) = (&chart.spec["encoding"], rows(chart, &Value::Null));
    let [bar, share, end, part] = ["y", "x", "x2", "color"].map(|channel| field(encoding, channel));
    let name = |row: &super::data::Row, of: &str| row.get(of).map(text).unwrap_or_default();
    let mut bars: Vec<(String, f64)> = Vec::new();
    let mut pieces = Vec::new();
    let parts = parts(encoding, rows.iter().map(|row| name(row, part)));
    for row in &rows {
        let (of_bar, of_part) = (name(row, bar), name(row, part));
        let place = bars.iter().position(|(known, _)| *known == of_bar).unwrap_or_else(|| {
            bars.push((of_bar, 0.0));
            bars.len() - 1
        });
        let colour = parts.iter().find(|(known, _)| *known == of_part).map_or(BLACK, |(_, colour)| *colour);
        let at = number(row, share).unwrap_or(0.0);
        let (from, to) = number(row, end).map_or((bars[place].1, bars[place].1 + at), |end| (at, end));
        pieces.push((place, from, to, colour));
        bars[place].1 = to;
    }
    let longest = bars.iter().map(|(_, end)| *end).fold(0.01, f64::max);
    let first = pieces.iter().map(|(_, from, ..)| *from).fold(longest, f64::min);
    let left = bars.iter().map(|(name, _)| width(name)).max().unwrap_or(0).min(WIDEST) + 24;
    picture(&chart.title, STEP * bars.len() as u32 + 60, &parts, |area| {
        let x = Axis { title: title(encoding, "x"), range: first..longest, log: false, numbered: true, us: false };
        let y = Axis { title: "", range: 0.0..bars.len() as f64, log: false, numbered: false, us: false };
        let beside = area.margin(0, 0, left - 12, 0);
        let mut chart = axes(&beside, &x, &y, 12)?;
        let row = |place: usize| (bars.len() - place) as f64;
        let pieces = pieces.iter().filter(|(_, from, to, _)| to > from).map(|&(place, from, to, colour)| {
            Rectangle::new([(from, row(place) - 0.1), (to, row(place) - 0.9)], colour.filled())
        });
        chart.draw_series(pieces)?;
        let (_, top) = area.get_base_pixel();
        for (place, (name, _)) in bars.iter().enumerate() {
            let (_, y) = chart.backend_coord(&(0.0, row(place) - 0.5));
            let letters = (WIDEST / width("w")).unsigned_abs() as usize;
            let name: String = if name.chars().count() > letters {
                name.chars().take(letters - 1).chain(['…']).collect()
            } else {
                name.clone()
            };
            label(area, &name, (left - 6, y - top), HPos::Right)?;
        }
        Ok(())
    })
}

/// Draws bars that stand on bins of the x axis.
pub fn standing(chart: &Chart) -> Result<String, Failed> {
    let (encoding, rows) = (&chart.spec["encoding"], rows(chart, &Value::Null));
    let [from, to, height, part] = ["x", "x2", "y", "color"].map(|channel| field(encoding, channel));
    let log = encoding["x"]["scale"]["type"] == "log";
    let at = |value: f64| if log { value.max(f64::MIN_POSITIVE).log10() } else { value };
    let parts = parts(encoding, rows.iter().map(|row| row.get(part).map(text).unwrap_or_default()));
    let mut tops: Vec<(f64, f64)> = Vec::new();
    let mut pieces = Vec::new();
    for row in &rows {
        let (Some(from), Some(to), Some(lasts)) = (number(row, from), number(row, to), number(row, height)) else {
            continue;
        };
        let place = tops.iter().position(|(known, _)| known.total_cmp(&from).is_eq()).unwrap_or_else(|| {
            tops.push((from, 0.0));
            tops.len() - 1
        });
        let name = row.get(part).map(text).unwrap_or_default();
        let colour = parts.iter().find(|(known, _)| *known == name).map_or(BLACK, |(_, colour)| *colour);
        pieces.push(([at(from), at(to)], tops[place].1, lasts, colour));
        tops[place].1 += lasts;
    }
    let ends = || pieces.iter().flat_map(|(ends, ..)| *ends);
    let range = ends().fold(f64::INFINITY, f64::min)..ends().fold(f64::NEG_INFINITY, f64::max);
    let highest = tops.iter().map(|(_, top)| *top).fold(f64::MIN_POSITIVE, f64::max);
    let words = super::data::words(&chart.spec, "figure").unwrap_or(title(encoding, "y"));
    picture(&chart.title, 340, &parts, |area| {
        let us = encoding["x"]["axis"]["labelExpr"] == US_LABELS;
        let x = Axis { title: title(encoding, "x"), range, log, numbered: true, us };
        let y = Axis { title: words, range: 0.0..highest * 1.05, log: false, numbered: true, us: false };
        let mut chart = axes(area, &x, &y, 84)?;
        let pieces = pieces.iter().map(|&([from, to], bottom, lasts, colour)| {
            Rectangle::new([(from, bottom), (to, bottom + lasts)], colour.filled())
        });
        chart.draw_series(pieces)?;
        Ok(())
    })
}
