//! Charts as pictures without a browser: the same specification, data and choices as the page.
//!
//! Of a chart that can be changed in the page, the first choice is drawn, or the one that [`crate::plot::Options`] name.

mod bars;
mod curves;
mod data;
mod field;
mod frame;
mod panels;
mod scale;
mod series;

use drowse_picture::Picture;

use crate::charts::Chart;

pub use curves::series;
pub use frame::Look;

/// Draws a chart.
pub fn picture(chart: &Chart, look: Look) -> Picture {
    match chart.kind {
        "states" | "waiting" | "path" | "causes" | "waits" | "wakes" | "rank-timeline" | "link-timeline" => {
            bars::lying(chart, look)
        }
        "ranks" | "idle" => bars::standing(chart, look),
        "links" | "positions" | "wait-matrix" => field::cells(chart, look),
        "network" => field::network(chart, look),
        _ => curves::picture(chart, look),
    }
}

/// Returns whether a chart can be drawn here: bands over time are drawn in a browser only.
pub fn is_drawn(chart: &Chart) -> bool {
    chart.kind != "idling"
}

/// Draws a chart as SVG, in the usual size.
pub fn svg(chart: &Chart) -> String {
    drowse_picture::svg(&picture(chart, Look::default()))
}
