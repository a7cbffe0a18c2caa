//! What workloads take on thin trees, a panel for each tree.

use std::error::Error;

use plotters::style::text_anchor::HPos;

use crate::plot::{self, Axis, COLOUR_BLUE, COLOUR_VERMILION, GREY, Marker, Plot};
use crate::thin_trees::{self, Time, Tree};

const SIZE: (u32, u32) = (860, 340);
/// The most on the axis of each tree, and its step.
const AXES: [(i32, f64); 2] = [(5, 1.0), (6, 4.0)];

/// Draws the figure.
pub fn draw() -> Result<String, Box<dyn Error>> {
    let trees = thin_trees::figure()?;
    plot::picture(SIZE, |area| {
        let (left, right) = area.split_horizontally(SIZE.0 / 2);
        for ((part, (steps, step)), Tree { name, times, means }) in [left, right].iter().zip(AXES).zip(&trees) {
            let (names, [theirs, ours]) = (names(times), means);
            let axis = Axis {
                title: name,
                range: -0.5..names.len() as f64 - 0.5,
                ticks: (0..).map(f64::from).zip(names.iter().map(|&name| name.to_owned())).collect(),
            };
            let plot = Plot::new(area, part, &axis, &Axis::steps("time, 8,4-tree = 1", 0..=steps, step, 0), true)?;
            let across = |height: f64| [(axis.range.start, height), (axis.range.end, height)];
            plot.line(&across(*theirs), GREY)?;
            plot.thin_line(&across(*ours), COLOUR_BLUE)?;
            for time in times {
                let place = names.iter().position(|&name| name == time.name).unwrap_or_default();
                let look =
                    if time.is_busy { (Marker::Square, COLOUR_VERMILION) } else { (Marker::Circle, COLOUR_BLUE) };
                plot.markers(&[(place as f64, time.time)], look.0, look.1)?;
            }
            let told = format!("mean: paper {theirs:.2}, here {ours:.2}");
            let top = f64::from(steps) * step;
            plot::text(area, &told, plot.pixel((3.4, 0.93 * top)), HPos::Left)?;
        }
        Ok(())
    })
}

/// Returns the names of the workloads, each once, in their order.
fn names(times: &[Time]) -> Vec<&'static str> {
    let mut names: Vec<&str> = times.iter().map(|time| time.name).collect();
    names.dedup();
    names
}
