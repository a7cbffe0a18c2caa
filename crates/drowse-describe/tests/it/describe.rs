//! Andújar et al. 2019, Table 2, from the examples.

use drowse_describe::network;
use drowse_experiment::load_system;
use drowse_tables::Row;
use drowse_tables::schema::NETWORK;

use crate::support::root;

fn describe(example: &str) -> Row {
    network::describe(&load_system(&root("examples").join(example), &[]).unwrap())
}

#[test]
fn table_2() {
    // File, ports of a switch, switches, ports, and the ratio as printed, cut after three decimals.
    let rows = [
        ("torus-3d-1x.toml", 7, 64, 448, 1.0),
        ("torus-2d-4x.toml", 20, 16, 320, 0.714),
        ("torus-1d-16x.toml", 48, 4, 192, 0.428),
        ("torus-4d-1x.toml", 9, 256, 2304, 1.0),
        ("torus-3d-4x.toml", 28, 64, 1792, 0.777),
    ];
    for (example, radix, switches, ports, ratio) in rows {
        let row = describe(example);
        let count = |name: &str| row.number(name).unwrap();
        assert_eq!([count("radix"), count("switches"), count("ports")], [radix, switches, ports].map(f64::from));
        assert!((0.0..0.001).contains(&(count("port_ratio") - ratio)), "{example}: {}", count("port_ratio"));
    }
}

/// Whether the lanes of a trunk carry a packet each or one together, ports, cost and bandwidth are the same, and so is
/// the energy of links that never sleep; a wide link is one link.
#[test]
fn a_wide_link_has_the_ports_of_a_trunk() {
    let [trunk, wide] = ["torus-2d-4x.toml", "torus-2d-4x-wide.toml"].map(describe);
    let same = [
        "switches",
        "nodes",
        "radix",
        "ports",
        "port_ratio",
        "trunks.all",
        "bisection.bytes_per_s",
        "switch_ports",
        "cost.constant",
        "cost.linear",
        "cost.quadratic",
        "mean_distance",
    ];
    for name in same {
        assert!(wide.number(name).is_some(), "{name}");
        assert_eq!(wide.number(name), trunk.number(name), "{name}");
    }
    assert_eq!(wide.number("links.switch"), trunk.number("links.switch").map(|links| links / 4.0));
}

#[test]
fn networks_of_one_size_have_one_bisection() {
    let bisection = |example| describe(example).number("bisection.bytes_per_s").unwrap();
    assert_eq!(["torus-3d-1x.toml", "torus-2d-4x.toml", "torus-1d-16x.toml"].map(bisection), [320e9; 3]);
    assert_eq!(["torus-4d-1x.toml", "torus-3d-4x.toml"].map(bisection), [1280e9; 2]);
}

#[test]
fn links_and_hops_by_hand() {
    let row = describe("torus-2d-4x.toml");
    let numbers = |names: [&str; 4]| names.map(|name| row.number(name).unwrap());
    // 16 switches in each of 2 rings per dimension, 4 links to the next in each: 64 per dimension, and 64 nodes.
    let links = numbers(["links.all", "links.switch", "links.by_class.node", "links.by_class.dim-1"]);
    assert_eq!(links, [192.0, 128.0, 64.0, 64.0]);
    let hops = numbers(["hop.dim-0.written_ns", "hop.dim-0.rounded_ns", "diameter", "mean_distance"]);
    assert_eq!(hops, [50.0, 51.2, 4.0, 2.0]);
}

/// Fewest links are cut across either dimension, least bandwidth across the slow one.
#[test]
fn the_least_bandwidth_may_be_that_of_other_halves() {
    let system = crate::support::system(
        "[network]\nkind = \"torus\"\ndims = [4, 4]\ntrunk = [2, 1]\n[[link]]\nclass = \"dim-0\"\nbandwidth = \"1 GB/s\"\n",
    );
    let row = network::describe(&system);
    // Across dimension 0, two links of 1 GB/s in each of 4 rings at 2 places; across dimension 1, half the links of 10
    // GB/s.
    assert_eq!((row.number("bisection.links"), row.number("bisection.bytes_per_s")), (Some(8.0), Some(16e9)));
    assert_eq!(row.get("bisection.exact"), Some(&false.into()));
}

/// On a 3x3 mesh, 4 corners have 2 links, 4 sides 3, and the middle 4; each switch has a node.
#[test]
fn costs_of_switches_that_differ() {
    let row = network::describe(&crate::support::system("[network]\nkind = \"mesh\"\ndims = [3, 3]\n"));
    let costs = ["cost.constant", "cost.linear", "cost.quadratic"].map(|name| row.number(name).unwrap());
    assert_eq!(costs, [9.0, 4.0 * 3.0 + 4.0 * 4.0 + 5.0, 4.0 * 9.0 + 4.0 * 16.0 + 25.0]);
    assert_eq!(row.get("switch_ports"), None);
}

/// What is estimated grows with the network, and with what may sleep.
#[test]
fn memory_grows_with_the_network() {
    let memory = |dims, policy| {
        let text = format!("[network]\nkind = \"torus\"\ndims = {dims}\n[power]\npolicy = {{ kind = \"{policy}\" }}\n");
        let row = network::describe(&crate::support::system(&text));
        ["memory.network_bytes", "memory.simulation_bytes"].map(|name| row.number(name).unwrap())
    };
    let [small, large] = ["[4, 4]", "[8, 8]"].map(|dims| memory(dims, "always-on"));
    assert_eq!(large, small.map(|bytes| 4.0 * bytes));
    assert!(memory("[4, 4]", "immediate")[1] > small[1]);
}

#[test]
fn every_key_is_in_the_schema() {
    for example in ["torus-2d-4x.toml", "xgft.toml"] {
        for (name, value) in describe(example).iter() {
            assert_eq!(NETWORK.column(name).map(|column| column.kind), Some(value.kind()), "{name}");
        }
    }
}
