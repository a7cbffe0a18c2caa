//! What each choice that Saravanan and Carpenter 2018 leaves open does to the means over programs: a line for each.

use std::error::Error;

use drowse_tables::Row;
use drowse_tables::schema::reproduction;
use plotters::style::text_anchor::HPos;

use crate::plot::{self, Area, Axis, COLOUR_BLUE, COLOUR_PURPLE, COLOUR_VERMILION, GREY, Marker, Plot};

/// Room for a choice's name, for the panels of overheads and of energy-delay products, and for a line.
const NAMES: u32 = 330;
const PANELS: [u32; 2] = [380, 290];
const LINE: u32 = 24;
const LEGEND: u32 = 44;
/// What the axes of a panel take above and below.
const AXES: u32 = 78;
/// Percent at the right end of overheads; what lies beyond is written.
const RIGHT: f64 = 3.0;

/// A choice, and the mean overheads of PerfBound and DynamicFastwake and the gain in the energy-delay product under it.
struct Choice {
    name: String,
    means: [f64; 3],
}

/// Draws the rows of a reproduction.
pub fn draw(rows: &[Row]) -> Result<String, Box<dyn Error>> {
    let choices = read(rows);
    let height = LINE * choices.len() as u32 + AXES;
    plot::picture((NAMES + PANELS[0] + PANELS[1], height + LEGEND), |area| {
        let (panels, legend) = area.split_vertically(height);
        let (left, gains) = panels.split_horizontally(NAMES + PANELS[0]);
        let (_, overheads) = left.split_horizontally(NAMES - 72);
        let lines = Axis { title: "", range: 0.0..choices.len() as f64, ticks: Vec::new() };
        let overhead = Axis::steps("mean overhead, %", 0..=6, RIGHT / 6.0, 1);
        let overheads = Plot::new(area, &overheads, &overhead, &lines, true)?;
        let gain = Axis::steps("energy-delay product, less, %", 0..=5, 5.0, 0);
        let gains = Plot::new(area, &gains, &gain, &lines, true)?;
        let (first, at) = (&choices[0], |line: usize| choices.len() as f64 - line as f64 - 0.5);
        for (plot, figure) in [(&overheads, 0), (&overheads, 1), (&gains, 2)] {
            let value = first.means[figure];
            plot.thin_line(&[(value, 0.0), (value, choices.len() as f64)], GREY)?;
        }
        for (line, choice) in choices.iter().enumerate() {
            draw_choice(area, [&overheads, &gains], choice, at(line))?;
        }
        draw_legend(&legend)
    })
}

/// Reads the bands, of which each has three rows.
fn read(rows: &[Row]) -> Vec<Choice> {
    let bands: Vec<(String, f64)> = rows
        .iter()
        .filter_map(|row| {
            let name = row.text(reproduction::PLACE).strip_prefix("Band: ")?.to_owned();
            Some((name, row.number(reproduction::OURS)?))
        })
        .collect();
    let choice =
        |rows: &[(String, f64)]| Choice { name: rows[0].0.clone(), means: [0, 1, 2].map(|i: usize| rows[i].1) };
    bands.chunks_exact(3).map(choice).collect()
}

fn draw_choice(
    area: &Area<'_>,
    [overheads, gains]: [&Plot<'_, '_>; 2],
    choice: &Choice,
    at: f64,
) -> Result<(), Box<dyn Error>> {
    let (x, y) = overheads.pixel((0.0, at));
    plot::text(area, &choice.name, (x - 10, y), HPos::Right)?;
    let [perfbound, fastwake, gain] = choice.means;
    if perfbound.max(fastwake) <= RIGHT {
        overheads.markers(&[(perfbound, at)], Marker::Triangle, COLOUR_VERMILION)?;
        overheads.markers(&[(fastwake, at)], Marker::Square, COLOUR_PURPLE)?;
    } else {
        let (x, y) = overheads.pixel((RIGHT, at));
        plot::text(area, &format!("{perfbound:.1} and {fastwake:.1} %"), (x - 8, y), HPos::Right)?;
    }
    gains.markers(&[(gain, at)], Marker::Circle, COLOUR_BLUE)
}

fn draw_legend(area: &Area<'_>) -> Result<(), Box<dyn Error>> {
    let markers = [
        (Marker::Triangle, COLOUR_VERMILION, "PerfBound"),
        (Marker::Square, COLOUR_PURPLE, "DynamicFastwake"),
        (Marker::Circle, COLOUR_BLUE, "DynamicFastwake against PerfBound"),
    ];
    for (x, (marker, colour, name)) in [30, 160, 330].into_iter().zip(markers) {
        marker.draw(area, (x, 20), colour)?;
        plot::text(area, name, (x + 14, 20), HPos::Left)?;
    }
    plot::thin_line(area, vec![(650, 20), (678, 20)], GREY)?;
    plot::text(area, "as traced", (686, 20), HPos::Left)
}
