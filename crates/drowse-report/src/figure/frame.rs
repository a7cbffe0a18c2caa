//! The frame of a picture: title, panels with axes, legend, and the meaning of colours.

use drowse_describe::palette::{RAMP, channels};
use drowse_picture::{Anchor, Colour, Layer, Marker, Picture, Place, Stroke, width};

use super::scale::{Scale, plain, whole};

/// The room around everything.
const MARGIN: f64 = 10.0;
/// Sizes as multiples of that of the font: the title, the height of its line and that of a line of the legend.
const TITLE: f64 = 1.25;
const HEAD: f64 = 2.4;
const LINE: f64 = 1.55;
/// The length of a sample of a line in the legend, and the room behind a name.
const SAMPLE: f64 = 2.2;
const GAP: f64 = 1.4;

/// Sizes that the user may choose.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Look {
    /// The width of the picture, in pixels.
    pub width: f64,
    /// The size of the font, in pixels.
    pub font: f64,
}

impl Default for Look {
    fn default() -> Self {
        Look { width: 720.0, font: 12.0 }
    }
}

/// What stands beside a name in the legend.
#[derive(Clone, Debug, PartialEq)]
pub enum Sample {
    /// A square of a colour.
    Square(Colour),
    /// A line, a mark, or both; a mark that is open is filled with white.
    Series {
        /// The line.
        line: Option<Stroke>,
        /// The mark, its colour, and whether it is open.
        mark: Option<(Marker, Colour, bool)>,
    },
}

/// A name and what stands beside it.
pub type Entry = (Sample, String);

/// A rectangle of a picture: its left, upper, right and lower end.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Area {
    /// The left end.
    pub left: f64,
    /// The upper end.
    pub top: f64,
    /// The right end.
    pub right: f64,
    /// The lower end.
    pub bottom: f64,
}

impl Area {
    /// Returns its width.
    pub fn width(self) -> f64 {
        self.right - self.left
    }

    /// Returns its upper left and lower right corner.
    pub fn corners(self) -> [Place; 2] {
        [[self.left, self.top], [self.right, self.bottom]]
    }
}

/// Draws a picture: a title, the drawing of so great a height below it, and a legend below that.
pub fn picture(
    title: &str,
    height: f64,
    legend: &[Entry],
    look: Look,
    draw: impl FnOnce(&mut Vec<Layer>, Area),
) -> Picture {
    let (top, right) = (MARGIN / 2.0 + HEAD * look.font, look.width - MARGIN);
    let lines = legend_lines(legend, look);
    let legend_height = LINE * look.font * lines.len() as f64;
    let mut picture = Picture::new([look.width, top + height + legend_height + MARGIN], title);
    let mut head = Layer::new("title");
    let size = TITLE * look.font;
    head.text(fit(title, size, right - MARGIN), [MARGIN, MARGIN / 2.0 + HEAD * look.font / 2.0], size, Anchor::Start);
    picture.layers.push(head);
    let area = Area { left: MARGIN, top, right, bottom: top + height };
    draw(&mut picture.layers, area);
    let mut layer = Layer::new("legend");
    for (number, line) in lines.iter().enumerate() {
        let y = area.bottom + LINE * look.font * (number as f64 + 0.5);
        for (x, (sample, name)) in line {
            draw_sample(&mut layer, sample, [*x, y], look.font);
            let room = right - x - SAMPLE * look.font;
            layer.text(fit(name, look.font, room), [x + (SAMPLE + 0.5) * look.font, y], look.font, Anchor::Start);
        }
    }
    picture.layers.push(layer);
    picture
}

/// Shares the entries of a legend among lines, each at its place.
fn legend_lines(legend: &[Entry], look: Look) -> Vec<Vec<(f64, &Entry)>> {
    let mut lines: Vec<Vec<(f64, &Entry)>> = Vec::new();
    let mut x = f64::INFINITY;
    for entry in legend {
        let wide = (SAMPLE + 0.5 + GAP) * look.font + width(&entry.1, look.font);
        if x + wide - GAP * look.font > look.width - MARGIN {
            x = MARGIN;
            lines.push(Vec::new());
        }
        lines.last_mut().into_iter().for_each(|line| line.push((x, entry)));
        x += wide;
    }
    lines
}

fn draw_sample(layer: &mut Layer, sample: &Sample, [x, y]: Place, font: f64) {
    let middle = [x + SAMPLE * font / 2.0, y];
    match sample {
        Sample::Square(colour) => {
            let side = 0.85 * font;
            layer.rectangle([middle[0] - side / 2.0, y - side / 2.0], [side, side], *colour);
        }
        Sample::Series { line, mark } => {
            if let Some(stroke) = line {
                layer.line(vec![[x, y], [x + SAMPLE * font, y]], *stroke);
            }
            if let Some((marker, colour, open)) = mark {
                draw_mark(layer, *marker, middle, *colour, *open, font);
            }
        }
    }
}

/// Draws the mark of a point; an open one is filled with white.
pub fn draw_mark(layer: &mut Layer, marker: Marker, at: Place, colour: Colour, open: bool, font: f64) {
    let fill = if open { Colour::WHITE } else { colour };
    let edge = if open { Stroke::solid(colour, 1.4) } else { Stroke::solid(Colour::WHITE, 0.6) };
    layer.shape(marker.form(at, font * 0.32), Some(fill), Some(edge));
}

/// Cuts a text that is wider than its room.
pub fn fit(text: &str, size: f64, room: f64) -> String {
    if width(text, size) <= room {
        return text.to_owned();
    }
    let mut cut: String = text.to_owned();
    while cut.pop().is_some() {
        let shown = format!("{}…", cut.trim_end());
        if width(&shown, size) <= room {
            return shown;
        }
    }
    "…".into()
}

/// A panel with axes: what is within them, and the scales.
pub struct Panel<'s> {
    /// The area within the axes.
    pub area: Area,
    /// The scale to the right.
    pub x: &'s Scale,
    /// The scale upwards.
    pub y: &'s Scale,
}

impl Panel<'_> {
    /// Returns the place of a value; `None` where a logarithmic scale has none for it.
    pub fn at(&self, x: f64, y: f64) -> Option<Place> {
        let (right, up) = (self.x.place(x)?, self.y.place(y)?);
        let Area { left, top, bottom, .. } = self.area;
        Some([left + right * self.area.width(), bottom - up * (bottom - top)])
    }

    /// Draws grid, axes and numbers.
    pub fn draw_axes(&self, layers: &mut Vec<Layer>, font: f64, [of_x, of_y]: [bool; 2]) {
        let Area { left, top, right, bottom } = self.area;
        let (mut grid, mut texts) = (Layer::new("grid"), Layer::new("axes"));
        let faint = Stroke::solid(Colour::FAINT, 1.0);
        for (value, words) in ticks_along(self.x, self.area.width(), font) {
            let Some([x, _]) = self.x.place(value).map(|share| [left + share * self.area.width(), 0.0]) else {
                continue;
            };
            grid.line(vec![[x, top], [x, bottom]], faint);
            if of_x {
                texts.text(words, [x, bottom + font * 0.95], font, Anchor::Middle);
            }
        }
        for value in if self.y.numbered { self.y.ticks(up_ticks(bottom - top, font)) } else { Vec::new() } {
            let Some(share) = self.y.place(value) else { continue };
            let y = bottom - share * (bottom - top);
            grid.line(vec![[left, y], [right, y]], faint);
            if of_y {
                texts.text(self.y.written(value), [left - font * 0.5, y], font, Anchor::End);
            }
        }
        let line = Stroke::solid(Colour::GREY, 1.0);
        grid.line(vec![[left, top], [left, bottom], [right, bottom]], line);
        layers.extend([grid, texts]);
    }
}

/// Returns how many ticks a height has room for.
pub fn up_ticks(height: f64, font: f64) -> usize {
    whole(height / (font * 2.4)).clamp(2, 7)
}

/// Returns the ticks of an axis to the right with their numbers, as many as have room beside each other.
fn ticks_along(scale: &Scale, width_of_axis: f64, font: f64) -> Vec<(f64, String)> {
    let with_words = |most: usize| -> Vec<(f64, String)> {
        scale.ticks(most).into_iter().map(|value| (value, scale.written(value))).collect()
    };
    let fits = |ticks: &[(f64, String)]| {
        let ends = |(value, words): &(f64, String)| {
            let middle = scale.place(*value).unwrap_or(0.0) * width_of_axis;
            let half = width(words, font) / 2.0 + font * 0.4;
            [middle - half, middle + half]
        };
        ticks.windows(2).all(|two| ends(&two[0])[1] <= ends(&two[1])[0])
    };
    (2..=9).rev().map(with_words).find(|ticks| fits(ticks)).unwrap_or_default()
}

/// Returns the room that the numbers of an upward axis need, with its title.
pub fn room_left(scale: &Scale, height: f64, font: f64) -> f64 {
    let numbers = scale.ticks(up_ticks(height, font)).into_iter().map(|value| width(&scale.written(value), font));
    let title = if scale.title.is_empty() { 0.0 } else { font * 1.5 };
    numbers.fold(0.0, f64::max) + font * 0.8 + title
}

/// Returns the room below an axis to the right for numbers and title.
pub fn room_below(scale: &Scale, font: f64) -> f64 {
    font * if scale.title.is_empty() { 1.8 } else { 3.4 }
}

/// Reads a colour such as `#0072b2`.
pub fn hex(text: &str) -> Colour {
    let [red, green, blue] = channels(text);
    Colour(red, green, blue)
}

/// Returns the colour of a share of the largest value.
#[expect(clippy::cast_sign_loss, reason = "shares and colours are not negative")]
pub fn ramp(share: f64) -> Colour {
    let place = share.clamp(0.0, 1.0) * (RAMP.len() - 1) as f64;
    let below = (place as usize).min(RAMP.len() - 2);
    let part = place - below as f64;
    let (first, second) = (channels(RAMP[below]), channels(RAMP[below + 1]));
    let mixed = |of: usize| {
        let [low, high] = [first[of], second[of]].map(f64::from);
        (low + (high - low) * part).round() as u8
    };
    Colour(mixed(0), mixed(1), mixed(2))
}

/// Draws what colours mean, from `low` to `high`, in the middle of a line.
pub fn colour_scale(layers: &mut Vec<Layer>, words: &str, [low, high]: [f64; 2], area: Area, y: f64, font: f64) {
    const STEPS: u32 = 50;
    let mut layer = Layer::new("scale");
    let (length, gap) = ((area.width() * 0.3).min(200.0), font * 0.6);
    let [least, most] = [plain(short(low)), plain(short(high))];
    let ends = [width(&least, font), width(&most, font)];
    let words = fit(words, font, (area.width() - length - ends[0] - ends[1] - 4.0 * gap).max(0.0));
    let right = area.right - ends[1] - gap - length;
    layer.text(least, [right - gap, y], font, Anchor::End);
    layer.text(most, [right + length + gap, y], font, Anchor::Start);
    layer.text(words, [right - ends[0] - 3.0 * gap, y], font, Anchor::End);
    for step in 0..STEPS {
        let wide = length / f64::from(STEPS);
        let at = [right + wide * f64::from(step), y - font * 0.42];
        // A little wider, so that no ground is seen between two.
        layer.rectangle(at, [wide + 0.3, font * 0.84], ramp(f64::from(step) / f64::from(STEPS - 1)));
    }
    layers.push(layer);
}

/// Rounds to four significant digits.
fn short(value: f64) -> f64 {
    format!("{value:.3e}").parse().unwrap_or(value)
}
