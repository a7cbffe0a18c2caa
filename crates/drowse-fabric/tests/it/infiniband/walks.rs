//! Routes hop by hop, against the shortest way on the cables and against what tables say.

use drowse_fabric::infiniband::check::Walker;

use super::{subnet, tables};

#[test]
fn a_route_as_ibtracert_prints_it() {
    // `ibtracert -n 2 6` on this fabric.
    let (subnet, tables) = (subnet("mixed_lmc1.topo"), tables("mixed_lmc1.lft"));
    let hops = Walker::new(&subnet, &tables).walk(2, 6).expect("a route");
    let hops: Vec<String> = hops
        .iter()
        .map(|hop| format!("[{}] -> {{0x{:016x}}}[{}]", hop.output, hop.guid.unwrap_or_default(), hop.input))
        .collect();
    let printed =
        ["[1] -> {0x0000000000900000}[1]", "[3] -> {0x0000000000900010}[3]", "[1] -> {0x0000000000100005}[1]"];
    assert_eq!(hops, printed);
}

#[test]
fn lengths_of_walks_are_those_of_the_trees_of_routes() {
    for (topology, table, longest) in
        [("ring8", "ring8_updn.lft", 8), ("torus5x5", "torus5x5_t2q.lft", 6), ("tree96", "tree96.lft", 4)]
    {
        let (subnet, tables) = (subnet(&format!("{topology}.topo")), tables(table));
        let walker = Walker::new(&subnet, &tables);
        let ports = subnet.devices.iter().filter(|device| device.host != device.name || device.port_count == 1);
        let lids: Vec<u16> = ports.flat_map(|device| &device.ports).filter_map(|port| port.lid).collect();
        let mut by_links = [0; 9];
        for &from in &lids {
            for &to in lids.iter().filter(|&&to| to != from) {
                by_links[walker.walk(from, to).expect("a route").len()] += 1;
            }
        }
        let found = drowse_fabric::infiniband::check(&subnet, &tables, drowse_fabric::infiniband::check::Lanes::One);
        assert_eq!(by_links[..=longest], found.data.by_links[..], "{table}");
    }
}

#[test]
fn what_is_wrong_with_a_route() {
    let (subnet, tables) = (subnet("treecut.topo"), tables("treecut_ftree.lft"));
    let walker = Walker::new(&subnet, &tables);
    let told = |from, to| walker.walk(from, to).expect_err("no route").1;
    assert_eq!(told(1, 99), "there is no port with LID 1, or none with LID 99");
    assert_eq!(told(7, 9), "spine1 has no entry for LID 9");
    assert_eq!(walker.walk(7, 7), Ok(Vec::new()));
}
