//! InfraGraph: instances of devices, and links between them.

use drowse_core::model::units::{BitRate, Time};
use drowse_fabric::{Fabric, NodeLink, Options};

use crate::support::{counts, fabric, file, refused};

fn read(text: &str) -> Fabric {
    fabric(text, &Options::default())
}

#[test]
fn edges_with_schemes() {
    // Two hosts with four links each to a leaf of its own, two leaves with a link to each of two spines; one spine is
    // without links.
    let net = read(&file("infragraph.yaml"));
    assert_eq!((counts(&net), net.graph.node_names.join(" ")), ([2 + 2 + 2, 2, 8 + 4], "host.0 host.1".to_owned()));
    let mut classes = net.graph.classes.clone();
    classes.sort_unstable();
    assert_eq!(classes, ["100Gb/s-500ns", "400Gb/s"]);
    assert_eq!(net.graph.node_link.bandwidth, Some(BitRate(400_000_000_000)));
    assert!(net.notes.iter().any(|note| note == "instances without a link, which are left out: 1"), "{:?}", net.notes);
    assert!(net.notes.iter().any(|note| note.ends_with("hosts are `host`")), "{:?}", net.notes);
}

#[test]
fn connections_of_older_files() {
    let net = read(&file("infragraph.json"));
    assert_eq!((counts(&net), net.graph.names.join(" ")), ([1, 2, 0], "leaf.0".to_owned()));
    assert_eq!(net.graph.node_link, NodeLink { bandwidth: Some(BitRate(100_000_000_000)), latency: None });
    let timed =
        file("infragraph.json").replace("{\"name\": \"eth\", ", "{\"name\": \"eth\", \"latency\": {\"us\": 1.5}, ");
    assert_eq!(read(&timed).graph.node_link.latency, Some(Time(1_500_000)));
}

#[test]
fn wrong_files_are_refused_at_their_word() {
    let (yaml, json) = (file("infragraph.yaml"), file("infragraph.json"));
    let with = |from: &str, to: &str| yaml.replacen(from, to, 1);
    let texts = [
        (with("many2many", "ring"), "ring", "the scheme `ring`"),
        (with("\"host[0]\"", "\"host[2]\""), "\"host[2]\"", "there are 2, and this asks for number 2"),
        (with("\"host[0]\"", "\"hst[0]\""), "\"hst[0]\"", "no instance `hst`"),
        (with("scheme: many2many, link: eth2", "scheme: many2many, link: eth3"), "eth3", "no link `eth3`"),
        (with("gigabits_per_second: 100", "gigabits: 100"), "gigabits", "`gigabits` of this quantity"),
        (with("count: 3", "count: many"), "many", "no number of instances"),
        (
            json.replacen("server.0.nic.0.eth", "server.0.nic.eth", 1),
            "\"server.0.nic.eth.leaf.0.port.0\"",
            "no connection of two ends",
        ),
        (json.replacen("\"device\": \"s\"", "\"kind\": \"s\"", 1), "kind", "`kind` of an instance"),
    ];
    let texts: Vec<(&str, &str, &str)> =
        texts.iter().map(|(text, place, told)| (text.as_str(), *place, *told)).collect();
    refused(&Options::default(), &texts);
}
