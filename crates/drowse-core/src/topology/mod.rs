//! Networks: topologies, and the flat tables that each compiles to.
//!
//! Each topology has a file of its own with its parameters, which implement [`Topology`], and a line in the list of
//! members below. What routing needs of a built network lies in [`geometry`].
//!
//! A network is described by its parameters, checked, and built:
//!
//! ```
//! use drowse_core::topology::{PerDimension, TopologySpec, Torus};
//!
//! # fn main() -> Result<(), drowse_core::topology::NetworkError> {
//! let torus = TopologySpec::Torus(Torus::new(vec![4, 4], PerDimension::All(2), 1));
//! let network = torus.build()?;
//! // Each switch has trunks of two links to four neighbours, and a node. Two switches share a link.
//! assert_eq!((network.switches(), network.nodes, network.radix()), (16, 16, 4 * 2 + 1));
//! assert_eq!(network.switch_links(), 16 * 4 * 2 / 2);
//! // On a ring of four, the farthest switch is two steps away.
//! assert_eq!(torus.metrics().map(|metrics| metrics.diameter), Some(2 + 2));
//!
//! let wrong = TopologySpec::Torus(Torus::new(vec![4, 1], PerDimension::All(2), 1));
//! let said = wrong.build().unwrap_err().to_string();
//! assert_eq!(said, "network.dims = [4, 1]: each dimension has 2 to 65535 switches");
//! # Ok(())
//! # }
//! ```

mod aries;
mod bisection;
mod builder;
mod dragonfly;
mod dragonfly_plus;
mod error;
mod faults;
mod field;
pub mod geometry;
pub mod graph;
mod group_plan;
mod hypercube;
mod hyperx;
mod ideal;
mod jellyfish;
mod keys;
mod member;
mod metrics;
mod network;
mod own_routing;
mod per_dimension;
mod percs;
mod polarfly;
mod racks;
mod search;
mod slim_fly;
mod torus;
mod tree;
mod trees;
mod twisted_torus;
mod xgft;

use std::sync::Arc;

use crate::model::units::BitRate;

pub use aries::Aries;
pub use bisection::{Basis, Bisection};
pub use builder::NetworkBuilder;
pub use dragonfly::{Arrangement, Dragonfly};
pub use dragonfly_plus::DragonflyPlus;
pub use error::NetworkError;
pub use faults::Faults;
pub use geometry::graph::forwarding::{Forwarding, Lanes};
pub use geometry::graph::{TableKind, Trunk};
pub use geometry::grid::Ties;
pub use geometry::ideal::Ideal;
pub use geometry::{Geometry, grid, groups, lattice, levels};
pub use graph::Graph;
pub use hypercube::Hypercube;
pub use hyperx::{Full, HyperX};
pub use jellyfish::Jellyfish;
pub use keys::{ON_GIVEN_GRAPHS, ON_GRAPHS, ON_GRIDS, ON_GROUPS, ON_LATTICES, ON_TREES, Routing, TopologyKeys};
pub use member::{NodeLink, Topology};
pub use metrics::Metrics;
pub use network::{End, Network};
pub use own_routing::{OwnRouting, TableRouting};
pub use per_dimension::PerDimension;
pub use percs::Percs;
pub use polarfly::PolarFly;
pub use racks::Racks;
pub use search::{Searched, search};
pub use slim_fly::SlimFly;
pub use torus::{Mesh, Torus};
pub use tree::{KAryTree, ThinTree};
pub use twisted_torus::TwistedTorus;
pub use xgft::Xgft;

/// Where nothing is written: one of what is counted.
const fn one() -> u32 {
    1
}

/// The seed of random networks, where none is written.
const fn first_seed() -> u64 {
    1
}

/// Makes the enum of the topologies, and the one place where they are told apart; `as` names who answers for parameters
/// that two topologies share.
macro_rules! topologies {
    ($(
        $(#[$doc:meta])*
        $Name:ident($Parameters:ty) $(as $member:path)? $(= $kind:literal, $routings:expr $(, by $tables:ident)?)?;
    )*) => {
        /// A topology with its parameters.
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub enum TopologySpec {
            $($(#[$doc])* $Name($Parameters),)*
            /// One that is not of this crate.
            Other(Other),
        }

        impl TopologySpec {
            /// Asks the topology something.
            fn ask<T>(&self, question: impl FnOnce(&dyn Topology) -> T) -> T {
                match self {
                    $(TopologySpec::$Name(parameters) => question(topologies!(parameters $(, $member)?)),)*
                    TopologySpec::Other(Other(topology)) => question(&**topology),
                }
            }
        }

        $($(impl TopologyKeys for $Parameters {
            const KIND: &'static str = $kind;
            const ROUTINGS: &'static [Routing] = $routings;

            fn topology(self, _tables: TableKind) -> TopologySpec {
                TopologySpec::$Name(Self { $($tables: _tables,)? ..self })
            }
        })?)*
    };
    ($parameters:ident) => { $parameters };
    ($parameters:ident, $member:path) => { &$member($parameters) };
}

topologies! {
    /// A k-ary n-cube, sizes free per dimension.
    Torus(Torus) = "torus", ON_GRIDS;
    /// A torus without the wrap-around links.
    Mesh(Torus) as torus::AsMesh;
    /// A torus whose short rings close half-way around its long ones.
    TwistedTorus(TwistedTorus) = "twisted-torus", ON_GRAPHS, by tables;
    /// A mesh of size 2 in every dimension.
    Hypercube(Hypercube) = "hypercube", ON_GRIDS;
    /// A k-ary n-tree: a thin tree with as many ports up as down.
    Tree(ThinTree) as tree::AsKAryTree;
    /// A tree whose switches have fewer ports up than down.
    ThinTree(ThinTree) = "thin-tree", ON_TREES;
    /// An extended generalised fat tree.
    Xgft(Xgft) = "xgft", ON_TREES;
    /// Racks under a 4-ary 2-tree.
    Racks(Racks) = "racks", keys::ON_RACKS;
    /// Groups of switches, each joined with each.
    Dragonfly(Dragonfly) = "dragonfly", ON_GROUPS;
    /// Groups of leaf and spine switches.
    DragonflyPlus(DragonflyPlus) = "dragonfly-plus", ON_GROUPS;
    /// Supernodes of four drawers.
    Percs(Percs) = "percs", ON_GROUPS;
    /// Groups of rows and columns of switches.
    Aries(Aries) = "aries", ON_GROUPS;
    /// Every pair of switches.
    Full(Full) = "full", ON_LATTICES;
    /// Every pair of switches that differ in one coordinate.
    HyperX(HyperX) = "hyperx", ON_LATTICES;
    /// A graph of diameter 2.
    SlimFly(SlimFly) = "slim-fly", ON_GRAPHS, by tables;
    /// Another graph of diameter 2.
    PolarFly(PolarFly) = "polarfly", ON_GRAPHS, by tables;
    /// A random regular graph.
    Jellyfish(Jellyfish) = "jellyfish", ON_GRAPHS, by tables;
    /// Any graph.
    Graph(Graph);
    /// Any topology, some links or switches of which are faulty.
    Faulty(Faulty);
    /// No network at all: a latency and a bandwidth for each message.
    Ideal(Ideal) = "ideal", &[];
}

impl TopologySpec {
    /// Returns the word that selects this topology in an experiment file (`network.kind`).
    pub fn kind(&self) -> &'static str {
        self.ask(|topology| topology.kind())
    }

    /// Returns the number of switch ports, those to nodes included, without building the network; a mesh may have a few
    /// less.
    pub fn ports(&self) -> Result<u64, NetworkError> {
        self.ask(|topology| topology.ports())
    }

    /// Compiles the topology to flat tables.
    pub fn build(&self) -> Result<Network, NetworkError> {
        self.ask(|topology| topology.build())
    }

    /// Returns the most bytes of the tables by which a network of so many ports is routed; 0 where arithmetic suffices.
    pub fn routing_bytes(&self, ports: u64) -> u64 {
        self.ask(|topology| topology.routing_bytes(ports))
    }

    /// Returns distances by arithmetic, without building the network; `None` where there are no channels, or no closed
    /// form: [`search()`] finds those.
    pub fn metrics(&self) -> Option<Metrics> {
        self.ask(|topology| topology.metrics())
    }

    /// Returns the bandwidth that the channels of a class have in the machine that the topology is of; `None` where it
    /// is of none.
    pub fn bandwidth(&self, class: &str) -> Option<BitRate> {
        self.ask(|topology| topology.bandwidth(class))
    }

    /// Returns what the description of a network calls an end of a link; `None` where it has no names.
    pub fn called(&self, network: &Network, end: End) -> Option<String> {
        match self {
            TopologySpec::Graph(graph) => graph.called(network, end),
            _ => None,
        }
    }

    /// Returns the names of the compute nodes, by number; empty where they have none.
    pub fn node_names(&self) -> &[String] {
        match self {
            TopologySpec::Graph(graph) => &graph.node_names,
            _ => &[],
        }
    }

    /// Returns what the description of the network says of the links of compute nodes.
    pub fn node_link(&self) -> NodeLink {
        self.ask(|topology| topology.node_link())
    }

    /// Returns the number of ports that each switch is built with where all are alike, plugged or not: what a switch
    /// costs (R of Navaridas et al. 2010).
    pub fn switch_ports(&self) -> Option<u32> {
        self.ask(|topology| topology.switch_ports())
    }
}

/// A topology of another crate.
#[derive(Clone, Debug)]
pub struct Other(pub Arc<dyn Topology>);

impl PartialEq for Other {
    fn eq(&self, other: &Other) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for Other {}

/// A network some links or switches of which are faulty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Faulty {
    /// The network before.
    pub whole: Box<TopologySpec>,
    /// What is faulty.
    pub faults: Faults,
    /// Which paths are put into tables.
    pub tables: TableKind,
}

impl Faulty {
    /// Returns the graph that is left.
    pub fn graph(&self) -> Result<Graph, NetworkError> {
        self.faults.remove_from(&self.whole.build()?, self.tables)
    }
}

impl Topology for Faulty {
    fn kind(&self) -> &'static str {
        self.whole.kind()
    }

    fn ports(&self) -> Result<u64, NetworkError> {
        self.whole.ports()
    }

    fn build(&self) -> Result<Network, NetworkError> {
        self.graph()?.build()
    }

    fn routing_bytes(&self, ports: u64) -> u64 {
        self.tables.bytes(ports.min(u64::from(graph::MAX_SWITCHES)))
    }

    fn bandwidth(&self, class: &str) -> Option<BitRate> {
        self.whole.bandwidth(class)
    }

    fn node_link(&self) -> NodeLink {
        self.whole.node_link()
    }
}
