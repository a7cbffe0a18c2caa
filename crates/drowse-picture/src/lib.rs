//! Pictures in plain data, and as SVG, PDF and PNG.
//!
//! A [`Picture`] is a list of shapes and texts with their places. [`svg`], [`pdf`] and [`png`] write the same picture;
//! no other program and no font of the system is asked, and the bytes are the same on every machine.

mod container;
mod font;
mod marker;
mod pdf;
mod picture;
mod png;
mod svg;
mod trace;

pub use font::{unknown, width};
pub use marker::Marker;
pub use pdf::pdf;
pub use picture::{Anchor, Colour, Form, Item, Layer, Picture, Place, Shape, Stroke, Text};
pub use png::png;
pub use svg::svg;

/// What is written into every file: the program may replace what it has made.
pub const MARK: &str = "made by drowse";
