//! Pictures as PDF: one page, the letters of the font in it.

use miniz_oxide::deflate::compress_to_vec_zlib;
use pdf_writer::types::{CidFontType, FontFlags, LineCapStyle, LineJoinStyle, SystemInfo, UnicodeCmap};
use pdf_writer::{Content, Filter, Finish, Name, Pdf, Rect, Ref, Str, TextStr};
use ttf_parser::{Face, OutlineBuilder};

use crate::MARK;
use crate::container::EFFORT;
use crate::font;
use crate::picture::{Anchor, Colour, Form, Item, Layer, Picture, Shape, Text};
use crate::trace::trace;

/// A point is 1/72 of an inch, a pixel 1/96.
const POINTS: f64 = 0.75;
const CATALOG: Ref = Ref::new(1);
const PAGES: Ref = Ref::new(2);
const PAGE: Ref = Ref::new(3);
const CONTENT: Ref = Ref::new(4);
const INFO: Ref = Ref::new(5);
const FONT: Ref = Ref::new(6);
const LETTERS: Ref = Ref::new(7);
const DESCRIPTOR: Ref = Ref::new(8);
const FILE: Ref = Ref::new(9);
const UNICODE: Ref = Ref::new(10);
const FONT_NAME: Name<'static> = Name(b"F");
/// The order of glyphs is the font's own.
const SYSTEM: SystemInfo<'static> = SystemInfo { registry: Str(b"Adobe"), ordering: Str(b"Identity"), supplement: 0 };

/// Writes a picture. Its page is as large as the picture: an inch is 96 pixels.
pub fn pdf(picture: &Picture) -> Vec<u8> {
    let mut pdf = Pdf::new();
    let [width, height] = picture.size.map(|length| (length * POINTS) as f32);
    pdf.catalog(CATALOG).pages(PAGES);
    pdf.pages(PAGES).kids([PAGE]).count(1);
    let mut page = pdf.page(PAGE);
    page.media_box(Rect::new(0.0, 0.0, width, height)).parent(PAGES).contents(CONTENT);
    page.resources().fonts().pair(FONT_NAME, FONT);
    page.finish();
    // Early, where the mark is looked for.
    pdf.document_info(INFO).title(TextStr(&picture.title)).producer(TextStr(MARK));
    let face = font::face();
    let content = compress_to_vec_zlib(&content(picture, face.as_ref()), EFFORT);
    pdf.stream(CONTENT, &content).filter(Filter::FlateDecode);
    if let Some(face) = face {
        write_font(&mut pdf, picture, &face);
    }
    pdf.finish()
}

/// Writes what is drawn on the page.
fn content(picture: &Picture, face: Option<&Face<'_>>) -> Vec<u8> {
    let mut page = Content::new();
    let scale = POINTS as f32;
    page.transform([scale, 0.0, 0.0, -scale, 0.0, (picture.size[1] * POINTS) as f32]);
    page.set_line_join(LineJoinStyle::RoundJoin).set_line_cap(LineCapStyle::ButtCap);
    for layer in &picture.layers {
        write_layer(&mut page, layer, face);
    }
    page.finish().to_vec()
}

fn write_layer(page: &mut Content, layer: &Layer, face: Option<&Face<'_>>) {
    page.save_state();
    if let Some([[x0, y0], [x1, y1]]) = layer.clip {
        page.rect(x0 as f32, y0 as f32, (x1 - x0) as f32, (y1 - y0) as f32).clip_nonzero().end_path();
    }
    for item in &layer.items {
        match (item, face) {
            (Item::Shape(shape), _) => write_shape(page, shape),
            (Item::Text(text), Some(face)) => write_text(page, text, face),
            (Item::Text(_), None) => {}
        }
    }
    page.restore_state();
}

fn write_shape(page: &mut Content, shape: &Shape) {
    if let Some(colour) = shape.fill {
        let [red, green, blue] = shares(colour);
        page.set_fill_rgb(red, green, blue);
    }
    if let Some(stroke) = shape.stroke {
        let [red, green, blue] = shares(stroke.colour);
        page.set_stroke_rgb(red, green, blue).set_line_width(stroke.width as f32);
        page.set_dash_pattern(stroke.dash.iter().map(|length| *length as f32), 0.0);
    }
    if let Form::Rectangle([x, y], [width, height]) = shape.form {
        page.rect(x as f32, y as f32, width as f32, height as f32);
    } else {
        trace(&shape.form, &mut Pen { page, at: (0.0, 0.0) });
    }
    match (shape.fill, shape.stroke) {
        (Some(_), Some(_)) => page.fill_nonzero_and_stroke(),
        (Some(_), None) => page.fill_nonzero(),
        (None, Some(_)) => page.stroke(),
        (None, None) => page.end_path(),
    };
}

fn write_text(page: &mut Content, text: &Text, face: &Face<'_>) {
    let glyphs = font::letters(&text.words).map(|letter| font::glyph(face, letter));
    let codes: Vec<u8> = glyphs.flat_map(|(glyph, _)| glyph.0.to_be_bytes()).collect();
    let [red, green, blue] = shares(text.colour);
    let back = match text.anchor {
        Anchor::Start => 0.0,
        Anchor::Middle => font::width(&text.words, text.size) / 2.0,
        Anchor::End => font::width(&text.words, text.size),
    };
    let [x, y] = text.at;
    let matrix = if text.upright {
        [0.0, -1.0, -1.0, 0.0, x as f32, (y + back) as f32]
    } else {
        [1.0, 0.0, 0.0, -1.0, (x - back) as f32, y as f32]
    };
    page.set_fill_rgb(red, green, blue).begin_text().set_font(FONT_NAME, text.size as f32);
    page.set_text_matrix(matrix).show(Str(&codes)).end_text();
}

fn shares(Colour(red, green, blue): Colour) -> [f32; 3] {
    [red, green, blue].map(|part| f32::from(part) / 255.0)
}

/// A pen on the page, and where it is.
struct Pen<'p> {
    page: &'p mut Content,
    at: (f32, f32),
}

impl OutlineBuilder for Pen<'_> {
    fn move_to(&mut self, x: f32, y: f32) {
        self.page.move_to(x, y);
        self.at = (x, y);
    }

    fn line_to(&mut self, x: f32, y: f32) {
        self.page.line_to(x, y);
        self.at = (x, y);
    }

    fn quad_to(&mut self, x1: f32, y1: f32, x: f32, y: f32) {
        // The cubic curve that is the same.
        let handle = |end: f32, towards: f32| end + (towards - end) * 2.0 / 3.0;
        let (x0, y0) = self.at;
        self.curve_to(handle(x0, x1), handle(y0, y1), handle(x, x1), handle(y, y1), x, y);
    }

    fn curve_to(&mut self, x1: f32, y1: f32, x2: f32, y2: f32, x: f32, y: f32) {
        self.page.cubic_to(x1, y1, x2, y2, x, y);
        self.at = (x, y);
    }

    fn close(&mut self) {
        self.page.close_path();
    }
}

/// Writes the font and what each of its letters that are used means.
fn write_font(pdf: &mut Pdf, picture: &Picture, face: &Face<'_>) {
    let name = Name(font::NAME.as_bytes());
    let mut whole = pdf.type0_font(FONT);
    whole.base_font(name).encoding_predefined(Name(b"Identity-H")).descendant_font(LETTERS).to_unicode(UNICODE);
    whole.finish();
    let thousandths = |units: i16| f32::from(units) * 1000.0 / f32::from(face.units_per_em());
    let mut letters = pdf.cid_font(LETTERS);
    letters.subtype(CidFontType::Type2).base_font(name).system_info(SYSTEM).font_descriptor(DESCRIPTOR);
    letters.default_width(0.0).cid_to_gid_map_predefined(Name(b"Identity"));
    let widths = (0..face.number_of_glyphs()).map(|glyph| {
        let advance = face.glyph_hor_advance(ttf_parser::GlyphId(glyph)).unwrap_or(0);
        f32::from(advance) * 1000.0 / f32::from(face.units_per_em())
    });
    letters.widths().consecutive(0, widths);
    letters.finish();
    let bounds = face.global_bounding_box();
    let [x0, y0, x1, y1] = [bounds.x_min, bounds.y_min, bounds.x_max, bounds.y_max].map(thousandths);
    let mut descriptor = pdf.font_descriptor(DESCRIPTOR);
    descriptor.name(name).flags(FontFlags::NON_SYMBOLIC).bbox(Rect::new(x0, y0, x1, y1)).italic_angle(0.0);
    descriptor.ascent(thousandths(face.ascender())).descent(thousandths(face.descender()));
    descriptor.cap_height(688.0).stem_v(88.0).font_file2(FILE);
    descriptor.finish();
    let file = compress_to_vec_zlib(font::file(), EFFORT);
    let mut stream = pdf.stream(FILE, &file);
    stream.filter(Filter::FlateDecode).pair(Name(b"Length1"), i32::try_from(font::file().len()).unwrap_or(i32::MAX));
    stream.finish();
    let mut meanings = UnicodeCmap::new(Name(b"Letters"), SYSTEM);
    let mut used: Vec<(u16, char)> = picture
        .texts()
        .flat_map(font::letters)
        .map(|letter| (font::glyph(face, letter).0.0, letter))
        .filter(|(glyph, _)| *glyph != 0)
        .collect();
    used.sort_unstable();
    used.dedup_by_key(|(glyph, _)| *glyph);
    used.into_iter().for_each(|(glyph, letter)| meanings.pair(glyph, letter));
    pdf.cmap(UNICODE, &meanings.finish());
}

#[cfg(test)]
mod tests {
    use miniz_oxide::inflate::decompress_to_vec_zlib;

    use super::*;
    use crate::picture::Stroke;

    /// Returns the first compressed stream of a file.
    fn page(file: &[u8]) -> String {
        let find = |of: &[u8]| file.windows(of.len()).position(|part| part == of).unwrap();
        let from = find(b"stream\n") + 7;
        let to = find(b"\nendstream");
        String::from_utf8(decompress_to_vec_zlib(&file[from..to]).unwrap()).unwrap()
    }

    /// A page of 96 by 48 pixels is an inch by half an inch; y is turned over.
    #[test]
    fn a_page_is_as_large_as_its_picture() {
        let mut picture = Picture::new([96.0, 48.0], "a");
        let mut layer = Layer::new("x");
        layer.line(vec![[0.0, 0.0], [96.0, 48.0]], Stroke { dash: &[4.0, 2.0], ..Stroke::solid(Colour::INK, 1.5) });
        layer.shape(Form::Curve([[0.0, 0.0], [3.0, 6.0], [9.0, 0.0]]), None, Some(Stroke::solid(Colour::INK, 1.5)));
        layer.text("A", [48.0, 24.0], 10.0, Anchor::End);
        picture.layers.push(layer);
        let file = pdf(&picture);
        let text = String::from_utf8_lossy(&file);
        assert!(text.starts_with("%PDF-1.7") && text.contains("/MediaBox [0 0 72 36]") && text.contains(MARK));
        let page = page(&file);
        assert!(page.contains("0.75 0 0 -0.75 0 36 cm") && page.contains("0 0 m\n96 48 l\nS"), "{page}");
        assert!(page.contains("[4 2] 0 d") && page.contains("2 4 5 4 9 0 c"), "{page}");
        // The letter A is 0.667 of the size wide, and stands half the height of capitals below the middle.
        assert!(page.contains("1 0 0 -1 41.33") && page.contains("27.44 Tm"), "{page}");
    }
}
