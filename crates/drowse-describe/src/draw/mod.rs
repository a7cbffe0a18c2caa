//! Pictures of networks: switches where people expect them for the topology, links in the colour of their class.
//!
//! A layout places switches and nodes, a [`Diagram`] holds the picture in plain data. A network that is too large for
//! that is drawn in [`blocks`]: switches together by groups, levels or neighbourhood, with counts. Either becomes a
//! picture, or a file for Graphviz. The bytes are the same on every system: of its mathematical library only the square
//! root is used, which is exact.

pub mod blocks;
mod colours;
mod diagram;
mod dot;
mod frame;
mod layout;
mod picture;
mod point;
mod trunks;

pub use blocks::Overview;
pub use colours::Colours;
pub use diagram::{Diagram, LinkClass, Trunk};
pub use point::Point;

use std::path::Path;
use std::sync::Arc;

use drowse_core::topology::{Geometry, Network, TopologySpec};
use drowse_experiment::{Source, System, system};
use drowse_picture::Picture;

/// The most switches and links whose places can be told apart.
const MOST_SWITCHES: u32 = 512;
const MOST_LINKS: u32 = 16_384;
/// The most trunks across the middle of a ring, and between switches of a grid with links to all others of a row.
const MOST_CROSSING: usize = 400;
const MOST_ROWS: usize = 1_500;

/// Why a network is not drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CannotDraw {
    /// Its switches could not be told apart.
    #[error("a picture of each switch shows at most {most} {what}, not {count}; let it draw blocks")]
    TooLarge {
        /// The parts that are too many.
        what: &'static str,
        /// How many there are.
        count: u32,
        /// The most that are drawn.
        most: u32,
    },
    /// It has neither switches nor links.
    #[error("an ideal network has no switches and links to draw")]
    Ideal,
}

/// What is drawn of a network.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Parts {
    /// Each switch where they can be told apart, else blocks.
    #[default]
    Fitting,
    /// Each switch.
    Switches,
    /// Blocks of switches.
    Blocks,
}

/// A drawing of a network.
#[derive(Clone, Debug, PartialEq)]
pub enum Drawing {
    /// Each switch.
    Whole(Diagram),
    /// Blocks of switches, and what the network consists of.
    Blocks(Overview, Diagram),
}

impl Drawing {
    /// Draws a system's network.
    pub fn of(system: &System, parts: Parts) -> Result<Self, CannotDraw> {
        let network = &system.network;
        if network.switches() == 0 {
            return Err(CannotDraw::Ideal);
        }
        let whole = match parts {
            Parts::Switches => true,
            Parts::Blocks => false,
            Parts::Fitting => fits(network).is_ok() && !hides_itself(network),
        };
        if whole {
            return Ok(Drawing::Whole(placed(system)));
        }
        let unplaced = Diagram::unplaced(&system.title, network);
        let (before, lost) = before_faults(system);
        let before = before.as_ref().unwrap_or(network);
        Ok(Drawing::Blocks(Overview::new(&system.title, network, before, lost), unplaced))
    }

    /// Returns what the network consists of: switches, links between them, and the nodes that are drawn.
    pub fn diagram(&self) -> &Diagram {
        match self {
            Drawing::Whole(diagram) | Drawing::Blocks(_, diagram) => diagram,
        }
    }

    /// Returns the picture, its links coloured by a figure of theirs if one is given.
    pub fn picture(&self, colours: Option<&Colours>) -> Picture {
        match self {
            Drawing::Whole(diagram) => picture::picture(diagram, colours),
            Drawing::Blocks(overview, _) => blocks::picture(overview, colours),
        }
    }

    /// Writes the drawing for Graphviz.
    pub fn dot(&self) -> String {
        match self {
            Drawing::Whole(diagram) => dot::dot(diagram),
            Drawing::Blocks(overview, _) => blocks::dot(overview),
        }
    }
}

/// Refuses networks whose switches could not be told apart.
fn fits(network: &Network) -> Result<(), CannotDraw> {
    for (what, count, most) in [
        ("switches", network.switches(), MOST_SWITCHES),
        ("links between switches", network.switch_links(), MOST_LINKS),
    ] {
        if count > most {
            return Err(CannotDraw::TooLarge { what, count, most });
        }
    }
    Ok(())
}

/// Returns whether links would hide each other.
fn hides_itself(network: &Network) -> bool {
    let ends = trunks::of(network);
    match &network.geometry {
        Geometry::Groups(groups) => {
            ends.iter().filter(|ends| groups.group(ends.from) != groups.group(ends.to)).count() > MOST_CROSSING
        }
        Geometry::HyperX(lattice) if lattice.dims.len() > 1 => ends.len() > MOST_ROWS,
        Geometry::HyperX(_) | Geometry::Graph(_) => ends.len() > MOST_CROSSING,
        _ => false,
    }
}

/// Lays out a system's network, if its switches can be told apart.
pub fn diagram(system: &System) -> Result<Diagram, CannotDraw> {
    if system.network.switches() == 0 {
        return Err(CannotDraw::Ideal);
    }
    fits(&system.network)?;
    Ok(placed(system))
}

/// Places all switches.
fn placed(system: &System) -> Diagram {
    let network = &system.network;
    match before_faults(system) {
        // The layout is that of the network without faults.
        (Some(whole), lost) => Diagram::new(&system.title, &whole).without(lost, network),
        (None, _) => Diagram::new(&system.title, network),
    }
}

/// Returns the network before its faults, and the switches that it has lost; none where it has no faults.
fn before_faults(system: &System) -> (Option<Network>, &[u32]) {
    if let TopologySpec::Faulty(faulty) = &system.topology
        && let Ok(whole) = faulty.whole.build()
    {
        return (Some(whole), &faulty.faults.switches);
    }
    (None, &[])
}

/// Lays out the network of an experiment's text, such as a manifest has; none where it cannot be built or drawn.
pub fn of_experiment(text: &str) -> Option<Diagram> {
    let source = Source::new(Path::new(""), text.to_owned(), &[]).ok()?;
    diagram(&system(&Arc::new(source)).ok()?).ok()
}
