//! Wrong files: each gets one message that says what, where, and what to do.

use drowse_core::topology::TableKind;
use drowse_fabric::infiniband::{Options, Subnet, Tables};
use drowse_fabric::read;

use super::text;

/// A file with one change: what is replaced by what, the line that is told, and what is told of it.
type Change = (&'static str, &'static str, &'static str, u32, &'static str);

const TOPOLOGIES: [Change; 17] = [
    ("tree.topo", "# \"leaf4\" base port 0 lid 6 lmc 0", "# \"leaf4", 10, "this record has no LID"),
    (
        "tree.topo",
        "Switch\t5 \"S-0000000000200003\"",
        "Switch\tfive \"S-0000000000200003\"",
        10,
        "this record has no number of ports",
    ),
    ("tree.topo", "[5]\t", "[6]\t", 15, "`leaf4` (S-0000000000200003) has ports 1 to 5, not 6"),
    (
        "tree.topo",
        "[4]\t\"S-0000000000200004\"[4]\t\t# \"spine1\" lid 7 4xSDR\n",
        "",
        0,
        "of which the file has no line",
    ),
    ("tree.topo", "\"spine1\" lid 7 4xSDR", "\"spine1\" lid 7 4xBDR", 14, "this cable has no width and speed"),
    (
        "tree.topo",
        "\"S-0000000000200004\"[4]",
        "\"S-0000000000200004\"[3]",
        14,
        "the ends of a cable disagree: port 4 of `leaf4`",
    ),
    ("tree.topo", "\"S-0000000000200004\"[4]", "\"S-0000000000200004\"[9]", 14, "has ports 1 to 4, not 9"),
    ("tree.topo", "[5]\t", "[4]\t", 15, "port 4 of `leaf4` (S-0000000000200003) has a cable before this one"),
    (
        "tree.topo",
        "\"S-0000000000200004\"[4]",
        "S-0000000000200004[4]",
        14,
        "this line of a cable is cut, or written otherwise",
    ),
    (
        "tree.topo",
        "vendid=0x0\n",
        "traceroute to leaf4\n",
        6,
        "`traceroute to leaf4` is no line of output of ibnetdiscover",
    ),
    ("tree.topo", "vendid=0x0\n", "< vendid=0x0\n", 6, "this is output of diff"),
    (
        "tree.net",
        "Switch 5 \"leaf1\"",
        "include \"x\"\nSwitch 5 \"leaf1\"",
        1,
        "is not read here: it is a short form of ibsim",
    ),
    ("mixed_lmc1.ports", "2x HDR - SW", "2x HDR = SW", 11, "this line of a port is cut, or written otherwise"),
    ("mixed_lmc1.ports", "4x QDR - SW    10  4", "4x QDR - SW    10  5", 7, "the ends of a cable disagree"),
    ("ring8.lst", "PHY=4x LOG=ACT SPD=2.5", "PHY=4x LOG=ACT", 1, "this line of a link is cut, or written otherwise"),
    (
        "mixed_lmc1.links",
        "11    1[  ] ==( 4X",
        "11    1[  ] ==( 4Y",
        9,
        "this line of a port is cut, or written otherwise",
    ),
    ("ring8.lst", "Ports:03", "Ports:00", 1, "this line of a link is cut, or written otherwise"),
];

/// Returns the line of a place.
fn line(text: &str, at: usize) -> u32 {
    1 + text[..at].matches('\n').count() as u32
}

#[test]
fn topologies() {
    for (file, from, to, at, told) in TOPOLOGIES {
        let whole = text(file);
        assert!(whole.contains(from), "{file} has no {from:?}");
        let changed = whole.replacen(from, to, 1);
        let wrong = Subnet::parse(&changed, &Options::default()).expect_err(told);
        assert!(wrong.message.contains(told), "{file} {to:?}: {wrong}");
        assert!(
            !wrong.help.is_empty() && (at == 0 || line(&changed, wrong.span.start) == at),
            "{file} {to:?}: {wrong}, line {}",
            line(&changed, wrong.span.start)
        );
        // As a network it is refused with the same words.
        assert_eq!(read(&changed, &drowse_fabric::Options::default(), TableKind::Shortest).expect_err(told), wrong);
    }
}

#[test]
fn cut_files() {
    // Wherever a topology is cut, something of it is missing; after a whole record its peers tell.
    let whole = text("tree.topo");
    for end in (0..whole.len() - 1).step_by(37).filter(|&end| whole.is_char_boundary(end)) {
        assert!(Subnet::parse(&whole[..end], &Options::default()).is_err(), "cut at {end}");
    }
    let dump = text("tree_ftree.lft");
    let heads: Vec<usize> = dump.match_indices("Unicast").map(|(at, _)| at).collect();
    let whole_tables = |end: usize| heads.contains(&end) || dump[..end].ends_with("dumped");
    for end in (0..dump.len() - 2).step_by(41).filter(|&end| end > 0 && !whole_tables(end)) {
        let cut = Tables::read(&dump.as_bytes()[..end]);
        // Only after the last line of a table nothing is missing but other tables.
        let complete = dump[..end].trim_end().ends_with("dumped");
        assert_eq!(cut.is_ok(), complete, "cut at {end}");
    }
}

#[test]
fn forwarding_tables() {
    let dump = text("tree_ftree.lft");
    for (from, to, told) in [
        ("0x0001 ", "0y0001 ", "line 4: `0y0001"),
        ("0x0001 004", "0x0001 300", "line 4: `0x0001 300"),
        ("0x0001 ", "0x0099 ", "line 4: LID 0x0099 lies beyond the highest of this table, 0x0012"),
        ("18 valid lids", "17 valid lids", "this table should have 17 entries and has 18"),
        ("0x0002 ", "0x0001 ", "line 5: LID 0x0001 has an entry before this one"),
        (
            "Unicast lids [0x0-0x12]",
            "Unicast lids [0x0-0xffff]",
            "line 1: this table goes beyond the highest LID, 0xbfff",
        ),
        (
            "Unicast lids [0x0-0x12] of",
            "Multicast mlids [0xc000-0xc3ff] of",
            "line 1: these are tables of multicast groups",
        ),
        ("  Lid  Out", "> Lid  Out", "line 2: this is output of diff"),
    ] {
        assert!(dump.contains(from), "{from}");
        let wrong = Tables::read(dump.replacen(from, to, 1).as_bytes()).expect_err(told).to_string();
        assert!(wrong.contains(told), "{wrong}");
    }
    let twice = Tables::read(format!("{dump}{dump}").as_bytes()).expect_err("twice").to_string();
    assert!(twice.contains("has a table before this one, in line 1"), "{twice}");
    let none = Tables::read(text("tree.topo").as_bytes()).expect_err("no tables").to_string();
    assert!(none.contains("line 6: `vendid=0x0` is no line of a dump of forwarding tables"), "{none}");
    assert!(Tables::read(&b""[..]).expect_err("empty").to_string().contains("no forwarding table"));
}

#[test]
fn no_network_at_all() {
    let told = |text: &str| Subnet::parse(text, &Options::default()).expect_err("an error").message;
    assert_eq!(told("A B\nB C\n"), "this is no description of an InfiniBand subnet");
    assert_eq!(told(""), "this is no description of an InfiniBand subnet");
    assert_eq!(told("# Topology file: generated on Sat\n"), "there is no switch in this file");
    let pair = "Ca\t1 \"H-0000000000000001\"\t\t# \"a\"\n\
                [1](2) \t\"H-0000000000000003\"[1](4)\t\t# lid 1 lmc 0 \"b\" lid 2 4xHDR\n\
                Ca\t1 \"H-0000000000000003\"\t\t# \"b\"\n\
                [1](4) \t\"H-0000000000000001\"[1](2)\t\t# lid 2 lmc 0 \"a\" lid 1 4xHDR\n";
    assert_eq!(told(pair), "there is no switch in this file");
}
