//! By how much run times and energies by flows differ from those by packets.

use std::error::Error;

use plotters::style::text_anchor::HPos;

use crate::flows_error::{Pair, QUEUES};
use crate::plot::{self, Axis, COLOUR_BLUE, COLOUR_VERMILION, GREY, Marker, Plot};

const SIZE: (u32, u32) = (760, 460);
const LEGEND: u32 = 40;
/// Percent at the ends; what is farther away is drawn there.
const MOST: f64 = 6.0;

/// Draws the figure.
pub fn draw(pairs: &[Pair]) -> Result<String, Box<dyn Error>> {
    plot::picture((SIZE.0, SIZE.1 + LEGEND), |area| {
        let (part, legend) = area.split_vertically(SIZE.1);
        let time = Axis::steps("run time by flows against packets, %", -6..=6, 1.0, 0);
        let energy = Axis::steps("energy by flows against packets, %", -6..=6, 1.0, 0);
        let plot = Plot::new(area, &part, &time, &energy, true)?;
        plot.line(&[(-MOST, 0.0), (MOST, 0.0)], GREY)?;
        plot.line(&[(0.0, -MOST), (0.0, MOST)], GREY)?;
        let looks = [(Marker::Circle, COLOUR_BLUE), (Marker::Triangle, COLOUR_VERMILION)];
        for (place, (queues, (marker, colour))) in (0..).zip(QUEUES.into_iter().zip(looks)) {
            let at = |pair: &Pair| {
                let [time, energy] = pair.errors().map(|error| (100.0 * error).clamp(-MOST, MOST));
                (time, energy)
            };
            let points: Vec<_> = pairs.iter().filter(|pair| pair.queues == queues).map(at).collect();
            plot.markers(&points, marker, colour)?;
            marker.draw(&legend, (20 + 160 * place, 16), colour)?;
            plot::text(&legend, queues, (32 + 160 * place, 16), HPos::Left)?;
        }
        plot::text(&legend, "a mark: a case; at the edge: 6 % and more", (350, 16), HPos::Left)
    })
}
