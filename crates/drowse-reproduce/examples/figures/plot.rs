//! Drawing in the axes of a figure: one look for all of them.
//!
//! Colours are of the palette of Okabe and Ito, which colour-blind people can tell apart; shapes differ as well. The
//! background is white, since pages are read on dark ones, too.

use std::error::Error;
use std::ops::Range;

use plotters::chart::ChartContext;
use plotters::coord::Shift;
use plotters::coord::ranged1d::{KeyPointHint, NoDefaultFormatting, Ranged, ValueFormatter};
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use super::compact::compact;

/// Blue of the palette.
pub const COLOUR_BLUE: RGBColor = RGBColor(0, 114, 178);
/// Vermilion of the palette.
pub const COLOUR_VERMILION: RGBColor = RGBColor(213, 94, 0);
/// Bluish green of the palette.
pub const COLOUR_GREEN: RGBColor = RGBColor(0, 158, 115);
/// Reddish purple of the palette.
pub const COLOUR_PURPLE: RGBColor = RGBColor(204, 121, 167);
/// For levels to compare with.
pub const GREY: RGBColor = RGBColor(110, 110, 110);
const GRID: RGBColor = RGBColor(222, 222, 222);
const FRAME: RGBColor = GREY;

/// Size of tick labels and notes; the library divides it by 1.24.
const TEXT: u32 = 17;
const TITLE: u32 = 19;
/// Room for tick labels and title left of the axes, and below them.
const LEFT: u32 = 72;
const BELOW: u32 = 56;

/// A part of a picture.
pub type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;
/// A place in a picture, in pixels.
pub type Pixel = (i32, i32);
type Failed = Box<dyn Error>;
type Chart<'a> = ChartContext<'a, SVGBackend<'a>, Cartesian2d<Axis, Axis>>;

/// What marks a point.
#[derive(Clone, Copy)]
pub enum Marker {
    Circle,
    Square,
    Triangle,
}

/// An axis: linear, with ticks where they are wanted.
#[derive(Clone)]
pub struct Axis {
    pub title: &'static str,
    pub range: Range<f64>,
    pub ticks: Vec<(f64, String)>,
}

/// Axes to draw in.
pub struct Plot<'p, 'a> {
    picture: &'p Area<'a>,
    chart: Chart<'a>,
}

/// Makes a picture.
pub fn picture(size: (u32, u32), draw: impl FnOnce(&Area<'_>) -> Result<(), Failed>) -> Result<String, Failed> {
    let mut svg = String::new();
    let area = SVGBackend::with_string(&mut svg, size).into_drawing_area();
    area.fill(&WHITE)?;
    draw(&area)?;
    area.present()?;
    drop(area);
    // What is so by default is a seventh of a picture.
    Ok(compact(&svg.replace(r#" opacity="1""#, "").replace(r#" stroke="none""#, "")))
}

/// Writes a text beside or around a place, which is at half its height.
pub fn text(area: &Area<'_>, text: &str, at: Pixel, anchor: HPos) -> Result<(), Failed> {
    let style = ("sans-serif", TEXT).into_text_style(area).color(&BLACK).pos(Pos::new(anchor, VPos::Center));
    Ok(area.draw(&Text::new(text, at, style))?)
}

/// Clears a rectangle of the grid, for text.
pub fn clear(area: &Area<'_>, corners: [Pixel; 2]) -> Result<(), Failed> {
    fill(area, corners, WHITE.mix(1.0))
}

/// Fills a rectangle.
pub fn fill(area: &Area<'_>, corners: [Pixel; 2], colour: RGBAColor) -> Result<(), Failed> {
    Ok(area.draw(&Rectangle::new(corners, colour.filled()))?)
}

/// Draws a line through places.
pub fn line(area: &Area<'_>, pixels: Vec<Pixel>, colour: RGBColor) -> Result<(), Failed> {
    Ok(area.draw(&PathElement::new(pixels, colour.stroke_width(2)))?)
}

/// Draws a thin line through places.
pub fn thin_line(area: &Area<'_>, pixels: Vec<Pixel>, colour: RGBColor) -> Result<(), Failed> {
    Ok(area.draw(&PathElement::new(pixels, colour.stroke_width(1)))?)
}

/// Draws a dot.
pub fn dot(area: &Area<'_>, at: Pixel, colour: RGBColor) -> Result<(), Failed> {
    Ok(area.draw(&Circle::new(at, 2, colour.filled()))?)
}

impl Marker {
    /// Draws the marker around a place, as an outline: two on the same place are both seen.
    pub fn draw(self, area: &Area<'_>, (x, y): Pixel, colour: RGBColor) -> Result<(), Failed> {
        let style = colour.stroke_width(2);
        let corners: &[Pixel] = match self {
            Marker::Circle => return Ok(area.draw(&Circle::new((x, y), 5, style))?),
            Marker::Square => &[(-5, -5), (5, -5), (5, 5), (-5, 5), (-5, -5), (5, -5)],
            Marker::Triangle => &[(0, -7), (7, 6), (-7, 6), (0, -7), (7, 6)],
        };
        let corners: Vec<Pixel> = corners.iter().map(|(right, down)| (x + right, y + down)).collect();
        Ok(area.draw(&PathElement::new(corners, style))?)
    }
}

impl Axis {
    /// Makes the axis that has ticks at multiples of a step, just as far as values go.
    pub fn around(title: &'static str, values: impl Iterator<Item = f64> + Clone, step: f64, digits: usize) -> Self {
        let lowest = (values.clone().fold(f64::INFINITY, f64::min) / step).floor();
        let highest = (values.fold(f64::NEG_INFINITY, f64::max) / step).ceil();
        Axis::steps(title, lowest as i32..=highest as i32, step, digits)
    }

    /// Makes the axis that has ticks at these multiples of a step.
    pub fn steps(title: &'static str, multiples: std::ops::RangeInclusive<i32>, step: f64, digits: usize) -> Self {
        let at = |multiple: i32| f64::from(multiple) * step;
        let range = at(*multiples.start())..at(*multiples.end());
        let ticks = multiples.map(|multiple| (at(multiple), format!("{:.digits$}", at(multiple)))).collect();
        Axis { title, range, ticks }
    }
}

impl Ranged for Axis {
    type FormatOption = NoDefaultFormatting;
    type ValueType = f64;

    /// Plain arithmetic and rounding: the same pixel on every system.
    fn map(&self, value: &f64, (start, end): (i32, i32)) -> i32 {
        let share = (value - self.range.start) / (self.range.end - self.range.start);
        start + (f64::from(end - start) * share).round() as i32
    }

    fn key_points<Hint: KeyPointHint>(&self, hint: Hint) -> Vec<f64> {
        // Light points are those between the ticks; there are none.
        let bold = !hint.weight().allow_light_points();
        self.ticks.iter().filter(|_| bold).map(|&(at, _)| at).collect()
    }

    fn range(&self) -> Range<f64> {
        self.range.clone()
    }
}

impl ValueFormatter<f64> for Axis {
    fn format(value: &f64) -> String {
        value.to_string()
    }

    fn format_ext(&self, value: &f64) -> String {
        let tick = self.ticks.iter().find(|(at, _)| at.total_cmp(value).is_eq());
        tick.map(|(_, label)| label.clone()).unwrap_or_default()
    }
}

impl<'p, 'a> Plot<'p, 'a> {
    /// Draws axes into a part of a picture; without `bottom`, the axis below is left to the next part.
    pub fn new(picture: &'p Area<'a>, part: &Area<'a>, x: &Axis, y: &Axis, bottom: bool) -> Result<Self, Failed> {
        let chart = ChartBuilder::on(part)
            .margin_top(14)
            .margin_right(22)
            .margin_left(8)
            .margin_bottom(8)
            .y_label_area_size(LEFT)
            .x_label_area_size(if bottom { BELOW } else { 0 })
            .build_cartesian_2d(x.clone(), y.clone())?;
        let mut plot = Plot { picture, chart };
        plot.draw_axes(x, y)?;
        Ok(plot)
    }

    fn draw_axes(&mut self, x: &Axis, y: &Axis) -> Result<(), Failed> {
        self.chart
            .configure_mesh()
            .bold_line_style(GRID)
            .light_line_style(TRANSPARENT)
            .axis_style(FRAME)
            .label_style(("sans-serif", TEXT))
            .axis_desc_style(("sans-serif", TITLE))
            .x_desc(x.title)
            .y_desc(y.title)
            .draw()?;
        let corners = [(x.range.start, y.range.end), (x.range.end, y.range.start)].map(|at| self.pixel(at));
        Ok(self.picture.draw(&Rectangle::new(corners, FRAME))?)
    }

    /// Returns the place of a point.
    pub fn pixel(&self, point: (f64, f64)) -> Pixel {
        self.chart.backend_coord(&point)
    }

    /// Draws a line through points.
    pub fn line(&self, points: &[(f64, f64)], colour: RGBColor) -> Result<(), Failed> {
        line(self.picture, points.iter().map(|&point| self.pixel(point)).collect(), colour)
    }

    /// Draws a thin line through points.
    pub fn thin_line(&self, points: &[(f64, f64)], colour: RGBColor) -> Result<(), Failed> {
        thin_line(self.picture, points.iter().map(|&point| self.pixel(point)).collect(), colour)
    }

    /// Draws dots at points.
    pub fn dots(&self, points: &[(f64, f64)], colour: RGBColor) -> Result<(), Failed> {
        points.iter().try_for_each(|&point| dot(self.picture, self.pixel(point), colour))
    }

    /// Marks points.
    pub fn markers(&self, points: &[(f64, f64)], marker: Marker, colour: RGBColor) -> Result<(), Failed> {
        points.iter().try_for_each(|&point| marker.draw(self.picture, self.pixel(point), colour))
    }
}
