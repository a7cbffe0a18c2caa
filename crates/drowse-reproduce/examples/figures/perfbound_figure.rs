//! Energy of edge links against overhead, a panel for each program, as Fig. 16 of Saravanan and Carpenter 2018 has it.

use std::error::Error;

use plotters::style::RGBColor;
use plotters::style::text_anchor::HPos;

use crate::perfbound::{Point, Program};
use crate::plot::{self, Area, Axis, COLOUR_BLUE, COLOUR_GREEN, COLOUR_PURPLE, COLOUR_VERMILION, GREY, Marker, Plot};

const COLUMNS: u32 = 3;
/// A panel with its axes.
const PANEL: (u32, u32) = (300, 230);
const LEGEND: u32 = 44;
/// Percent of overhead at the right end of the panels; what lies beyond is cut off.
const RIGHT: f64 = 8.0;
/// The bound whose points are dotted.
const ONE_PERCENT: f64 = 0.01;

/// Draws the figure.
pub fn draw(programs: &[Program]) -> Result<String, Box<dyn Error>> {
    let lines = (programs.len() as u32).div_ceil(COLUMNS);
    plot::picture((COLUMNS * PANEL.0, lines * PANEL.1 + LEGEND), |area| {
        let (panels, legend) = area.split_vertically(lines * PANEL.1);
        let parts = panels.split_evenly((lines as usize, COLUMNS as usize));
        programs.iter().zip(&parts).try_for_each(|(program, part)| draw_panel(area, part, program))?;
        draw_legend(&legend)
    })
}

fn draw_panel<'a>(area: &Area<'a>, part: &Area<'a>, program: &Program) -> Result<(), Box<dyn Error>> {
    let overhead = Axis::steps("overhead, %", 0..=4, RIGHT / 4.0, 0);
    let energy = Axis::steps("energy, %", 0..=5, 20.0, 0);
    let plot = Plot::new(area, part, &overhead, &energy, true)?;
    plot.thin_line(&[(0.0, program.oracle), (RIGHT, program.oracle)], GREY)?;
    shown(&program.deep).try_for_each(|part| plot.thin_line(&part, COLOUR_BLUE))?;
    shown(&program.front).try_for_each(|part| plot.line(&part, COLOUR_GREEN))?;
    draw_policy(&plot, &program.perfbound, Marker::Triangle, COLOUR_VERMILION)?;
    draw_policy(&plot, &program.fastwake, Marker::Square, COLOUR_PURPLE)?;
    let (x, y) = plot.pixel((RIGHT, 100.0));
    plot::text(area, &program.name, (x - 6, y + 12), HPos::Right)
}

/// Returns the parts of a curve that lie in the panel.
fn shown(points: &[Point]) -> impl Iterator<Item = [Point; 2]> {
    points.windows(2).filter_map(|ends| clip(ends[0], ends[1]))
}

/// Cuts a line off at the right end and at the top and left of a panel; a run that sleeping makes faster is drawn as
/// one that is not slower.
fn clip(a: Point, b: Point) -> Option<[Point; 2]> {
    let (a, b) = if a.0 <= b.0 { (a, b) } else { (b, a) };
    if a.0 >= RIGHT {
        return None;
    }
    let end = if b.0 > RIGHT { (RIGHT, a.1 + (b.1 - a.1) * (RIGHT - a.0) / (b.0 - a.0)) } else { b };
    Some([a, end].map(|(overhead, energy)| (overhead.max(0.0), energy.min(100.0))))
}

/// Marks the points of a policy, those above a panel at its top; that of 1 % has a dot in it.
fn draw_policy(
    plot: &Plot<'_, '_>,
    points: &[(f64, Point)],
    marker: Marker,
    colour: RGBColor,
) -> Result<(), Box<dyn Error>> {
    let shown = |bounds: fn(f64) -> bool| -> Vec<Point> {
        let points = points.iter().filter(|(bound, point)| bounds(*bound) && point.0 <= RIGHT);
        points.map(|&(_, (overhead, energy))| (overhead.max(0.0), energy.min(100.0))).collect()
    };
    plot.markers(&shown(|_| true), marker, colour)?;
    plot.dots(&shown(|bound| bound == ONE_PERCENT), colour)
}

fn draw_legend(area: &Area<'_>) -> Result<(), Box<dyn Error>> {
    let lines = [("deep sleep", COLOUR_BLUE), ("best of both", COLOUR_GREEN), ("hindsight", GREY)];
    for (index, (name, colour)) in (0i32..).zip(lines) {
        let x = 30 + 150 * index;
        let draw = if colour == COLOUR_GREEN { plot::line } else { plot::thin_line };
        draw(area, vec![(x, 20), (x + 28, 20)], colour)?;
        plot::text(area, name, (x + 36, 20), HPos::Left)?;
    }
    let markers =
        [("PerfBound", Marker::Triangle, COLOUR_VERMILION), ("DynamicFastwake", Marker::Square, COLOUR_PURPLE)];
    for (index, (name, marker, colour)) in (0i32..).zip(markers) {
        let x = 490 + 130 * index;
        marker.draw(area, (x, 20), colour)?;
        plot::text(area, name, (x + 12, 20), HPos::Left)?;
    }
    plot::text(area, "with a dot: 1 %", (770, 20), HPos::Left)
}
