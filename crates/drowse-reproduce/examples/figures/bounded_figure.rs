//! How much longer programs take than their bound of 1 %, and what they save: `bounded` beside `PerfBound`.

use std::error::Error;

use plotters::style::text_anchor::HPos;

use crate::bounded::{BOUNDED, PERFBOUND, Program};
use crate::plot::{self, Axis, COLOUR_BLUE, COLOUR_VERMILION, GREY, Marker, Plot};

const SIZE: (u32, u32) = (760, 460);
const LEGEND: u32 = 40;
const SETTING: &str = "1 %";
const BOUND: f64 = 1.0;
/// Percent at the upper end; runs that are longer still are drawn there.
const LONGEST: f64 = 6.0;

/// Draws the figure.
pub fn draw(programs: &[Program]) -> Result<String, Box<dyn Error>> {
    plot::picture((SIZE.0, SIZE.1 + LEGEND), |area| {
        let (part, legend) = area.split_vertically(SIZE.1);
        let saved = Axis::steps("energy of links saved, %", 0..=5, 20.0, 0);
        let longer = Axis::steps("longer than with links always on, %", 0..=6, 1.0, 0);
        let plot = Plot::new(area, &part, &saved, &longer, true)?;
        plot.line(&[(0.0, BOUND), (100.0, BOUND)], GREY)?;
        let point = |(longer, saved): (f64, f64)| ((100.0 * saved).max(0.0), (100.0 * longer).clamp(0.0, LONGEST));
        let looks = [(PERFBOUND, Marker::Triangle, COLOUR_VERMILION), (BOUNDED, Marker::Circle, COLOUR_BLUE)];
        for (place, (policy, marker, colour)) in (0..).zip(looks) {
            let steady = programs.iter().filter(|program| program.is_steady());
            let points: Vec<_> =
                steady.filter_map(|program| program.longer_and_saved(policy, SETTING)).map(point).collect();
            plot.markers(&points, marker, colour)?;
            marker.draw(&legend, (20 + 120 * place, 16), colour)?;
            plot::text(&legend, policy, (32 + 120 * place, 16), HPos::Left)?;
        }
        plot::text(&legend, "a mark: a program; the line: the bound; at the top: 6 % and more", (250, 16), HPos::Left)
    })
}
