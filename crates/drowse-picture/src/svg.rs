//! Pictures as SVG: an element a line; neighbours of one colour and width are a group.

use std::fmt::{Display, Write};

use crate::font::FAMILY;
use crate::picture::{Anchor, Colour, Form, Item, Layer, Picture, Place, Shape, Stroke, Text};

/// Writes a picture.
pub fn svg(picture: &Picture) -> String {
    let mut file = String::new();
    // Writing into a text cannot fail.
    let _ = write(&mut file, picture);
    file
}

fn write(file: &mut String, picture: &Picture) -> std::fmt::Result {
    let [width, height] = picture.size.map(Length);
    writeln!(
        file,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} \
         {height}\" font-family=\"{FAMILY}\">"
    )?;
    writeln!(file, "<title>{}</title>", Escaped(&picture.title))?;
    for (number, layer) in picture.layers.iter().enumerate() {
        write_layer(file, number, layer)?;
    }
    writeln!(file, "</svg>")
}

fn write_layer(file: &mut String, number: usize, layer: &Layer) -> std::fmt::Result {
    if layer.items.is_empty() {
        return Ok(());
    }
    if let Some([[x0, y0], [x1, y1]]) = layer.clip {
        let [x, y, width, height] = [x0, y0, x1 - x0, y1 - y0].map(Length);
        writeln!(file, "<clipPath id=\"clip{number}\"><path d=\"M{x} {y}h{width}v{height}h-{width}z\"/></clipPath>")?;
        writeln!(file, "<g class=\"{}\" clip-path=\"url(#clip{number})\">", Escaped(&layer.class))?;
    } else {
        writeln!(file, "<g class=\"{}\">", Escaped(&layer.class))?;
    }
    for items in layer.items.chunk_by(|one, other| look(one) == look(other)) {
        match &items[0] {
            Item::Shape(shape) if items.len() > 1 => {
                writeln!(file, "<g{}>", Look(shape.fill, shape.stroke))?;
                items.iter().try_for_each(|item| write_item(file, item, false))?;
                writeln!(file, "</g>")?;
            }
            _ => items.iter().try_for_each(|item| write_item(file, item, true))?,
        }
    }
    writeln!(file, "</g>")
}

/// Returns fill and outline of a shape; of a text none.
fn look(item: &Item) -> Option<(Option<Colour>, Option<Stroke>)> {
    match item {
        Item::Shape(shape) => Some((shape.fill, shape.stroke)),
        Item::Text(_) => None,
    }
}

fn write_item(file: &mut String, item: &Item, own_look: bool) -> std::fmt::Result {
    match item {
        Item::Shape(shape) => {
            write_form(file, &shape.form)?;
            let Shape { fill, stroke, .. } = *shape;
            if own_look { writeln!(file, "{}/>", Look(fill, stroke)) } else { writeln!(file, "/>") }
        }
        Item::Text(text) => write_text(file, text),
    }
}

fn write_form(file: &mut String, form: &Form) -> std::fmt::Result {
    let places = |file: &mut String, places: &[Place]| {
        places.iter().enumerate().try_for_each(|(number, [x, y])| {
            write!(file, "{}{} {}", if number == 0 { "M" } else { "L" }, Length(*x), Length(*y))
        })
    };
    match form {
        Form::Line(line) | Form::Area(line) => {
            write!(file, "<path d=\"")?;
            places(file, line)?;
            write!(file, "{}\"", if matches!(form, Form::Area(_)) { "Z" } else { "" })
        }
        Form::Curve([[x0, y0], [x, y], [x1, y1]]) => {
            let [x0, y0, x, y, x1, y1] = [x0, y0, x, y, x1, y1].map(|at| Length(*at));
            write!(file, "<path d=\"M{x0} {y0}Q{x} {y} {x1} {y1}\"")
        }
        Form::Circle([x, y], radius) => {
            write!(file, "<circle cx=\"{}\" cy=\"{}\" r=\"{}\"", Length(*x), Length(*y), Length(*radius))
        }
        Form::Rectangle([x, y], [width, height]) => {
            let [x, y, width, height] = [x, y, width, height].map(|at| Length(*at));
            write!(file, "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\"")
        }
    }
}

fn write_text(file: &mut String, text: &Text) -> std::fmt::Result {
    let [x, y] = text.at.map(Length);
    write!(file, "<text x=\"{x}\" y=\"{y}\" font-size=\"{}\" fill=\"{}\"", Length(text.size), Hex(text.colour))?;
    match text.anchor {
        Anchor::Start => {}
        Anchor::Middle => write!(file, " text-anchor=\"middle\"")?,
        Anchor::End => write!(file, " text-anchor=\"end\"")?,
    }
    if text.upright {
        write!(file, " transform=\"rotate(-90 {x} {y})\"")?;
    }
    writeln!(file, ">{}</text>", Escaped(&text.words))
}

/// A length to a hundredth of a pixel.
#[derive(Clone, Copy)]
struct Length(f64);

impl Display for Length {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // Adding zero makes -0 positive.
        write!(f, "{}", (self.0 * 100.0).round() / 100.0 + 0.0)
    }
}

/// A colour such as `#0072b2`.
struct Hex(Colour);

impl Display for Hex {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Colour(red, green, blue) = self.0;
        write!(f, "#{red:02x}{green:02x}{blue:02x}")
    }
}

/// The attributes of fill and outline.
struct Look(Option<Colour>, Option<Stroke>);

impl Display for Look {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.0 {
            Some(colour) => write!(f, " fill=\"{}\"", Hex(colour))?,
            None => write!(f, " fill=\"none\"")?,
        }
        let Some(Stroke { colour, width, dash }) = self.1 else { return Ok(()) };
        write!(f, " stroke=\"{}\" stroke-width=\"{}\"", Hex(colour), Length(width))?;
        if !dash.is_empty() {
            let lengths: Vec<String> = dash.iter().map(|length| Length(*length).to_string()).collect();
            write!(f, " stroke-dasharray=\"{}\"", lengths.join(" "))?;
        }
        Ok(())
    }
}

/// A text without the characters that XML forbids, and with those escaped that have a meaning in XML.
struct Escaped<'t>(&'t str);

impl Display for Escaped<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for c in self.0.chars().filter(|c| !c.is_control() && !['\u{fffe}', '\u{ffff}'].contains(c)) {
            match c {
                '&' => f.write_str("&amp;")?,
                '<' => f.write_str("&lt;")?,
                '>' => f.write_str("&gt;")?,
                '"' => f.write_str("&quot;")?,
                c => f.write_char(c)?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_that_look_alike_are_a_group_and_texts_are_escaped() {
        let mut picture = Picture::new([10.0, 20.0], "a < b");
        let mut layer = Layer::new("links \"a\"");
        let grey = Stroke { dash: &[4.0, 2.5], ..Stroke::solid(Colour::GREY, 1.5) };
        layer.line(vec![[0.0, 1.0], [2.004, -0.001]], grey);
        layer.shape(Form::Area(vec![[0.0, 0.0], [1.0, 0.0], [1.0, 1.0]]), None, Some(grey));
        layer.shape(Form::Circle([5.0, 5.0], 1.5), Some(Colour::INK), None);
        layer.upright("a < b & c\u{7}", [3.0, 4.0], 10.0);
        picture.layers.push(layer);
        let expected = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"10\" height=\"20\" viewBox=\"0 0 10 20\" \
             font-family=\"Arimo, Arial, Helvetica, Liberation Sans, sans-serif\">\n\
             <title>a &lt; b</title>\n<g class=\"ground\">\n\
             <rect x=\"0\" y=\"0\" width=\"10\" height=\"20\" fill=\"#ffffff\"/>\n</g>\n\
             <g class=\"links &quot;a&quot;\">\n\
             <g fill=\"none\" stroke=\"#7a7a7a\" stroke-width=\"1.5\" stroke-dasharray=\"4 2.5\">\n\
             <path d=\"M0 1L2 0\"/>\n<path d=\"M0 0L1 0L1 1Z\"/>\n</g>\n\
             <circle cx=\"5\" cy=\"5\" r=\"1.5\" fill=\"#222222\"/>\n\
             <text x=\"6.44\" y=\"4\" font-size=\"10\" fill=\"#222222\" text-anchor=\"middle\" \
             transform=\"rotate(-90 6.44 4)\">a &lt; b &amp; c</text>\n</g>\n</svg>\n";
        assert_eq!(svg(&picture), expected);
    }
}
