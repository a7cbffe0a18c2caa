//! Graph500 under each choice that Andújar et al. 2019 do not print: run time on 1D-16X over that on 2D-4X, each relative
//! to the reference network. One point for each run of the table, whatever its placement and way to gather.

use std::error::Error;

use plotters::style::RGBColor;
use plotters::style::text_anchor::HPos;

use crate::plot::{
    self, Area, Axis, COLOUR_BLUE, COLOUR_GREEN, COLOUR_PURPLE, COLOUR_VERMILION, GREY, Marker, Pixel, Plot,
};
use crate::torus::Study;

const SIZE: (u32, u32) = (620, 400);
const LEGEND: (u32, i32) = (410, 24);
/// "19 %", within what is left open of it, and "208 - 218 %".
const PAPER: [(f64, f64); 2] = [(1.14, 2.08), (1.24, 2.18)];

/// What an allocator does, by what titles say, the first that is found; all others are as usual.
const KINDS: [(&str, &str, Marker, RGBColor); 4] = [
    ("one allocation at a time", "one allocation at a time", Marker::Triangle, COLOUR_VERMILION),
    ("busy outputs requested", "busy outputs requested", Marker::Square, COLOUR_PURPLE),
    ("allocation not hidden", "allocation not hidden", Marker::Square, COLOUR_GREEN),
    ("", "allocation hidden (usual)", Marker::Circle, COLOUR_BLUE),
];

type Failed = Box<dyn Error>;

/// Draws the figure.
pub fn draw(study: &Study) -> Result<String, Failed> {
    plot::picture(SIZE, |area| {
        let (left, legend) = area.split_horizontally(LEGEND.0);
        let x = Axis::steps("run time on 2D-4X, 3D-1X = 1", 4..=9, 0.2, 1);
        let y = Axis::steps("run time on 1D-16X", 4..=13, 0.2, 1);
        let plot = Plot::new(area, &left, &x, &y, true)?;
        frame(&plot)?;
        for (kind, &(_, name, marker, colour)) in KINDS.iter().enumerate() {
            let of_kind = |title: &str| KINDS.iter().position(|(sign, ..)| title.contains(*sign)) == Some(kind);
            let points: Vec<(f64, f64)> =
                study.choices().into_iter().filter(|(title, _)| of_kind(title)).map(|(_, point)| point).collect();
            plot.markers(&points, marker, colour)?;
            entry(&legend, kind, name, &|at: Pixel| marker.draw(&legend, at, colour))?;
        }
        entry(&legend, KINDS.len(), "the paper", &|(x, y): Pixel| {
            plot::line(
                &legend,
                vec![(x - 7, y - 5), (x + 7, y - 5), (x + 7, y + 5), (x - 7, y + 5), (x - 7, y - 5)],
                GREY,
            )
        })
    })
}

/// Frames what the paper prints.
fn frame(plot: &Plot<'_, '_>) -> Result<(), Failed> {
    let [(left, low), (right, high)] = PAPER;
    plot.line(&[(left, low), (right, low), (right, high), (left, high), (left, low)], GREY)
}

fn entry(
    legend: &Area<'_>,
    place: usize,
    name: &str,
    draw: &dyn Fn(Pixel) -> Result<(), Failed>,
) -> Result<(), Failed> {
    let y = LEGEND.1 + 24 * i32::try_from(place)?;
    draw((12, y))?;
    plot::text(legend, name, (28, y), HPos::Left)
}
