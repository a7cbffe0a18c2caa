//! What a picture consists of. All lengths are in pixels, of which an inch has 96; y grows downwards.

/// A place: to the right, and down.
pub type Place = [f64; 2];

/// Red, green and blue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Colour(pub u8, pub u8, pub u8);

impl Colour {
    /// The ground of every picture.
    pub const WHITE: Colour = Colour(255, 255, 255);
    /// Texts and axes.
    pub const INK: Colour = Colour(34, 34, 34);
    /// What stays behind other things.
    pub const FAINT: Colour = Colour(221, 221, 221);
    /// Frames, and lines to compare with.
    pub const GREY: Colour = Colour(122, 122, 122);
}

/// A picture: its size, its name, and what is drawn, the lowest first.
#[derive(Clone, Debug, PartialEq)]
pub struct Picture {
    /// Its width and height.
    pub size: Place,
    /// What it is of, for those who cannot see it.
    pub title: String,
    /// What is drawn.
    pub layers: Vec<Layer>,
}

/// Things that belong together.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Layer {
    /// What they are, such as `legend`.
    pub class: String,
    /// Two corners of what is seen of them; none where all is.
    pub clip: Option<[Place; 2]>,
    /// The things, the lowest first.
    pub items: Vec<Item>,
}

/// A thing in a picture.
#[derive(Clone, Debug, PartialEq)]
pub enum Item {
    /// A shape.
    Shape(Shape),
    /// A line of text.
    Text(Text),
}

/// A shape, filled or with an outline or both.
#[derive(Clone, Debug, PartialEq)]
pub struct Shape {
    /// Where it runs.
    pub form: Form,
    /// What it is filled with.
    pub fill: Option<Colour>,
    /// Its outline.
    pub stroke: Option<Stroke>,
}

/// Where a shape runs.
#[derive(Clone, Debug, PartialEq)]
pub enum Form {
    /// From place to place.
    Line(Vec<Place>),
    /// From place to place and back to the first.
    Area(Vec<Place>),
    /// From the first place to the last in a curve that heads for the second.
    Curve([Place; 3]),
    /// Around a place, so far from it.
    Circle(Place, f64),
    /// A rectangle: its upper left corner, its width and height.
    Rectangle(Place, Place),
}

/// A line of a width.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stroke {
    /// Its colour.
    pub colour: Colour,
    /// Its width.
    pub width: f64,
    /// The lengths of dashes and gaps in turn; a whole line where there are none.
    pub dash: &'static [f64],
}

impl Stroke {
    /// Returns a line without gaps.
    pub fn solid(colour: Colour, width: f64) -> Self {
        Stroke { colour, width, dash: &[] }
    }
}

/// Where the place of a text lies in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Anchor {
    /// At its first letter.
    Start,
    /// In its middle.
    Middle,
    /// Behind its last letter.
    End,
}

/// A line of text.
#[derive(Clone, Debug, PartialEq)]
pub struct Text {
    /// The words.
    pub words: String,
    /// The place on the line on which letters stand.
    pub at: Place,
    /// The size of the font.
    pub size: f64,
    /// Where the place lies in the text.
    pub anchor: Anchor,
    /// Whether it is read from below.
    pub upright: bool,
    /// Its colour.
    pub colour: Colour,
}

impl Layer {
    /// Begins a layer of this class.
    pub fn new(class: impl Into<String>) -> Self {
        Layer { class: class.into(), ..Layer::default() }
    }

    /// Adds a line from place to place.
    pub fn line(&mut self, places: Vec<Place>, stroke: Stroke) {
        self.items.push(Item::Shape(Shape { form: Form::Line(places), fill: None, stroke: Some(stroke) }));
    }

    /// Adds a rectangle.
    pub fn rectangle(&mut self, at: Place, size: Place, fill: Colour) {
        self.items.push(Item::Shape(Shape { form: Form::Rectangle(at, size), fill: Some(fill), stroke: None }));
    }

    /// Adds a shape.
    pub fn shape(&mut self, form: Form, fill: Option<Colour>, stroke: Option<Stroke>) {
        self.items.push(Item::Shape(Shape { form, fill, stroke }));
    }

    /// Adds a line of text in the colour of texts, whose letters are centred at the height of a place.
    pub fn text(&mut self, words: impl Into<String>, [x, y]: Place, size: f64, anchor: Anchor) {
        self.words(words.into(), [x, y + size * MIDDLE], size, anchor, false);
    }

    /// Adds a line of text that is read from below, its middle at a place.
    pub fn upright(&mut self, words: impl Into<String>, [x, y]: Place, size: f64) {
        self.words(words.into(), [x + size * MIDDLE, y], size, Anchor::Middle, true);
    }

    fn words(&mut self, words: String, at: Place, size: f64, anchor: Anchor, upright: bool) {
        self.items.push(Item::Text(Text { words, at, size, anchor, upright, colour: Colour::INK }));
    }
}

/// How far below its middle a line of text stands, as a share of its size: half the height of a capital.
const MIDDLE: f64 = 0.344;

impl Picture {
    /// Begins a picture on white ground.
    pub fn new(size: Place, title: impl Into<String>) -> Self {
        let size = size.map(f64::ceil);
        let mut ground = Layer::new("ground");
        ground.rectangle([0.0, 0.0], size, Colour::WHITE);
        Picture { size, title: title.into(), layers: vec![ground] }
    }

    /// Returns all texts.
    pub fn texts(&self) -> impl Iterator<Item = &str> {
        self.layers.iter().flat_map(|layer| &layer.items).filter_map(|item| match item {
            Item::Text(text) => Some(text.words.as_str()),
            Item::Shape(_) => None,
        })
    }
}
