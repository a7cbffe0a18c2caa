//! A writer of SVG: elements one a line, attributes and texts escaped.

use std::fmt::{self, Write};

/// An SVG file that is being written.
#[derive(Debug)]
pub struct Svg(String);

impl Svg {
    /// Begins a picture of this size in pixels, and with this size of its font.
    pub fn new(width: impl fmt::Display, height: impl fmt::Display, font_size: impl fmt::Display) -> Self {
        let mut svg = Svg(String::new());
        svg.element("svg")
            .with("xmlns", "http://www.w3.org/2000/svg")
            .with("width", &width)
            .with("height", &height)
            .with("viewBox", format_args!("0 0 {width} {height}"))
            .with("font-family", "sans-serif")
            .with("font-size", font_size)
            .open();
        svg
    }

    /// Begins an element, which ends by [`Element::empty`], [`Element::text`] or [`Element::open`].
    pub fn element(&mut self, name: &'static str) -> Element<'_> {
        self.0.push('<');
        self.0.push_str(name);
        Element { file: &mut self.0, name }
    }

    /// Ends an element that was opened.
    pub fn close(&mut self, name: &'static str) {
        self.write(format_args!("</{name}>\n"));
    }

    /// Ends the picture and returns the file.
    pub fn finish(mut self) -> String {
        self.close("svg");
        self.0
    }

    fn write(&mut self, text: fmt::Arguments<'_>) {
        // Writing into a text cannot fail.
        let _ = self.0.write_fmt(text);
    }
}

/// An element whose attributes are being written.
#[must_use]
#[derive(Debug)]
pub struct Element<'s> {
    file: &'s mut String,
    name: &'static str,
}

impl Element<'_> {
    /// Adds an attribute.
    pub fn with(self, name: &str, value: impl fmt::Display) -> Self {
        self.file.push(' ');
        self.file.push_str(name);
        self.file.push_str("=\"");
        push_escaped(self.file, &value.to_string());
        self.file.push('"');
        self
    }

    /// Ends an element without contents.
    pub fn empty(self) {
        self.file.push_str("/>\n");
    }

    /// Ends an element whose contents are a text.
    pub fn text(self, text: &str) {
        self.file.push('>');
        push_escaped(self.file, text);
        self.file.push_str("</");
        self.file.push_str(self.name);
        self.file.push_str(">\n");
    }

    /// Opens an element for others, until [`Svg::close`].
    pub fn open(self) {
        self.file.push_str(">\n");
    }
}

/// Adds a text without the characters that XML forbids, and with those escaped that have a meaning in XML.
fn push_escaped(file: &mut String, text: &str) {
    for c in text.chars().filter(|c| !c.is_control() && !['\u{fffe}', '\u{ffff}'].contains(c)) {
        match c {
            '&' => file.push_str("&amp;"),
            '<' => file.push_str("&lt;"),
            '>' => file.push_str("&gt;"),
            '"' => file.push_str("&quot;"),
            c => file.push(c),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_nest_and_texts_are_escaped() {
        let mut svg = Svg::new(10, 20, 12);
        svg.element("g").with("class", "links \"a\"").open();
        svg.element("circle").with("r", 1.5).empty();
        svg.element("text").text("a < b & c\u{7}");
        svg.close("g");
        let expected = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"10\" height=\"20\" viewBox=\"0 0 10 20\" \
                        font-family=\"sans-serif\" font-size=\"12\">\n<g class=\"links &quot;a&quot;\">\n\
                        <circle r=\"1.5\"/>\n<text>a &lt; b &amp; c</text>\n</g>\n</svg>\n";
        assert_eq!(svg.finish(), expected);
    }
}
