//! The frame of a drawing: its titles, the shift of each place, and its legend.

use drowse_picture::{Anchor, Colour, Form, Layer, Picture, Place, Stroke, width};

use super::colours::Colours;
use super::point::Point;
use crate::palette::channels;

/// Free room around everything.
pub const MARGIN: f64 = 24.0;
/// Sizes of the font of the title and of all else. These and all lengths of texts grow with the width of wide pictures.
pub const FONT: [f64; 2] = [15.0, 12.0];
/// The height of title and subtitle, and that of a line of the legend.
const TITLE: f64 = 44.0;
const LEGEND: f64 = 22.0;
/// The width from which texts are larger, and how much at most.
const WIDE: f64 = 1100.0;
const LARGEST: f64 = 4.0;

/// The size of the picture, and the shift of each place.
pub struct Frame {
    width: f64,
    height: f64,
    shift: Point,
    /// How much larger texts are.
    pub scale: f64,
}

/// The entries of a legend: their numbers, their places and their words.
pub struct Entries {
    /// The entries.
    pub places: Vec<(usize, Place, String)>,
    /// How many lines they take.
    pub lines: usize,
}

impl Frame {
    /// Makes the frame of what lies between two corners, as wide as its titles at least.
    pub fn around([low, high]: [Point; 2], titles: [&str; 2]) -> Self {
        let picture = high - low;
        let scale = (picture.x / WIDE).clamp(1.0, LARGEST);
        let words = [0, 1].map(|line| width(titles[line], FONT[line] * scale));
        let inner = picture.x.max(words[0]).max(words[1]).max(300.0);
        let shift = Point::new(MARGIN + (inner - picture.x) / 2.0, MARGIN + TITLE * scale) - low;
        Frame { width: inner + 2.0 * MARGIN, height: MARGIN + TITLE * scale + picture.y, shift, scale }
    }

    /// Returns a place in the picture.
    pub fn place(&self, at: Point) -> Place {
        let at = at + self.shift;
        [at.x, at.y]
    }

    /// Shares the entries of a legend among lines below the picture; each needs so much room beside its words.
    pub fn legend(&self, entries: impl Iterator<Item = (usize, String)>, room: f64) -> Entries {
        let line = LEGEND * self.scale;
        let (mut places, mut lines) = (Vec::new(), 1);
        let mut at = [MARGIN, self.height + 18.0 + line / 2.0];
        for (number, words) in entries {
            let wide = room * self.scale + width(&words, FONT[1] * self.scale);
            if at[0] > MARGIN && at[0] + wide > self.width - MARGIN + 18.0 {
                at = [MARGIN, at[1] + line];
                lines += 1;
            }
            places.push((number, at, words));
            at[0] += wide;
        }
        Entries { places, lines }
    }

    /// Begins the picture: its titles on white ground, and room for so many lines of a legend.
    pub fn begin(&self, titles: [&str; 2], lines: usize) -> Picture {
        let height = self.height + 18.0 + LEGEND * self.scale * lines as f64 + MARGIN / 2.0;
        let mut picture = Picture::new([self.width, height], titles[0]);
        let mut layer = Layer::new("title");
        for (number, below) in [7.0, 27.0].into_iter().enumerate() {
            let at = [MARGIN, MARGIN + below * self.scale];
            layer.text(titles[number], at, FONT[number] * self.scale, Anchor::Start);
        }
        picture.layers.push(layer);
        picture
    }
}

/// Draws the colours of a figure from its least to its largest value.
pub fn scale(layer: &mut Layer, [x, y]: Place, scale: f64, colours: &Colours) {
    let [least, most] = colours.range().map(significant);
    let (font, side) = (FONT[1] * scale, 12.0 * scale);
    layer.text(least.clone(), [x, y], font, Anchor::Start);
    let mut x = x + width(&least, font) + 6.0 * scale;
    for colour in Colours::scale() {
        layer.shape(Form::Rectangle([x, y - side / 2.0], [side, side]), Some(hex(colour)), None);
        x += side;
    }
    layer.text(format!("{most}  {}", colours.words), [x + 6.0 * scale, y], font, Anchor::Start);
}

/// Draws a sample of a line.
pub fn sample(layer: &mut Layer, [x, y]: Place, length: f64, stroke: Stroke) {
    layer.line(vec![[x, y], [x + length, y]], stroke);
}

/// Shows a value with three significant digits.
fn significant(value: f64) -> String {
    if value == 0.0 || value.abs() >= 1000.0 {
        return format!("{value:.0}");
    }
    // The exponent is read from its text: logarithms are not the same on every system.
    let exponent: i32 =
        format!("{value:.2e}").rsplit_once('e').and_then(|(_, digits)| digits.parse().ok()).unwrap_or(0);
    format!("{value:.*}", usize::try_from(2 - exponent).unwrap_or(0))
}

/// Reads a colour such as `#0072b2`.
pub fn hex(text: &str) -> Colour {
    let [red, green, blue] = channels(text);
    Colour(red, green, blue)
}
