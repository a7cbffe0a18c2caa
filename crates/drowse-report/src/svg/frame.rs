//! The frame of a picture: title, axes, legend, colours.

use drowse_describe::palette::{GROUPS, RAMP, channels};
use plotters::chart::ChartContext;
use plotters::coord::Shift;
use plotters::coord::types::RangedCoordf64;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use super::Failed;
use crate::units;

/// A part of a picture.
pub type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;
/// Axes of numbers.
pub type Axes<'a, 'b> = ChartContext<'a, SVGBackend<'b>, Cartesian2d<RangedCoordf64, RangedCoordf64>>;

/// The width of a picture.
pub const WIDTH: u32 = 720;
/// Plotters divides sizes of text by 1.24.
const TEXT: u32 = 15;
const TITLE: u32 = 19;
/// About the width of a letter.
const LETTER: f64 = 6.6;
const HEAD: u32 = 40;
const LINE: u32 = 20;
const INK: RGBColor = RGBColor(34, 34, 34);

/// A name and its colour.
pub type Entry = (String, RGBColor);

/// Makes a picture: a title, the drawing below it, and a legend below that.
pub fn picture(
    title: &str,
    height: u32,
    legend: &[Entry],
    draw: impl FnOnce(&Area<'_>) -> Result<(), Failed>,
) -> Result<String, Failed> {
    let lines = legend_lines(legend);
    let below = LINE * lines.len() as u32 + if lines.is_empty() { 0 } else { 8 };
    let mut svg = String::new();
    let area = SVGBackend::with_string(&mut svg, (WIDTH, HEAD + height + below)).into_drawing_area();
    area.fill(&WHITE)?;
    write(&area, title, (12, HEAD.cast_signed() / 2), HPos::Left, TITLE)?;
    let (_, rest) = area.split_vertically(HEAD);
    let (drawing, _) = rest.split_vertically(height);
    draw(&drawing)?;
    for (number, line) in lines.iter().enumerate() {
        let y = (HEAD + height + 8 + LINE * number as u32 + LINE / 2).cast_signed();
        for (x, (name, colour)) in line {
            area.draw(&Rectangle::new([(*x, y - 5), (x + 10, y + 5)], colour.filled()))?;
            write(&area, name, (x + 16, y), HPos::Left, TEXT)?;
        }
    }
    area.present()?;
    drop((area, rest, drawing));
    Ok(svg)
}

/// Shares the entries of a legend among lines, each at its place.
fn legend_lines(legend: &[Entry]) -> Vec<Vec<(i32, &Entry)>> {
    let mut lines: Vec<Vec<(i32, &Entry)>> = Vec::new();
    let mut x = i32::MAX;
    for entry in legend {
        let wide = 36 + width(&entry.0);
        if x.saturating_add(wide) > WIDTH.cast_signed() {
            x = 12;
            lines.push(Vec::new());
        }
        lines.last_mut().into_iter().for_each(|line| line.push((x, entry)));
        x += wide;
    }
    lines
}

/// Returns about how wide a text is.
pub fn width(text: &str) -> i32 {
    (text.chars().count() as f64 * LETTER).ceil() as i32
}

/// Writes a text beside a place, which is at half its height.
pub fn label(area: &Area<'_>, text: &str, at: (i32, i32), anchor: HPos) -> Result<(), Failed> {
    write(area, text, at, anchor, TEXT)
}

/// Writes a text that is read from below.
pub fn upright(area: &Area<'_>, text: &str, at: (i32, i32)) -> Result<(), Failed> {
    let style = ("sans-serif", TEXT).into_font().transform(FontTransform::Rotate270).color(&INK);
    let style = style.pos(Pos::new(HPos::Center, VPos::Center));
    Ok(area.draw(&Text::new(text.to_owned(), at, style))?)
}

fn write(area: &Area<'_>, text: &str, at: (i32, i32), anchor: HPos, size: u32) -> Result<(), Failed> {
    let style = ("sans-serif", size).into_text_style(area).color(&INK).pos(Pos::new(anchor, VPos::Center));
    Ok(area.draw(&Text::new(text.to_owned(), at, style))?)
}

/// An axis.
pub struct Axis<'t> {
    /// Its title.
    pub title: &'t str,
    /// Its ends.
    pub range: std::ops::Range<f64>,
    /// Its numbers are logarithms.
    pub log: bool,
    /// Its numbers are shown.
    pub numbered: bool,
    /// They are microseconds, each of which is told in the unit that fits it.
    pub us: bool,
}

impl Axis<'_> {
    /// Writes a number on the axis.
    fn tick(&self, value: f64) -> String {
        let value = if self.log { 10_f64.powf(value) } else { value };
        let unit = units::time(value * 1e6);
        if self.us { format!("{} {}", tick(value * 1e6 / unit.size), unit.name) } else { tick(value) }
    }
}

/// Makes axes in an area, `left` wide for labels.
pub fn axes<'a, 'b>(area: &'a Area<'b>, x: &Axis<'_>, y: &Axis<'_>, left: u32) -> Result<Axes<'a, 'b>, Failed> {
    let mut chart = ChartBuilder::on(area)
        .margin_right(24)
        .margin_top(4)
        .x_label_area_size(52)
        .y_label_area_size(left)
        .build_cartesian_2d(x.range.clone(), y.range.clone())?;
    let (of_x, of_y) = (|value: &f64| x.tick(*value), |value: &f64| y.tick(*value));
    chart
        .configure_mesh()
        .light_line_style(TRANSPARENT)
        .bold_line_style(RGBColor(221, 221, 221))
        .axis_style(RGBColor(136, 136, 136))
        .x_labels(8)
        .y_labels(if y.numbered { 7 } else { 0 })
        .label_style(("sans-serif", TEXT).into_font().color(&INK))
        .axis_desc_style(("sans-serif", TEXT).into_font().color(&INK))
        .x_desc(x.title)
        .y_desc(y.title)
        .x_label_formatter(&of_x)
        .y_label_formatter(&of_y)
        .draw()?;
    Ok(chart)
}

/// Writes a number with four significant digits.
fn tick(value: f64) -> String {
    let short: f64 = format!("{value:.3e}").parse().unwrap_or(value);
    if short == 0.0 { "0".into() } else { short.to_string() }
}

/// Returns the colour of a group, by its number.
pub fn colour(number: usize) -> RGBColor {
    hex(GROUPS[number % GROUPS.len()])
}

/// Reads a colour such as `#0072b2`.
pub fn hex(text: &str) -> RGBColor {
    let [red, green, blue] = channels(text);
    RGBColor(red, green, blue)
}

/// Returns the colour of a share of the largest value.
#[expect(clippy::cast_sign_loss, reason = "shares and colours are not negative")]
pub fn ramp(share: f64) -> RGBColor {
    let place = share.clamp(0.0, 1.0) * (RAMP.len() - 1) as f64;
    let below = (place as usize).min(RAMP.len() - 2);
    let part = place - below as f64;
    let (first, second) = (channels(RAMP[below]), channels(RAMP[below + 1]));
    let mixed = |of: usize| {
        let [low, high] = [first[of], second[of]].map(f64::from);
        (low + (high - low) * part).round() as u8
    };
    RGBColor(mixed(0), mixed(1), mixed(2))
}

/// Writes what colours mean, from `low` to `high`, into the bottom of an area.
pub fn scale(area: &Area<'_>, words: &str, [low, high]: [f64; 2]) -> Result<(), Failed> {
    const STEPS: i32 = 50;
    let (wide, tall) = area.dim_in_pixel();
    let (y, x) = (tall.cast_signed() - 14, wide.cast_signed() - 330);
    label(area, words, (x - 100, y), HPos::Right)?;
    label(area, &tick(low), (x - 8, y), HPos::Right)?;
    label(area, &tick(high), (x + 4 * STEPS + 8, y), HPos::Left)?;
    for step in 0..STEPS {
        let colour = ramp(f64::from(step) / f64::from(STEPS - 1));
        area.draw(&Rectangle::new([(x + 4 * step, y - 5), (x + 4 * step + 4, y + 5)], colour.filled()))?;
    }
    Ok(())
}
