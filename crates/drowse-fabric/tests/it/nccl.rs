//! Topologies of NCCL: the inside of a server.

use drowse_core::model::units::BitRate;
use drowse_fabric::{Fabric, Options, class_bandwidth};

use crate::support::{counts, fabric, file, refused};

fn read(text: &str) -> Fabric {
    fabric(text, &Options::default())
}

/// Counted by networkx in a graph of the file's elements: 24 PCI switches, 6 CPUs, 6 NVLink switches, 8 GPUs and 10
/// NICs; 153 links, 10 of them those of NICs.
#[test]
fn a_dgx_a100() {
    let server = read(&file("nccl-dgx-a100.xml"));
    assert_eq!(counts(&server), [24 + 6 + 6 + 8, 8 + 10, 153 - 10]);
    let trunks = |class: &str| {
        let class = server.graph.classes.iter().position(|known| known == class).expect("a class") as u8;
        server.graph.trunks.iter().filter(|trunk| trunk.class == class).map(|trunk| trunk.links).sum::<u32>()
    };
    // Each GPU has two links of 20 GB/s to each of six switches; 15 pairs of CPUs of 16 GB/s; 24 + 8 PCI links of 16
    // lanes, of 12 Gb/s each.
    assert_eq!([trunks("160Gb/s"), trunks("128Gb/s"), trunks("192Gb/s")], [96, 15, 32]);
    assert_eq!(
        server.graph.nodes.iter().zip(&server.graph.names).filter(|(_, name)| name.starts_with("gpu")).count(),
        8
    );
    assert!(
        server.graph.node_names.contains(&"mlx5_10".to_owned())
            && !server.graph.node_names.contains(&"mlx5_11".to_owned())
    );
    assert!(server.notes.iter().any(|note| note.ends_with("no part of this one: 12")), "{:?}", server.notes);
}

/// Two GPUs with four NVLinks to each other below one PCI switch, after the documentation of the format.
const PAIR: &str = "<system version=\"1\"><cpu numaid=\"0\" arch=\"x86_64\" vendor=\"GenuineIntel\" familyid=\"6\" \
    modelid=\"85\">\
    <pci busid=\"0000:10:00.0\" class=\"0x060400\" link_speed=\"8.0 GT/s PCIe\" link_width=\"16\">\
    <pci busid=\"0000:11:00.0\" class=\"0x030200\" link_speed=\"8.0 GT/s PCIe\" link_width=\"16\"><gpu dev=\"0\" \
    sm=\"90\" rank=\"0\">\
    <nvlink target=\"0000:12:00.0\" count=\"4\" tclass=\"0x030200\"/></gpu></pci>\
    <pci busid=\"0000:12:00.0\" class=\"0x030200\" link_speed=\"\" link_width=\"0\"><gpu dev=\"1\" sm=\"90\" \
    rank=\"1\">\
    <nvlink target=\"0000:11:00.0\" count=\"4\" tclass=\"0x030200\"/></gpu></pci>\
    </pci></cpu></system>";

#[test]
fn links_that_stand_at_both_ends_are_there_once() {
    let pair = read(PAIR);
    // GPUs are switches beside the CPU and the PCI switch: 3 PCI links and 4 NVLinks.
    assert_eq!(counts(&pair), [4, 2, 3 + 4]);
    let rates: Vec<_> = pair.graph.classes.iter().map(|class| class_bandwidth(class)).collect();
    // 16 lanes of 6 Gb/s; NVLinks of 20.6 GB/s.
    assert_eq!(rates, [Some(BitRate(96_000_000_000)), Some(BitRate(164_800_000_000))]);
    assert_eq!(pair.graph.node_link.bandwidth, Some(BitRate(96_000_000_000 + 4 * 164_800_000_000)));
}

#[test]
fn wrong_files_are_refused_at_their_word() {
    let with = |from: &str, to: &str| PAIR.replacen(from, to, 1);
    let texts = [
        (with("count=\"4\"", "count=\"3\""), "0000:11:00.0", "different numbers of links"),
        (with("target=\"0000:12:00.0\"", "target=\"0000:13:00.0\""), "0000:13:00.0", "no other GPU at"),
        (with("8.0 GT/s PCIe", "9.0 GT/s PCIe"), "9.0 GT/s PCIe", "no speed of PCI"),
        (with("dev=\"1\"", "dev=\"0\""), "0", "are called `gpu0`"),
        (with("vendor=\"GenuineIntel\"", "vendor=\"other\""), "x86_64", "no bandwidth between CPUs"),
        (with("sm=\"90\"", "sm=\"new\""), "new", "no number of a compute capability"),
        (with("<gpu dev=\"0\" sm=\"90\" rank=\"0\">", "<gpu dev=\"0\" sm=\"90\"><x/>"), "<x/>", "<x> is not read"),
    ];
    let texts: Vec<(&str, &str, &str)> =
        texts.iter().map(|(text, place, told)| (text.as_str(), *place, *told)).collect();
    refused(&Options::default(), &texts);
}
