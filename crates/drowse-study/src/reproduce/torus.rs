//! Paper 000: Table 2, and what sections 1 and 3.2 say of its networks.
//!
//! Left out: the allocator's latency, which is an assumption of the paper, not a result.

use drowse_tables::Row;

use super::{Comparison, Theirs, network};
use crate::experiment::Diagnostic;

/// The experiment file; each network sets its own keys in it.
const EXPERIMENT: &str = include_str!("torus.toml");

/// A row of Table 2, as printed.
struct Printed {
    name: &'static str,
    dims: &'static str,
    aggregation: u32,
    /// Ports of a switch, switches, ports of the network.
    counts: [&'static str; 3],
    /// The port ratio; the reference network has none.
    ratio: Option<&'static str>,
    /// Switches and ports of a switch of the network that has as many nodes and no aggregation.
    reference: [u32; 2],
}

const TABLE_2: [Printed; 5] = [
    Printed {
        name: "3D-1X",
        dims: "[4, 4, 4]",
        aggregation: 1,
        counts: ["7", "64", "448"],
        ratio: None,
        reference: [64, 7],
    },
    Printed {
        name: "2D-4X",
        dims: "[4, 4]",
        aggregation: 4,
        counts: ["20", "16", "320"],
        ratio: Some("0.714"),
        reference: [64, 7],
    },
    Printed {
        name: "1D-16X",
        dims: "[4]",
        aggregation: 16,
        counts: ["48", "4", "192"],
        ratio: Some("0.428"),
        reference: [64, 7],
    },
    Printed {
        name: "4D-1X",
        dims: "[4, 4, 4, 4]",
        aggregation: 1,
        counts: ["9", "256", "2304"],
        ratio: None,
        reference: [256, 9],
    },
    Printed {
        name: "3D-4X",
        dims: "[4, 4, 4]",
        aggregation: 4,
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
    let mut comparisons = Vec::new();
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

fn build(printed: &Printed) -> Result<Row, Diagnostic> {
    let Printed { dims, aggregation, reference: [switches, ports], .. } = printed;
    let sets = [
        format!("network.dims={dims}"),
        // As many nodes as aggregated links: that keeps the number of nodes.
        format!("network.trunk={aggregation}"),
        format!("network.nodes={aggregation}"),
        format!("power.model.reference={{ switches = {switches}, ports = {ports} }}"),
    ];
    network("torus.toml", EXPERIMENT, &sets)
}

fn compare_table(comparisons: &mut Vec<Comparison>, printed: &Printed, network: &Row) {
    let mut compare = |quantity: &str, unit, theirs: &str, key: &str, how| {
        let place = format!("Table 2, {}", printed.name);
        comparisons.push(Comparison::printed(place, quantity, unit, theirs, number(network, key), how));
    };
    let [ports, switches, network_ports] = printed.counts;
    compare("ports of a switch", "ports", ports, "radix", COUNTED);
    compare("switches", "switches", switches, "switches", COUNTED);
    compare("ports of the network", "ports", network_ports, "ports", COUNTED);
    if let Some(ratio) = printed.ratio {
        compare("port ratio", "1", ratio, "port_ratio", "ports of the built network over those of the reference");
    }
}

fn compare_text(comparisons: &mut Vec<Comparison>, name: &str, printed: [&str; 3], network: &Row) {
    let [links, distance, bisection] = printed;
    let mut compare = |quantity: &str, unit, theirs: &str, ours, how| {
        let place = format!("Section 1, {name}");
        comparisons.push(Comparison::printed(place, quantity, unit, theirs, ours, how));
    };
    let channels = 2.0 * number(network, "links.switch");
    compare("links, each direction", "channels", links, channels, "the text counts both directions of a link");
    let mean = number(network, "mean_distance");
    compare("mean distance", "channels", distance, mean, "over all pairs of nodes, a node with itself included");
    compare("bisection", "links", bisection, number(network, "bisection.links"), COUNTED);
    let mut own = |quantity: &str, unit, key, how: &'static str| {
        let (place, quantity, ours) = (format!("Section 1, {name}"), quantity.to_owned(), Some(number(network, key)));
        comparisons.push(Comparison { place, quantity, unit, theirs: Theirs::Nothing, ours, how: how.into() });
    };
    own("links, cables", "links", "links.switch", "what the text counts twice");
    own("mean distance, different nodes", "channels", "mean_distance_distinct", "over all pairs of different nodes");
}

/// Compares what section 3.2 says: all networks of one size have the same bisection bandwidth.
fn compare_bisections(comparisons: &mut Vec<Comparison>, networks: &[Row]) {
    for (printed, network) in TABLE_2.iter().zip(networks).filter(|(printed, _)| printed.ratio.is_some()) {
        let of_this_size = |other: &Printed| other.ratio.is_none() && other.reference == printed.reference;
        let reference = TABLE_2.iter().zip(networks).find(|(other, _)| of_this_size(other));
        let theirs = reference.map_or(f64::NAN, |(_, reference)| number(reference, "bisection.bytes_per_s"));
        comparisons.push(Comparison::printed(
            format!("Section 3.2, {}", printed.name),
            "bisection bandwidth, reference network = 1",
            "1",
            "1",
            number(network, "bisection.bytes_per_s") / theirs,
            "\"all the networks evaluated for each system size have the same bisection bandwidth\"",
        ));
    }
}

const COUNTED: &str = "counted in the built network";

fn number(network: &Row, key: &str) -> f64 {
    network.number(key).unwrap_or(f64::NAN)
}
