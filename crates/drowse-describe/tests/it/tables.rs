//! Tables of InfiniBand subnets that OpenSM has made: what the simulator's check says of them, what follows from their own
//! dumps, and what an independent checker has found.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use drowse_core::topology::{Network, graph};
use drowse_describe::{deadlock, sound};
use drowse_experiment::subnet_files::SubnetFiles;
use drowse_experiment::{Kinds, Source, System};
use drowse_tables::Value;
use drowse_tables::schema::network as columns;
use flate2::read::GzDecoder;

/// The path of a file; of a large one, which is kept packed, that of an unpacked copy.
fn file(name: &str) -> PathBuf {
    let kept = Path::new(env!("CARGO_MANIFEST_DIR")).join("../drowse-fabric/tests/data/infiniband");
    let Ok(packed) = File::open(kept.join(format!("{name}.gz"))) else { return kept.join(name) };
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let mut copy = tempfile::NamedTempFile::new_in(folder).expect("a temporary file");
    io::copy(&mut GzDecoder::new(packed), &mut copy).unwrap_or_else(|error| panic!("{name}: {error}"));
    copy.persist(folder.join(name)).expect("a name");
    folder.join(name)
}

/// Reads a subnet with its tables as an experiment would.
fn read(topology: &str, tables: &str, lanes: bool) -> System {
    let key = |key: &str, ending: &str| format!("network.{key}={}", file(&format!("{tables}.{ending}")).display());
    let mut keys = vec![key("tables", "lft")];
    if lanes {
        keys.extend([key("service_levels", "sl"), key("lane_maps", "sl2vl")]);
    }
    Kinds::default().load_network(&file(&format!("{topology}.topo")), &keys).expect("tables that can be simulated")
}

/// Whether packets of hosts cannot wait in a circle, by an independent checker of the tables whose vertices are pairs of
/// port and lane: topology, tables, with lanes, and whether it found no circle.
const VERDICTS: [(&str, &str, bool, bool); 15] = [
    ("ring8", "ring8_minhop", false, false),
    ("ring8", "ring8_updn", false, true),
    ("ring8", "ring8_dfsssp", false, false),
    ("ring8", "ring8_dfsssp", true, true),
    ("tree", "tree_ftree", false, true),
    ("tree", "tree_minhop", false, true),
    ("treecut", "treecut_ftree", false, true),
    ("torus3x3", "torus3x3_minhop", false, true),
    ("torus3x3", "torus3x3_dfsssp", false, true),
    ("torus3x3", "torus3x3_t2q", false, true),
    ("torus3x3", "torus3x3_t2q", true, true),
    ("torus5x5", "torus5x5_minhop", false, false),
    ("torus5x5", "torus5x5_t2q", false, false),
    ("torus5x5", "torus5x5_t2q", true, true),
    ("tree96", "tree96", false, true),
];

#[test]
fn three_checks_agree() {
    for (topology, tables, lanes, free) in VERDICTS {
        let checked = deadlock::check(&read(topology, tables, lanes)).expect("a small network");
        assert_eq!(checked.get(columns::DEADLOCK_PROVEN), Some(&Value::Bool(free)), "{tables}, lanes: {lanes}");
        let [topology, lft, levels, maps] =
            [format!("{topology}.topo"), format!("{tables}.lft"), format!("{tables}.sl"), format!("{tables}.sl2vl")]
                .map(|name| file(&name));
        let files = SubnetFiles { topology, tables: lft, lanes: lanes.then_some((levels, maps)) };
        let row = sound::row(&files).expect("dumps");
        let word = row.text(columns::SOUND_HOSTS);
        assert_eq!(word.starts_with("no circle"), free, "{tables}, lanes: {lanes}: {word}");
        assert_eq!(row.get(columns::SOUND), Some(&Value::Bool(free)), "{tables}");
    }
}

/// Counts pairs of hosts by the links of their routes, those of the hosts included.
fn by_links(network: &Network) -> Vec<u64> {
    let tables = graph::forwarding(network).expect("tables");
    let mut pairs = vec![0; 12];
    for from in 0..network.nodes {
        for (to, &port) in network.node_port.iter().enumerate().filter(|&(to, _)| to != from as usize) {
            let switch = network.node_switch[to];
            let local = (port - network.first_port[switch as usize]) as u16;
            let between = tables.left(network.node_switch[from as usize], switch, local);
            pairs[between as usize + 2] += 1;
        }
    }
    pairs
}

/// The routes that are simulated are as long as the independent checker has counted.
#[test]
fn routes_are_as_long_as_those_of_the_tables() {
    for (topology, tables, counted) in [
        ("ring8", "ring8_minhop", &[(3, 16), (4, 16), (5, 16), (6, 8)][..]),
        ("tree", "tree_ftree", &[(2, 24), (4, 108)]),
        ("tree96", "tree96", &[(2, 2208), (4, 6912)]),
    ] {
        let mut expected = vec![0; 12];
        counted.iter().for_each(|&(links, pairs): &(usize, u64)| expected[links] = pairs);
        assert_eq!(by_links(&read(topology, tables, false).network), expected, "{tables}");
    }
}

#[test]
fn wrong_keys_are_told() {
    let refused = |keys: &[&str]| {
        let name = file("ring8.topo");
        let keys: Vec<String> = keys.iter().map(|key| (*key).to_owned()).collect();
        let Err(error) = Kinds::default().load_network(&name, &keys) else { panic!("{keys:?} are read") };
        error.to_string()
    };
    for (keys, told) in [
        (&["network.routing=table"][..], "packets go by tables, and none are named"),
        (&["network.lane_maps=ring8_dfsssp.sl2vl"], "`network.lane_maps` goes with forwarding tables"),
        (
            &["network.tables=ring8_dfsssp.lft", "network.service_levels=ring8_dfsssp.sl"],
            "stands without `network.lane_maps`",
        ),
        (&["network.tables=none.lft"], "it cannot be read"),
        (&["network.tables=ring8.topo"], "ring8.topo:6:1: error: "),
        (&["network.tables=tree_ftree.lft"], "network.tables"),
        (&["network.tables=ring8_minhop.lft", "network.routing=tables"], "\"tables\" is not known"),
    ] {
        let found = refused(keys);
        assert!(found.contains(told), "{keys:?}: {found}");
    }
}

/// An experiment may name tables beside another routing, to compare both; they are not read then.
#[test]
fn another_routing_leaves_tables_aside() {
    let text = "[network]\nkind = \"graph\"\nfile = \"ring8.topo\"\ntables = \"none.lft\"\nrouting = \"up-down\"\n";
    let source = Source::new(&file("x.toml"), text.into(), &[]).expect("a source");
    assert!(Kinds::default().system(&Arc::new(source)).is_ok());
}
