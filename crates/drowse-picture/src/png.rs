//! Pictures as PNG, drawn dot by dot.

use tiny_skia::{
    Color, FillRule, LineCap, LineJoin, Mask, Paint, Path, PathBuilder, Pixmap, Shader, StrokeDash, Transform,
};
use ttf_parser::{Face, OutlineBuilder};

use crate::container;
use crate::font;
use crate::picture::{Anchor, Colour, Form, Item, Layer, Picture, Shape, Text};
use crate::trace::trace;

/// Dots an inch, as papers ask for.
const DOTS: f64 = 300.0;
/// Pixels an inch.
const PIXELS: f64 = 96.0;
/// The most dots along a side; larger pictures have fewer dots an inch.
const MOST: f64 = 5_000.0;

/// Writes a picture; `None` where it has no size.
#[expect(clippy::cast_sign_loss, reason = "sizes are not negative")]
pub fn png(picture: &Picture) -> Option<Vec<u8>> {
    let longest = picture.size[0].max(picture.size[1]);
    let scale = (DOTS / PIXELS).min(MOST / longest.max(1.0));
    let [width, height] = picture.size.map(|length| (length * scale).round() as u32);
    let mut dots = Dots { map: Pixmap::new(width, height)?, scale: scale as f32, mask: None, face: font::face() };
    dots.map.fill(Color::WHITE);
    picture.layers.iter().for_each(|layer| dots.draw(layer));
    let rgb: Vec<u8> = dots.map.pixels().iter().flat_map(|dot| [dot.red(), dot.green(), dot.blue()]).collect();
    Some(container::png(width, height, scale * PIXELS, &rgb))
}

/// A picture that is being drawn.
struct Dots {
    map: Pixmap,
    /// Dots a pixel.
    scale: f32,
    /// What is seen.
    mask: Option<Mask>,
    face: Option<Face<'static>>,
}

impl Dots {
    fn draw(&mut self, layer: &Layer) {
        self.mask = layer.clip.and_then(|corners| self.seen(corners));
        for item in &layer.items {
            match item {
                Item::Shape(shape) => self.shape(shape),
                Item::Text(text) => self.text(text),
            }
        }
    }

    /// Returns the mask of a rectangle.
    fn seen(&self, [from, to]: [[f64; 2]; 2]) -> Option<Mask> {
        let mut mask = Mask::new(self.map.width(), self.map.height())?;
        let path = path(&Form::Rectangle(from, [to[0] - from[0], to[1] - from[1]]))?;
        mask.fill_path(&path, FillRule::Winding, true, Transform::from_scale(self.scale, self.scale));
        Some(mask)
    }

    fn shape(&mut self, shape: &Shape) {
        let Some(path) = path(&shape.form) else { return };
        let by = Transform::from_scale(self.scale, self.scale);
        if let Some(colour) = shape.fill {
            self.map.fill_path(&path, &paint(colour), FillRule::Winding, by, self.mask.as_ref());
        }
        if let Some(stroke) = shape.stroke {
            let dash = StrokeDash::new(stroke.dash.iter().map(|length| *length as f32).collect(), 0.0);
            let line = tiny_skia::Stroke {
                width: stroke.width as f32,
                dash: dash.filter(|_| !stroke.dash.is_empty()),
                line_join: LineJoin::Round,
                line_cap: LineCap::Butt,
                ..tiny_skia::Stroke::default()
            };
            self.map.stroke_path(&path, &paint(stroke.colour), &line, by, self.mask.as_ref());
        }
    }

    fn text(&mut self, text: &Text) {
        let Some(face) = &self.face else { return };
        let wide = font::width(&text.words, text.size);
        let mut along = match text.anchor {
            Anchor::Start => 0.0,
            Anchor::Middle => -wide / 2.0,
            Anchor::End => -wide,
        };
        let size = (text.size / f64::from(face.units_per_em())) as f32 * self.scale;
        let [x, y] = text.at;
        for letter in font::letters(&text.words) {
            let (glyph, next) = font::glyph(face, letter);
            let mut outline = Pen(PathBuilder::new());
            font::outline(face, glyph, &mut outline);
            let turned = if text.upright { [x, y - along] } else { [x + along, y] };
            let [x, y] = turned.map(|at| at as f32 * self.scale);
            let by = if text.upright {
                Transform::from_row(0.0, -size, -size, 0.0, x, y)
            } else {
                Transform::from_row(size, 0.0, 0.0, -size, x, y)
            };
            if let Some(path) = outline.0.finish() {
                self.map.fill_path(&path, &paint(text.colour), FillRule::Winding, by, self.mask.as_ref());
            }
            along += next * text.size;
        }
    }
}

fn paint(Colour(red, green, blue): Colour) -> Paint<'static> {
    let colour = Color::from_rgba8(red, green, blue, 255);
    Paint { shader: Shader::SolidColor(colour), anti_alias: true, ..Paint::default() }
}

fn path(form: &Form) -> Option<Path> {
    let mut pen = Pen(PathBuilder::new());
    trace(form, &mut pen);
    pen.0.finish()
}

/// A pen that makes a path.
struct Pen(PathBuilder);

impl OutlineBuilder for Pen {
    fn move_to(&mut self, x: f32, y: f32) {
        self.0.move_to(x, y);
    }

    fn line_to(&mut self, x: f32, y: f32) {
        self.0.line_to(x, y);
    }

    fn quad_to(&mut self, x1: f32, y1: f32, x: f32, y: f32) {
        self.0.quad_to(x1, y1, x, y);
    }

    fn curve_to(&mut self, x1: f32, y1: f32, x2: f32, y2: f32, x: f32, y: f32) {
        self.0.cubic_to(x1, y1, x2, y2, x, y);
    }

    fn close(&mut self) {
        self.0.close();
    }
}

#[cfg(test)]
mod tests {
    use miniz_oxide::inflate::decompress_to_vec_zlib;

    use super::*;

    /// Returns width, height and the dots of a file: our own files have one chunk of data, in rows of differences.
    fn read(file: &[u8]) -> (usize, usize, Vec<[u8; 3]>) {
        let number = |at: usize| u32::from_be_bytes(file[at..at + 4].try_into().unwrap()) as usize;
        let (width, height) = (number(16), number(20));
        let data = file.windows(4).position(|name| name == b"IDAT").unwrap();
        let rows = decompress_to_vec_zlib(&file[data + 4..data + 4 + number(data - 4)]).unwrap();
        let mut above = vec![0_u8; width * 3];
        let mut dots = Vec::new();
        for row in rows.chunks_exact(width * 3 + 1) {
            above.iter_mut().zip(&row[1..]).for_each(|(byte, more)| *byte = byte.wrapping_add(*more));
            dots.extend(above.chunks_exact(3).map(|dot| [dot[0], dot[1], dot[2]]));
        }
        (width, height, dots)
    }

    #[test]
    fn shapes_lie_where_they_should() {
        let mut picture = Picture::new([96.0, 48.0], "a");
        let mut layer = Layer { clip: Some([[0.0, 0.0], [48.0, 48.0]]), ..Layer::new("x") };
        layer.rectangle([24.0, 16.0], [48.0, 16.0], Colour(0, 114, 178));
        picture.layers.push(layer);
        let (width, height, dots) = read(&png(&picture).unwrap());
        assert_eq!((width, height), (300, 150), "an inch has 300 dots");
        let at = |x: usize, y: usize| dots[y * width + x];
        assert_eq!([at(100, 75), at(70, 75), at(160, 75), at(100, 30)], [[0, 114, 178], [255; 3], [255; 3], [255; 3]]);
        assert_eq!(dots.iter().filter(|dot| **dot != [255; 3]).count(), 75 * 50, "a half is cut off");
    }

    /// A letter I is a bar of 0.09 of the size by 0.69 of it, in the middle of its place.
    #[test]
    fn letters_are_drawn() {
        let mut picture = Picture::new([40.0, 40.0], "a");
        let mut layer = Layer::new("x");
        layer.text("I", [20.0, 20.0], 32.0, Anchor::Middle);
        picture.layers.push(layer);
        let (width, _, dots) = read(&png(&picture).unwrap());
        let black: Vec<(usize, usize)> =
            (0..dots.len()).filter(|&at| dots[at] == [34; 3]).map(|at| (at % width, at / width)).collect();
        let ends = |of: fn(&(usize, usize)) -> usize| (black.iter().map(of).min(), black.iter().map(of).max());
        let ((Some(left), Some(right)), (Some(top), Some(bottom))) = (ends(|at| at.0), ends(|at| at.1)) else {
            panic!("no letter")
        };
        assert!((50..=65).contains(&left) && (60..=75).contains(&right), "{left} {right}");
        assert!((27..=30).contains(&top) && (95..=97).contains(&bottom), "{top} {bottom}");
    }
}
