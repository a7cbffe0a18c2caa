//! One fabric in several formats, which must say the same.

use std::collections::BTreeSet;

use drowse_core::topology::TableKind;
use drowse_fabric::infiniband::{Kind, Options, Subnet};
use drowse_fabric::read;

use super::{path, subnet, tables, text};

/// Cables by the names and ports of their ends, with their rates.
fn cables(subnet: &Subnet) -> BTreeSet<String> {
    let ends = |cable: &drowse_fabric::infiniband::Cable| {
        let mut ends = cable.ends.map(|end| (subnet.device(end).host.clone(), end.port));
        ends.sort();
        let rate = cable.rate.map_or("none".to_owned(), |rate| rate.to_string());
        format!("{ends:?} {rate}")
    };
    subnet.cables.iter().map(ends).collect()
}

/// Names and LIDs of all ports.
fn ports(subnet: &Subnet) -> BTreeSet<(String, Option<u16>)> {
    subnet.devices.iter().flat_map(|device| &device.ports).map(|port| (port.name.clone(), port.lid)).collect()
}

#[test]
fn one_fabric_in_all_formats() {
    let fabric = subnet("mixed_lmc1.topo");
    assert_eq!((fabric.switches(), fabric.nodes(), fabric.cables.len()), (2, 5, 7));
    for file in ["mixed_lmc1_g.topo", "mixed_lmc1_f.topo", "mixed_lmc1.ports", "mixed_lmc1.lst", "mixed_lmc1.links"] {
        let other = subnet(file);
        assert_eq!((cables(&other), ports(&other)), (cables(&fabric), ports(&fabric)), "{file}");
    }
    let ring = subnet("ring8.topo");
    for file in ["ring8.ports", "ring8.lst"] {
        let other = subnet(file);
        assert_eq!((cables(&other), ports(&other)), (cables(&ring), ports(&ring)), "{file}");
    }
}

#[test]
fn what_ibsim_reads_is_what_ibnetdiscover_finds_over_it() {
    for (net, topology) in
        [("ring8", "ring8"), ("tree", "tree"), ("treecut", "treecut"), ("torus3x3", "torus3x3"), ("tree96", "tree96")]
    {
        let (net, topology) = (subnet(&format!("{net}.net")), subnet(&format!("{topology}.topo")));
        // These networks say no rates; ibsim then takes 4xSDR.
        let plain = cables(&topology).iter().map(|cable| cable.replace("4xSDR", "none")).collect::<BTreeSet<String>>();
        assert_eq!(cables(&net), plain);
    }
    let mixed = subnet("mixed.net");
    // What ibsim of Debian cannot simulate stands as it is written: NDR, FDR10 and 1x.
    let rates: BTreeSet<String> =
        mixed.cables.iter().filter_map(|cable| cable.rate).map(|rate| rate.to_string()).collect();
    // One cable is 1xHDR at one end and 4xFDR10 at the other: the lower width and speed hold, and it is named.
    assert_eq!(rates, ["1xFDR10", "2xHDR", "4xEDR", "4xFDR", "4xHDR", "4xNDR"].map(str::to_owned).into());
    assert_eq!(mixed.disagreeing.len(), 1, "{:?}", mixed.disagreeing);
}

#[test]
fn all_dumps_of_one_sweep_have_the_same_tables() {
    let ports = |file| -> Vec<(u64, Vec<u8>)> {
        let mut all: Vec<_> = tables(file).switches.into_iter().map(|table| (table.guid, table.ports)).collect();
        all.sort();
        all
    };
    let dumped = ports("ring8_minhop.lft");
    assert_eq!(dumped.len(), 8);
    // LID 1 to 16: `0x0001 003` in the first table.
    assert!(dumped.iter().all(|(_, ports)| ports.len() == 17 && ports[1..].iter().all(|&port| port < 4)));
    assert_eq!((ports("ring8_minhop.lfts"), ports("ring8_minhop.fdbs")), (dumped.clone(), dumped));
    let one = tables("mixed_lmc1_edge-a.lft");
    let all = tables("mixed_lmc1.lft");
    assert_eq!(one.switches.len(), 1);
    let same = all.switches.iter().find(|table| table.guid == one.switches[0].guid).expect("the switch");
    assert_eq!((&same.ports, &same.name), (&one.switches[0].ports, &one.switches[0].name));
}

#[test]
fn a_fabric_is_read_as_a_network() {
    let fabric = read(&text("tree.topo"), &drowse_fabric::Options::default(), TableKind::Shortest).expect("a network");
    let subnet = subnet("tree.topo");
    assert_eq!((fabric.graph.switches(), fabric.graph.node_names.len()), (6, 12));
    assert_eq!(fabric.graph.classes, ["8Gb/s"]);
    assert_eq!(fabric.graph.node_link.bandwidth.map(|rate| rate.0), Some(8_000_000_000));
    // Each leaf has hosts on ports 1 to 3; the order is that of the switches and their ports.
    let leaves: Vec<usize> = (0..6).filter(|&switch| fabric.graph.nodes[switch] > 0).collect();
    assert_eq!(leaves.len(), 4);
    assert!(leaves.iter().all(|&leaf| fabric.graph.port_numbers[leaf].ends_with(&[1, 2, 3])));
    assert!(fabric.graph.trunks.iter().all(|trunk| trunk.links == 1));
    for (name, address) in fabric.graph.node_names.iter().zip(&fabric.node_addresses) {
        let port = subnet.devices.iter().flat_map(|device| &device.ports).find(|port| port.name == *name);
        assert_eq!(port.expect("a port").lid, address.lid, "{name}");
        assert!(address.lid.is_some() && address.guid.is_some());
    }
    let switches: Vec<_> = subnet.devices.iter().filter(|device| device.kind == Kind::Switch).collect();
    for ((name, address), device) in fabric.graph.names.iter().zip(&fabric.switch_addresses).zip(switches) {
        assert_eq!((name, address.guid, address.lid), (&device.name, device.guid, device.ports[0].lid));
    }
}

/// Puts the records of a file and the cables of each record into the opposite order.
fn reversed(text: &str) -> String {
    let records = text.split("\n\n").filter(|record| !record.trim().is_empty() && !record.starts_with("#\n"));
    let mut records: Vec<String> = records
        .map(|record| {
            let (cables, head): (Vec<&str>, Vec<&str>) = record.lines().partition(|line| line.starts_with('['));
            head.into_iter().chain(cables.into_iter().rev()).flat_map(|line| [line, "\n"]).collect()
        })
        .collect();
    records.reverse();
    records.join("\n")
}

#[test]
fn names_do_not_depend_on_the_order_of_a_file() {
    for file in ["tree96.topo", "mixed_lmc1.topo", "torus5x5.topo", "hand/hosts.topo", "hand/names.topo"] {
        let (text, fabric) = (text(file), subnet(file));
        let other = Subnet::parse(&reversed(&text), &Options::default()).expect("a subnet");
        assert_eq!((cables(&other), ports(&other)), (cables(&fabric), ports(&fabric)), "{file}");
        let names = |subnet: &Subnet| subnet.devices.iter().map(|device| device.name.clone()).collect::<BTreeSet<_>>();
        assert_eq!(names(&other), names(&fabric));
        assert_ne!(other.devices[0].name, fabric.devices[0].name);
    }
}

#[test]
fn as_many_devices_and_cables_as_lines() {
    for file in
        ["ring8.topo", "tree.topo", "treecut.topo", "tree96.topo", "torus3x3.topo", "torus5x5.topo", "star63.topo"]
    {
        let (text, fabric) = (text(file), subnet(file));
        let count = |start: &str| text.lines().filter(|line| line.starts_with(start)).count();
        let found = (fabric.switches(), fabric.nodes(), 2 * fabric.cables.len());
        assert_eq!(found, (count("Switch"), count("Ca"), count("[")), "{file}");
    }
}

#[test]
fn all_files_of_fabrics_are_networks() {
    let files = std::fs::read_dir(path("")).expect("the folder");
    let mut read_files = 0;
    for file in files.map(|entry| entry.expect("an entry").path()) {
        let is_topology =
            file.extension().is_some_and(|end| ["topo", "net", "ports", "lst", "links"].iter().any(|of| end == *of));
        if is_topology {
            let text = std::fs::read_to_string(&file).expect("a text");
            let fabric = read(&text, &drowse_fabric::Options::default(), TableKind::Shortest)
                .unwrap_or_else(|wrong| panic!("{}: {wrong}", file.display()));
            let nodes = fabric.graph.nodes.iter().sum::<u32>();
            assert_eq!(fabric.graph.node_names.len(), nodes as usize);
            let distinct: BTreeSet<&String> = fabric.graph.node_names.iter().chain(&fabric.graph.names).collect();
            assert_eq!(distinct.len(), fabric.graph.node_names.len() + fabric.graph.names.len(), "{}", file.display());
            read_files += 1;
        }
    }
    assert!(read_files >= 17, "{read_files}");
}
