//! Networks of accelerators: ASTRA-sim's dimensions, and topologies of ns-3 as HPCC and SimAI write them.

use drowse_core::model::units::{BitRate, Time};
use drowse_fabric::{Fabric, NodeLink, Options, class_bandwidth};

use crate::support::{counts, fabric, file, refused, same_as_its_section};

fn read(text: &str) -> Fabric {
    fabric(text, &Options::default())
}

/// A network of ASTRA-sim of these dimensions.
fn astra(topology: &str, npus: &str) -> String {
    let of_all = |value: &str| vec![value; topology.split(',').count()].join(", ");
    format!(
        "# a network\ntopology: [ {topology} ]\nnpus_count: [ {npus} ]\nbandwidth: [ {} ]  # GB/s\nlatency: [ {} ]\n",
        of_all("50.0"),
        of_all("500.0")
    )
}

#[test]
fn one_dimension() {
    // One switch; the link of an accelerator has 400 GiB/s: 400 x 8 x 2^30 bits.
    let star = read(&file("astra-sim.yml"));
    assert_eq!((counts(&star), star.graph.node_names[7].as_str()), ([1, 8, 0], "npu7"));
    let link = NodeLink { bandwidth: Some(BitRate((400 * 8) << 30)), latency: Some(Time(936_250)) };
    assert_eq!(
        (star.graph.node_link, star.shape.as_deref()),
        (link, Some("kind = \"xgft\"\nchildren = [8]\nparents = []\n"))
    );
    let ring = read(&file("astra-sim.json"));
    assert_eq!((counts(&ring), ring.graph.nodes.clone()), ([4, 4, 4], vec![1; 4]));
    assert_eq!(class_bandwidth(&ring.graph.classes[0]), Some(BitRate((50 * 8) << 30)));
    same_as_its_section(&ring);
    let full = read(&astra("FullyConnected", "6"));
    assert_eq!(counts(&full), [6, 6, 15]);
    same_as_its_section(&full);
}

#[test]
fn dimensions_multiply() {
    let torus = read(&astra("Ring, Ring, Ring", "4, 3, 2"));
    // Rings have as many links as accelerators, those of two as well.
    assert_eq!(counts(&torus), [24, 24, 72]);
    same_as_its_section(&torus);
    let hyperx = read(&astra("FullyConnected, FullyConnected", "4, 3"));
    // 3 x 6 pairs in the first dimension, 4 x 3 in the second.
    assert_eq!(counts(&hyperx), [12, 12, 18 + 12]);
    same_as_its_section(&hyperx);
    // The example of astra-network-analytical: 32 rings of two with two links each, 8 times 28 pairs, 16 switches of 4.
    let mixed = read(&astra("Ring, FullyConnected, Switch", "2, 8, 4"));
    assert_eq!((counts(&mixed), mixed.shape.is_none()), ([64 + 16, 64, 64 + 8 * 28 + 64], true));
}

#[test]
fn bandwidths_are_rounded_to_bits() {
    // 370.67 x 8 x 2^30 = 3184031055216.64 bits a second; 3.39 ns = 3390 ps.
    let text = astra("Switch", "2").replace("50.0", "370.67").replace("500.0", "3.39");
    let link = NodeLink { bandwidth: Some(BitRate(3_184_031_055_217)), latency: Some(Time(3_390)) };
    assert_eq!(read(&text).graph.node_link, link);
}

#[test]
fn wrong_networks_of_astra_sim() {
    refused(
        &Options::default(),
        &[
            (&astra("Rng", "4"), "Rng", "no topology of a dimension"),
            (&astra("Ring", "1"), "1", "no number of accelerators"),
            (&astra("Ring", "4, 4"), "[ 4, 4 ]", "`npus_count` has 2 values, and topology 1"),
            (&astra("Ring", "4").replace("50.0", "tbd"), "tbd", "no number of GB/s"),
            (&astra("Ring", "4").replace("500.0", "-5"), "-5", "no number of ns"),
            (&astra("Ring", "4").replace("latency", "delay"), "delay", "`delay` of this file"),
            (&astra("Ring, Ring", "1048576, 2"), "[ 1048576, 2 ]", "more than 1048576"),
            (&astra("FullyConnected", "9999"), "FullyConnected", "more than 1048576 cables"),
            (&astra("Ring", "4").replace("npus_count: [ 4 ]", "npus_count: 4"), "4", "is no list"),
        ],
    );
}

#[test]
fn topologies_of_hpcc() {
    // Hosts in a ring are switches with one node each.
    let ring = read(&file("ns3-topology.txt"));
    assert_eq!((counts(&ring), ring.graph.classes.join(" ")), ([8, 8, 8], "25Gb/s-5us".to_owned()));
    assert_eq!(ring.graph.node_link.bandwidth, Some(BitRate(50_000_000_000)));
    // `8_nodes_1_switch_topology.txt` of ASTRA-sim.
    let links = (0..8).map(|host| format!("8 {host} 400Gbps 0.0005ms 0\n")).collect::<Vec<String>>().concat();
    let star = read(&format!("9 1 8\n8\n{links}"));
    assert_eq!((counts(&star), star.graph.names.join(" ")), ([1, 8, 0], "switch8".to_owned()));
    let link = NodeLink { bandwidth: Some(BitRate(400_000_000_000)), latency: Some(Time(500_000)) };
    assert_eq!((star.graph.node_link, star.notes.len()), (link, 0));
}

#[test]
fn topologies_of_simai() {
    // 16 GPUs with a link to the NVLink switch of their server and one to a leaf; 8 leaves with links to 2 switches.
    let net = read(&file("simai-topology.txt"));
    assert_eq!(counts(&net), [16 + 2 + 8 + 2, 16, 16 + 16 + 16]);
    assert!(net.graph.names.contains(&"nvswitch16".to_owned()) && net.graph.names.contains(&"switch18".to_owned()));
    assert!(net.notes.iter().any(|note| note.contains("such as `host0`: 16;")), "{:?}", net.notes);
    // NVLink of 2,880 Gb/s and a NIC of 400 Gb/s.
    assert_eq!(net.graph.node_link.bandwidth, Some(BitRate(3_280_000_000_000)));
}

#[test]
fn wrong_topologies_of_ns3() {
    let text = "4 1 3\n3\n0 3 100Gbps 1us 0\n1 3 100Gbps 1us 0\n2 3 100Gbps 1us 0\n";
    let with = |from: &str, to: &str| text.replacen(from, to, 1);
    refused(
        &Options::default(),
        &[
            (&with("4 1 3", "4 1 4"), "\n", "ends before the id of a node"),
            (&with("4 1 3", "4 1 2"), "2", "stands behind the last of 2 links"),
            (&with("\n3\n", "\n4\n"), "4", "no number of a node"),
            (&with("0 3 100Gbps", "0 3 fast"), "fast", "not a number with a unit"),
            (&with("1us 0", "1us 2"), "2", "no error rate"),
            (&with("4 1 3\n3", "5 2 3\n3 3"), "3", "switch 3 stands twice"),
            (&with("0 3", "0 0"), "0 0 100Gbps 1us 0", "linked with itself"),
            (&with("0 3", "1 3"), "3", "node `host0` has no link"),
        ],
    );
}
