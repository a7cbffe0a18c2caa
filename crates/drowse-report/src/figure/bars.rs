//! Stacked bars: lying, a case or class each, or standing, over bins of numbers.

use drowse_describe::palette::GROUPS;
use drowse_picture::{Anchor, Colour, Layer, Picture, width};
use serde_json::Value;

use super::data::{Row, field, number, rows, text, title, words};
use super::frame::{Area, Entry, Look, Panel, Sample, fit, hex, picture, room_below};
use super::panels::Panels;
use super::scale::{Scale, whole};
use crate::charts::{Chart, US_LABELS};

/// The height of a lying bar with its distance to the next, as a multiple of the size of the font: at most, and at
/// least, where there are many.
const STEP: [f64; 2] = [1.8, 0.3];
/// The height of many bars, as a multiple of the size of the font.
const TALL: f64 = 130.0;
/// The widest label of a bar, as a share of the width of the picture.
const WIDEST: f64 = 0.42;

/// Neighbours overlap by so much, so that no ground is seen between them.
const JOINT: f64 = 0.25;

/// A part of a bar: its place, its ends, its colour.
struct Piece {
    place: usize,
    from: f64,
    to: f64,
    colour: Colour,
}

/// Returns the parts that bars are stacked of, with their colours.
fn parts(encoding: &Value, names: impl Iterator<Item = String>) -> Vec<(String, Colour)> {
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
    let colour = |number: usize| hex(GROUPS[number % GROUPS.len()]);
    different.into_iter().enumerate().map(|(number, name)| (name, colour(number))).collect()
}

fn legend(parts: &[(String, Colour)]) -> Vec<Entry> {
    parts.iter().map(|(name, colour)| (Sample::Square(*colour), name.clone())).collect()
}

fn colour_of(parts: &[(String, Colour)], name: &str) -> Colour {
    parts.iter().find(|(known, _)| known == name).map_or(Colour::INK, |(_, colour)| *colour)
}

fn name(row: &Row, of: &str) -> String {
    row.get(of).map(text).unwrap_or_default()
}

/// Draws bars that lie: a label, and shares one behind the other, or parts from one place to another.
pub fn lying(chart: &Chart, look: Look) -> Picture {
    let (encoding, rows) = (&chart.spec["encoding"], rows(chart, &Value::Null));
    let [bar, share, end, part] = ["y", "x", "x2", "color"].map(|channel| field(encoding, channel));
    let parts = parts(encoding, rows.iter().map(|row| name(row, part)));
    let (mut bars, mut pieces): (Vec<(String, f64)>, Vec<Piece>) = (Vec::new(), Vec::new());
    for row in &rows {
        let of_bar = name(row, bar);
        let place = bars.iter().position(|(known, _)| *known == of_bar).unwrap_or_else(|| {
            bars.push((of_bar, 0.0));
            bars.len() - 1
        });
        let at = number(row, share).unwrap_or(0.0);
        let (from, to) = number(row, end).map_or((bars[place].1, bars[place].1 + at), |end| (at, end));
        pieces.push(Piece { place, from, to, colour: colour_of(&parts, &name(row, part)) });
        bars[place].1 = to;
    }
    let longest = bars.iter().map(|(_, end)| *end).fold(0.01, f64::max);
    let first = pieces.iter().map(|piece| piece.from).fold(longest, f64::min);
    let ends = super::data::domain(&encoding["x"]["scale"]).unwrap_or([first, longest]);
    let x = Scale::new(title(encoding, "x"), ends, false);
    let names: Vec<String> = bars.into_iter().map(|(name, _)| name).collect();
    let step = (TALL / names.len().max(1) as f64).clamp(STEP[1], STEP[0]) * look.font;
    let height = step * names.len() as f64 + room_below(&x, look.font) + look.font * 0.6;
    picture(&chart.title, height, &legend(&parts), look, |layers, area| {
        draw_lying(layers, area, &x, &names, &pieces, step, look);
    })
}

fn draw_lying(
    layers: &mut Vec<Layer>,
    area: Area,
    x: &Scale,
    names: &[String],
    pieces: &[Piece],
    step: f64,
    look: Look,
) {
    let font = look.font;
    let room = area.width() * WIDEST;
    let left = names.iter().map(|name| width(name, font)).fold(0.0, f64::max).min(room) + font * 0.8;
    let inside = Area {
        left: area.left + left,
        top: area.top + font * 0.3,
        right: area.right - font,
        bottom: area.top + font * 0.3 + step * names.len() as f64,
    };
    let y = Scale { numbered: false, ..Scale::new("", [0.0, names.len().max(1) as f64], false) };
    Panel { area: inside, x, y: &y }.draw_axes(layers, font, [true, false]);
    let mut bars = Layer { clip: Some(inside.corners()), ..Layer::new("bars") };
    for piece in pieces.iter().filter(|piece| piece.to > piece.from) {
        let [Some(from), Some(to)] = [piece.from, piece.to].map(|at| x.place(at)) else { continue };
        let [from, to] = [from, to].map(|share| inside.left + share * inside.width());
        let at = [from, inside.top + step * (piece.place as f64 + 0.1)];
        bars.rectangle(at, [to - from, step * 0.8], piece.colour);
    }
    let mut labels = Layer::new("labels");
    // Labels of bars that are lower than a line of text are left out, but for every so many.
    let every = whole((font * 1.1 / step).ceil()).max(1);
    for (place, name) in names.iter().enumerate().step_by(every) {
        let at = [inside.left - font * 0.5, inside.top + step * (place as f64 + 0.5)];
        labels.text(fit(name, font, room), at, font, Anchor::End);
    }
    let middle = f64::midpoint(inside.left, inside.right);
    labels.text(x.title.clone(), [middle, inside.bottom + font * 2.5], font, Anchor::Middle);
    layers.extend([bars, labels]);
}

/// Draws bars that stand on bins of the x axis.
pub fn standing(chart: &Chart, look: Look) -> Picture {
    let (encoding, rows) = (&chart.spec["encoding"], rows(chart, &Value::Null));
    let [from, to, height, part] = ["x", "x2", "y", "color"].map(|channel| field(encoding, channel));
    let log = encoding["x"]["scale"]["type"] == "log";
    let parts = parts(encoding, rows.iter().map(|row| name(row, part)));
    let mut tops: Vec<(f64, f64)> = Vec::new();
    let mut pieces: Vec<([f64; 2], [f64; 2], Colour)> = Vec::new();
    for row in &rows {
        let (Some(from), Some(to), Some(lasts)) = (number(row, from), number(row, to), number(row, height)) else {
            continue;
        };
        let place = tops.iter().position(|(known, _)| known.total_cmp(&from).is_eq()).unwrap_or_else(|| {
            tops.push((from, 0.0));
            tops.len() - 1
        });
        let bottom = tops[place].1;
        tops[place].1 += lasts;
        pieces.push(([from, to], [bottom, tops[place].1], colour_of(&parts, &name(row, part))));
    }
    let ends = || pieces.iter().flat_map(|(ends, ..)| *ends).filter(|end| !log || *end > 0.0);
    let range = [ends().fold(f64::INFINITY, f64::min), ends().fold(f64::NEG_INFINITY, f64::max)];
    let range = if range[0] <= range[1] { range } else { [1.0, 10.0] };
    let highest = tops.iter().map(|(_, top)| *top).fold(f64::MIN_POSITIVE, f64::max);
    let of = |channel: &str| super::data::domain(&encoding[channel]["scale"]);
    let mut x = Scale::new(title(encoding, "x"), of("x").unwrap_or(range), log);
    x.us = encoding["x"]["axis"]["labelExpr"] == US_LABELS;
    let words = words(&chart.spec, "figure").unwrap_or(title(encoding, "y"));
    let y = Scale::new(words, of("y").unwrap_or([0.0, highest * 1.05]), false);
    let panels = Panels::new(1, false, look, &x, &y);
    picture(&chart.title, panels.height(), &legend(&parts), look, |layers, area| {
        panels.draw(layers, area, &[String::new()], [&x, &y], |_, panel, layers| {
            let mut bars = Layer { clip: Some(panel.area.corners()), ..Layer::new("bars") };
            for &([from, to], [bottom, top], colour) in &pieces {
                // What is nothing stands at the left end of a scale of ratios.
                let from = if log { from.max(x.ends[0]) } else { from };
                let (Some(low), Some(high)) = (panel.at(from, bottom), panel.at(to, top)) else { continue };
                bars.rectangle([low[0], high[1]], [high[0] - low[0] + JOINT, low[1] - high[1] + JOINT], colour);
            }
            layers.push(bars);
        });
    })
}
