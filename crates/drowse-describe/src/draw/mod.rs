//! Pictures of small networks: switches where people expect them for the topology, links in the colour of their class.
//!
//! A layout places switches and nodes, a [`Diagram`] holds the picture in plain data, and a file per format writes it.
//! The bytes are the same on every system: of its mathematical library only the square root is used, which is exact.

mod colours;
mod diagram;
mod dot;
mod layout;
mod point;
mod svg;
mod trunks;

pub use colours::Colours;
pub use diagram::{Diagram, LinkClass, Trunk};
pub use dot::dot;
pub use point::Point;
pub use svg::{coloured_svg, svg};

use std::path::Path;
use std::sync::Arc;

use drowse_core::topology::TopologySpec;
use drowse_experiment::{Source, System, system};

/// The most switches that a picture shows; more could not be told apart.
const MOST_SWITCHES: u32 = 512;
/// The most links that a picture shows.
const MOST_LINKS: u32 = 16_384;

/// Why a network is not drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CannotDraw {
    /// A picture of it could not be read.
    #[error("a picture shows at most {most} {what}, not {count}; draw a smaller network of the same kind")]
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

/// Lays out a system's network.
pub fn diagram(system: &System) -> Result<Diagram, CannotDraw> {
    let network = &system.network;
    for (what, count, most) in [
        ("switches", network.switches(), MOST_SWITCHES),
        ("links between switches", network.switch_links(), MOST_LINKS),
    ] {
        if count > most {
            return Err(CannotDraw::TooLarge { what, count, most });
        }
    }
    if network.switches() == 0 {
        return Err(CannotDraw::Ideal);
    }
    if let TopologySpec::Faulty(faulty) = &system.topology
        && let Ok(whole) = faulty.whole.build()
    {
        // The layout is that of the network without faults.
        return Ok(Diagram::new(&system.title, &whole).without(&faulty.faults.switches, network));
    }
    Ok(Diagram::new(&system.title, network))
}

/// Lays out the network of an experiment's text, such as a manifest has; none where it cannot be built or drawn.
pub fn of_experiment(text: &str) -> Option<Diagram> {
    let source = Source::new(Path::new(""), text.to_owned(), &[]).ok()?;
    diagram(&system(&Arc::new(source)).ok()?).ok()
}
