//! Fabrics written by hand: what samples of OpenSM over ibsim lack.

use drowse_core::topology::TableKind;
use drowse_fabric::infiniband::{Options, Speed, Subnet, degraded};
use drowse_fabric::read;

use super::{subnet, text};

/// Names of the nodes of a subnet with their LIDs.
fn nodes(subnet: &Subnet) -> Vec<(String, Option<u16>)> {
    let hosts = subnet.devices.iter().filter(|device| device.ports.iter().all(|port| port.number > 0));
    let mut nodes: Vec<_> = hosts.flat_map(|device| &device.ports).map(|port| (port.name.clone(), port.lid)).collect();
    nodes.sort();
    nodes
}

#[test]
fn widths_and_speeds() {
    let subnet = subnet("hand/rates.topo");
    let gbits: Vec<f64> =
        subnet.cables.iter().filter_map(|cable| subnet.bandwidth(cable)).map(|rate| rate.0 as f64 / 1e9).collect();
    // Between the switches, by port; then the links of both hosts.
    let expected = [
        2.0, 8.0, 24.0, 16.0, 48.0, 32.0, 64.0, 40.0, 13.636, 54.544, 100.0, 50.0, 200.0, 100.0, 50.0, 400.0, 200.0,
        800.0, 400.0, 1600.0, 2400.0, 400.0, 400.0,
    ];
    assert_eq!(gbits, expected);
    let options = Options { signalling: true, ..Options::default() };
    let signalled = Subnet::parse(&text("hand/rates.topo"), &options).expect("a subnet");
    let gbits = |at: usize| signalled.bandwidth(&signalled.cables[at]).map(|rate| rate.0 as f64 / 1e9);
    // 1xSDR, 4xEDR and 4xHDR as iblinkinfo prints their lanes.
    assert_eq!((gbits(0), gbits(10), gbits(12)), (Some(2.5), Some(4.0 * 25.78125), Some(4.0 * 53.125)));
    let fabric =
        read(&text("hand/rates.topo"), &drowse_fabric::Options::default(), TableKind::Shortest).expect("a network");
    assert_eq!(fabric.graph.trunks.len(), 21);
    let (ends, first) = (fabric.graph.trunks[20].ends, fabric.graph.first_ports()[20]);
    let number = |side: usize| fabric.graph.port_numbers[ends[side] as usize][usize::from(first[side])];
    assert_eq!([number(0), number(1)], [21, 21]);
    // Links of the same rate are one class.
    let classes: std::collections::BTreeSet<String> = fabric.graph.classes.iter().cloned().collect();
    assert_eq!((classes.len(), fabric.graph.classes.len()), (17, 17));
    assert!(classes.contains("54544Mb/s") && classes.contains("2400Gb/s"), "{classes:?}");
}

#[test]
fn adapters_hosts_and_cables() {
    let subnet = subnet("hand/hosts.topo");
    assert_eq!((subnet.switches(), subnet.nodes(), subnet.left_out.aggregation_nodes), (2, 7, 1));
    let expected =
        [("node1", 20), ("node1/2", 21), ("node2", 22), ("node2/2", 23), ("node3", 24), ("node4", 25), ("oss1", 26)];
    assert_eq!(nodes(&subnet), expected.map(|(name, lid)| (name.to_owned(), Some(lid))));
    let slow: Vec<(String, String, String)> =
        degraded(&subnet).into_iter().map(|slow| (slow.cable, slow.rate.to_string(), slow.usual.to_string())).collect();
    // The split ports of node3 and node4 have fewer lanes than most hosts, too.
    let expected = [
        ("leaf-a [34] - leaf-b [34]", "1xHDR", "4xHDR"),
        ("leaf-a [35] - leaf-b [35]", "4xEDR", "4xHDR"),
        ("leaf-b [2] - node3 mlx5_0 [1]", "2xHDR", "4xHDR"),
        ("leaf-b [3] - node4 mlx5_0 [1]", "2xHDR", "4xHDR"),
    ];
    assert_eq!(slow, expected.map(|(cable, rate, usual)| (cable.to_owned(), rate.to_owned(), usual.to_owned())));
    let named = "port 35 of `MF0;leaf-a:MQM8700/U1` (S-b8599f0300a00000) says 4xHDR, \
                 port 35 of `MF0;leaf-b:MQM8700/U1` (S-b8599f0300b00000) says 4xEDR";
    assert_eq!(subnet.disagreeing, [named]);
    let fabric =
        read(&text("hand/hosts.topo"), &drowse_fabric::Options::default(), TableKind::Shortest).expect("a network");
    assert_eq!(fabric.graph.node_names, ["node1", "node2", "node2/2", "node1/2", "node3", "node4", "oss1"]);
    assert_eq!(fabric.graph.classes, ["200Gb/s", "50Gb/s", "100Gb/s"]);
    let said = fabric.notes.join("\n");
    for told in
        ["left out: 1 aggregation nodes", "cables whose ends disagree on width or speed: 1", "2 of 7 that differ"]
    {
        assert!(said.contains(told), "{said}");
    }
}

#[test]
fn hosts_are_told_apart_otherwise() {
    let parse = |options| Subnet::parse(&text("hand/hosts.topo"), &options).expect("a subnet");
    let without = parse(Options { leave_out: vec!["oss*".to_owned()], ..Options::default() });
    assert_eq!((without.nodes(), without.left_out.by_name), (6, 1));
    // Only node1 has a system image GUID; adapters without one are told apart by their descriptions.
    let by_system = parse(Options { host_by_system: true, ..Options::default() });
    assert_eq!(nodes(&by_system), nodes(&parse(Options::default())));
    let text = text("hand/hosts.topo").replace("caguid=0xc42a10300200010", "sysimgguid=0x77\ncaguid=0xc42a10300200010");
    let two = Subnet::parse(&text, &Options { host_by_system: true, ..Options::default() }).expect("a subnet");
    // Both are called node2 and are of different systems: names stay unique by the GUID.
    let names: Vec<String> =
        nodes(&two).into_iter().map(|(name, _)| name).filter(|name| name.starts_with("node2")).collect();
    assert_eq!(names, ["node2", "node2 0x0c42a10300200010"]);
}

#[test]
fn odd_names() {
    for file in ["hand/names.topo", "hand/old.topo"] {
        let subnet = subnet(file);
        let names: Vec<&str> = subnet.devices[..6].iter().map(|device| device.name.as_str()).collect();
        let expected = [
            "SwitchIB Mellanox Technologies 0x7cfe900300a00010",
            "SwitchIB Mellanox Technologies 0x7cfe900300a00020",
            "say \"x\" [1] 'q' # y\" lid 9 4xSDR",
            "0x7cfe900300a00040",
            "core/L03/U1",
            "core/S01/U1",
        ];
        assert_eq!(names, expected, "{file}");
        assert_eq!(subnet.devices[2].ports[0].lid, Some(3));
        let of_hosts = [("cn1\"", 20), ("cn2[3]", 21), ("cn4;login#1", 23), ("host", 22)];
        assert_eq!(nodes(&subnet), of_hosts.map(|(name, lid)| (name.to_owned(), Some(lid))), "{file}");
        assert_eq!(subnet.cables.len(), 9);
        let warned = subnet.notes.iter().any(|note| note.contains("warnings of the tool (ibwarn) and left out: 2"));
        assert_eq!(warned, file == "hand/old.topo");
    }
}

#[test]
fn a_chassis() {
    let subnet = subnet("hand/chassis.topo");
    assert_eq!((subnet.switches(), subnet.nodes(), subnet.cables.len()), (2, 1, 3));
    assert_eq!(nodes(&subnet), [("MT23108".to_owned(), Some(16))]);
    let adapter = &subnet.devices[2];
    assert_eq!((adapter.ports[0].lmc, adapter.ports[0].guid), (1, Some(0x0008_f104_0396_0985)));
    assert!(subnet.cables.iter().all(|cable| cable.rate.is_some_and(|rate| rate.to_string() == "4xSDR")));
}

#[test]
fn rates_that_the_tool_did_not_know() {
    let text = text("hand/hosts.topo").replace("4xHDR", "4x???");
    let wrong = Subnet::parse(&text, &Options::default()).expect_err("no speed");
    // Five of hosts and three between the switches; a fourth is known at one end, and the aggregation node is left out.
    assert_eq!(wrong.message, "the tool did not know the rate of this link, and of 8 in all");
    assert!(wrong.help.contains("such as 4xXDR") && text[wrong.span].contains("4x???"));
    let subnet = Subnet::parse(&text, &Options { speed: Some(Speed::Xdr), ..Options::default() }).expect("a subnet");
    let rates: Vec<String> = subnet.cables.iter().filter_map(|cable| cable.rate).map(|rate| rate.to_string()).collect();
    assert_eq!(rates.iter().filter(|rate| *rate == "4xXDR").count(), 8);
    assert_eq!(rates.len(), subnet.cables.len());
}

#[test]
fn redacted_guids() {
    // All GUIDs different texts: the topology can be read, tables cannot be matched.
    let text = text("hand/rates.topo")
        .replace("e41d2d03000", "XXXXXXXX000")
        .replace("0x2c90", "0xYYYY")
        .replace("02c9030", "0YYYYYY");
    let subnet = Subnet::parse(&text, &Options::default()).expect("a subnet");
    assert_eq!((subnet.cables.len(), subnet.devices[0].guid), (23, None));
    assert!(
        subnet.notes.iter().any(|note| note.starts_with("GUIDs are missing or no hexadecimal numbers at 4 devices")),
        "{:?}",
        subnet.notes
    );
    // All the same: devices cannot be told apart.
    let digits = |guid: &str| text.contains(guid);
    assert!(digits("S-XXXXXXXX00000100"));
    let same = text.replace("00000100", "XXXXXXXX").replace("00000200", "XXXXXXXX");
    let wrong = Subnet::parse(&same, &Options::default()).expect_err("no keys");
    assert_eq!(wrong.message, "`S-XXXXXXXXXXXXXXXX` has a record before this one");
}
