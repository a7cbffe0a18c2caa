//! What tests of formats share: files, counts, and a network beside the section that is said to build the same.

use std::fs;
use std::path::{Path, PathBuf};

use drowse_core::topology::{Network, TableKind, TopologySpec, search};
use drowse_fabric::{Fabric, Options, Wrong, read};

/// The folder of the files.
pub fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/networks")
}

/// Reads a file of the folder as a text.
pub fn file(name: &str) -> String {
    fs::read_to_string(folder().join(name)).expect("a text")
}

/// Reads a network.
pub fn fabric(text: &str, options: &Options) -> Fabric {
    read(text, options, TableKind::Shortest).unwrap_or_else(|wrong| panic!("{wrong} at {:?}", wrong.span))
}

/// What the caller says where a file does not count links.
pub fn uplinks(number: u32) -> Options {
    Options { uplinks: Some(number), ..Options::default() }
}

/// Switches, compute nodes, and links between switches.
pub fn counts(fabric: &Fabric) -> [u32; 3] {
    let graph = &fabric.graph;
    [graph.switches(), graph.nodes.iter().sum(), graph.trunks.iter().map(|trunk| trunk.links).sum()]
}

/// Reads a text that is wrong: the place, the message and the help.
pub fn wrong(text: &str, options: &Options) -> (String, String, String) {
    let Wrong { span, message, help } = read(text, options, TableKind::Shortest).expect_err("an error");
    (text[span].to_owned(), message, help)
}

/// Says of texts what is wrong with which of their words.
pub fn refused(options: &Options, texts: &[(&str, &str, &str)]) {
    for (text, place, told) in texts {
        let (at, message, help) = wrong(text, options);
        assert!(message.contains(told) && !help.is_empty(), "{text}: {message} ({help})");
        assert_eq!(at, *place, "{text}: {message}");
    }
}

/// Asserts that the section of a fabric builds the same: as many switches and links, and nodes as far from each other.
pub fn same_as_its_section(fabric: &Fabric) {
    let section = fabric.shape.as_deref().expect("a section");
    let built = spec(section).build().expect("a network of the section");
    let graph = TopologySpec::Graph(fabric.graph.clone()).build().expect("the network of the file");
    let facts = |network: &Network| {
        let found = search(network).expect("all are connected").metrics;
        let ends = network.links() - network.switch_links();
        (network.switches(), network.switch_links(), ends, found.diameter, (found.mean_distance * 1e9).round())
    };
    assert_eq!(facts(&graph), facts(&built), "{section}");
}

/// Reads a section `[network]`.
fn spec(section: &str) -> TopologySpec {
    let mut keys: toml::Table = section.parse().expect("TOML");
    let kind = keys.remove("kind").and_then(|kind| kind.as_str().map(str::to_owned)).expect("a kind");
    let keys = toml::Value::Table(keys);
    match kind.as_str() {
        "xgft" => TopologySpec::Xgft(keys.try_into().expect("keys")),
        "torus" => TopologySpec::Torus(keys.try_into().expect("keys")),
        "full" => TopologySpec::Full(keys.try_into().expect("keys")),
        "hyperx" => TopologySpec::HyperX(keys.try_into().expect("keys")),
        "dragonfly" => TopologySpec::Dragonfly(keys.try_into().expect("keys")),
        other => panic!("`{other}`"),
    }
}
