//! Errors of `[switch]`, `[link]` and `[node]`.

use crate::support::{NETWORK, TRAFFIC, case, wrong, wrong_section};

#[test]
fn a_time_without_unit() {
    insta::assert_snapshot!(wrong_section("[switch]\nclock = 1.6"), @r#"
    x.toml:5:9: error: `switch.clock`: floating point `1.6` has the wrong type
     5 | clock = 1.6
       |         ^^^
    help: write a time with its unit in quotes, such as "4.48 us"
    "#);
}

#[test]
fn a_time_with_an_unknown_unit() {
    insta::assert_snapshot!(wrong_section(r#"[switch]
clock = "1.6 nanos""#), @r#"
    x.toml:5:9: error: `switch.clock`: `1.6 nanos` has no unit that is known here (known: ps, ns, us, µs, ms, s); write it like "4.48 us"
     5 | clock = "1.6 nanos"
       |         ^^^^^^^^^^^
    "#);
}

#[test]
fn a_clock_that_stands() {
    insta::assert_snapshot!(wrong_section(r#"[switch]
clock = "0 ns""#), @r#"
    x.toml:5:9: error: `switch.clock` is zero
     5 | clock = "0 ns"
       |         ^^^^^^
    help: write the period, such as "1.6 ns"
    "#);
}

#[test]
fn an_odd_number_of_escape_channels() {
    insta::assert_snapshot!(wrong_section("[switch]\nvcs = { adaptive = 2, escape = 3 }"), @r#"
    x.toml:5:32: error: 3 escape VCs do not suffice or do not split
     5 | vcs = { adaptive = 2, escape = 3 }
       |                                ^
    help: the dateline splits them into two halves: give an even number, at least 2
    "#);
}

#[test]
fn more_channels_than_a_port_has() {
    insta::assert_snapshot!(wrong_section("[switch]\nvcs = { adaptive = 7, escape = 2 }"), @r#"
    x.toml:5:7: error: 7 adaptive and 2 escape VCs are too many
     5 | vcs = { adaptive = 7, escape = 2 }
       |       ^^^^^^^^^^^^^^^^^^^^^^^^^^^^
    help: a port has at most 8 VCs
    "#);
}

#[test]
fn channels_of_another_topology() {
    insta::assert_snapshot!(wrong_section("[switch]\nvcs = { any = 2 }"), @r#"
    x.toml:5:15: error: packets on this network use no `any` VCs
     5 | vcs = { any = 2 }
       |               ^
    help: tori and meshes need VCs by purpose: write vcs = { adaptive = 2, escape = 2 }
    "#);
}

#[test]
fn no_adaptive_channels_for_adaptive_routing() {
    insta::assert_snapshot!(wrong_section("[switch]\nvcs = { adaptive = 0, escape = 2 }"), @r#"
    x.toml:5:20: error: adaptive routing needs adaptive VCs
     5 | vcs = { adaptive = 0, escape = 2 }
       |                    ^
    help: give at least 1, or write network.routing = "dimension-order"
    "#);
}

#[test]
fn an_escape_of_another_version() {
    insta::assert_snapshot!(wrong_section(r#"[switch]
escape = "tokens""#), @r#"
    x.toml:5:10: error: `switch.escape` = "tokens" is not known
     5 | escape = "tokens"
       |          ^^^^^^^^
    help: this version knows: dateline, bubble
    "#);
}

#[test]
fn a_bubble_without_room_for_two_packets() {
    insta::assert_snapshot!(wrong_section("[switch]\nescape = \"bubble\"\npadding = true\nbuffer = \"1000 B\""), @r#"
    x.toml:7:10: error: a buffer of 15 flits in each VC has no room for a bubble
     7 | buffer = "1000 B"
       |          ^^^^^^^^
    help: 4 VCs with two packets of 8 flits each need at least 1024 B
    "#);
}

#[test]
fn a_bubble_without_room_at_outputs() {
    let keys = "escape = \"bubble\"\npadding = true\nqueues = \"output\"\noutput_buffer = \"1000 B\"";
    insta::assert_snapshot!(wrong_section(&format!("[switch]\n{keys}")), @r#"
    x.toml:8:17: error: a buffer of 15 flits in each VC has no room for a bubble
     8 | output_buffer = "1000 B"
       |                 ^^^^^^^^
    help: 4 VCs with two packets of 8 flits each need at least 1024 B
    "#);
}

#[test]
fn a_bubble_among_packets_of_any_length() {
    insta::assert_snapshot!(wrong_section("[switch]\nescape = \"bubble\""), @r#"
    x.toml:5:10: error: a bubble keeps rings from filling up only where all packets are as long
     5 | escape = "bubble"
       |          ^^^^^^^^
    help: write switch.padding = true, which fills the last packet of a message, or escape = "dateline"
    "#);
}

#[test]
fn an_allocator_of_another_version() {
    insta::assert_snapshot!(wrong_section(r#"[switch]
allocator = { kind = "islip" }"#), @r#"
    x.toml:5:22: error: `switch.allocator.kind` = "islip" is not known
     5 | allocator = { kind = "islip" }
       |                      ^^^^^^^
    help: this version knows: least-recently-served, three-stage, random, age
    "#);
}

#[test]
fn a_hop_given_twice() {
    insta::assert_snapshot!(wrong_section(r#"[switch]
hop_latency = "50 ns"
pipeline = 20"#), @r#"
    x.toml:5:15: error: `switch.hop_latency` gives the whole time of a hop, and `switch.pipeline` a part of it
     5 | hop_latency = "50 ns"
       |               ^^^^^^^
    help: write hop_latency alone, or pipeline and allocator.latency
    "#);
}

#[test]
fn a_hop_given_twice_by_a_class() {
    insta::assert_snapshot!(wrong_section(r#"[switch]
allocator = { kind = "three-stage", latency = 3 }
[[link]]
class = "node"
hop_latency = "50 ns""#), @r#"
    x.toml:8:15: error: `link.0.hop_latency` gives the whole time of a hop, and `switch.allocator.latency` a part of it
     8 | hop_latency = "50 ns"
       |               ^^^^^^^
    help: write hop_latency alone, or pipeline and allocator.latency
    "#);
}

#[test]
fn a_hop_shorter_than_a_cycle() {
    insta::assert_snapshot!(wrong_section(r#"[switch]
pipeline = 0
allocator = { kind = "three-stage", latency = 0 }
[link]
latency = "1 ns""#), @r#"
    x.toml:5:12: error: a hop of 1 ns is shorter than one clock cycle of 1.6 ns
     5 | pipeline = 0
       |            ^
    help: switches grant at clock edges: give a hop at least one cycle
    "#);
}

#[test]
fn a_hop_shorter_than_its_wire() {
    insta::assert_snapshot!(wrong_section(r#"[switch]
hop_latency = "5 cycles""#), @r#"
    x.toml:5:15: error: a hop of 8 ns is shorter than the wire's latency of 10 ns, which is part of it
     5 | hop_latency = "5 cycles"
       |               ^^^^^^^^^^
    help: make hop_latency longer, or link.latency shorter
    "#);
}

#[test]
fn a_buffer_without_room_for_a_packet() {
    insta::assert_snapshot!(wrong_section(r#"[switch]
buffer = "100 B""#), @r#"
    x.toml:5:10: error: a buffer of 100 B has no room for a packet in each VC
     5 | buffer = "100 B"
       |          ^^^^^^^
    help: 4 VCs with a packet of 8 flits each need at least 512 B
    "#);
}

#[test]
fn a_buffer_too_large() {
    insta::assert_snapshot!(wrong_section(r#"[switch]
buffer = "1 GiB""#), @r#"
    x.toml:5:10: error: a buffer of 1073741824 B gives each of 4 VCs 16777216 flits
     5 | buffer = "1 GiB"
       |          ^^^^^^^
    help: the most is 65535 flits each: give at most 4194240 B
    "#);
}

#[test]
fn a_packet_of_no_whole_flits() {
    insta::assert_snapshot!(wrong_section(r#"[switch]
packet = "100 B""#), @r#"
    x.toml:5:10: error: a packet of 100 B is no whole number of flits of 16 B
     5 | packet = "100 B"
       |          ^^^^^^^
    help: make packet a multiple of flit
    "#);
}

#[test]
fn a_packet_too_large() {
    insta::assert_snapshot!(wrong_section(r#"[switch]
packet = "2 MiB""#), @r#"
    x.toml:5:10: error: a packet of 2097152 B has 131072 flits
     5 | packet = "2 MiB"
       |          ^^^^^^^
    help: the most is 65535 flits; make flit larger or packet smaller
    "#);
}

#[test]
fn a_link_of_no_class_of_this_network() {
    insta::assert_snapshot!(wrong_section(r#"[[link]]
class = "dim-2"
bandwidth = "1 GB/s""#), @r#"
    x.toml:5:9: error: this network has no links of class "dim-2"
     5 | class = "dim-2"
       |         ^^^^^^^
    help: did you mean `dim-0`? its classes: node, dim-0, dim-1
    "#);
}

#[test]
fn two_links_of_one_class() {
    insta::assert_snapshot!(wrong_section(r#"[[link]]
class = "node"
[[link]]
class = "node""#), @r#"
    x.toml:7:9: error: class "node" has two [[link]] tables
     7 | class = "node"
       |         ^^^^^^
    help: a table without class is for all classes that have none of their own; write each once
    "#);
}

#[test]
fn a_link_without_bandwidth() {
    insta::assert_snapshot!(wrong_section(r#"[link]
bandwidth = "0 GB/s""#), @r#"
    x.toml:5:13: error: `link.bandwidth`: `0 GB/s` is zero; give more
     5 | bandwidth = "0 GB/s"
       |             ^^^^^^^^
    "#);
}

#[test]
fn a_size_for_a_bandwidth() {
    insta::assert_snapshot!(wrong_section(r#"[link]
bandwidth = "10 GB""#), @r#"
    x.toml:5:13: error: `link.bandwidth`: `10 GB` has no unit that is known here (known: b/s, kb/s, Mb/s, Gb/s, Tb/s, B/s, kB/s, MB/s, GB/s, TB/s, KiB/s, MiB/s, GiB/s, bps, kbps, Mbps, Gbps, Tbps, bit/s, kbit/s, Mbit/s, Gbit/s, Tbit/s); write it like "10 GB/s"
     5 | bandwidth = "10 GB"
       |             ^^^^^^^
    "#);
}

#[test]
fn a_latency_of_years() {
    insta::assert_snapshot!(wrong_section(r#"[link]
latency = "99999999 s""#), @r#"
    x.toml:5:11: error: `link.latency`: `99999999 s` is longer than 1000000 s, the longest time
     5 | latency = "99999999 s"
       |           ^^^^^^^^^^^^
    "#);
}

#[test]
fn a_node_without_cores() {
    insta::assert_snapshot!(wrong_section("[node]\ncores = 0"), @r#"
    x.toml:5:9: error: `node.cores` = 0 is out of range
     5 | cores = 0
       |         ^
    help: write a number from 1 to 65536
    "#);
}

#[test]
fn more_packets_at_a_time_than_channels() {
    insta::assert_snapshot!(wrong_section("[link]\nlanes = 0"), @r#"
    x.toml:5:9: error: `link.lanes` = 0 is out of range
     5 | lanes = 0
       |         ^
    help: write 1 to 256: each has the bandwidth of the link, and is a port in power and cost
    "#);
    insta::assert_snapshot!(wrong_section("[switch]\ninput_speedup = 5"), @r#"
    x.toml:5:17: error: `switch.input_speedup` = 5 is out of range
     5 | input_speedup = 5
       |                 ^
    help: write 1 to 4, the number of VCs of a port
    "#);
}

/// What belongs to queues at outputs, without them and out of range.
#[test]
fn output_queues() {
    insta::assert_snapshot!(wrong_section("[switch]\nspeedup = 2"), @r#"
    x.toml:5:11: error: `switch.speedup` belongs to queues at outputs, which these switches do not have
     5 | speedup = 2
       |           ^
    help: write queues = "output", or leave it out
    "#);
    let output = |keys| wrong_section(&format!("[switch]\nqueues = \"output\"\n{keys}"));
    insta::assert_snapshot!(output("speedup = 0"), @r"
    x.toml:6:11: error: `switch.speedup` = 0 is out of range
     6 | speedup = 0
       |           ^
    help: write 1 to 64
    ");
    insta::assert_snapshot!(output("output_speedup = 5"), @r"
    x.toml:6:18: error: `switch.output_speedup` = 5 is out of range
     6 | output_speedup = 5
       |                  ^
    help: write 1 to 4, the number of VCs of a port
    ");
    insta::assert_snapshot!(wrong_section("[switch]\noutput_speedup = 2"), @r#"
    x.toml:5:18: error: `switch.output_speedup` belongs to queues at outputs, which these switches do not have
     5 | output_speedup = 2
       |                  ^
    help: write queues = "output", or leave it out
    "#);
    insta::assert_snapshot!(output("output_buffer = \"511 B\""), @r#"
    x.toml:6:17: error: a buffer of 511 B has no room for a packet in each VC
     6 | output_buffer = "511 B"
       |                 ^^^^^^^
    help: 4 VCs with a packet of 8 flits each need at least 512 B
    "#);
    case(&format!("{NETWORK}[switch]\nqueues = \"output\"\noutput_buffer = \"512 B\"\nspeedup = 64\n{TRAFFIC}"));
}

/// Queues are numbered in 16 bits, and the ports of a switch up to the next power of two.
#[test]
fn too_many_queues_for_outputs() {
    let large =
        |ports| format!("[network]\nkind = \"tree\"\nk = {ports}\nn = 1\n[switch]\nqueues = \"virtual-output\"\n");
    insta::assert_snapshot!(wrong(&format!("{}{TRAFFIC}", large(300))), @r#"
    x.toml:6:10: error: a switch of 300 ports has 153600 queues, with ports rounded up to a power of two
     6 | queues = "virtual-output"
       |          ^^^^^^^^^^^^^^^^
    help: the most is 65536: write queues = "input", or give the switches fewer ports or VCs
    "#);
    case(&format!("{}{TRAFFIC}", large(256)));
}
