//! Power and latency over the load of uniform traffic: networks of 64 nodes left, of 256 right.

use std::error::Error;

use drowse_tables::schema::{Column, torus as torus_columns};
use plotters::style::RGBColor;
use plotters::style::text_anchor::HPos;

use crate::plot::{self, Area, Axis, COLOUR_BLUE, COLOUR_GREEN, COLOUR_VERMILION, Marker, Plot};
use crate::torus::Study;

const SIZE: (u32, u32) = (860, 620);
/// A network and its look.
type Look = (&'static str, Marker, RGBColor);
const ON_64: [Look; 3] = [
    ("3D-1X", Marker::Circle, COLOUR_BLUE),
    ("2D-4X", Marker::Square, COLOUR_VERMILION),
    ("1D-16X", Marker::Triangle, COLOUR_GREEN),
];
const ON_256: [Look; 2] = [("4D-1X", Marker::Circle, COLOUR_BLUE), ("3D-4X", Marker::Square, COLOUR_VERMILION)];
/// Nanoseconds at the upper end; beyond saturation latencies only tell how long was measured.
const LONGEST: f64 = 5_000.0;

/// Draws the figure.
pub fn draw(study: &Study) -> Result<String, Box<dyn Error>> {
    plot::picture(SIZE, |area| {
        let (left, right) = area.split_horizontally(SIZE.0 / 2);
        draw_networks(area, &left, study, &ON_64)?;
        draw_networks(area, &right, study, &ON_256)
    })
}

fn draw_networks<'a>(area: &Area<'a>, part: &Area<'a>, study: &Study, looks: &[Look]) -> Result<(), Box<dyn Error>> {
    let (power, latency) = part.split_vertically(SIZE.1 / 2);
    let load = Axis::steps("load, %", 0..=5, 20.0, 0);
    let plot = Plot::new(area, &power, &load, &Axis::steps("W_net, %", 0..=5, 20.0, 0), true)?;
    let percent = |points: Vec<(f64, f64)>| points.into_iter().map(|(load, power)| (load, 100.0 * power)).collect();
    draw_figure(&plot, study, looks, torus_columns::W_NET, percent)?;
    let plot = Plot::new(area, &latency, &load, &Axis::steps("mean latency, us", 0..=5, 1.0, 0), true)?;
    let us = |points: Vec<(f64, f64)>| {
        points.into_iter().filter(|&(_, ns)| ns <= LONGEST).map(|(load, ns)| (load, ns / 1e3)).collect()
    };
    draw_figure(&plot, study, looks, torus_columns::LATENCY_MEAN_NS, us)?;
    for (line, &(name, marker, colour)) in (0..).zip(looks) {
        let (x, y) = plot.pixel((5.0, 4.6));
        marker.draw(area, (x, y + 22 * line), colour)?;
        plot::text(area, name, (x + 14, y + 22 * line), HPos::Left)?;
    }
    Ok(())
}

/// Draws a figure of some networks: thin without power saving, thick with it.
fn draw_figure(
    plot: &Plot<'_, '_>,
    study: &Study,
    looks: &[Look],
    figure: Column,
    scaled: impl Fn(Vec<(f64, f64)>) -> Vec<(f64, f64)>,
) -> Result<(), Box<dyn Error>> {
    for &(name, marker, colour) in looks {
        let (without, with) = (scaled(study.curve(name, false, figure)), scaled(study.curve(name, true, figure)));
        plot.thin_line(&without, colour)?;
        plot.markers(&without, marker, colour)?;
        plot.line(&with, colour)?;
    }
    Ok(())
}
