//! The communication matrix as a picture: senders to the right, receivers upwards as in Totoni et al. 2014, Fig. 2,
//! bytes as shades on a logarithmic scale.

use drowse_core::usage::Matrix;

use crate::svg::{Element, Svg};

/// The side of the matrix, in pixels.
const SIDE: u32 = 512;
/// Room for the axes.
const MARGIN: u32 = 56;
/// Shades from little to much (a sequential scale of blues that also reads in grey).
const SHADES: [&str; 8] = ["#deebf7", "#c6dbef", "#9ecae1", "#6baed6", "#4292c6", "#2171b5", "#08519c", "#08306b"];
/// Each shade stands for four times the bytes of the one before.
const BITS_PER_SHADE: u32 = 2;

/// Draws the matrix, with a line that says what it shows.
pub fn svg(matrix: &Matrix, what: &str) -> String {
    let blocks = matrix.blocks();
    let most = (0..blocks * blocks).map(|cell| matrix.of(cell / blocks, cell % blocks).bytes).max().unwrap_or(0);
    let (width, height) = (SIDE + MARGIN + 130, SIDE + 2 * MARGIN);
    let mut svg = Svg::new(width, height, 12);
    svg.element("rect").with("width", width).with("height", height).with("fill", "white").empty();
    // One unit of the inner picture is one block; the origin is at the lower left.
    let (scale, bottom) = (f64::from(SIDE) / f64::from(blocks), MARGIN / 2 + SIDE);
    let transform = format!("translate({MARGIN} {bottom}) scale({scale:.6} -{scale:.6})");
    svg.element("g").with("transform", transform).with("shape-rendering", "crispEdges").open();
    (0..blocks).for_each(|to| row(&mut svg, matrix, to, most));
    svg.close("g");
    let title = match matrix.block() {
        1 => what.to_owned(),
        block => format!("{what}; {block} x {block} ranks a cell"),
    };
    svg.element("text").with("x", MARGIN).with("y", MARGIN / 2 - 8).text(&title);
    axes(&mut svg, matrix.ranks());
    legend(&mut svg, most);
    svg.finish()
}

/// Draws what one block of ranks receives; neighbours of one shade are one rectangle.
fn row(svg: &mut Svg, matrix: &Matrix, to: u32, most: u64) {
    let shade_of = |from: u32| {
        let cell = matrix.of(from, to);
        (cell.messages > 0).then(|| shade(cell.bytes, most))
    };
    let mut from = 0;
    while from < matrix.blocks() {
        let shade = shade_of(from);
        let end = (from + 1..matrix.blocks()).find(|&next| shade_of(next) != shade).unwrap_or(matrix.blocks());
        if let Some(shade) = shade {
            rectangle(svg, [from, to], [end - from, 1]).with("fill", SHADES[shade]).empty();
        }
        from = end;
    }
}

/// Begins a rectangle with a place and a size.
fn rectangle(svg: &mut Svg, [x, y]: [u32; 2], [width, height]: [u32; 2]) -> Element<'_> {
    svg.element("rect").with("x", x).with("y", y).with("width", width).with("height", height)
}

/// Returns the shade of some bytes: the darkest is within a factor of four of the most.
fn shade(bytes: u64, most: u64) -> usize {
    let bits = |bytes: u64| bytes.max(1).ilog2();
    let below = (bits(most) - bits(bytes)) / BITS_PER_SHADE;
    SHADES.len() - 1 - (below as usize).min(SHADES.len() - 1)
}

fn axes(svg: &mut Svg, ranks: u32) {
    let (left, top, right, bottom) = (MARGIN, MARGIN / 2, MARGIN + SIDE, MARGIN / 2 + SIDE);
    rectangle(svg, [left, top], [SIDE, SIDE]).with("fill", "none").with("stroke", "black").empty();
    let mut text = |x: u32, y: u32, anchor: &str, words: &str| {
        svg.element("text").with("x", x).with("y", y).with("text-anchor", anchor).text(words);
    };
    let last = (ranks - 1).to_string();
    text(left, bottom + 16, "start", "0");
    text(right, bottom + 16, "end", &last);
    text(left - 4, bottom, "end", "0");
    text(left - 4, top + 12, "end", &last);
    text(left + SIDE / 2, bottom + 34, "middle", "sending rank");
    let (x, y) = (left - 36, top + SIDE / 2);
    let upright = svg.element("text").with("x", x).with("y", y).with("text-anchor", "middle");
    upright.with("transform", format_args!("rotate(-90 {x} {y})")).text("receiving rank");
}

/// Draws the least bytes of each shade.
fn legend(svg: &mut Svg, most: u64) {
    let left = MARGIN + SIDE + 16;
    svg.element("text").with("x", left).with("y", MARGIN / 2 + 10).text("bytes, at least");
    let top_bits = most.max(1).ilog2();
    for (index, fill) in SHADES.iter().rev().enumerate() {
        let Some(bits) = (top_bits + 1).checked_sub((index as u32 + 1) * BITS_PER_SHADE) else { continue };
        let y = MARGIN / 2 + 20 + 20 * index as u32;
        rectangle(svg, [left, y], [16, 16]).with("fill", fill).empty();
        svg.element("text").with("x", left + 22).with("y", y + 13).text(&size(bits));
    }
}

/// Writes two to the power of some bits as a size.
fn size(bits: u32) -> String {
    let units = ["B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];
    format!("{} {}", 1u64 << (bits % 10), units[(bits / 10) as usize])
}
