//! Diagrams as SVG.

use std::fmt::Write;

use super::diagram::{Diagram, LinkClass, Trunk};
use super::layout::NODE_RADIUS;
use super::point::Point;

/// Free room around everything.
const MARGIN: f64 = 24.0;
/// The height of title and subtitle, and that of a line of the legend; these and all lengths of texts are of pictures that are not
/// wide, in wide ones they are larger.
const TITLE: f64 = 44.0;
const LEGEND: f64 = 22.0;
/// Sizes of the font of the title and of all else, and about the width of a character.
const FONT: [f64; 2] = [15.0, 12.0];
const CHARACTER: [f64; 2] = [8.6, 7.0];
/// Length of a sample of a link in the legend.
const SAMPLE: f64 = 26.0;
/// The width from which texts are larger, and how much at most.
const WIDE: f64 = 1100.0;
const LARGEST: f64 = 4.0;

/// Writes a diagram as SVG; each link, switch and node is one element.
pub fn svg(diagram: &Diagram) -> String {
    let frame = Frame::around(diagram);
    let mut text = String::new();
    // Writing into a text cannot fail.
    let _ = write(&mut text, diagram, &frame);
    text
}

/// The picture's size, and what is added to each place.
struct Frame {
    size: Point,
    shift: Point,
    /// How much larger texts are.
    scale: f64,
    /// The class and the place of each entry of the legend.
    legend: Vec<(usize, Point)>,
}

impl Frame {
    fn around(diagram: &Diagram) -> Self {
        let (mut low, mut high) = (Point::new(f64::MAX, f64::MAX), Point::new(f64::MIN, f64::MIN));
        let mut include = |at: Point, room: f64| {
            low = Point::new(low.x.min(at.x - room), low.y.min(at.y - room));
            high = Point::new(high.x.max(at.x + room), high.y.max(at.y + room));
        };
        diagram.switches.iter().for_each(|&at| include(at, diagram.switch_radius));
        diagram.nodes.iter().for_each(|&(at, _)| include(at, NODE_RADIUS));
        diagram.trunks.iter().for_each(|trunk| include(middle(diagram, trunk, 0.0), 2.0));
        let picture = high - low;
        let scale = (picture.x / WIDE).clamp(1.0, LARGEST);
        let titles = [(&diagram.title, CHARACTER[0]), (&diagram.subtitle, CHARACTER[1])];
        let titles = titles.map(|(title, width)| title.chars().count() as f64 * width * scale);
        let width = picture.x.max(titles[0]).max(titles[1]).max(300.0);
        let (top, line) = (MARGIN + TITLE * scale, LEGEND * scale);
        let (mut legend, mut at) = (Vec::new(), Point::new(MARGIN, top + picture.y + 18.0 + line / 2.0));
        for (class, entry) in diagram.seen_classes() {
            let room = (SAMPLE + 24.0 + CHARACTER[1] * label(entry).chars().count() as f64) * scale;
            if at.x > MARGIN && at.x + room > MARGIN + width + 18.0 {
                at = Point::new(MARGIN, at.y + line);
            }
            legend.push((class, at));
            at.x += room;
        }
        let shift = Point::new(MARGIN + (width - picture.x) / 2.0, top) - low;
        Frame { size: Point::new(width + 2.0 * MARGIN, at.y + line / 2.0 + MARGIN / 2.0), shift, scale, legend }
    }
}

fn write(text: &mut String, diagram: &Diagram, frame: &Frame) -> std::fmt::Result {
    let [width, height] = [frame.size.x, frame.size.y].map(f64::ceil);
    let [large, small] = FONT.map(|size| number(size * frame.scale));
    writeln!(
        text,
        r#"<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="{small}">"#
    )?;
    let (title, subtitle) = (escaped(&diagram.title), escaped(&diagram.subtitle));
    writeln!(text, "<title>{title}</title>")?;
    writeln!(text, r##"<rect width="{width}" height="{height}" fill="#ffffff"/>"##)?;
    let [first, second] = [12.0, 31.0].map(|below| number(MARGIN + below * frame.scale));
    writeln!(text, r#"<text x="{MARGIN}" y="{first}" font-size="{large}" font-weight="bold">{title}</text>"#)?;
    writeln!(text, r##"<text x="{MARGIN}" y="{second}" fill="#555555">{subtitle}</text>"##)?;
    for class in by_ink(diagram) {
        write_links(text, diagram, frame, class)?;
    }
    write_nodes(text, diagram, frame)?;
    let radius = number(diagram.switch_radius);
    writeln!(text, r##"<g class="switches" fill="#ffffff" stroke="#222222" stroke-width="1.6">"##)?;
    for &at in &diagram.switches {
        let [x, y] = pixels(at + frame.shift);
        writeln!(text, r#"<circle cx="{x}" cy="{y}" r="{radius}"/>"#)?;
    }
    writeln!(text, "</g>")?;
    write_legend(text, diagram, frame)?;
    writeln!(text, "</svg>")
}

/// Returns the classes of links between switches, those first that cover most, so that none lies under too much.
fn by_ink(diagram: &Diagram) -> Vec<usize> {
    let mut ink = vec![0.0; diagram.classes.len()];
    for trunk in &diagram.trunks {
        let way = diagram.switches[trunk.to] - diagram.switches[trunk.from];
        ink[trunk.class] += way.length() * f64::from(trunk.links);
    }
    let mut classes: Vec<usize> = (1..ink.len()).collect();
    classes.sort_by(|&a, &b| ink[b].total_cmp(&ink[a]));
    classes
}

/// Writes the links of a class.
fn write_links(text: &mut String, diagram: &Diagram, frame: &Frame, class: usize) -> std::fmt::Result {
    let entry = &diagram.classes[class];
    writeln!(
        text,
        r#"<g class="links {}" fill="none" stroke="{}" stroke-width="{}">"#,
        escaped(&entry.name),
        entry.colour,
        stroke(entry),
    )?;
    for trunk in diagram.trunks.iter().filter(|trunk| trunk.class == class) {
        let ends = [trunk.from, trunk.to].map(|switch| diagram.switches[switch] + frame.shift);
        let left = (ends[1] - ends[0]).left();
        for offset in trunk.offsets() {
            let [[x0, y0], [x1, y1]] = ends.map(|end| pixels(end + left * offset));
            if trunk.bend == 0.0 {
                writeln!(text, r#"<path d="M{x0} {y0}L{x1} {y1}"/>"#)?;
            } else {
                // The control point lies twice as far out as the curve's middle.
                let [x, y] = pixels((ends[0] + ends[1]) * 0.5 + left * (2.0 * trunk.bend + offset));
                writeln!(text, r#"<path d="M{x0} {y0}Q{x} {y} {x1} {y1}"/>"#)?;
            }
        }
    }
    writeln!(text, "</g>")
}

/// Writes the nodes and their links.
fn write_nodes(text: &mut String, diagram: &Diagram, frame: &Frame) -> std::fmt::Result {
    if diagram.nodes.is_empty() {
        return Ok(());
    }
    let colour = diagram.classes[0].colour;
    writeln!(text, r#"<g class="links node" stroke="{colour}" stroke-width="1">"#)?;
    for &(at, switch) in &diagram.nodes {
        let [[x0, y0], [x1, y1]] = [diagram.switches[switch], at].map(|place| pixels(place + frame.shift));
        writeln!(text, r#"<path d="M{x0} {y0}L{x1} {y1}"/>"#)?;
    }
    writeln!(text, "</g>\n<g class=\"nodes\" fill=\"#555555\">")?;
    for &(at, _) in &diagram.nodes {
        let [x, y] = pixels(at + frame.shift);
        writeln!(text, r#"<circle cx="{x}" cy="{y}" r="{NODE_RADIUS}"/>"#)?;
    }
    writeln!(text, "</g>")
}

/// Writes a sample of each class of links with its name and number.
fn write_legend(text: &mut String, diagram: &Diagram, frame: &Frame) -> std::fmt::Result {
    writeln!(text, r#"<g class="legend">"#)?;
    for &(class, at) in &frame.legend {
        let entry = &diagram.classes[class];
        let ([x, y], scale) = (pixels(at), frame.scale);
        let [end, words] = [SAMPLE, SAMPLE + 6.0].map(|beyond| number(at.x + beyond * scale));
        let (colour, width) = (entry.colour, number(2.5 * scale));
        writeln!(text, r#"<line x1="{x}" y1="{y}" x2="{end}" y2="{y}" stroke="{colour}" stroke-width="{width}"/>"#)?;
        writeln!(text, r#"<text x="{words}" y="{}">{}</text>"#, number(at.y + 4.0 * scale), escaped(&label(entry)))?;
    }
    writeln!(text, "</g>")
}

/// Says what a colour stands for.
fn label(entry: &LinkClass) -> String {
    format!("{}: {} {}", entry.name, entry.links, if entry.links == 1 { "link" } else { "links" })
}

/// Returns the middle of the curve of a trunk.
fn middle(diagram: &Diagram, trunk: &Trunk, offset: f64) -> Point {
    let [from, to] = [trunk.from, trunk.to].map(|switch| diagram.switches[switch]);
    (from + to) * 0.5 + (to - from).left() * (trunk.bend + offset)
}

/// Returns the width of the links of a class: finer where there are many.
fn stroke(class: &LinkClass) -> f64 {
    match class.links {
        0..=200 => 1.4,
        201..=800 => 1.0,
        _ => 0.6,
    }
}

fn pixels(at: Point) -> [String; 2] {
    [at.x, at.y].map(number)
}

/// Writes a length to a tenth of a pixel.
fn number(length: f64) -> String {
    // Adding zero makes -0 positive.
    let tenths = (length * 10.0).round() + 0.0;
    format!("{}", tenths / 10.0)
}

/// Escapes what means something in XML.
fn escaped(text: &str) -> String {
    let valid = text.chars().filter(|c| !c.is_control() && !['\u{fffe}', '\u{ffff}'].contains(c));
    valid.fold(String::new(), |mut escaped, c| {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            c => escaped.push(c),
        }
        escaped
    })
}
