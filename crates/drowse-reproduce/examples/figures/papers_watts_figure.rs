//! Bars: what each paper's mechanism saves of the network's power, by its own shares and by measured ones.

use std::error::Error;

use drowse_experiment::devices::{Medium, Saving};
use plotters::style::text_anchor::HPos;
use plotters::style::{Color, RGBColor};

use crate::papers_watts::{Mechanism, Study};
use crate::plot::{self, Area, COLOUR_BLUE, COLOUR_GREEN, COLOUR_VERMILION, GREY};

const SIZE: (u32, u32) = (900, 640);
/// Where bars begin, and the pixels of a percent.
const LEFT: i32 = 320;
const OF_PERCENT: f64 = 8.0;
/// Height of a bar, and of all bars of a mechanism.
const BAR: i32 = 17;
const GROUP: i32 = 78;

/// A bar of each mechanism: its name, its colour, and which share of a network can sleep.
type Bar<'b> = (&'static str, RGBColor, &'b dyn Fn(&Mechanism) -> f64);

/// Draws the figure.
pub fn draw(study: &Study) -> Result<String, Box<dyn Error>> {
    let best = |optical: bool| {
        let of = move |switch: &&Saving<'_>| switch.medium.is_optical() == optical && switch.medium != Medium::T;
        study.switches.iter().filter(of).map(Saving::sleepable)
    };
    let copper = best(false).fold(0.0, f64::max);
    let (most, least) = (best(true).fold(0.0, f64::max), best(true).fold(1.0, f64::min));
    let bars: [Bar<'_>; 4] = [
        ("the paper's shares", GREY, &|it| it.shares.sleepable()),
        ("best copper", COLOUR_VERMILION, &|_| copper),
        ("best optics, LR 100 Gb/s", COLOUR_BLUE, &|_| most),
        ("FR4 400 Gb/s", COLOUR_GREEN, &|_| least),
    ];
    plot::picture(SIZE, |area| {
        for (index, (name, colour, _)) in (0i32..).zip(&bars) {
            let x = 40 + 215 * index;
            plot::fill(area, [(x, 16), (x + 20, 30)], colour.mix(1.0))?;
            plot::text(area, name, (x + 28, 23), HPos::Left)?;
        }
        for (row, it) in (0i32..).zip(&study.mechanisms) {
            let y = 58 + GROUP * row;
            plot::text(area, it.name, (LEFT - 12, y + 2 * BAR), HPos::Right)?;
            for (place, (_, colour, sleepable)) in (0i32..).zip(&bars) {
                bar(area, y + BAR * place, it.saves(sleepable(it)), *colour)?;
            }
        }
        plot::text(area, "of the network's power saved", (LEFT, 622), HPos::Left)
    })
}

fn bar(area: &Area<'_>, y: i32, share: f64, colour: RGBColor) -> Result<(), Box<dyn Error>> {
    let percent = 100.0 * share;
    let end = LEFT + (percent * OF_PERCENT).round() as i32;
    plot::fill(area, [(LEFT, y), (end, y + BAR - 3)], colour.mix(1.0))?;
    plot::text(area, &format!("{percent:.1} %"), (end + 6, y + BAR / 2 - 1), HPos::Left)
}
