//! `E_cluster` over the power of nodes that idle: single programs as in Figs. 3 and 5 of Andújar et al. 2019, and sets of
//! programs as in Fig. 7.

use std::error::Error;

use plotters::style::RGBColor;
use plotters::style::text_anchor::HPos;

use crate::plot::{self, Area, Axis, COLOUR_BLUE, COLOUR_GREEN, COLOUR_VERMILION, GREY, Plot};
use crate::torus::{Load, Study};

/// A panel with its axes, and the room for a legend.
const PANEL: (u32, u32) = (300, 250);
const LEGEND: u32 = 44;
const COLUMNS: u32 = 4;
/// Networks, each relative to the reference network of its size.
const NETWORKS: [(&str, &str, RGBColor); 3] = [
    ("2D-4X", "2D-4X, 64 nodes", COLOUR_VERMILION),
    ("1D-16X", "1D-16X, 64 nodes", COLOUR_GREEN),
    ("3D-4X", "3D-4X, 256 nodes", COLOUR_BLUE),
];
const PANELS: [(&str, Load); 8] = [
    ("NAMD", Load::Program("NAMD, 512 tasks", true)),
    ("GROMACS", Load::Program("GROMACS, 512 tasks", true)),
    ("LINPACK", Load::Program("LINPACK, 512 tasks", true)),
    ("MPIRA", Load::Program("MPIRA, 512 tasks", true)),
    ("Graph500", Load::Program("Graph500, 512 tasks", false)),
    ("set A", Load::Set("A")),
    ("set B", Load::Set("B")),
    ("set C", Load::Set("C")),
];

type Failed = Box<dyn Error>;

/// Draws the figure.
pub fn draw(study: &Study) -> Result<String, Failed> {
    let rows = (PANELS.len() as u32).div_ceil(COLUMNS);
    plot::picture((COLUMNS * PANEL.0, rows * PANEL.1 + LEGEND), |area| {
        let (panels, legend) = area.split_vertically(rows * PANEL.1);
        let parts = panels.split_evenly((rows as usize, COLUMNS as usize));
        PANELS.iter().zip(&parts).try_for_each(|(panel, part)| draw_panel(area, part, study, panel))?;
        for (index, (_, name, colour)) in (0i32..).zip(NETWORKS) {
            let x = 80 + 190 * index;
            plot::line(&legend, vec![(x, 21), (x + 24, 21)], colour)?;
            plot::text(&legend, name, (x + 32, 21), HPos::Left)?;
        }
        plot::text(&legend, "thick: trunks shed ports", (660, 21), HPos::Left)
    })
}

fn draw_panel<'a>(area: &Area<'a>, part: &Area<'a>, study: &Study, (name, load): &(&str, Load)) -> Result<(), Failed> {
    let omega = Axis::steps("omega_Snodes", 0..=4, 0.25, 2);
    let plot = Plot::new(area, part, &omega, &Axis::steps("E_cluster", 1..=6, 0.2, 1), true)?;
    plot.thin_line(&[(0.0, 1.0), (1.0, 1.0)], GREY)?;
    for (network, _, colour) in NETWORKS {
        plot.thin_line(&study.cluster(network, false, load), colour)?;
        plot.line(&study.cluster(network, true, load), colour)?;
    }
    let (x, y) = plot.pixel((0.0, 1.2));
    plot::text(area, name, (x + 8, y + 14), HPos::Left)
}
