//! Readers must answer any file with a result or a message: a thousand mutated files for each, by one seed.

use std::collections::HashSet;

use drowse_core::topology::TableKind;
use drowse_fabric::infiniband::check::{Dumped, Lanes, Walker, check};
use drowse_fabric::infiniband::{Kind, LaneTables, Options, ServiceLevels, Subnet, Tables};
use drowse_fabric::read;

use super::{subnet, tables, text};

const FILES: u64 = 1000;

/// Random numbers by xorshift (Marsaglia 2003).
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % bound.max(1) as u64) as usize
    }
}

/// Returns a text with one to three changes: of bytes, numbers or lines.
fn mutated(whole: &str, seed: u64) -> String {
    let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    let mut bytes = whole.as_bytes().to_vec();
    for _ in 0..=random.below(3) {
        change(&mut bytes, &mut random);
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

fn change(bytes: &mut Vec<u8>, random: &mut Random) {
    const BYTES: &[u8] = b"0179 \"[]#'()x:{}-\n\t\r=?\xff,;afSHR";
    let at = random.below(bytes.len());
    match random.below(7) {
        0 => bytes.truncate(at),
        1 if at < bytes.len() => bytes[at] = BYTES[random.below(BYTES.len())],
        2 => bytes.insert(at, BYTES[random.below(BYTES.len())]),
        3 if at < bytes.len() => drop(bytes.remove(at)),
        4 => {
            let digits = bytes[at..].iter().position(u8::is_ascii_digit).unwrap_or(0);
            if let Some(byte) = bytes.get_mut(at + digits) {
                *byte = b"0123456789"[random.below(10)];
            }
        }
        way => {
            let mut lines: Vec<Vec<u8>> = bytes.split_inclusive(|&byte| byte == b'\n').map(<[u8]>::to_vec).collect();
            let (from, to) = (random.below(lines.len()), random.below(lines.len()));
            if way == 5 && from < lines.len() {
                lines.remove(from);
            } else if from < lines.len() {
                lines.insert(to, lines[from].clone());
            }
            *bytes = lines.concat();
        }
    }
}

/// Checks what holds of every subnet: a port has at most one cable, names are unique.
fn check_subnet(subnet: &Subnet, seed: u64) {
    let mut ends = HashSet::new();
    for end in subnet.cables.iter().flat_map(|cable| cable.ends) {
        assert!(ends.insert(end) && end.port > 0 && end.port <= subnet.device(end).port_count, "seed {seed}");
    }
    let mut names = HashSet::new();
    assert!(subnet.devices.iter().all(|device| names.insert(&device.name)), "seed {seed}");
}

#[test]
fn topologies() {
    for (file, table) in [
        ("mixed_lmc1.topo", "mixed_lmc1.lft"),
        ("ring8.ports", "ring8_minhop.lft"),
        ("ring8.lst", "ring8_minhop.lft"),
        ("mixed_lmc1.links", "mixed_lmc1.lft"),
        ("mixed.net", "mixed_lmc1.lft"),
        ("hand/chassis.topo", "mixed_lmc1.lft"),
    ] {
        let (whole, tables) = (text(file), tables(table));
        let mut understood = 0;
        for seed in 0..FILES {
            let text = mutated(&whole, seed);
            let parsed = Subnet::parse(&text, &Options::default());
            match &parsed {
                Ok(subnet) => {
                    understood += 1;
                    check_subnet(subnet, seed);
                    let found = check(subnet, &tables, Lanes::Unknown);
                    assert_eq!(found.data.by_links.iter().sum::<u64>() + found.data.unserved(), found.data.number);
                }
                Err(wrong) => {
                    assert!(text.get(wrong.span.clone()).is_some() && !wrong.help.is_empty(), "seed {seed}: {wrong}");
                }
            }
            // As a network it may be refused for other reasons, such as its parts, or be of another format.
            if let Err(wrong) = read(&text, &drowse_fabric::Options::default(), TableKind::Shortest) {
                assert!(text.get(wrong.span.clone()).is_some() && !wrong.help.is_empty(), "seed {seed}: {wrong}");
            }
        }
        assert!((20..980).contains(&understood), "{file}: {understood}");
    }
}

#[test]
fn forwarding_tables() {
    let subnet = subnet("ring8.topo");
    for file in ["ring8_minhop.lft", "ring8_minhop.lfts", "ring8_minhop.fdbs"] {
        let whole = text(file);
        for seed in 0..FILES {
            let Ok(tables) = Tables::read(mutated(&whole, seed).as_bytes()) else { continue };
            let found = check(&subnet, &tables, Lanes::One);
            assert_eq!((found.data.number, found.nodes), (56, 8), "{file}, seed {seed}");
            let walked = walked(&subnet, &tables);
            assert_eq!(found.data.by_links, walked.0, "{file}, seed {seed}");
            assert_eq!(found.data.by_links.iter().sum::<u64>() + found.data.unserved(), 56, "{file}, seed {seed}");
            assert_eq!(found.data_proof.on_one_lane.is_some(), walked.1, "{file}, seed {seed}");
        }
    }
}

/// Follows each pair of hosts by itself. Returns the pairs by the links of their routes, and whether channels that
/// follow each other make a circle.
fn walked(subnet: &Subnet, tables: &Tables) -> (Vec<u64>, bool) {
    let walker = Walker::new(subnet, tables);
    let hosts = subnet.devices.iter().filter(|device| device.kind == Kind::Adapter);
    let lids: Vec<u16> = hosts.flat_map(|device| &device.ports).filter_map(|port| port.lid).collect();
    let (mut by_links, mut edges) = (Vec::new(), HashSet::new());
    for (&from, &to) in
        lids.iter().flat_map(|from| lids.iter().map(move |to| (from, to))).filter(|(from, to)| from != to)
    {
        let route = walker.walk(from, to);
        let hops = match &route {
            Ok(hops) | Err((hops, _)) => hops,
        };
        if route.is_ok() {
            by_links.resize(by_links.len().max(hops.len() + 1), 0);
            by_links[hops.len()] += 1;
        }
        // A channel is named by the switch that it leads to and the port there.
        let channels: Vec<(String, u16)> = hops.iter().map(|hop| (hop.to.clone(), hop.input)).collect();
        edges.extend(channels.windows(2).map(|two| (two[0].clone(), two[1].clone())));
    }
    loop {
        let last: HashSet<_> = edges.iter().map(|(from, _)| from.clone()).collect();
        let before = edges.len();
        edges.retain(|(_, to)| last.contains(to));
        if edges.len() == before {
            return (by_links, before > 0);
        }
    }
}

#[test]
fn service_levels_and_lanes() {
    let (subnet, tables) = (subnet("ring8.topo"), tables("ring8_dfsssp.lft"));
    let (levels, lanes) = (text("ring8_dfsssp.sl"), text("ring8_dfsssp.sl2vl"));
    for seed in 0..FILES {
        let levels = ServiceLevels::read(mutated(&levels, seed).as_bytes());
        let lanes = LaneTables::read(mutated(&lanes, seed).as_bytes());
        if let (Ok(levels), Ok(lanes)) = (levels, lanes) {
            check(&subnet, &tables, Lanes::Dumped(Dumped { levels: &levels, lanes: &lanes }));
        }
    }
}
