//! Slowdown and energies against the stall timer, in three panels above each other.

use std::error::Error;

use plotters::style::RGBColor;
use plotters::style::text_anchor::HPos;

use crate::plot::{self, Area, Axis, COLOUR_BLUE, COLOUR_GREEN, COLOUR_VERMILION, Marker, Plot};
use crate::stall_timer::{Point, Study};

const WIDTH: u32 = 800;
/// Height of a panel; the last one has the axis below it in addition.
const PANEL: u32 = 215;
const AXIS: u32 = 64;

/// One panel: its axis' title, the figure, the axis' step and digits, and the look.
struct Panel {
    title: &'static str,
    value: fn(&Point) -> f64,
    step: f64,
    digits: usize,
    marker: Marker,
    colour: RGBColor,
    /// Whether to name the stall timer that makes it least.
    least: bool,
}

const PANELS: [Panel; 3] = [
    Panel {
        title: "slowdown, %",
        value: |point| 100.0 * point.slowdown,
        step: 2.0,
        digits: 0,
        marker: Marker::Circle,
        colour: COLOUR_BLUE,
        least: false,
    },
    Panel {
        title: "E_net, relative",
        value: |point| point.network,
        step: 0.02,
        digits: 2,
        marker: Marker::Square,
        colour: COLOUR_VERMILION,
        least: true,
    },
    Panel {
        title: "E_cluster, relative",
        value: |point| point.cluster,
        step: 0.01,
        digits: 2,
        marker: Marker::Triangle,
        colour: COLOUR_GREEN,
        least: true,
    },
];

/// Draws the figure.
pub fn draw(study: &Study) -> Result<String, Box<dyn Error>> {
    plot::picture((WIDTH, 3 * PANEL + AXIS), |area| {
        let (top, rest) = area.split_vertically(PANEL);
        let (middle, bottom) = rest.split_vertically(PANEL);
        let parts = [(&top, false), (&middle, false), (&bottom, true)];
        let timers = timers(study);
        PANELS.iter().zip(parts).try_for_each(|(panel, (part, last))| panel.draw(area, part, &timers, study, last))
    })
}

/// Makes the logarithmic axis of stall timers.
fn timers(study: &Study) -> Axis {
    let ticks = study.points.iter().map(|point| (point.decades, point.microseconds.to_string())).collect();
    Axis { title: "stall timer, us", range: -0.1..3.1, ticks }
}

impl Panel {
    fn draw<'a>(
        &self,
        area: &Area<'a>,
        part: &Area<'a>,
        timers: &Axis,
        study: &Study,
        last: bool,
    ) -> Result<(), Box<dyn Error>> {
        let values = study.points.iter().map(self.value);
        let plot = Plot::new(area, part, timers, &Axis::around(self.title, values, self.step, self.digits), last)?;
        let at = |point: &Point| (point.decades, (self.value)(point));
        let points: Vec<(f64, f64)> = study.points.iter().map(at).collect();
        plot.line(&points, self.colour)?;
        plot.markers(&points, self.marker, self.colour)?;
        if !self.least {
            return Ok(());
        }
        let least = study.least(self.value)?;
        let (x, y) = plot.pixel(at(least));
        // Within the plot, however far to the right the point is.
        let (end, _) = plot.pixel((timers.range.end, (self.value)(least)));
        let x = x.min(end - 46);
        plot::clear(area, [(x - 46, y - 28), (x + 46, y - 12)])?;
        plot::text(area, &format!("least at {} us", least.microseconds), (x, y - 20), HPos::Center)
    }
}
