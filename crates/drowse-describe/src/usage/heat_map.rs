//! The communication matrix as a picture: senders to the right, receivers upwards as in Totoni et al. 2014, Fig. 2,
//! bytes as shades on a logarithmic scale.

use drowse_core::usage::Matrix;
use drowse_picture::{Anchor, Colour, Form, Layer, Picture, Stroke};

use crate::palette::channels;

/// The side of the matrix, in pixels.
const SIDE: f64 = 512.0;
/// Room for the axes, and for the legend.
const MARGIN: f64 = 56.0;
const LEGEND: f64 = 130.0;
/// The size of the font.
const FONT: f64 = 12.0;
/// Shades from little to much (a sequential scale of blues that also reads in grey).
const SHADES: [&str; 8] = ["#deebf7", "#c6dbef", "#9ecae1", "#6baed6", "#4292c6", "#2171b5", "#08519c", "#08306b"];
/// Each shade stands for four times the bytes of the one before.
const BITS_PER_SHADE: u32 = 2;

/// Draws the matrix, with a line that says what it shows.
pub fn svg(matrix: &Matrix, what: &str) -> String {
    drowse_picture::svg(&picture(matrix, what))
}

fn picture(matrix: &Matrix, what: &str) -> Picture {
    let blocks = matrix.blocks();
    let most = (0..blocks * blocks).map(|cell| matrix.of(cell / blocks, cell % blocks).bytes).max().unwrap_or(0);
    let title = match matrix.block() {
        1 => what.to_owned(),
        block => format!("{what}; {block} x {block} ranks a cell"),
    };
    let mut picture = Picture::new([SIDE + MARGIN + LEGEND, SIDE + 2.0 * MARGIN], title.clone());
    picture.layers.extend((0..SHADES.len()).map(|shade| cells(matrix, shade, most)));
    picture.layers.extend([axes(matrix.ranks(), &title), legend(most)]);
    picture
}

/// Draws all cells of one shade; neighbours in a row are one rectangle.
fn cells(matrix: &Matrix, shade: usize, most: u64) -> Layer {
    let mut layer = Layer::new("cells");
    let (blocks, side) = (matrix.blocks(), SIDE / f64::from(matrix.blocks()));
    for to in 0..blocks {
        let is_of = |from: u32| {
            let cell = matrix.of(from, to);
            cell.messages > 0 && shade_of(cell.bytes, most) == shade
        };
        let mut from = 0;
        while from < blocks {
            let end = (from..blocks).find(|&next| !is_of(next)).unwrap_or(blocks);
            if end > from {
                let at = [MARGIN + side * f64::from(from), MARGIN / 2.0 + SIDE - side * f64::from(to + 1)];
                layer.rectangle(at, [side * f64::from(end - from), side], colour(shade));
            }
            from = end.max(from + 1);
        }
    }
    layer
}

fn colour(shade: usize) -> Colour {
    let [red, green, blue] = channels(SHADES[shade]);
    Colour(red, green, blue)
}

/// Returns the shade of some bytes: the darkest is within a factor of four of the most.
fn shade_of(bytes: u64, most: u64) -> usize {
    let bits = |bytes: u64| bytes.max(1).ilog2();
    let below = (bits(most) - bits(bytes)) / BITS_PER_SHADE;
    SHADES.len() - 1 - (below as usize).min(SHADES.len() - 1)
}

fn axes(ranks: u32, title: &str) -> Layer {
    let (left, top, right, bottom) = (MARGIN, MARGIN / 2.0, MARGIN + SIDE, MARGIN / 2.0 + SIDE);
    let mut layer = Layer::new("axes");
    let edge = Stroke::solid(Colour::INK, 1.0);
    layer.shape(Form::Rectangle([left, top], [SIDE, SIDE]), None, Some(edge));
    layer.text(title, [left, top - 12.0], FONT, Anchor::Start);
    let last = (ranks - 1).to_string();
    layer.text("0", [left, bottom + 12.0], FONT, Anchor::Start);
    layer.text(last.clone(), [right, bottom + 12.0], FONT, Anchor::End);
    layer.text("0", [left - 4.0, bottom - 4.0], FONT, Anchor::End);
    layer.text(last, [left - 4.0, top + 8.0], FONT, Anchor::End);
    layer.text("sending rank", [left + SIDE / 2.0, bottom + 30.0], FONT, Anchor::Middle);
    layer.upright("receiving rank", [left - 40.0, top + SIDE / 2.0], FONT);
    layer
}

/// Draws the least bytes of each shade.
fn legend(most: u64) -> Layer {
    let left = MARGIN + SIDE + 16.0;
    let mut layer = Layer::new("legend");
    layer.text("bytes, at least", [left, MARGIN / 2.0 + 6.0], FONT, Anchor::Start);
    let top_bits = most.max(1).ilog2();
    for index in 0..SHADES.len() {
        let Some(bits) = (top_bits + 1).checked_sub((index as u32 + 1) * BITS_PER_SHADE) else { continue };
        let y = MARGIN / 2.0 + 20.0 + 20.0 * index as f64;
        layer.rectangle([left, y], [16.0, 16.0], colour(SHADES.len() - 1 - index));
        layer.text(size(bits), [left + 22.0, y + 8.0], FONT, Anchor::Start);
    }
    layer
}

/// Writes two to the power of some bits as a size.
fn size(bits: u32) -> String {
    let units = ["B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];
    format!("{} {}", 1u64 << (bits % 10), units[(bits / 10) as usize])
}
