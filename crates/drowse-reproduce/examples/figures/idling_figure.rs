//! Heat maps of consecutive idle periods, and stall timers as they settle, as Figs. 6 and 12 of Saravanan and Carpenter
//! 2018 have them.

use std::collections::BTreeMap;
use std::error::Error;

use drowse_core::measure::probe::Tally;
use plotters::style::text_anchor::HPos;
use plotters::style::{Color, RGBColor};

use crate::idling::{BINS_PER_DECADE, Idling, Settling, Study};
use crate::plot::{self, Area, Axis, COLOUR_BLUE, COLOUR_GREEN, COLOUR_PURPLE, COLOUR_VERMILION, GREY, Plot};

/// A panel with its axes, and the room for a legend.
const PANEL: (u32, u32) = (420, 330);
const LEGEND: u32 = 44;
/// A cell is a tenth of a decade wide.
const BINS_OF_CELL: u8 = 2;
/// The least share of a panel's sum that has a shade, and the shade.
const SHADES: [(f64, RGBColor); 4] = [
    (0.0001, RGBColor(198, 219, 239)),
    (0.001, RGBColor(107, 174, 214)),
    (0.01, RGBColor(33, 113, 181)),
    (0.1, RGBColor(8, 48, 107)),
];
const LEGENDS: [&str; 4] = ["from 0.01 %", "0.1 %", "1 %", "10 % of the panel"];
const COLOURS: [RGBColor; 5] = [COLOUR_BLUE, COLOUR_VERMILION, COLOUR_GREEN, COLOUR_PURPLE, GREY];
/// Idle periods that are shown of a link.
const SHOWN: usize = 1_000;
/// Where timers are drawn of links that never sleep: above all times.
const NEVER: f64 = 5.25;

/// What a panel adds up.
type Summed = fn(&Tally) -> f64;
type Failed = Box<dyn Error>;

/// Draws idle periods and those that follow: their number, and the time of the first of each two.
pub fn pairs(study: &Study) -> Result<String, Failed> {
    let summed: [(&str, Summed); 2] =
        [("periods", |tally| tally.count as f64), ("idle time", |tally| tally.idle as f64)];
    let rows = study.idling.len() as u32;
    plot::picture((2 * PANEL.0, rows * PANEL.1 + LEGEND), |area| {
        let (panels, legend) = area.split_vertically(rows * PANEL.1);
        let parts = panels.split_evenly((rows as usize, 2));
        let drawn = study.idling.iter().flat_map(|idling| summed.map(|summed| (idling, summed)));
        drawn.zip(&parts).try_for_each(|((idling, summed), part)| draw_pairs(area, part, idling, summed))?;
        for (index, ((_, shade), name)) in (0i32..).zip(SHADES.iter().zip(LEGENDS)) {
            let x = 90 + 130 * index;
            plot::fill(&legend, [(x, 12), (x + 18, 30)], shade.to_rgba())?;
            plot::text(&legend, name, (x + 26, 21), HPos::Left)?;
        }
        Ok(())
    })
}

fn draw_pairs<'a>(area: &Area<'a>, part: &Area<'a>, idling: &Idling, (what, of): (&str, Summed)) -> Result<(), Failed> {
    let (mut period, next) = (times("idle period"), times("next"));
    // There is no room for the last label.
    period.ticks.pop();
    let plot = Plot::new(area, part, &period, &next, true)?;
    let mut cells: BTreeMap<[u8; 2], f64> = BTreeMap::new();
    for (bins, tally) in &idling.pairs {
        *cells.entry(bins.map(|bin| bin / BINS_OF_CELL)).or_default() += of(tally);
    }
    let sum: f64 = cells.values().sum();
    for (cell, value) in cells {
        let shade = SHADES.iter().rev().find(|(least, _)| value / sum >= *least);
        let corner = |more: u8| cell.map(|at| f64::from((at + more) * BINS_OF_CELL) / BINS_PER_DECADE);
        let [[left, bottom], [right, top]] = [corner(0), corner(1)];
        if let Some((_, shade)) = shade {
            plot::fill(area, [plot.pixel((left, top)), plot.pixel((right, bottom))], shade.to_rgba())?;
        }
    }
    let (x, y) = plot.pixel((5.0, 0.0));
    plot::text(area, &format!("{}, {what}", idling.name), (x - 8, y - 14), HPos::Right)
}

/// Returns the axis of times from 1 us to 100 ms.
fn times(title: &'static str) -> Axis {
    let ticks = ["1 us", "10 us", "100 us", "1 ms", "10 ms", "100 ms"];
    Axis { title, range: 0.0..5.0, ticks: (0..).map(f64::from).zip(ticks.map(String::from)).collect() }
}

/// Draws the stall timers of a link of each program over its idle periods.
pub fn settling(study: &Study) -> Result<String, Failed> {
    plot::picture((2 * PANEL.0, PANEL.1 + LEGEND), |area| {
        let (part, legend) = area.split_vertically(PANEL.1);
        let periods = Axis::steps("idle periods of 1 us or more", 0..=5, SHOWN as f64 / 5.0, 0);
        let mut timers = times("stall timer");
        timers.range = 0.0..5.5;
        timers.ticks.push((NEVER, "never".to_owned()));
        timers.ticks.remove(5);
        let plot = Plot::new(area, &part, &periods, &timers, true)?;
        for (index, (settling, colour)) in (0i32..).zip(study.settling.iter().zip(COLOURS)) {
            plot.line(&steps(settling), colour)?;
            let x = 90 + 120 * index;
            plot::line(&legend, vec![(x, 20), (x + 28, 20)], colour)?;
            plot::text(&legend, settling.name, (x + 36, 20), HPos::Left)?;
        }
        Ok(())
    })
}

/// Returns the corners of a line of steps.
fn steps(settling: &Settling) -> Vec<(f64, f64)> {
    let height = |timer: &Option<u8>| timer.map_or(NEVER, |bin| f64::from(bin) / BINS_PER_DECADE);
    let timers = settling.timers.iter().take(SHOWN).map(height);
    (0..).zip(timers).flat_map(|(period, height)| [period, period + 1].map(|at| (f64::from(at), height))).collect()
}
