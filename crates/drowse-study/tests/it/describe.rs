//! Paper 000, Table 2, from the examples.

use drowse_study::describe;
use drowse_study::experiment::load_system;
use drowse_tables::Row;
use drowse_tables::schema::NETWORK;

use crate::support::root;

fn describe(example: &str) -> Row {
    describe::network(&load_system(&root("examples").join(example), &[]).unwrap())
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

#[test]
fn a_bandwidth_that_differs_by_class_leaves_the_cut_in_links() {
    let system = crate::support::system(
        "[network]\nkind = \"torus\"\ndims = [4, 4]\n[[link]]\nclass = \"dim-0\"\nbandwidth = \"1 GB/s\"\n",
    );
    let row = describe::network(&system);
    assert_eq!((row.number("bisection.links"), row.number("bisection.bytes_per_s")), (Some(8.0), None));
}

#[test]
fn every_key_is_in_the_schema() {
    for (name, value) in describe("torus-2d-4x.toml").iter() {
        assert_eq!(NETWORK.column(name).map(|column| column.kind), Some(value.kind()), "{name}");
    }
}
