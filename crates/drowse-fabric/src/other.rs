//! Formats of networks that another crate adds, and what their files say.

use std::ops::Range;

use drowse_core::model::units::{BitRate, Time};

use crate::model::attributes::Links;
use crate::model::vertices::Vertices;
use crate::model::wrong::Wrong;
use crate::options::Options;

/// A format of files of networks that another crate adds.
#[derive(Clone, Copy, Debug)]
pub struct OtherFormat {
    /// What it is called.
    pub name: &'static str,
    /// Returns whether a text is of it. Formats of other crates are asked first, in the order in which they were added.
    pub recognises: fn(&str) -> bool,
    /// Reads a text of it. It refuses what it does not use of the options, such as [`Options::uplinks`]; nodes of switches
    /// of which the file says nothing, and the bandwidth of links without one, are put in afterwards.
    pub read: fn(&str, &Options) -> Result<Layout, Wrong>,
}

/// What a file says: switches and compute nodes, and links between them. Names and links have their places in the file,
/// in bytes, so that whatever is wrong can be shown there.
///
/// ```
/// use drowse_core::topology::TableKind;
/// use drowse_fabric::{Layout, Options, OtherFormat, read_with};
///
/// /// A line of switches: their number alone.
/// const LINE: OtherFormat = OtherFormat {
///     name: "a line",
///     recognises: |text| text.starts_with("line "),
///     read: |text, _| {
///         let (span, mut layout) = (0..text.len(), Layout::default());
///         let count: u32 = text[5..].trim().parse().unwrap_or(0);
///         for switch in 1..count {
///             let ends = [switch - 1, switch].map(|switch| layout.switch(&switch.to_string(), &span));
///             layout.link(ends, 1, None, None, &span)?;
///         }
///         Ok(layout)
///     },
/// };
///
/// let options = Options { nodes: Some(2), ..Options::default() };
/// let fabric = read_with(&[LINE], "line 4", &options, TableKind::Shortest)?;
/// assert_eq!((fabric.graph.nodes, fabric.graph.trunks.len()), (vec![2; 4], 3));
/// # Ok::<(), drowse_fabric::Wrong>(())
/// ```
#[derive(Debug, Default)]
pub struct Layout(pub(crate) Vertices);

/// A switch or a compute node of a [`Layout`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place(usize);

impl Layout {
    /// Returns a switch by its name, a new one if it has not been named before.
    pub fn switch(&mut self, name: &str, span: &Range<usize>) -> Place {
        Place(self.0.named(&(name, span.clone())))
    }

    /// Returns a compute node by its name, a new one if it has not been named before. It has exactly one link, to a
    /// switch.
    pub fn node(&mut self, name: &str, span: &Range<usize>) -> Place {
        let place = self.switch(name, span);
        self.0.set_node(place.0);
        place
    }

    /// Says how many compute nodes a switch has beside those that are named.
    pub fn set_nodes(&mut self, switch: Place, nodes: u32) {
        self.0.set_nodes(switch.0, nodes);
    }

    /// Adds links side by side between two places. What the file says of each: the bandwidth of a direction, and how long
    /// a bit takes.
    pub fn link(
        &mut self,
        ends: [Place; 2],
        links: u32,
        bandwidth: Option<BitRate>,
        latency: Option<Time>,
        span: &Range<usize>,
    ) -> Result<(), Wrong> {
        self.0.link(ends.map(|end| end.0), span, Links::written(links, bandwidth, latency, span))
    }

    /// Adds a sentence on what of the file is not simulated, or not as it stands there.
    pub fn note(&mut self, note: impl Into<String>) {
        self.0.note(note);
    }
}
