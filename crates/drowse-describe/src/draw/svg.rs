//! Diagrams as SVG.

use super::colours::Colours;
use super::diagram::{Diagram, LinkClass, Trunk};
use super::layout::NODE_RADIUS;
use super::point::Point;
use crate::svg::Svg;

/// Free room around everything.
const MARGIN: f64 = 24.0;
/// The height of title and subtitle, and that of a line of the legend. These and all lengths of texts grow with the
/// width of wide pictures.
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
    written(diagram, None)
}

/// Writes a diagram as SVG, its links coloured by a figure of theirs.
pub fn coloured_svg(diagram: &Diagram, colours: &Colours) -> String {
    written(diagram, Some(colours))
}

fn written(diagram: &Diagram, colours: Option<&Colours>) -> String {
    let frame = Frame::around(diagram);
    let [width, height] = frame.pixels();
    let mut svg = Svg::new(width, height, number(FONT[1] * frame.scale));
    write_titles(&mut svg, diagram, &frame);
    for class in by_ink(diagram) {
        write_links(&mut svg, diagram, &frame, class, colours);
    }
    write_nodes(&mut svg, diagram, &frame, colours);
    write_switches(&mut svg, diagram, &frame);
    match colours {
        Some(colours) => write_scale(&mut svg, &frame, colours),
        None => write_legend(&mut svg, diagram, &frame),
    }
    svg.finish()
}

/// The size of the picture, and the shift of each place.
struct Frame {
    size: Point,
    shift: Point,
    /// How much larger texts are.
    scale: f64,
    /// The class and the place of each entry of the legend.
    legend: Vec<(usize, Point)>,
}

impl Frame {
    /// Returns width and height in whole pixels.
    fn pixels(&self) -> [f64; 2] {
        [self.size.x, self.size.y].map(f64::ceil)
    }

    /// Makes the frame of a diagram.
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

/// Writes title and subtitle on a white ground.
fn write_titles(svg: &mut Svg, diagram: &Diagram, frame: &Frame) {
    let [width, height] = frame.pixels();
    svg.element("title").text(&diagram.title);
    svg.element("rect").with("width", width).with("height", height).with("fill", "#ffffff").empty();
    let [first, second] = [12.0, 31.0].map(|below| number(MARGIN + below * frame.scale));
    let large = number(FONT[0] * frame.scale);
    let title = svg.element("text").with("x", MARGIN).with("y", first);
    title.with("font-size", large).with("font-weight", "bold").text(&diagram.title);
    svg.element("text").with("x", MARGIN).with("y", second).with("fill", "#555555").text(&diagram.subtitle);
}

/// Returns the classes of links between switches, the one with most ink first, so that it lies below the others.
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
fn write_links(svg: &mut Svg, diagram: &Diagram, frame: &Frame, class: usize, colours: Option<&Colours>) {
    let entry = &diagram.classes[class];
    let wider = if colours.is_some() { 1.5 } else { 1.0 };
    let group = svg.element("g").with("class", format_args!("links {}", entry.name));
    group.with("fill", "none").with("stroke", entry.colour).with("stroke-width", stroke(entry) * wider).open();
    for (number, trunk) in diagram.trunks.iter().enumerate().filter(|(_, trunk)| trunk.class == class) {
        let ends = [trunk.from, trunk.to].map(|switch| diagram.switches[switch] + frame.shift);
        let left = (ends[1] - ends[0]).left();
        for offset in trunk.offsets() {
            let [[x0, y0], [x1, y1]] = ends.map(|end| pixels(end + left * offset));
            let path = svg.element("path");
            let path = match colours {
                Some(colours) => path.with("stroke", colours.of(colours.trunks[number])),
                None => path,
            };
            if trunk.bend == 0.0 {
                path.with("d", format_args!("M{x0} {y0}L{x1} {y1}")).empty();
            } else {
                // The control point lies twice as far out as the curve's middle.
                let [x, y] = pixels((ends[0] + ends[1]) * 0.5 + left * (2.0 * trunk.bend + offset));
                path.with("d", format_args!("M{x0} {y0}Q{x} {y} {x1} {y1}")).empty();
            }
        }
    }
    svg.close("g");
}

/// Writes the nodes and their links.
fn write_nodes(svg: &mut Svg, diagram: &Diagram, frame: &Frame, colours: Option<&Colours>) {
    if diagram.nodes.is_empty() {
        return;
    }
    let colour = diagram.classes[0].colour;
    svg.element("g").with("class", "links node").with("stroke", colour).with("stroke-width", 1).open();
    for (number, &(at, switch)) in diagram.nodes.iter().enumerate() {
        let [[x0, y0], [x1, y1]] = [diagram.switches[switch], at].map(|place| pixels(place + frame.shift));
        let path = svg.element("path").with("d", format_args!("M{x0} {y0}L{x1} {y1}"));
        match colours {
            Some(colours) => path.with("stroke", colours.of(colours.nodes[number])).empty(),
            None => path.empty(),
        }
    }
    svg.close("g");
    svg.element("g").with("class", "nodes").with("fill", "#555555").open();
    diagram.nodes.iter().for_each(|&(at, _)| write_circle(svg, at + frame.shift, &NODE_RADIUS.to_string()));
    svg.close("g");
}

/// Writes the switches.
fn write_switches(svg: &mut Svg, diagram: &Diagram, frame: &Frame) {
    let group = svg.element("g").with("class", "switches").with("fill", "#ffffff");
    group.with("stroke", "#222222").with("stroke-width", 1.6).open();
    let radius = number(diagram.switch_radius);
    diagram.switches.iter().for_each(|&at| write_circle(svg, at + frame.shift, &radius));
    svg.close("g");
}

fn write_circle(svg: &mut Svg, at: Point, radius: &str) {
    let [x, y] = pixels(at);
    svg.element("circle").with("cx", x).with("cy", y).with("r", radius).empty();
}

/// Writes a sample of each class of links with its name and number.
fn write_legend(svg: &mut Svg, diagram: &Diagram, frame: &Frame) {
    svg.element("g").with("class", "legend").open();
    for &(class, at) in &frame.legend {
        let entry = &diagram.classes[class];
        let ([x, y], scale) = (pixels(at), frame.scale);
        let [end, words] = [SAMPLE, SAMPLE + 6.0].map(|beyond| number(at.x + beyond * scale));
        let sample = svg.element("line").with("x1", x).with("y1", &y).with("x2", end).with("y2", &y);
        sample.with("stroke", entry.colour).with("stroke-width", number(2.5 * scale)).empty();
        svg.element("text").with("x", words).with("y", number(at.y + 4.0 * scale)).text(&label(entry));
    }
    svg.close("g");
}

/// Writes the colours of a figure from its least to its largest value, in the place of the legend.
fn write_scale(svg: &mut Svg, frame: &Frame, colours: &Colours) {
    let Some(&(_, at)) = frame.legend.first() else { return };
    svg.element("g").with("class", "legend").open();
    let [least, most] = colours.range().map(significant);
    let scale = frame.scale;
    let mut text = |x: f64, words: &str| {
        svg.element("text").with("x", number(x)).with("y", number(at.y + 4.0 * scale)).text(words);
        x + (words.chars().count() as f64 * CHARACTER[1] + 6.0) * scale
    };
    let mut x = text(at.x, &least);
    let side = 12.0 * scale;
    let after = x + side * Colours::scale().len() as f64;
    text(after + 6.0 * scale, &format!("{most}  {}", colours.words));
    for colour in Colours::scale() {
        let square = svg.element("rect").with("x", number(x)).with("y", number(at.y - side / 2.0));
        square.with("width", number(side)).with("height", number(side)).with("fill", colour).empty();
        x += side;
    }
    svg.close("g");
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

/// Returns the text beside a colour in the legend.
fn label(entry: &LinkClass) -> String {
    format!("{}: {} {}", entry.name, entry.links, if entry.links == 1 { "link" } else { "links" })
}

/// Returns the middle of the curve of a trunk.
fn middle(diagram: &Diagram, trunk: &Trunk, offset: f64) -> Point {
    let [from, to] = [trunk.from, trunk.to].map(|switch| diagram.switches[switch]);
    (from + to) * 0.5 + (to - from).left() * (trunk.bend + offset)
}

/// Returns the width of the lines of a class: finer where there are many.
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
