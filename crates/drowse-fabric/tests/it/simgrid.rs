//! Platforms of SimGrid: clusters beside the sections that build the same, and zones whose routes name their hops.

use drowse_core::model::units::{BitRate, Time};
use drowse_fabric::{Fabric, NodeLink, Options};

use crate::support::{counts, fabric, file, refused, same_as_its_section, wrong};

fn read(text: &str) -> Fabric {
    fabric(text, &Options::default())
}

/// A platform of one cluster, written as SimGrid's examples are.
fn cluster(attributes: &str) -> String {
    format!(
        "<?xml version='1.0'?>\n<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n<platform \
            version=\"4.1\">\n\
         <zone id=\"world\" routing=\"Full\">\n<cluster id=\"c\" prefix=\"n-\" suffix=\".me\" speed=\"1Gf\" \
         bw=\"125MBps\" lat=\"50us\" \
         {attributes}/>\n</zone>\n</platform>\n"
    )
}

#[test]
fn a_torus_of_hosts() {
    // 3 x 2 x 2: a ring of 3 has 3 links, a ring of two has two; 12 + 12 + 12 links.
    let torus = read(&file("simgrid-platform.xml"));
    assert_eq!((counts(&torus), torus.graph.names[11].as_str()), ([12, 12, 36], "host-11"));
    assert_eq!(torus.graph.classes, ["10Gb/s-1us"]);
    same_as_its_section(&torus);
    let of_first = torus.graph.trunks.iter().filter(|trunk| trunk.ends.contains(&0)).map(|trunk| trunk.ends);
    // Its neighbours: 1 and 2 in the first dimension, 3 twice in the second, 6 twice in the third.
    let mut neighbours: Vec<u32> = of_first.map(|[a, b]| a + b).collect();
    neighbours.sort_unstable();
    assert_eq!(neighbours, [1, 2, 3, 3, 6, 6]);
    // The link of a host carries what its six others do.
    assert_eq!(torus.graph.node_link.bandwidth, Some(BitRate(60_000_000_000)));
}

/// Figure 1(b) of Zahavi's paper on D-Mod-K routing, as SimGrid's example has it: 4 leaf switches of 4 hosts, 2
/// switches above, two cables between each.
#[test]
fn a_fat_tree() {
    let tree = read(&cluster("radical=\"0-15\" topology=\"FAT_TREE\" topo_parameters=\"2;4,4;1,2;1,2\""));
    assert_eq!(counts(&tree), [6, 16, 4 * 2 * 2]);
    assert_eq!(
        tree.graph.node_link,
        NodeLink { bandwidth: Some(BitRate(1_000_000_000)), latency: Some(Time(50_000_000)) }
    );
    assert_eq!(tree.shape.as_deref(), Some("kind = \"xgft\"\nchildren = [4, 4]\nparents = [2]\nlinks = [2]\n"));
    same_as_its_section(&tree);
    // Three levels above 27 hosts: parents up to a level times children above it, so 1 x 9, 1 x 2 x 3 and 1 x 2 x 3.
    let tree = read(&cluster("radical=\"0-26\" topology=\"FAT_TREE\" topo_parameters=\"3;3,3,3;1,2,3;1,1,1\""));
    assert_eq!(counts(&tree), [9 + 6 + 6, 27, 9 * 2 + 6 * 3]);
    same_as_its_section(&tree);
    // Hosts with two links are switches.
    let tree = read(&cluster("radical=\"0-3\" topology=\"FAT_TREE\" topo_parameters=\"1;4;2;1\""));
    assert_eq!((counts(&tree), tree.shape.is_none()), ([4 + 2, 4, 8], true));
    assert!(tree.notes[0].starts_with("hosts with several links"), "{:?}", tree.notes);
}

#[test]
fn dragonflies() {
    // SimGrid's example: 3 groups of 4 chassis of 5 routers with 2 hosts. In a chassis 10 pairs with one link, in a
    // group 5 places of 6 pairs with 3 links, between groups 3 pairs with 4.
    let fly = read(&cluster(
        "radical=\"0-119\" topology=\"DRAGONFLY\" topo_parameters=\"3,4;4,3;5,1;2\" loopback_bw=\"1GBps\"",
    ));
    assert_eq!(counts(&fly), [60, 120, 3 * 4 * 10 + 3 * 5 * 6 * 3 + 3 * 4]);
    assert!(
        fly.shape.is_none() && fly.notes == ["links from a host to itself, which are left out: 120"],
        "{:?}",
        fly.notes
    );
    let plain = read(&cluster("radical=\"0-31\" topology=\"DRAGONFLY\" topo_parameters=\"4,1;1,1;4,1;2\""));
    assert_eq!(counts(&plain), [16, 32, 4 * 6 + 6]);
    same_as_its_section(&plain);
}

#[test]
fn stars_and_backbones() {
    let star = read(&cluster("radical=\"0-3;7\""));
    assert_eq!((counts(&star), star.graph.node_names[4].as_str()), ([1, 5, 0], "n-7.me"));
    assert_eq!(star.graph.names, ["n-c_router.me"]);
    assert_eq!(star.shape.as_deref(), Some("kind = \"xgft\"\nchildren = [5]\nparents = []\n"));
    let bus = read(&cluster("radical=\"0-99\" bb_bw=\"2.25GBps\" bb_lat=\"500us\""));
    assert_eq!(counts(&bus), [1, 100, 0]);
    assert!(bus.notes[0].contains("2.25GBps in all, and 500us"), "{:?}", bus.notes);
    // As SimGrid's example has it.
    let (_, message, help) = wrong(&cluster("radical=\"0-65535\""), &Options::default());
    assert!(message.contains("65536 hosts") && help.contains("kind = \"ideal\""), "{message} {help}");
}

/// A dogbone: two hosts on each of two routers. Routes of several links lead over those of one.
const DOGBONE: &str = "<platform version=\"4.1\"><zone id=\"z\" routing=\"Full\">\
    <host id=\"S1\" speed=\"1Gf\"/><host id=\"C1\" speed=\"1Gf\"/><host id=\"S2\" speed=\"1Gf\"/><host id=\"C2\" \
    speed=\"1Gf\"/>\
    <router id=\"R1\"/><router id=\"R2\"/>\
    <link id=\"1\" bandwidth=\"100MBps\" latency=\"1ms\"/><link id=\"2\" bandwidth=\"1GBps\" latency=\"10ms\" \
    sharing_policy=\"SPLITDUPLEX\"/>\
    <link id=\"3\" bandwidth=\"100MBps\" latency=\"1ms\"/><link id=\"4\" bandwidth=\"100MBps\" latency=\"1ms\"/>\
    <link id=\"5\" bandwidth=\"100MBps\" latency=\"1ms\"/>\
    <route src=\"S1\" dst=\"C1\"><link_ctn id=\"1\"/><link_ctn id=\"2\"/><link_ctn id=\"3\"/></route>\
    <route src=\"S2\" dst=\"C2\"><link_ctn id=\"4\"/><link_ctn id=\"2\"/><link_ctn id=\"5\"/></route>\
    <route src=\"S1\" dst=\"R1\"><link_ctn id=\"1\"/></route><route src=\"S2\" dst=\"R1\"><link_ctn id=\"4\"/></route>\
    <route src=\"R1\" dst=\"R2\" symmetrical=\"NO\"><link_ctn id=\"2\" direction=\"UP\"/></route>\
    <route src=\"R2\" dst=\"R1\" symmetrical=\"NO\"><link_ctn id=\"2\" direction=\"DOWN\"/></route>\
    <route src=\"R2\" dst=\"C1\"><link_ctn id=\"3\"/></route><route src=\"R2\" dst=\"C2\"><link_ctn id=\"5\"/></route>\
    </zone></platform>";

#[test]
fn routes_of_one_link_are_cables() {
    let bone = read(DOGBONE);
    assert_eq!((counts(&bone), bone.graph.names.join(" ")), ([2, 4, 1], "R1 R2".to_owned()));
    assert_eq!((bone.graph.nodes.clone(), bone.graph.classes.clone()), (vec![2, 2], vec!["8Gb/s-10ms".to_owned()]));
    assert!(
        bone.notes.iter().any(|note| note.starts_with("routes over several links") && note.ends_with(": 2")),
        "{:?}",
        bone.notes
    );
    assert!(
        bone.notes.iter().any(|note| note.contains("two directions share") && note.ends_with(": 4")),
        "{:?}",
        bone.notes
    );
}

#[test]
fn two_clusters_on_a_link() {
    let cluster = |id: &str| {
        format!(
            "<cluster id=\"{id}\" prefix=\"{id}-\" suffix=\"\" radical=\"0-7\" speed=\"1Gf\" bw=\"1Gbps\" lat=\"1us\"/>"
        )
    };
    let text = format!(
        "<platform version=\"4.1\"><zone id=\"w\" routing=\"Full\">{}{}<link id=\"l\" bandwidth=\"10Gbps\" \
            latency=\"0\"/>\
         <zoneRoute src=\"a\" dst=\"b\" gw_src=\"a-a_router\" gw_dst=\"b-b_router\"><link_ctn id=\"l\"/></zoneRoute>\
         </zone></platform>",
        cluster("a"),
        cluster("b")
    );
    let both = read(&text);
    assert_eq!((counts(&both), both.shape.is_none()), ([2, 16, 1], true));
}

#[test]
fn wrong_platforms_are_refused_at_their_word() {
    let zone = |routing: &str, inner: &str| {
        format!("<platform version=\"4.1\"><zone id=\"z\" routing=\"{routing}\">{inner}</zone></platform>")
    };
    let hosts = "<host id=\"a\" speed=\"1Gf\"/><host id=\"b\" speed=\"1Gf\"/><link id=\"l\" bandwidth=\"1Gbps\" \
        latency=\"1us\"/>";
    let texts = [
        (zone("Vivaldi", ""), "Vivaldi", "has no cables"),
        (zone("Wifi", ""), "Wifi", "has no cables"),
        (zone("Full", "<peer id=\"p\"/>"), "<peer id=\"p\"/>", "<peer> is not read"),
        (zone("Full", "<link id=\"l\" bandwidth=\"1G\"/>"), "1G", "no bandwidth of SimGrid"),
        (zone("Full", "<link id=\"l\" bandwidth=\"1Gbps\" latency=\"5\"/>"), "5", "has no unit"),
        (zone("Full", &format!("{hosts}<route src=\"a\" dst=\"c\"/>")), "c", "no host or router `c`"),
        (zone("Full", &format!("{hosts}<route src=\"a\" dst=\"b\"><link_ctn id=\"m\"/></route>")), "m", "no link `m`"),
        (zone("Full", &format!("{hosts}<host id=\"a\" speed=\"1Gf\"/>")), "a", "are called `a`"),
        (
            cluster("radical=\"0-3\" topology=\"TORUS\" topo_parameters=\"2,3\""),
            "2,3",
            "of 6 hosts, and the cluster has 4",
        ),
        (cluster("radical=\"0-3\" topology=\"RING\""), "RING", "no topology of SimGrid"),
        (cluster("radical=\"3-0\""), "3-0", "no range"),
        (cluster("radical=\"0-3\" topology=\"FAT_TREE\" topo_parameters=\"2;4;1;1\""), "4", "the tree has 2 levels"),
        (
            cluster("radical=\"0-7\" topology=\"DRAGONFLY\" topo_parameters=\"8,1;1,1;1,1;1\""),
            "8,1;1,1;1,1;1",
            "8 groups need",
        ),
        ("<platform version=\"3\"/>".to_owned(), "3", "version `3`"),
        ("<!DOCTYPE platform [<!ENTITY a \"b\">]>\n<platform version=\"4\"/>".to_owned(), "[", "declarations"),
    ];
    let texts: Vec<(&str, &str, &str)> =
        texts.iter().map(|(text, place, told)| (text.as_str(), *place, *told)).collect();
    refused(&Options::default(), &texts);
}

#[test]
fn routes_that_are_no_hops_are_refused() {
    let three = |routes: &str| {
        format!(
            "<platform version=\"4.1\"><zone id=\"z\" routing=\"Full\"><host id=\"a\" speed=\"1f\"/><host id=\"b\" \
                speed=\"1f\"/>\
             <host id=\"c\" speed=\"1f\"/><link id=\"l\" bandwidth=\"1Gbps\"/><link id=\"m\" bandwidth=\"1Gbps\"/>\
             {routes}</zone></platform>"
        )
    };
    let one = |from: &str, to: &str, links: &[&str]| {
        let links = links.iter().map(|link| format!("<link_ctn id=\"{link}\"/>")).collect::<Vec<String>>().concat();
        format!("<route src=\"{from}\" dst=\"{to}\">{links}</route>")
    };
    let told = |routes: String| wrong(&three(&routes), &Options::default()).1;
    let bus = told(one("a", "b", &["l"]) + &one("a", "c", &["l"]));
    assert!(bus.contains("link `l` joins several pairs"), "{bus}");
    let unknown = told(one("a", "b", &["l"]) + &one("a", "c", &["l", "m"]));
    assert!(unknown.contains("nothing says what link `m` joins"), "{unknown}");
    let one_way = told(one("a", "b", &["l"]).replace("dst", "symmetrical=\"NO\" dst"));
    assert!(one_way.contains("in one direction only"), "{one_way}");
}
