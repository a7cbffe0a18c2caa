//! Errors of `traffic.pattern` and `traffic.packets`.

use crate::support::{NETWORK, TRAFFIC, wrong};

/// Returns the message of right traffic with one more line.
fn wrong_line(line: &str) -> String {
    wrong(&format!("{NETWORK}{TRAFFIC}{line}\n"))
}

/// Returns the message of a pattern on a ring of so many nodes.
fn wrong_on(nodes: u32, pattern: &str) -> String {
    wrong(&format!("[network]\nkind = \"torus\"\ndims = [{nodes}]\n{TRAFFIC}pattern = \"{pattern}\"\n"))
}

#[test]
fn a_pattern_that_is_not_known() {
    insta::assert_snapshot!(wrong_line(r#"pattern = "tornadoo""#), @r#"
    x.toml:8:11: error: `traffic.pattern` = "tornadoo" is not known
     8 | pattern = "tornadoo"
       |           ^^^^^^^^^^
    help: did you mean `tornado`? this version knows: uniform, transpose, complement, bit-reversal, shuffle, bit-rotation, tornado, neighbour, permutation, hot-spot
    "#);
}

#[test]
fn a_pattern_that_is_a_number() {
    insta::assert_snapshot!(wrong_line("pattern = 3"), @r#"
    x.toml:8:11: error: `traffic.pattern`: integer `3` has the wrong type
     8 | pattern = 3
       |           ^
    help: write a text in quotes
    "#);
}

#[test]
fn a_hot_spot_without_nodes() {
    insta::assert_snapshot!(wrong_line(r#"pattern = "hot-spot""#), @r#"
    x.toml:8:11: error: a hot spot needs its nodes and their share of the messages
     8 | pattern = "hot-spot"
       |           ^^^^^^^^^^
    help: write pattern = { kind = "hot-spot", nodes = [0], share = 0.2 }
    "#);
}

#[test]
fn a_hot_spot_without_share() {
    insta::assert_snapshot!(wrong_line(r#"pattern = { kind = "hot-spot", nodes = [3] }"#), @r#"
    x.toml:8:11: error: `traffic.pattern.share` is missing
     8 | pattern = { kind = "hot-spot", nodes = [3] }
       |           ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
    help: write share = 0.2
    "#);
}

#[test]
fn a_pattern_without_kind() {
    insta::assert_snapshot!(wrong_line("pattern = { nodes = [3] }"), @r#"
    x.toml:8:11: error: `traffic.pattern.kind` is missing
     8 | pattern = { nodes = [3] }
       |           ^^^^^^^^^^^^^^^
    help: write kind = "tornado"
    "#);
}

#[test]
fn a_pattern_with_a_key_of_another() {
    insta::assert_snapshot!(wrong_line(r#"pattern = { kind = "tornado", share = 0.2 }"#), @r#"
    x.toml:8:31: error: unknown key `traffic.pattern.share`
     8 | pattern = { kind = "tornado", share = 0.2 }
       |                               ^^^^^
    help: keys known here: kind
    "#);
}

#[test]
fn a_hot_node_that_does_not_exist() {
    insta::assert_snapshot!(wrong_line(r#"pattern = { kind = "hot-spot", nodes = [3, 16], share = 0.2 }"#), @r#"
    x.toml:8:44: error: there is no node 16: the network has 16, the first is 0
     8 | pattern = { kind = "hot-spot", nodes = [3, 16], share = 0.2 }
       |                                            ^^
    help: write a number from 0 to 15
    "#);
}

#[test]
fn a_hot_node_twice() {
    insta::assert_snapshot!(wrong_line(r#"pattern = { kind = "hot-spot", nodes = [3, 3], share = 0.2 }"#), @r#"
    x.toml:8:44: error: node 3 is named twice
     8 | pattern = { kind = "hot-spot", nodes = [3, 3], share = 0.2 }
       |                                            ^
    help: name each node once: all are as likely
    "#);
}

#[test]
fn no_hot_node() {
    insta::assert_snapshot!(wrong_line(r#"pattern = { kind = "hot-spot", nodes = [], share = 0.2 }"#), @r#"
    x.toml:8:40: error: a hot spot needs at least one node
     8 | pattern = { kind = "hot-spot", nodes = [], share = 0.2 }
       |                                        ^^
    help: write node numbers, such as nodes = [0, 5]
    "#);
}

#[test]
fn a_hot_share_above_one() {
    insta::assert_snapshot!(wrong_line(r#"pattern = { kind = "hot-spot", nodes = [3], share = 20 }"#), @r#"
    x.toml:8:53: error: a share of 20 is out of range: it is 0.0 to 1.0
     8 | pattern = { kind = "hot-spot", nodes = [3], share = 20 }
       |                                                     ^^
    help: write the share of messages that go to these nodes, such as 0.2
    "#);
}

#[test]
fn messages_of_no_packets() {
    insta::assert_snapshot!(wrong_line("packets = 0"), @r#"
    x.toml:8:11: error: `traffic.packets` = 0 is out of range
     8 | packets = 0
       |           ^
    help: write 1 to 65536 packets in a message
    "#);
}

#[test]
fn messages_of_too_many_packets() {
    insta::assert_snapshot!(wrong_line("packets = 65537"), @r#"
    x.toml:8:11: error: `traffic.packets` = 65537 is out of range
     8 | packets = 65537
       |           ^^^^^
    help: write 1 to 65536 packets in a message
    "#);
}

#[test]
fn messages_below_zero() {
    insta::assert_snapshot!(wrong_line("packets = -1"), @r#"
    x.toml:8:11: error: `traffic.packets`: integer `-1` is out of range
     8 | packets = -1
       |           ^^
    help: write a number of packets such as 1, or a size in quotes such as "16 B"
    "#);
}

#[test]
fn messages_of_no_bytes() {
    insta::assert_snapshot!(wrong_line(r#"packets = "0 B""#), @r#"
    x.toml:8:11: error: `traffic.packets` = 0 B is out of range
     8 | packets = "0 B"
       |           ^^^^^
    help: write 1 B to 8388608 B, 65536 packets
    "#);
}

#[test]
fn messages_too_long() {
    insta::assert_snapshot!(wrong_line(r#"packets = "1 GB""#), @r#"
    x.toml:8:11: error: `traffic.packets` = 1000000000 B is out of range
     8 | packets = "1 GB"
       |           ^^^^^^
    help: write 1 B to 8388608 B, 65536 packets
    "#);
}

#[test]
fn messages_without_unit() {
    insta::assert_snapshot!(wrong_line(r#"packets = "16""#), @r#"
    x.toml:8:11: error: `traffic.packets`: `16` has no unit that is known here (known: B, kB, MB, GB, KiB, MiB, GiB); write it like "16 KiB"
     8 | packets = "16"
       |           ^^^^
    "#);
}

#[test]
fn messages_of_half_a_packet() {
    insta::assert_snapshot!(wrong_line("packets = 0.5"), @r#"
    x.toml:8:11: error: `traffic.packets`: floating point `0.5` has the wrong type
     8 | packets = 0.5
       |           ^^^
    help: write a number of packets such as 1, or a size in quotes such as "16 B"
    "#);
}

#[test]
fn messages_of_one_length_of_two() {
    insta::assert_snapshot!(wrong_line("packets = { short = 1, share = 0.5 }"), @r#"
    x.toml:8:11: error: `traffic.packets.long` is missing
     8 | packets = { short = 1, share = 0.5 }
       |           ^^^^^^^^^^^^^^^^^^^^^^^^^^
    help: write long = 1
    "#);
}

#[test]
fn messages_short_and_wide() {
    insta::assert_snapshot!(wrong_line("packets = { short = 1, wide = 4, share = 0.5 }"), @r#"
    x.toml:8:24: error: unknown key `traffic.packets.wide`
     8 | packets = { short = 1, wide = 4, share = 0.5 }
       |                        ^^^^
    help: keys known here: short, long, share
    "#);
}

#[test]
fn short_messages_as_long_as_long_ones() {
    insta::assert_snapshot!(wrong_line(r#"packets = { short = "128 B", long = 1, share = 0.5 }"#), @r#"
    x.toml:8:37: error: short messages have 8 flits, long ones 8
     8 | packets = { short = "128 B", long = 1, share = 0.5 }
       |                                     ^
    help: make long longer than short, or give one length only
    "#);
}

#[test]
fn long_messages_in_percent() {
    insta::assert_snapshot!(wrong_line("packets = { short = 1, long = 4, share = 10.0 }"), @r#"
    x.toml:8:42: error: `traffic.packets.share` = 10 is no share
     8 | packets = { short = 1, long = 4, share = 10.0 }
       |                                          ^^^^
    help: write a number from 0.0 to 1.0
    "#);
}

#[test]
fn bits_of_twelve_nodes() {
    insta::assert_snapshot!(wrong_on(12, "bit-reversal"), @r#"
    x.toml:8:11: error: bit-reversal permutes the bits of node numbers, and 12 nodes are no power of two
     8 | pattern = "bit-reversal"
       |           ^^^^^^^^^^^^^^
    help: change [network] to 8 or 16 nodes, or take another pattern
    "#);
}

#[test]
fn transpose_of_eight_nodes() {
    insta::assert_snapshot!(wrong_on(8, "transpose"), @r#"
    x.toml:8:11: error: transpose swaps the halves of node numbers, and those of 8 nodes have an odd number of bits
     8 | pattern = "transpose"
       |           ^^^^^^^^^^^
    help: change [network] to 4 or 16 nodes, or take another pattern
    "#);
}

#[test]
fn tornado_of_two_nodes() {
    insta::assert_snapshot!(wrong_on(2, "tornado"), @r#"
    x.toml:8:11: error: no node has another to send to
     8 | pattern = "tornado"
       |           ^^^^^^^^^
    help: set include_self = true, take another pattern or a larger network
    "#);
}
