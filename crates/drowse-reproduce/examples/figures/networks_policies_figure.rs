//! Networks against policies: a grid of the energy that the network needs, coloured, and of how often the bound is kept.

use std::error::Error;

use plotters::style::text_anchor::HPos;
use plotters::style::{Color, RGBAColor};

use crate::networks_policies::{NETWORKS, Study};
use crate::networks_policies_choice::{BOUND, ORACLE};
use crate::plot::{self, Area, COLOUR_BLUE, COLOUR_VERMILION, Pixel};

/// A field of the grid, and the room for the names of policies and networks.
const FIELD: (i32, i32) = (108, 46);
const LEFT: i32 = 196;
const TOP: i32 = 40;
const LEGEND: i32 = 66;
const MARGIN: i32 = 14;
/// Energies whose fields have the full colours: below and above that of the best network always on.
const FULL: [f64; 2] = [0.85, 1.3];
/// How much of a full colour a field has, so that its text can be read.
const TINT: f64 = 0.75;

/// Draws the figure.
pub fn draw(study: &Study) -> Result<String, Box<dyn Error>> {
    let policies = study.policies();
    let [columns, rows] = [NETWORKS.len(), policies.len()].map(i32::try_from);
    let (width, height) = (LEFT + FIELD.0 * columns? + MARGIN, TOP + FIELD.1 * rows? + LEGEND);
    plot::picture((width.unsigned_abs(), height.unsigned_abs()), |area| {
        for (column, (network, _)) in (0..).zip(NETWORKS) {
            plot::text(area, network, (LEFT + FIELD.0 * column + FIELD.0 / 2, TOP / 2), HPos::Center)?;
        }
        for (row, &policy) in (0..).zip(&policies) {
            let y = TOP + FIELD.1 * row;
            plot::text(area, policy, (LEFT - 12, y + FIELD.1 / 2), HPos::Right)?;
            for (column, (network, _)) in (0..).zip(NETWORKS) {
                draw_field(area, study, (network, policy), (LEFT + FIELD.0 * column, y))?;
            }
        }
        draw_legend(area, height - LEGEND)
    })
}

fn draw_field(
    area: &Area<'_>,
    study: &Study,
    (network, policy): (&str, &str),
    (x, y): Pixel,
) -> Result<(), Box<dyn Error>> {
    let energy = study.where_allowed(network, policy)?;
    let cases = study.of(|case| case.network == network && case.policy == policy);
    let kept = cases.iter().filter(|case| case.time < BOUND).count();
    plot::fill(area, [(x + 1, y + 1), (x + FIELD.0 - 1, y + FIELD.1 - 1)], colour(energy))?;
    let middle = x + FIELD.0 / 2;
    plot::text(area, &format!("{:.0} %", 100.0 * energy), (middle, y + 15), HPos::Center)?;
    let told = if policy == ORACLE { "bound".to_owned() } else { format!("{kept} of {}", cases.len()) };
    plot::text(area, &told, (middle, y + 32), HPos::Center)
}

/// Returns the colour of an energy: blue below 1, vermilion above.
fn colour(energy: f64) -> RGBAColor {
    let (full, end) = if energy < 1.0 { (COLOUR_BLUE, FULL[0]) } else { (COLOUR_VERMILION, FULL[1]) };
    let share = TINT * ((energy - 1.0) / (end - 1.0)).min(1.0);
    full.mix((100.0 * share).round() / 100.0)
}

fn draw_legend(area: &Area<'_>, y: i32) -> Result<(), Box<dyn Error>> {
    let lines = [
        "%: energy of the network, where the best network whose links are always on needs 100 %; mean of the applications.",
        "Below: for how many of them runs take less than 1 % longer. For the others, links count as always on.",
    ];
    for (line, text) in (0..).zip(lines) {
        plot::text(area, text, (MARGIN, y + 20 + 22 * line), HPos::Left)?;
    }
    Ok(())
}
