//! How much longer programs take under each congestion control, by how long a wake takes.

use std::error::Error;

use plotters::style::text_anchor::HPos;

use crate::congestion::{CONTROLS, Case, TRAFFIC, WAKES, of_timer};
use crate::plot::{self, Axis, COLOUR_BLUE, COLOUR_PURPLE, COLOUR_VERMILION, GREY, Marker, Plot};

const SIZE: (u32, u32) = (760, 420);
const LEGEND: u32 = 80;
/// Times as long at the upper end; runs that are longer still are drawn there.
const MOST: f64 = 10.0;

/// Draws the figure.
pub fn draw(cases: &[Case]) -> Result<String, Box<dyn Error>> {
    plot::picture((SIZE.0, SIZE.1 + LEGEND), |area| {
        let (part, legend) = area.split_vertically(SIZE.1);
        let names = |(place, _): (usize, &&str)| (place as f64, format!("{}", place + 1));
        let controls = Axis {
            title: "congestion control",
            range: -0.5..CONTROLS.len() as f64 - 0.5,
            ticks: CONTROLS.iter().enumerate().map(names).collect(),
        };
        let longer = Axis::steps("run time, links always on = 1", 0..=10, 1.0, 0);
        let plot = Plot::new(area, &part, &controls, &longer, true)?;
        plot.line(&[(-0.5, 1.0), (CONTROLS.len() as f64 - 0.5, 1.0)], GREY)?;
        let looks =
            [(Marker::Circle, COLOUR_BLUE), (Marker::Square, COLOUR_PURPLE), (Marker::Triangle, COLOUR_VERMILION)];
        for (number, (wake, (marker, colour))) in (0..).zip(WAKES.into_iter().zip(looks)) {
            let mut points = Vec::new();
            for (place, control) in CONTROLS.into_iter().enumerate() {
                let times = TRAFFIC.iter().filter_map(|traffic| of_timer(cases, traffic, control, wake));
                let x = place as f64 + 0.2 * f64::from(number - 1);
                points.extend(times.map(|case| (x, case.time.min(MOST))));
            }
            plot.markers(&points, marker, colour)?;
            let x = 20 + 130 * number;
            marker.draw(&legend, (x, 16), colour)?;
            plot::text(&legend, &format!("wakes of {wake}"), (x + 12, 16), HPos::Left)?;
        }
        plot::text(&legend, "a mark: a traffic; at the top: 10 times and more", (420, 16), HPos::Left)?;
        for (row, part) in (0..).zip(CONTROLS.chunks(4)) {
            for (column, control) in (0..).zip(part) {
                let name = format!("{}: {control}", 4 * row + column + 1);
                plot::text(&legend, &name, (20 + 180 * column, 40 + 20 * row), HPos::Left)?;
            }
        }
        Ok(())
    })
}
