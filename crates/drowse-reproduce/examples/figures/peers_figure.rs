//! Latency against load: other simulators' points, our lines beside them, and the twin's in their mode and in ours.

use std::error::Error;

use drowse_twin::peers::{Ours, Peer};
use plotters::style::RGBColor;
use plotters::style::text_anchor::HPos;

use crate::peers::{Curve, Found};
use crate::plot::{self, Area, Axis, COLOUR_BLUE, COLOUR_GREEN, COLOUR_VERMILION, Marker, Plot};

/// Cycles at the top of the figure. Above it curves are those of saturated networks, and depend on the run's length.
const TOP: f64 = 160.0;

/// Draws the figure.
pub fn draw(curves: &[Curve]) -> Result<String, Box<dyn Error>> {
    plot::picture((800, 520), |area| {
        let load = Axis::steps("offered load, share of the nodes' capacity", 0..=9, 0.1, 1);
        let latency = Axis::steps("mean packet latency, cycles", 0..=8, TOP / 8.0, 0);
        let plot = Plot::new(area, area, &load, &latency, true)?;
        for curve in curves {
            let (marker, colour) = look(curve.peer);
            plot.line(&line(curve, |found| &found.ours), colour)?;
            plot.thin_line(&line(curve, |found| &found.twin), colour)?;
            plot.dots(&twin_in_our_mode(curve), colour)?;
            plot.markers(&theirs(curve), marker, colour)?;
        }
        draw_legend(area, curves)
    })
}

fn look(peer: Peer) -> (Marker, RGBColor) {
    match peer {
        Peer::BookSim | Peer::BookSimTree4096 | Peer::BookSimDragonfly | Peer::CaminosHyperX => {
            (Marker::Circle, COLOUR_BLUE)
        }
        Peer::Caminos | Peer::CaminosTree4096 | Peer::CaminosDragonfly => (Marker::Square, COLOUR_VERMILION),
        Peer::CaminosAdaptive | Peer::CaminosTree64 | Peer::CaminosSlimFly => (Marker::Triangle, COLOUR_GREEN),
    }
}

fn theirs(curve: &Curve) -> Vec<(f64, f64)> {
    let points = curve.points.iter().map(|Found { theirs, .. }| (theirs.offered, theirs.latency));
    points.filter(|&(_, latency)| latency <= TOP).collect()
}

/// Returns the twin's points in our mode, at loads under which its short runs have settled.
fn twin_in_our_mode(curve: &Curve) -> Vec<(f64, f64)> {
    let settled = curve.points.iter().filter(|found| found.theirs.offered <= 0.4);
    settled.map(|found| (found.theirs.offered, found.twin_and_ours[0].latency)).collect()
}

/// Returns points of ours or of the twin up to saturation, and where the line through them leaves the figure.
fn line(curve: &Curve, of: fn(&Found) -> &Ours) -> Vec<(f64, f64)> {
    let mut line: Vec<(f64, f64)> = Vec::new();
    for found in curve.points.iter().take_while(|found| !of(found).saturated) {
        let point = (found.theirs.offered, of(found).latency);
        match line.last() {
            Some(&(load, latency)) if point.1 > TOP => {
                line.push((load + (point.0 - load) * (TOP - latency) / (point.1 - latency), TOP));
                break;
            }
            _ => line.push(point),
        }
    }
    line
}

fn draw_legend(area: &Area<'_>, curves: &[Curve]) -> Result<(), Box<dyn Error>> {
    let (left, top) = (112, 44);
    plot::clear(area, [(left - 26, top - 14), (left + 352, top + 86)])?;
    for (title, x) in [("theirs", left), ("ours", left + 45), ("twin: theirs, ours", left + 130)] {
        plot::text(area, title, (x, top), HPos::Center)?;
    }
    for (curve, y) in curves.iter().zip((top..).step_by(24).skip(1)) {
        let (marker, colour) = look(curve.peer);
        marker.draw(area, (left, y), colour)?;
        plot::line(area, vec![(left + 30, y), (left + 60, y)], colour)?;
        plot::thin_line(area, vec![(left + 80, y), (left + 110, y)], colour)?;
        plot::dot(area, (left + 132, y), colour)?;
        plot::text(area, curve.peer.name(), (left + 154, y), HPos::Left)?;
    }
    Ok(())
}
