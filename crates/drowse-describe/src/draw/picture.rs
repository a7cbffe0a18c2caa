//! Diagrams as pictures: each link, switch and node is one shape.

use drowse_picture::{Anchor, Colour, Form, Layer, Picture, Stroke};

use super::colours::Colours;
use super::diagram::{Diagram, LinkClass, Trunk};
use super::frame::{self, FONT, Frame};
use super::layout::NODE_RADIUS;
use super::point::Point;

/// A switch, and a node.
const EDGE: Stroke = Stroke { colour: Colour::INK, width: 1.6, dash: &[] };
const NODE: Colour = Colour(85, 85, 85);
/// Length of a sample of a link in the legend, and the room behind its words.
const SAMPLE: f64 = 26.0;
const GAP: f64 = 30.0;

/// Draws a diagram, its links coloured by a figure of theirs if one is given.
pub fn picture(diagram: &Diagram, colours: Option<&Colours>) -> Picture {
    let frame = Frame::around(corners(diagram), [&diagram.title, &diagram.subtitle]);
    let entries = frame.legend(diagram.seen_classes().map(|(class, entry)| (class, label(entry))), SAMPLE + GAP);
    let mut picture = frame.begin([&diagram.title, &diagram.subtitle], entries.lines);
    for class in by_ink(diagram) {
        picture.layers.push(links(diagram, &frame, class, colours));
    }
    if !diagram.nodes.is_empty() {
        picture.layers.extend(nodes(diagram, &frame, colours));
    }
    let mut switches = Layer::new("switches");
    for &at in &diagram.switches {
        switches.shape(Form::Circle(frame.place(at), diagram.switch_radius), Some(Colour::WHITE), Some(EDGE));
    }
    picture.layers.push(switches);
    let mut legend = Layer::new("legend");
    match (colours, entries.places.first()) {
        (Some(colours), Some((_, at, _))) => frame::scale(&mut legend, *at, frame.scale, colours),
        _ => write_legend(&mut legend, diagram, &frame, &entries.places),
    }
    picture.layers.push(legend);
    picture
}

/// Returns the corners of what is drawn.
fn corners(diagram: &Diagram) -> [Point; 2] {
    let (mut low, mut high) = (Point::new(f64::MAX, f64::MAX), Point::new(f64::MIN, f64::MIN));
    let mut include = |at: Point, room: f64| {
        low = Point::new(low.x.min(at.x - room), low.y.min(at.y - room));
        high = Point::new(high.x.max(at.x + room), high.y.max(at.y + room));
    };
    diagram.switches.iter().for_each(|&at| include(at, diagram.switch_radius));
    diagram.nodes.iter().for_each(|&(at, _)| include(at, NODE_RADIUS));
    diagram.trunks.iter().for_each(|trunk| include(middle(diagram, trunk), 2.0));
    [low, high]
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

/// Draws the links of a class.
fn links(diagram: &Diagram, frame: &Frame, class: usize, colours: Option<&Colours>) -> Layer {
    let entry = &diagram.classes[class];
    let mut layer = Layer::new(format!("links {}", entry.name));
    let wide = stroke(entry) * if colours.is_some() { 1.5 } else { 1.0 };
    for (number, trunk) in diagram.trunks.iter().enumerate().filter(|(_, trunk)| trunk.class == class) {
        let colour = colours.map_or(entry.colour, |colours| colours.of(colours.trunks[number]));
        let line = Stroke::solid(frame::hex(colour), wide);
        let ends = [trunk.from, trunk.to].map(|switch| diagram.switches[switch]);
        let left = (ends[1] - ends[0]).left();
        for offset in trunk.offsets() {
            let [from, to] = ends.map(|end| frame.place(end + left * offset));
            // The control point lies twice as far out as the curve's middle.
            let control = frame.place((ends[0] + ends[1]) * 0.5 + left * (2.0 * trunk.bend + offset));
            let form = if trunk.bend == 0.0 { Form::Line(vec![from, to]) } else { Form::Curve([from, control, to]) };
            layer.shape(form, None, Some(line));
        }
    }
    layer
}

/// Draws the nodes and their links.
fn nodes(diagram: &Diagram, frame: &Frame, colours: Option<&Colours>) -> [Layer; 2] {
    let (mut links, mut nodes) = (Layer::new("links node"), Layer::new("nodes"));
    for (number, &(at, switch)) in diagram.nodes.iter().enumerate() {
        let colour = colours.map_or(diagram.classes[0].colour, |colours| colours.of(colours.nodes[number]));
        let places = [diagram.switches[switch], at].map(|place| frame.place(place));
        links.line(places.to_vec(), Stroke::solid(frame::hex(colour), 1.0));
        nodes.shape(Form::Circle(frame.place(at), NODE_RADIUS), Some(NODE), None);
    }
    [links, nodes]
}

/// Writes a sample of each class of links with its name and number.
fn write_legend(layer: &mut Layer, diagram: &Diagram, frame: &Frame, places: &[(usize, [f64; 2], String)]) {
    for (class, [x, y], words) in places {
        let stroke = Stroke::solid(frame::hex(diagram.classes[*class].colour), 2.5 * frame.scale);
        frame::sample(layer, [*x, *y], SAMPLE * frame.scale, stroke);
        let at = [x + (SAMPLE + 6.0) * frame.scale, *y];
        layer.text(words.clone(), at, FONT[1] * frame.scale, Anchor::Start);
    }
}

/// Returns the text beside a colour in the legend.
fn label(entry: &LinkClass) -> String {
    format!("{}: {} {}", entry.name, entry.links, if entry.links == 1 { "link" } else { "links" })
}

/// Returns the middle of the curve of a trunk.
fn middle(diagram: &Diagram, trunk: &Trunk) -> Point {
    let [from, to] = [trunk.from, trunk.to].map(|switch| diagram.switches[switch]);
    (from + to) * 0.5 + (to - from).left() * trunk.bend
}

/// Returns the width of the lines of a class: finer where there are many.
fn stroke(class: &LinkClass) -> f64 {
    match class.links {
        0..=200 => 1.4,
        201..=800 => 1.0,
        _ => 0.6,
    }
}
