//! Charts as SVG without a browser: the same data and choices as the page, drawn by Plotters.
//!
//! Of a chart that can be changed in the page, the first choice is drawn: the first figure, the first case.

mod bars;
mod data;
mod field;
mod frame;

use crate::charts::Chart;

/// What Plotters can say.
type Failed = Box<dyn std::error::Error>;

/// Draws a chart; `None` where the drawing library cannot.
pub fn svg(chart: &Chart) -> Option<String> {
    let drawn = match chart.kind {
        "states" | "waiting" | "path" | "causes" | "rank-timeline" | "link-timeline" => bars::lying(chart),
        "ranks" | "idle" => bars::standing(chart),
        "links" | "positions" => field::cells(chart),
        "network" => field::network(chart),
        _ => field::curves(chart),
    };
    drawn.ok()
}
