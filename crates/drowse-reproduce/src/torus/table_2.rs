//! Tables 1 and 2, and the numbers of the networks in sections 1 and 3.2.
//!
//! The latencies of allocator and hop are no results to compare: they are assumptions of the paper, and ours.

use drowse_experiment::Diagnostic;
use drowse_tables::Row;
use drowse_tables::schema::{Column, network as columns};

use crate::comparison::Comparison;
use crate::described::{network, system};
use crate::trivial::Kind;

/// The experiment of programs; each case sets its own keys in it.
pub const EXPERIMENT: &str = concat!(include_str!("networks.toml"), include_str!("traced.toml"));

/// A row of Table 2, as printed.
#[derive(Debug, PartialEq, Eq)]
pub struct Torus {
    /// Its name; with power saving it ends with `-PS`.
    pub name: &'static str,
    dims: &'static [u32],
    /// Links of a trunk, and nodes of a switch.
    pub aggregation: u32,
    /// Cycles of the allocator.
    allocator: u32,
    /// Ports of a switch, switches, ports of the network.
    counts: [&'static str; 3],
    /// The port ratio; the reference network has none.
    pub ratio: Option<&'static str>,
    /// Switches and ports of a switch of the network that has as many nodes and no aggregation.
    reference: [u32; 2],
}

/// The networks, the reference of each size first.
pub const TABLE_2: [Torus; 5] = [
    Torus {
        name: "3D-1X",
        dims: &[4, 4, 4],
        aggregation: 1,
        allocator: 3,
        counts: ["7", "64", "448"],
        ratio: None,
        reference: [64, 7],
    },
    Torus {
        name: "2D-4X",
        dims: &[4, 4],
        aggregation: 4,
        allocator: 5,
        counts: ["20", "16", "320"],
        ratio: Some("0.714"),
        reference: [64, 7],
    },
    Torus {
        name: "1D-16X",
        dims: &[4],
        aggregation: 16,
        allocator: 6,
        counts: ["48", "4", "192"],
        ratio: Some("0.428"),
        reference: [64, 7],
    },
    Torus {
        name: "4D-1X",
        dims: &[4, 4, 4, 4],
        aggregation: 1,
        allocator: 4,
        counts: ["9", "256", "2304"],
        ratio: None,
        reference: [256, 9],
    },
    Torus {
        name: "3D-4X",
        dims: &[4, 4, 4],
        aggregation: 4,
        allocator: 5,
        counts: ["28", "64", "1792"],
        ratio: Some("0.777"),
        reference: [256, 9],
    },
];

/// Links, mean distance and bisection of two networks of 64 nodes, as the text of section 1 works them out.
const SECTION_1: [(&str, [&str; 3]); 2] = [("3D-1X", ["384", "3", "32"]), ("2D-4X", ["256", "2", "32"])];

/// Compares Table 2 and the sentences on its networks.
pub fn comparisons() -> Result<Vec<Comparison>, Diagnostic> {
    let networks: Vec<Row> = TABLE_2.iter().map(build).collect::<Result<_, _>>()?;
    let mut comparisons = compare_model()?;
    for (printed, network) in TABLE_2.iter().zip(&networks) {
        compare_table(&mut comparisons, printed, network);
    }
    for (name, printed) in SECTION_1 {
        let found = TABLE_2.iter().zip(&networks).find(|(row, _)| row.name == name);
        found.iter().for_each(|(_, network)| compare_text(&mut comparisons, name, printed, network));
    }
    compare_bisections(&mut comparisons, &networks);
    Ok(comparisons)
}

impl Torus {
    /// Returns the number of nodes.
    pub fn nodes(&self) -> u32 {
        // There is no aggregation in the reference network: a switch has one node.
        self.reference[0]
    }

    /// Returns its name, with power saving or without.
    pub fn named(&self, saving: bool) -> String {
        format!("{}{}", self.name, if saving { "-PS" } else { "" })
    }

    /// Returns whether it is the reference network of another's size.
    pub fn is_reference_of(&self, other: &Torus) -> bool {
        self.ratio.is_none() && self.nodes() == other.nodes()
    }

    /// Returns the trunks of a switch.
    pub fn trunks(&self) -> f64 {
        2.0 * self.dims.len() as f64
    }

    /// Returns the ports of a trunk, which are as many as those to nodes.
    pub fn links(&self) -> f64 {
        f64::from(self.aggregation)
    }

    /// Returns the ports of a switch.
    pub fn ports_of_switch(&self) -> f64 {
        self.links() * (self.trunks() + 1.0)
    }

    /// Returns the ports of the network over those of the reference network.
    pub fn port_ratio(&self) -> f64 {
        let [switches, ports] = self.reference.map(f64::from);
        f64::from(self.nodes()) / self.links() * self.ports_of_switch() / (switches * ports)
    }

    /// Returns the keys with which switches allocate once in as many cycles as an allocation takes: their clock is so much
    /// slower, and a hop takes as long as ever.
    pub fn one_allocation_at_a_time(&self) -> [String; 3] {
        let (cycle, pipeline, wire) = (1_600, 20, 10_000);
        let hop = (pipeline + self.allocator) * cycle + wire;
        [
            "switch.allocator={ kind = \"three-stage\" }".to_owned(),
            format!("switch.clock=\"{} ps\"", self.allocator * cycle),
            format!("switch.hop_latency=\"{hop} ps\""),
        ]
    }

    /// Returns the keys that the network sets in the experiment.
    pub fn overrides(&self) -> Vec<String> {
        let Torus { dims, aggregation, allocator, reference: [switches, ports], .. } = self;
        vec![
            format!("network.dims={dims:?}"),
            // As many nodes as aggregated links: that keeps the number of nodes.
            format!("network.trunk={aggregation}"),
            format!("network.nodes={aggregation}"),
            format!("switch.allocator.latency={allocator}"),
            format!("power.model.reference={{ switches = {switches}, ports = {ports} }}"),
        ]
    }
}

fn build(torus: &Torus) -> Result<Row, Diagnostic> {
    network("experiment.toml", EXPERIMENT, &torus.overrides())
}

/// Compares Table 1, the shares of power of a port that is off, of a switch's ports and of the network, where ports of
/// trunks are turned off.
fn compare_model() -> Result<Vec<Comparison>, Diagnostic> {
    let mut overrides = TABLE_2[1].overrides();
    overrides.push("power.policy={ kind = \"trunk\" }".into());
    let system = system("experiment.toml", EXPERIMENT, &overrides)?;
    let states = system.config.classes.iter().find_map(|class| class.states);
    let off = states.map_or(f64::NAN, |states| states.deep.power);
    let of = |share, theirs: &str, ours| {
        Comparison::printed("Table 1", share, "1", theirs, ours, "resolved from the experiment").set()
    };
    Ok(vec![
        of("omega_Sport", "0.1", off),
        of("omega_ports", "0.65", system.model.ports),
        of("omega_net", "0.15", system.model.network),
    ])
}

fn compare_table(comparisons: &mut Vec<Comparison>, printed: &Torus, network: &Row) {
    let mut compare = |quantity: &str, unit, theirs: &str, key: Column, how| {
        let place = format!("Table 2, {}", printed.name);
        comparisons.push(Comparison::printed(place, quantity, unit, theirs, number(network, key), how));
    };
    let [ports, switches, network_ports] = printed.counts;
    compare("ports of a switch", "ports", ports, columns::RADIX, COUNTED);
    compare("switches", "switches", switches, columns::SWITCHES, COUNTED);
    compare("ports of the network", "ports", network_ports, columns::PORTS, COUNTED);
    if let Some(ratio) = printed.ratio {
        compare(
            "port ratio",
            "1",
            ratio,
            columns::PORT_RATIO,
            "ports of the built network over those of the reference",
        );
    }
}

fn compare_text(comparisons: &mut Vec<Comparison>, name: &str, printed: [&str; 3], network: &Row) {
    let [links, distance, bisection] = printed;
    let mut compare = |quantity: &str, unit, theirs: &str, ours, how| {
        let place = format!("Section 1, {name}");
        comparisons.push(Comparison::printed(place, quantity, unit, theirs, ours, how));
    };
    let channels = 2.0 * number(network, columns::LINKS_SWITCH);
    compare("links, each direction", "channels", links, channels, "the text counts both directions of a link");
    let mean = number(network, columns::MEAN_DISTANCE);
    compare("mean distance", "channels", distance, mean, "over all pairs of nodes, a node with itself included");
    compare("bisection", "links", bisection, number(network, columns::BISECTION_LINKS), COUNTED);
    let mut own = |quantity: &str, unit, key: Column, how: &'static str| {
        comparisons.push(Comparison::own(format!("Section 1, {name}"), quantity, unit, number(network, key), how));
    };
    own("links, cables", "links", columns::LINKS_SWITCH, "what the text counts twice");
    own(
        "mean distance, different nodes",
        "channels",
        columns::MEAN_DISTANCE_DISTINCT,
        "over all pairs of different nodes",
    );
}

/// Compares the statement of section 3.2: all networks of one size have the same bisection bandwidth.
fn compare_bisections(comparisons: &mut Vec<Comparison>, networks: &[Row]) {
    for (printed, network) in TABLE_2.iter().zip(networks).filter(|(printed, _)| printed.ratio.is_some()) {
        let of_this_size = |other: &Torus| other.ratio.is_none() && other.reference == printed.reference;
        let reference = TABLE_2.iter().zip(networks).find(|(other, _)| of_this_size(other));
        let theirs = reference.map_or(f64::NAN, |(_, reference)| number(reference, columns::BISECTION_BYTES_PER_S));
        let comparison = Comparison::printed(
            format!("Section 3.2, {}", printed.name),
            "bisection bandwidth, reference network = 1",
            "1",
            "1",
            number(network, columns::BISECTION_BYTES_PER_S) / theirs,
            "\"all the networks evaluated for each system size have the same bisection bandwidth\"",
        );
        comparisons.push(comparison.with_trivial(Kind::Bisection { links: printed.links() }));
    }
}

const COUNTED: &str = "counted in the built network";

fn number(network: &Row, key: Column) -> f64 {
    network.number(key).unwrap_or(f64::NAN)
}
