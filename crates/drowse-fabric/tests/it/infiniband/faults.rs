//! Faults of tables and topologies that were put there by hand, with what they come to.

use std::fmt::Write;

use drowse_core::topology::TableKind;
use drowse_fabric::infiniband::check::{Lanes, Soundness, Verdict, check};
use drowse_fabric::infiniband::{Options, Subnet, Tables};
use drowse_fabric::read;

use super::{subnet, text};

/// Hosts by LID and port: on leaf-a (LID 10), then on leaf-b (LID 11).
const HOSTS: [&[(u16, u8)]; 2] = [&[(20, 1), (22, 2), (23, 3)], &[(21, 1), (24, 2), (25, 3), (26, 4)]];

/// Writes tables for `hand/hosts.topo`, in which all routes between both leaves take port 31; `changes` has entries
/// that are otherwise: leaf, LID and port.
fn dump(changes: &[(usize, u16, u8)]) -> Tables {
    let mut text = String::new();
    for (leaf, guid) in ["b8599f0300a00000", "b8599f0300b00000"].into_iter().enumerate() {
        let (own, other) = (HOSTS[leaf], HOSTS[1 - leaf]);
        let mut entries: Vec<(u16, u8)> = own.iter().copied().chain(other.iter().map(|(lid, _)| (*lid, 31))).collect();
        entries.extend([(10 + leaf as u16, 0), (11 - leaf as u16, 31)]);
        for &(_, lid, port) in changes.iter().filter(|(at, ..)| *at == leaf) {
            entries.iter_mut().filter(|(of, _)| *of == lid).for_each(|entry| entry.1 = port);
        }
        entries.retain(|(_, port)| *port != 255);
        let (lid, count) = (10 + leaf, entries.len());
        writeln!(text, "Unicast lids [0-27] of switch Lid {lid} guid 0x{guid} ('leaf'):").expect("a text");
        entries.iter().for_each(|(lid, port)| writeln!(text, "0x{lid:04x} {port:03}").expect("a text"));
        writeln!(text, "{count} lids dumped").expect("a text");
    }
    Tables::read(text.as_bytes()).expect("tables")
}

fn found(changes: &[(usize, u16, u8)]) -> Soundness {
    check(&subnet("hand/hosts.topo"), &dump(changes), Lanes::One)
}

#[test]
fn cables_that_no_route_uses() {
    let found = found(&[]);
    // 3 x 4 pairs each way, all over one of five cables.
    assert_eq!((found.data.number, found.data.unserved(), &found.data.by_links[..]), (42, 0, &[0, 0, 18, 24][..]));
    let [spread] = &found.spread[..] else { panic!("{:?}", found.spread) };
    assert_eq!((spread.channels, spread.unused, spread.least, spread.most, spread.total), (10, 8, 0, 12, 24));
    assert!((spread.imbalance() - 5.0).abs() < 1e-9);
    let unused = [32, 33, 34, 35].map(|port| format!("leaf-a [{port}] - leaf-b [{port}]"));
    assert_eq!(found.unused, unused);
    assert!(found.is_sound());
}

#[test]
fn entries_that_are_missing_or_lead_elsewhere() {
    // Nothing for node3 at leaf-a: its three hosts do not reach it.
    let missing = found(&[(0, 24, 255)]);
    assert_eq!((missing.data.unserved(), missing.data.no_entry), (3, 3));
    assert_eq!(missing.data.examples, ["node1 to node3 (LID 24): switch leaf-a has no entry for it"]);
    // node4's entry at leaf-b leads to node3, to a port without a cable, beyond the ports, to the switch itself.
    for port in [2, 20, 200, 0] {
        let astray = found(&[(1, 25, port)]);
        assert_eq!((astray.data.unserved(), astray.data.astray), (6, 6), "{port}");
        assert!(!astray.is_sound() && astray.data_proof.verdict == Verdict::Free);
    }
}

#[test]
fn a_loop_is_a_fault_and_a_deadlock() {
    // leaf-b sends back what leaf-a sends to node3: nobody reaches it, and its two channels wait for each other.
    let found = found(&[(1, 24, 31)]);
    assert_eq!((found.data.unserved(), found.data.loops, found.all.loops), (6, 6, 8));
    let Verdict::Deadlock(circle) = &found.data_proof.verdict else { panic!("{:?}", found.data_proof) };
    assert_eq!(circle.to_string(), "leaf-a [31] -> leaf-b [31] -> leaf-a");
    assert_eq!(found.data.by_links.iter().sum::<u64>(), 36);
}

#[test]
fn islands() {
    let text = text("hand/rates.topo");
    // All cables between the two switches are gone.
    let is_trunk = |line: &&str| line.starts_with('[') && line.contains("\"S-") && !line.contains(" lmc ");
    let text: String = text.lines().filter(|line| !is_trunk(line)).flat_map(|line| [line, "\n"]).collect();
    let subnet = Subnet::parse(&text, &Options::default()).expect("a subnet");
    let found = check(&subnet, &Tables::default(), Lanes::One);
    assert_eq!((found.islands.len(), found.islands[0].switches, found.islands[1].nodes), (2, 1, 1));
    assert_eq!((found.data.number, found.data.no_table, found.fit.without_table.len()), (2, 2, 2));
    let wrong = read(&text, &drowse_fabric::Options::default(), TableKind::Shortest).expect_err("two parts");
    assert_eq!(wrong.message, "there is no way from switch `leaf b` to `leaf a`");
}

#[test]
fn a_lid_that_two_ports_have() {
    let text = text("hand/hosts.topo").replace("# lid 26 lmc 0", "# lid 25 lmc 0");
    let subnet = Subnet::parse(&text, &Options::default()).expect("a subnet");
    let found = check(&subnet, &dump(&[]), Lanes::One);
    assert_eq!((&found.fit.lids_twice[..], &found.fit.unknown_lids[..]), (&[25][..], &[26][..]));
    assert!(!found.is_sound());
}

#[test]
fn ports_without_a_lid() {
    let text = text("hand/hosts.topo").replace("# lid 26 lmc 0", "# lid 0 lmc 0");
    let subnet = Subnet::parse(&text, &Options::default()).expect("a subnet");
    let found = check(&subnet, &dump(&[]), Lanes::One);
    assert_eq!((found.nodes, found.nodes_without_lid, found.data.number), (7, 1, 30));
    assert_eq!(found.fit.unknown_lids, [26]);
}
