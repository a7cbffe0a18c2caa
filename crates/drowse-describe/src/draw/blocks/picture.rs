//! Blocks as pictures.

use drowse_picture::{Anchor, Colour, Form, Layer, Picture, Place, Stroke, width};

use super::{Block, Bundle, Overview, grouped};
use crate::draw::colours::Colours;
use crate::draw::frame::{self, FONT, Frame};
use crate::draw::point::Point;

/// The most bundles that are all in colour, and the most that have their counts beside them.
const MOST_COLOURED: usize = 220;
const MOST_COUNTS: usize = 90;
/// The size of the words of blocks and counts.
const WORDS: f64 = 10.5;
/// The height of a line of words.
const LINE: f64 = 13.0;
/// Length of a sample of a link in the legend, and the room behind its words.
const SAMPLE: f64 = 26.0;
const GAP: f64 = 30.0;
const EDGE: Stroke = Stroke { colour: Colour::INK, width: 1.3, dash: &[] };

/// Draws blocks with their counts; a figure of the trunks colours the links between them by its mean.
pub fn picture(overview: &Overview, colours: Option<&Colours>) -> Picture {
    let means = colours.map(|colours| means(overview, colours));
    let subtitle = match &overview.alike {
        Some(alike) => format!("{}, {alike}", overview.subtitle),
        None => overview.subtitle.clone(),
    };
    let frame = Frame::around(corners(overview), [&overview.title, &subtitle]);
    let entries = entries(overview, means.is_some());
    let legend = frame.legend(entries.into_iter(), SAMPLE + GAP);
    let mut picture = frame.begin([&overview.title, &subtitle], legend.lines);
    picture.layers.extend(links(overview, &frame, means.as_ref()));
    picture.layers.push(blocks(overview, &frame));
    let mut layer = Layer::new("legend");
    for (number, at, words) in &legend.places {
        match (&means, number.checked_sub(1)) {
            (Some(means), _) => frame::scale(&mut layer, *at, frame.scale, means),
            (None, class) => {
                let colour = class.map_or(Colour::FAINT, |class| frame::hex(overview.classes[class].colour));
                frame::sample(&mut layer, *at, SAMPLE * frame.scale, Stroke::solid(colour, 2.5 * frame.scale));
                let at = [at[0] + (SAMPLE + 6.0) * frame.scale, at[1]];
                layer.text(words.clone(), at, FONT[1] * frame.scale, Anchor::Start);
            }
        }
    }
    picture.layers.push(layer);
    picture
}

/// Returns the mean of a figure over the links of each bundle.
fn means(overview: &Overview, colours: &Colours) -> Colours {
    let mean = |bundle: &Bundle| {
        let sum: f64 = bundle.trunks.iter().map(|&trunk| colours.trunks[trunk]).sum();
        sum / bundle.trunks.len().max(1) as f64
    };
    Colours {
        words: format!("{}, mean of the links between two blocks", colours.words),
        trunks: overview.bundles.iter().map(mean).collect(),
        nodes: Vec::new(),
    }
}

/// Returns whether only the links of the first block are in colour, because there are too many.
fn hides_itself(overview: &Overview) -> bool {
    overview.bundles.len() > MOST_COLOURED
}

/// Returns the entries of the legend: 0 is what is grey, others are classes from 1 on.
fn entries(overview: &Overview, coloured: bool) -> Vec<(usize, String)> {
    let mut entries: Vec<(usize, String)> = overview
        .seen_classes()
        .map(|(class, entry, links)| {
            let each: Vec<u32> = counts(overview, class);
            let links = grouped(links);
            let words = match each.as_slice() {
                [one] => format!("{}: {links} links between blocks, {} between two", entry.name, grouped(*one)),
                _ => format!("{}: {links} links between blocks", entry.name),
            };
            (class + 1, words)
        })
        .collect();
    if hides_itself(overview) && !coloured {
        let first = &overview.blocks[0].name;
        entries.push((0, format!("grey: not of {first}, of which all are in colour")));
    }
    if coloured {
        entries.truncate(1);
    }
    entries
}

/// Returns the different counts of the bundles of a class.
fn counts(overview: &Overview, class: usize) -> Vec<u32> {
    let of_class = overview.bundles.iter().filter(|bundle| bundle.class == class);
    let mut counts: Vec<u32> = of_class.map(|bundle| bundle.links).collect();
    counts.sort_unstable();
    counts.dedup();
    counts
}

/// Returns half the width and height of a block.
fn half(overview: &Overview, block: &Block) -> Point {
    let lines = words(overview, block);
    let wide = lines.iter().map(|line| width(line, WORDS)).fold(0.0, f64::max);
    Point::new(wide / 2.0 + 6.0, LINE * lines.len() as f64 / 2.0 + 4.0)
}

/// Returns the lines of words of a block.
fn words(overview: &Overview, block: &Block) -> Vec<String> {
    let counts = if overview.alike.is_some() { Vec::new() } else { block.counts() };
    std::iter::once(block.name.clone()).chain(counts).collect()
}

fn corners(overview: &Overview) -> [Point; 2] {
    let (mut low, mut high) = (Point::new(f64::MAX, f64::MAX), Point::new(f64::MIN, f64::MIN));
    let mut include = |at: Point, room: Point| {
        low = Point::new(low.x.min(at.x - room.x), low.y.min(at.y - room.y));
        high = Point::new(high.x.max(at.x + room.x), high.y.max(at.y + room.y));
    };
    overview.blocks.iter().for_each(|block| include(block.at, half(overview, block)));
    overview.bundles.iter().for_each(|bundle| include(middle(overview, bundle), Point::new(12.0, 8.0)));
    [low, high]
}

fn middle(overview: &Overview, bundle: &Bundle) -> Point {
    let [from, to] = [bundle.from, bundle.to].map(|block| overview.blocks[block].at);
    (from + to) * 0.5 + (to - from).left() * bundle.bend
}

/// Draws the links: those in grey below those in colour, and the counts above all.
fn links(overview: &Overview, frame: &Frame, means: Option<&Colours>) -> [Layer; 2] {
    let (mut layer, mut words) = (Layer::new("links"), Layer::new("counts"));
    let hidden = hides_itself(overview) && means.is_none();
    let is_grey = |bundle: &Bundle| hidden && bundle.from != 0;
    let most = overview.bundles.iter().map(|bundle| bundle.links).max().unwrap_or(1);
    let mut order: Vec<usize> = (0..overview.bundles.len()).collect();
    if let Some(means) = means {
        // What is bright lies above.
        order.sort_by(|&one, &other| means.trunks[one].total_cmp(&means.trunks[other]));
    }
    for grey in [true, false] {
        for &number in order.iter().filter(|&&number| is_grey(&overview.bundles[number]) == grey) {
            let bundle = &overview.bundles[number];
            let colour = match means {
                Some(means) => means.of(means.trunks[number]),
                None if grey => "#dddddd",
                None => overview.classes[bundle.class].colour,
            };
            let stroke = Stroke::solid(frame::hex(colour), if grey { 0.6 } else { thick(bundle.links, most) });
            let ends = [bundle.from, bundle.to].map(|block| overview.blocks[block].at);
            let left = (ends[1] - ends[0]).left();
            let control = frame.place((ends[0] + ends[1]) * 0.5 + left * (2.0 * bundle.bend));
            let [from, to] = ends.map(|end| frame.place(end));
            let form = if bundle.bend == 0.0 { Form::Line(vec![from, to]) } else { Form::Curve([from, control, to]) };
            layer.shape(form, None, Some(stroke));
        }
    }
    let shown = |bundle: &&Bundle| !is_grey(bundle) && counts(overview, bundle.class).len() > 1;
    if overview.bundles.iter().filter(shown).count() <= MOST_COUNTS {
        for bundle in overview.bundles.iter().filter(shown) {
            count(&mut words, &grouped(bundle.links), frame.place(middle(overview, bundle)));
        }
    }
    [layer, words]
}

/// Writes a count on a ground of its own.
fn count(layer: &mut Layer, words: &str, [x, y]: Place) {
    let wide = width(words, WORDS) + 4.0;
    layer.rectangle([x - wide / 2.0, y - LINE / 2.0], [wide, LINE], Colour::WHITE);
    layer.text(words, [x, y], WORDS, Anchor::Middle);
}

/// Returns the width of a line of so many links.
fn thick(links: u32, most: u32) -> f64 {
    let bits = f64::from(links.max(1).ilog2());
    1.0 + 4.0 * bits / f64::from(most.max(2).ilog2())
}

/// Draws the blocks with their words.
fn blocks(overview: &Overview, frame: &Frame) -> Layer {
    let mut layer = Layer::new("blocks");
    for block in &overview.blocks {
        let half = half(overview, block);
        let [x, y] = frame.place(block.at);
        let form = Form::Rectangle([x - half.x, y - half.y], [2.0 * half.x, 2.0 * half.y]);
        layer.shape(form, Some(Colour::WHITE), Some(EDGE));
        let lines = words(overview, block);
        for (number, line) in lines.iter().enumerate() {
            let y = y + (number as f64 - (lines.len() - 1) as f64 / 2.0) * LINE;
            layer.text(line.clone(), [x, y], WORDS, Anchor::Middle);
        }
    }
    layer
}
