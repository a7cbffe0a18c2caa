//! Topologies of htsim beside the trees that they are.

use drowse_core::model::units::{BitRate, Time};
use drowse_fabric::{Fabric, NodeLink, Options};

use crate::support::{counts, fabric, file, refused, same_as_its_section};

fn read(text: &str) -> Fabric {
    fabric(text, &Options::default())
}

/// `fat_tree_1024.topo` of htsim: pods of 8 leaves and 8 switches above them, which lead to 64 switches in all.
const LARGE: &str = "# 3 tiers\nnodes 1024\nTIERS 3\nPodsize 64\n\nTier 0\nOversubscribed 1\nDownlink_speed_Gbps \
    100\nRadix_Down 8\n\
    Radix_Up 8\nDownlink_Latency_ns 1000\nSwitch_Latency_ns 0\n\nTier 1\nOversubscribed 1\nDownlink_speed_Gbps 100\n\
    Radix_Down 8\n\
    Radix_Up 8\nDownlink_Latency_ns 1000\nBundle 1\n\nTier 2\nDownlink_speed_Gbps 100\nRadix_Down 16\n\
    Downlink_Latency_ns 1000\nBundle 1\n";

/// `test.topo` of htsim: 8 hosts; links of half the speed above, two side by side.
const BUNDLES: &str = "Nodes 8\nTiers 3\nPodsize 4\nTier 0\nDownlink_speed_Gbps 200\nRadix_Down 2\nRadix_Up 2\n\
    Downlink_Latency_ns 1000\n\
    Tier 1\nDownlink_speed_Gbps 200\nRadix_Down 2\nRadix_Up 4\nDownlink_Latency_ns 1000\nBundle 1\n\
    Tier 2\nDownlink_speed_Gbps 100\nRadix_Down 4\nDownlink_Latency_ns 500\nBundle 2\n";

#[test]
fn two_tiers() {
    // 4 leaves of 8 hosts, each with a link to each of 2 switches above.
    let tree = read(&file("htsim.topo"));
    assert_eq!((counts(&tree), tree.graph.names.join(" ")), ([6, 32, 8], "tor0 tor1 tor2 tor3 agg0 agg1".to_owned()));
    assert_eq!(
        tree.graph.node_link,
        NodeLink { bandwidth: Some(BitRate(100_000_000_000)), latency: Some(Time(1_000_000)) }
    );
    same_as_its_section(&tree);
}

#[test]
fn three_tiers() {
    let tree = read(LARGE);
    // 16 pods of 8 + 8, 64 above; 16 x 8 x 8 links in pods, and as many above.
    assert_eq!(counts(&tree), [16 * 16 + 64, 1024, 16 * 64 + 128 * 8]);
    same_as_its_section(&tree);
    let tree = read(BUNDLES);
    // 4 leaves, 4 switches above, 4 cores: 2 x 2 x 2 links in pods, 4 x 2 pairs above.
    assert_eq!(
        (counts(&tree), tree.graph.classes.join(" ")),
        ([12, 8, 8 + 16], "200Gb/s-1us 100Gb/s-500ns".to_owned())
    );
    assert_eq!(
        tree.shape.as_deref(),
        Some("kind = \"xgft\"\nchildren = [2, 2, 2]\nparents = [2, 2]\nlinks = [1, 2]\n")
    );
    same_as_its_section(&tree);
    // Cores 0 and 2 are above the first switches of the pods, cores 1 and 3 above the second.
    let cores_of = |agg: &str| {
        let number = |name: &str| tree.graph.names.iter().position(|known| known == name).expect("a switch") as u32;
        let mut cores = tree.graph.trunks.iter().filter(|trunk| trunk.links == 2 && trunk.ends.contains(&number(agg)));
        [cores.next(), cores.next()].map(|trunk| trunk.map(|trunk| tree.graph.names[trunk.ends[1] as usize].clone()))
    };
    assert_eq!(cores_of("agg2"), [Some("core0".to_owned()), Some("core2".to_owned())]);
    assert_eq!(cores_of("agg1"), [Some("core1".to_owned()), Some("core3".to_owned())]);
}

#[test]
fn wrong_files_are_refused_at_their_word() {
    let with = |from: &str, to: &str| BUNDLES.replacen(from, to, 1);
    let texts = [
        (with("Podsize 4", "Podsize 3"), "3", "do not make pods of 3"),
        (with("Tiers 3", "Tiers 4"), "4", "no number of tiers"),
        (with("Radix_Down 4", "Radix_Down 8"), "8", "has 4 links down to 2 pods, not 8"),
        (with("Radix_Up 4", "Radix_Up 3"), "3", "no whole bundles"),
        (with("Tier 1\n", "Tier 1\nOversubscribed 2\n"), "2", "which is not 2 to 1"),
        (with("Radix_Down 2", "Radix_Dwn 2"), "Radix_Dwn", "no key at this place"),
        (with("Downlink_speed_Gbps 100\n", ""), "\n", "`Downlink_speed_Gbps` of tier 2 is missing"),
        (with("Radix_Down 4\n", "Radix_Down 4\nRadix_Up 2\n"), "2", "the top tier has no links up"),
        (with("Tier 0\n", "Tier 0\nBundle 2\n"), "2", "a host has one link"),
        (with("Downlink_speed_Gbps 200", "Downlink_speed_Gbps fast"), "fast", "no number"),
        (with("Radix_Up 2\n", "Radix_Up 2\nRadix_Up 2\n"), "Radix_Up", "stands twice"),
        (with("Radix_Up 2\n", "Radix_Up\n"), "Radix_Up", "has no value"),
    ];
    let texts: Vec<(&str, &str, &str)> =
        texts.iter().map(|(text, place, told)| (text.as_str(), *place, *told)).collect();
    refused(&Options::default(), &texts);
}
