//! Used cables over the dimensions of tori, and power saved over the delay, side by side.

use std::error::Error;

use plotters::style::text_anchor::HPos;
use plotters::style::{BLACK, RGBColor};

use crate::plot::{self, Area, Axis, COLOUR_BLUE, COLOUR_GREEN, COLOUR_PURPLE, COLOUR_VERMILION, Marker, Pixel, Plot};
use crate::runtime::Study;

const SIZE: (u32, u32) = (860, 360);
/// The look of three curves.
const LOOKS: [(Marker, RGBColor); 3] =
    [(Marker::Circle, COLOUR_BLUE), (Marker::Square, COLOUR_VERMILION), (Marker::Triangle, COLOUR_GREEN)];
const STENCILS: [&str; 3] = ["2D-Stencil", "3D-Stencil", "4D-Stencil"];

/// What the paper prints: of the three stencils on 3, 3 and 10 dimensions, and of NAMD on 6 and 10.
const PAPERS: [(f64, f64); 5] = [(3.0, 69.33), (3.0, 88.0), (10.0, 53.0), (6.0, 100.0), (10.0, 65.0)];

/// Marks a number of the paper.
fn cross(area: &Area<'_>, (x, y): Pixel) -> Result<(), Box<dyn Error>> {
    for rise in [-6, 6] {
        plot::line(area, vec![(x - 6, y - rise), (x + 6, y + rise)], BLACK)?;
    }
    Ok(())
}

/// Draws the figure.
pub fn draw(study: &Study) -> Result<String, Box<dyn Error>> {
    plot::picture(SIZE, |area| {
        let (left, right) = area.split_horizontally(SIZE.0 / 2);
        let dimensions = Axis::steps("dimensions of the torus", 3..=10, 1.0, 0);
        let plot = Plot::new(area, &left, &dimensions, &Axis::steps("cables used, %", 0..=5, 20.0, 0), true)?;
        for (line, (name, (marker, colour))) in (0..).zip(STENCILS.into_iter().zip(LOOKS)) {
            let points = study.tori(name);
            plot.line(&points, colour)?;
            plot.markers(&points, marker, colour)?;
            let (x, y) = plot.pixel((3.4, 36.0));
            marker.draw(area, (x, y + 22 * line), colour)?;
            plot::text(area, name, (x + 14, y + 22 * line), HPos::Left)?;
        }
        let namd = study.namd();
        plot.line(&namd, COLOUR_PURPLE)?;
        plot.dots(&namd, COLOUR_PURPLE)?;
        let (x, y) = plot.pixel((7.1, 97.0));
        plot::text(area, "NAMD, PME", (x, y), HPos::Left)?;
        PAPERS.into_iter().try_for_each(|point| cross(area, plot.pixel(point)))?;
        let delays = Axis::steps("delay of switching, ms", 0..=3, 5.0, 0);
        let plot = Plot::new(area, &right, &delays, &Axis::steps("power saved at most, %", 0..=5, 20.0, 0), true)?;
        for (line, ((name, [percs, torus]), (marker, colour))) in (0..).zip(study.delays.iter().zip(LOOKS)) {
            plot.line(percs, colour)?;
            plot.markers(percs, marker, colour)?;
            plot.thin_line(torus, colour)?;
            let (x, y) = plot.pixel((0.8, 28.0));
            marker.draw(area, (x, y + 22 * line), colour)?;
            plot::text(area, name, (x + 14, y + 22 * line), HPos::Left)?;
        }
        Ok(())
    })
}
