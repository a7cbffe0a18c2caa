//! Verdicts on fabrics that OpenSM routed, against those of an independent checker, and against closed forms.

use drowse_fabric::infiniband::check::{Dumped, Lanes, Soundness, Verdict, Walker, check};

use drowse_fabric::infiniband::{Kind, LaneTables, Options, ServiceLevels, Subnet};

use super::{lanes, subnet, tables};

/// What is expected of a fabric.
struct Expected {
    topology: &'static str,
    tables: &'static str,
    /// Pairs of hosts by the links of their routes, as `links: pairs`.
    links: &'static str,
    /// Whether routes deadlock on one lane: those of hosts, and those of all LIDs.
    circles: [bool; 2],
}

const FABRICS: [Expected; 13] = [
    fabric("ring8", "ring8_minhop.lft", "3:16 4:16 5:16 6:8", [true, true]),
    fabric("ring8", "ring8_updn.lft", "3:16 4:14 5:12 6:8 7:4 8:2", [false, false]),
    fabric("ring8", "ring8_dfsssp.lft", "3:16 4:16 5:16 6:8", [true, true]),
    fabric("tree", "tree_ftree.lft", "2:24 4:108", [false, false]),
    fabric("tree", "tree_minhop.lft", "2:24 4:108", [false, false]),
    fabric("treecut", "treecut_ftree.lft", "2:24 4:108", [false, false]),
    fabric("treecut", "treecut_minhop.lft", "2:24 4:108", [false, true]),
    fabric("torus3x3", "torus3x3_minhop.lft", "3:36 4:36", [false, true]),
    fabric("torus3x3", "torus3x3_t2q.lft", "3:36 4:36", [false, false]),
    fabric("torus3x3", "torus3x3_dfsssp.lft", "3:36 4:36", [false, false]),
    fabric("torus5x5", "torus5x5_minhop.lft", "3:100 4:200 5:200 6:100", [true, true]),
    fabric("torus5x5", "torus5x5_t2q.lft", "3:100 4:200 5:200 6:100", [true, true]),
    fabric("tree96", "tree96.lft", "2:2208 4:6912", [false, false]),
];

const fn fabric(topology: &'static str, tables: &'static str, links: &'static str, circles: [bool; 2]) -> Expected {
    Expected { topology, tables, links, circles }
}

fn found(topology: &str, table: &str) -> Soundness {
    check(&subnet(&format!("{topology}.topo")), &tables(table), Lanes::Unknown)
}

fn by_links(found: &Soundness) -> String {
    let pairs = found.data.by_links.iter().enumerate().filter(|(_, pairs)| **pairs > 0);
    pairs.map(|(links, pairs)| format!("{links}:{pairs}")).collect::<Vec<String>>().join(" ")
}

#[test]
fn verdicts_of_an_independent_checker() {
    for Expected { topology, tables: table, links, circles } in FABRICS {
        let found = found(topology, table);
        assert_eq!(by_links(&found), links, "{table}");
        let nodes = found.nodes;
        assert_eq!((found.data.number, found.data.unserved()), (nodes * (nodes - 1), 0), "{table}");
        for (proof, circle) in [(&found.data_proof, circles[0]), (&found.all_proof, circles[1])] {
            assert_eq!(proof.on_one_lane.is_some(), circle, "{table}");
            // What is free on one lane is free on several; the rest is not known without the lanes.
            let unknown = Verdict::Unknown("virtual lanes are not dumped".to_owned());
            assert_eq!(proof.verdict, if circle { unknown } else { Verdict::Free }, "{table}");
        }
        assert!(found.fit.is_whole() && found.islands.len() == 1 && found.unused.is_empty(), "{table}");
        // Each route uses links between switches, of which the spread counts each route once.
        let hops: u64 = (2..).zip(&found.data.by_links[2..]).map(|(links, pairs): (u64, _)| (links - 2) * pairs).sum();
        assert_eq!(found.spread.iter().map(|spread| spread.total).sum::<u64>(), hops, "{table}");
    }
}

#[test]
fn if_the_engine_assigns_no_lanes_a_circle_is_a_deadlock() {
    let (subnet, tables) = (subnet("ring8.topo"), tables("ring8_minhop.lft"));
    let found = check(&subnet, &tables, Lanes::One);
    let Verdict::Deadlock(circle) = &found.data_proof.verdict else { panic!("{:?}", found.data_proof) };
    assert_eq!(circle.steps.len(), 8);
    assert!(!found.is_sound());
}

#[test]
fn lanes_that_are_dumped_decide() {
    for (topology, name, levels, used) in [
        ("torus5x5", "torus5x5_t2q", &[336, 114, 114, 36][..], &[0, 1][..]),
        ("torus3x3", "torus3x3_t2q", &[40, 14, 14, 4], &[0, 1]),
        ("ring8", "ring8_dfsssp", &[10, 6, 12, 4, 4, 6, 7, 7], &[0, 1, 2, 3, 4, 5, 6, 7]),
    ] {
        let (subnet, tables) = (subnet(&format!("{topology}.topo")), tables(&format!("{name}.lft")));
        let (service, rows) = lanes(name);
        let found = check(&subnet, &tables, Lanes::Dumped(Dumped { levels: &service, lanes: &rows }));
        assert_eq!((&found.data_proof.verdict, &found.data_proof.lanes[..]), (&Verdict::Free, used), "{name}");
        assert_eq!((&found.by_service_level[..levels.len()], found.dropped), (levels, 0), "{name}");
        assert_eq!(found.by_service_level.iter().sum::<u64>(), found.data.number, "{name}");
        // Management uses level 0, as all pairs of which one is a switch.
        let pairs = found.all_proof.on_level_0;
        assert_eq!((pairs, found.data_proof.on_level_0), (found.all.number - found.data.number, 0), "{name}");
        assert!(found.is_sound(), "{name}");
    }
}

#[test]
fn a_pair_without_a_service_level_leaves_the_verdict_open() {
    let (subnet, tables) = (subnet("torus5x5.topo"), tables("torus5x5_t2q.lft"));
    let (_, rows) = lanes("torus5x5_t2q");
    let text = super::text("torus5x5_t2q.sl");
    let (_, rest) = text.split_once('\n').expect("lines");
    let levels = ServiceLevels::read(rest.as_bytes()).expect("service levels");
    let found = check(&subnet, &tables, Lanes::Dumped(Dumped { levels: &levels, lanes: &rows }));
    let open = Verdict::Unknown("pairs of hosts without a service level in the file: 1".to_owned());
    assert_eq!(found.data_proof.verdict, open);
    assert_eq!(found.by_service_level.iter().sum::<u64>(), 599);
}

#[test]
fn packets_on_lane_15_are_dropped() {
    let (subnet, tables) = (subnet("ring8.topo"), tables("ring8_dfsssp.lft"));
    let (levels, _) = lanes("ring8_dfsssp");
    // All that sw0 (LID 2) sends is dropped: whatever its hosts send to others, and whatever passes it.
    let text = super::text("ring8_dfsssp.sl2vl");
    let (before, of_sw0) = text.split_once("Switch 0x0000000000200000").expect("sw0");
    let end = of_sw0.find("\n\n").expect("an end");
    let row = "0  1  2  3  4  5  6  7  0  1  2  3  4  5  6  7";
    let dropped = of_sw0[..end].replace(row, &["15"; 16].join(" "));
    let text = format!("{before}Switch 0x0000000000200000{dropped}{}", &of_sw0[end..]);
    let rows = LaneTables::read(text.as_bytes()).expect("lanes");
    let found = check(&subnet, &tables, Lanes::Dumped(Dumped { levels: &levels, lanes: &rows }));
    let walker = Walker::new(&subnet, &tables);
    let hosts = subnet.devices.iter().filter(|device| device.kind == Kind::Adapter);
    let lids: Vec<u16> = hosts.filter_map(|device| device.ports[0].lid).collect();
    let pairs = lids.iter().flat_map(|from| lids.iter().map(move |to| (*from, *to))).filter(|(from, to)| from != to);
    let passes = |(from, to): &(u16, u16)| {
        let hops = walker.walk(*from, *to).expect("a route");
        // The last switch sends to a host, whose lane is not looked at.
        hops[..hops.len() - 2].iter().any(|hop| hop.to == "sw0")
    };
    let expected = pairs.filter(passes).count() as u64;
    assert!((7..56).contains(&expected));
    assert_eq!((found.dropped, found.is_sound()), (expected, false));
}

#[test]
fn routes_are_counted_by_channel() {
    // In the ring with up/down routes the fewest are 3 and the most 13.
    let ring = &found("ring8", "ring8_updn.lft").spread[..];
    let [spread] = ring else { panic!("{ring:?}") };
    assert_eq!((spread.levels, spread.channels, spread.least, spread.most), ([0, 0], 16, 3, 13));
    // Six cables from each leaf to each spine: 24 hosts x 72 others / 12 cables.
    let found = found("tree96", "tree96.lft");
    let [up, down] = &found.spread[..] else { panic!("{:?}", found.spread) };
    for spread in [up, down] {
        assert_eq!((spread.channels, spread.least, spread.most, spread.unused), (48, 144, 144, 0));
        assert!((spread.mean() - 144.0).abs() < 1e-9 && (spread.imbalance() - 1.0).abs() < 1e-9);
    }
    assert_eq!((up.levels, down.levels), ([0, 1], [1, 0]));
    // Two to one: 24 hosts and 12 cables up.
    let [leaf, spine] = &found.levels[..] else { panic!("{:?}", found.levels) };
    assert_eq!((leaf.switches, leaf.down, leaf.up), (4, 4 * 24 * 8_000_000_000, 4 * 12 * 8_000_000_000));
    assert_eq!((spine.switches, spine.down, spine.up, spine.across), (2, leaf.up, 0, 0));
}

#[test]
fn pairs_that_begin_or_end_at_switches() {
    let found = found("treecut", "treecut_ftree.lft");
    assert_eq!((found.data.unserved(), found.all.unserved(), found.all.no_entry), (0, 10, 10));
    // Three hosts and their leaf cannot reach the spine that they lost, whose ports cannot reach these four; nor can
    // the spines each other. Of the three hosts one is named.
    assert_eq!(found.all.examples.len(), 8);
    // The leaf that lost a cable has one up for three hosts.
    let worst = found.levels[0].worst.clone();
    assert_eq!(worst, Some(("leaf1".to_owned(), 24_000_000_000, 8_000_000_000)));
    assert!(found.is_sound());
}

#[test]
fn a_highest_lid_that_is_never_printed_is_no_fault() {
    let found = found("star63", "star63.lft");
    assert_eq!(found.fit.not_printed, Some(64));
    // The host with LID 64 sends; routes to it are not known.
    assert_eq!((found.data.number, found.data.unserved(), found.fit.unrouted_lids.len()), (62 * 62, 0, 0));
    assert!(found.is_sound() && found.fit.is_whole());
}

#[test]
fn several_lids_a_port() {
    let found = found("mixed_lmc1", "mixed_lmc1.lft");
    // Five ports of hosts; three on one switch and two on the other.
    assert_eq!((found.nodes, by_links(&found)), (5, "2:8 3:12".to_owned()));
    // Seven senders, and ten LIDs of hosts of which two are one's own, and two of switches.
    assert_eq!((found.all.number, found.all.unserved()), (5 * (10 - 2 + 2) + 2 * (10 + 1), 0));
    // By twelve pairs in both directions: all 12 LIDs of the other side over two cables.
    let [spread] = &found.spread[..] else { panic!("{:?}", found.spread) };
    assert_eq!((spread.channels, spread.total), (4, 12));
}

#[test]
fn tables_of_another_fabric_do_not_fit() {
    let found = found("tree", "tree96.lft");
    // Six switches in both, with the same GUIDs in another order of LIDs; 102 LIDs and 18.
    assert_eq!((found.fit.without_table.len(), found.fit.not_in_topology.len()), (0, 0));
    assert_eq!(found.fit.unknown_lids.len(), 102 - 18);
    assert!(found.fit.moved.is_empty() && !found.is_sound());
    let found = super::verdicts::found("ring8", "tree_ftree.lft");
    assert_eq!((found.fit.without_table.len(), found.fit.not_in_topology.len()), (2, 0));
    assert!(found.data.unserved() > 0 && found.data.no_table > 0);
    // A switch that has got another LID since the tables were dumped.
    let text = super::text("tree.topo")
        .replace("# \"spine1\" base port 0 lid 7 lmc 0", "# \"spine1\" base port 0 lid 19 lmc 0");
    let moved = Subnet::parse(&text, &Options::default()).expect("a subnet");
    let fit = check(&moved, &tables("tree_ftree.lft"), Lanes::One).fit;
    assert_eq!(
        (&fit.moved[..], &fit.unknown_lids[..], &fit.unrouted_lids[..]),
        (&["spine1".to_owned()][..], &[7][..], &[19][..])
    );
}
