//! The Internet Topology Zoo (Knight et al. 2011): its networks are read, and what of them is not is said.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use drowse_experiment::{Diagnostic, Source, System};

fn read(file: &Path) -> Result<System, Diagnostic> {
    let name = file.file_name().unwrap().to_string_lossy();
    let text = format!("[network]\nkind = \"graph\"\nfile = \"{name}\"\n");
    let source = Source::new(&file.with_file_name("x.toml"), text, &[])?;
    drowse_experiment::system(&Arc::new(source))
}

/// Reads a GraphML file with keys of the Zoo; `inner` is what the graph has.
fn zoo(inner: &str) -> Result<System, String> {
    let keys = [
        ("node", "type"),
        ("node", "hyperedge"),
        ("node", "geocode_append"),
        ("node", "doubted"),
        ("edge", "LinkLabel"),
        ("edge", "LinkType"),
        ("edge", "LinkSpeed"),
        ("edge", "LinkSpeedUnits"),
        ("edge", "LinkSpeedRaw"),
        ("edge", "LinkStatus"),
    ];
    let keys =
        keys.map(|(of, key)| format!("<key id=\"{key}\" for=\"{of}\" attr.name=\"{key}\" attr.type=\"string\"/>\n"));
    let graph = format!("<graphml>\n{}<graph edgedefault=\"undirected\">\n{inner}</graph></graphml>\n", keys.concat());
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("zoo.graphml");
    fs::write(&file, graph).unwrap();
    read(&file).map_err(|error| error.to_string())
}

fn node(id: &str, data: &[(&str, &str)]) -> String {
    format!("<node id=\"{id}\">{}</node>\n", values(data))
}

fn edge(ends: [&str; 2], data: &[(&str, &str)]) -> String {
    format!("<edge source=\"{}\" target=\"{}\">{}</edge>\n", ends[0], ends[1], values(data))
}

fn values(data: &[(&str, &str)]) -> String {
    let values: Vec<String> = data.iter().map(|(key, value)| format!("<data key=\"{key}\">{value}</data>")).collect();
    values.concat()
}

/// Returns the bandwidths of the classes of links between switches.
fn bandwidths(system: &System) -> Vec<u64> {
    system.config.classes[1..].iter().map(|class| class.bandwidth.0).collect()
}

#[test]
fn a_network_of_the_zoo() {
    let system =
        read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../drowse-fabric/tests/data/networks/renam.graphml"))
            .unwrap();
    // Five places; the links have 8 Mb/s, 128 kb/s, nothing, and 32 Mb/s.
    assert_eq!((system.network.switches(), system.network.switch_links(), system.network.nodes), (5, 4, 5));
    assert_eq!(bandwidths(&system), [8_000_000, 128_000, 80_000_000_000, 32_000_000]);
    let told = "1 of 4 links has no bandwidth in the file and takes that of [link], 10 GB/s by default";
    assert_eq!(system.notes, [told]);
}

#[test]
fn speeds_in_all_their_spellings() {
    let nodes: String = ["a", "b", "c", "d", "e", "f", "g"].map(|id| node(id, &[])).concat();
    let text = nodes
        + &edge(["a", "b"], &[("LinkSpeed", "128"), ("LinkSpeedUnits", "K"), ("LinkSpeedRaw", "128000.0")])
        + &edge(["b", "c"], &[("LinkLabel", "OC-192")])
        + &edge(["c", "d"], &[("LinkLabel", "POS"), ("LinkType", "STM-16")])
        + &edge(["d", "e"], &[("LinkSpeed", "2.5"), ("LinkSpeedUnits", "G"), ("LinkLabel", "&lt; 10 Gbps")])
        + &edge(["e", "f"], &[("LinkLabel", "10-34 Mb/s")])
        + &edge(["f", "g"], &[("LinkLabel", "leased line")])
        + &edge(["g", "a"], &[]);
    let system = zoo(&text).unwrap();
    // OC-n is n times 51.84 Mb/s, STM-n is OC-3n.
    let expected = [128_000, 192 * 51_840_000, 48 * 51_840_000, 2_500_000_000, 80_000_000_000];
    assert_eq!(bandwidths(&system), expected);
    let told = "3 of 7 links have no bandwidth in the file and take that of [link], 10 GB/s by default; the text of 2 tells none that is clear, such as LinkLabel `10-34 Mb/s`";
    assert_eq!(system.notes, [told]);
}

#[test]
fn the_largest_part_and_what_else_is_said() {
    let text = node("alone", &[("geocode_append", "Ohio"), ("doubted", "1")])
        + &node("a", &[("type", "Small Node")])
        + &node("b", &[("type", "Node")])
        + &node("c", &[("hyperedge", "1")])
        + &edge(["a", "c"], &[("LinkLabel", "1 Gbps")])
        + &edge(["b", "c"], &[("LinkLabel", "1 Gbps"), ("LinkStatus", "Proposed")])
        + &edge(["a", "a"], &[]);
    let system = zoo(&text).unwrap();
    assert_eq!((system.network.switches(), system.network.nodes, system.network.detail(2)), (3, 2, "c".into()));
    assert_eq!(
        system.notes,
        [
            "the network of the file is in 2 parts that no link joins: only the largest is simulated, 3 of 4 switches, without `alone` and others",
            "links that are simulated though their LinkStatus says `Proposed` or the like: 1",
            "vertices whose type is free text, such as `Small Node`, and which are switches: 2",
            "vertices that are links of several ends (hyperedge), switches without compute nodes: 1",
            "links from a switch to itself, which are left out: 1",
        ]
    );
}

/// Words for nodes and switches alone are no free text.
#[test]
fn types_that_are_understood() {
    let text = node("s", &[("type", "switch")]) + &node("h", &[("type", "Host")]) + &node("t", &[("type", "router")]);
    let system = zoo(&(text + &edge(["s", "t"], &[]) + &edge(["s", "h"], &[]))).unwrap();
    assert_eq!((system.network.switches(), system.network.nodes), (2, 1));
}

/// Reads all GraphML files of the folder that `DROWSE_TOPOLOGY_ZOO` names; at least 94 of 100 must be read.
#[test]
fn all_of_the_zoo() {
    let Ok(folder) = std::env::var("DROWSE_TOPOLOGY_ZOO") else { return };
    let is_graph =
        |path: &std::path::PathBuf| path.extension().is_some_and(|ending| ending == "graphml" || ending == "xml");
    let mut files: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).filter(is_graph).collect();
    files.sort();
    let mut refused = 0;
    for file in &files {
        match read(file) {
            Ok(system) => println!("{}: {} switches, {:?}", file.display(), system.network.switches(), system.notes),
            Err(error) => {
                refused += 1;
                println!("{error}");
            }
        }
    }
    println!("{} of {} read", files.len() - refused, files.len());
    assert!(!files.is_empty() && 100 * refused <= 6 * files.len(), "{refused} of {} are refused", files.len());
}
