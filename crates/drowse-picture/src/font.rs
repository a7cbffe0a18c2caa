//! The font of pictures: how wide texts are, and the outlines of letters.

use std::collections::BTreeSet;
use std::io::Read;
use std::sync::OnceLock;

use flate2::read::GzDecoder;
use ttf_parser::{Face, GlyphId, OutlineBuilder};

/// The font, compressed; its page says where it comes from.
static COMPRESSED: &[u8] = include_bytes!("../assets/arimo/arimo.ttf.gz");

/// Its name in files.
pub const NAME: &str = "Arimo";
/// How an SVG names it and those whose letters are as wide.
pub const FAMILY: &str = "Arimo, Arial, Helvetica, Liberation Sans, sans-serif";

/// Returns the font's file; it is empty only if the program itself is damaged.
pub fn file() -> &'static [u8] {
    static FILE: OnceLock<Vec<u8>> = OnceLock::new();
    FILE.get_or_init(|| {
        let mut file = Vec::new();
        if GzDecoder::new(COMPRESSED).read_to_end(&mut file).is_err() {
            file.clear();
        }
        file
    })
}

/// Returns the font; `None` only if the program itself is damaged.
pub fn face() -> Option<Face<'static>> {
    Face::parse(file(), 0).ok()
}

/// Returns the glyph of a letter and how far the next is, as a share of the size; a letter that the font does not have
/// is a box.
pub fn glyph(face: &Face<'_>, letter: char) -> (GlyphId, f64) {
    let glyph = face.glyph_index(letter).unwrap_or(GlyphId(0));
    (glyph, f64::from(face.glyph_hor_advance(glyph).unwrap_or(0)) / f64::from(face.units_per_em()))
}

/// Returns the letters of a text that are written: none that control something.
pub fn letters(text: &str) -> impl Iterator<Item = char> {
    text.chars().filter(|c| !c.is_control())
}

/// Returns how wide a text is in a size of the font.
pub fn width(text: &str, size: f64) -> f64 {
    let Some(face) = face() else { return 0.0 };
    letters(text).map(|letter| glyph(&face, letter).1 * size).sum()
}

/// Returns the letters of texts that the font does not have, each once: PDF and PNG show a box for them.
pub fn unknown<'t>(texts: impl Iterator<Item = &'t str>) -> Vec<char> {
    let Some(face) = face() else { return Vec::new() };
    let letters: BTreeSet<char> = texts.flat_map(letters).filter(|&c| face.glyph_index(c).is_none()).collect();
    letters.into_iter().collect()
}

/// Draws the outline of a glyph.
pub fn outline(face: &Face<'_>, glyph: GlyphId, into: &mut impl OutlineBuilder) {
    // A space has none.
    let _ = face.outline_glyph(glyph, into);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Widths of Helvetica and Arial in thousandths of the size, as Adobe's metrics of the core fonts have them.
    #[test]
    fn letters_are_as_wide_as_those_of_helvetica() {
        for (letter, wide) in [("A", 667.0), ("m", 833.0), ("i", 222.0), ("0", 556.0), ("%", 889.0), (" ", 278.0)] {
            assert!((width(letter, 1000.0) - wide).abs() < 1.0, "{letter}: {}", width(letter, 1000.0));
        }
        assert!((width("Ai\n", 10.0) - 8.89).abs() < 0.01, "what controls has no width");
    }

    #[test]
    fn letters_that_are_missing_are_named() {
        let texts = ["deep 10 µs · 99 % – Ärger, Łódź, λ ± 2", "中文 中"];
        assert_eq!(unknown(texts.into_iter()), ['中', '文']);
    }
}
