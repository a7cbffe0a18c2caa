//! Trees as experiments: the tables of Navaridas et al. 2010, the presets, and INSEE's times.

use std::fmt::Write;
use std::fs;

use drowse_core::limits::limits;
use drowse_core::model::units::Time;
use drowse_describe::network;
use drowse_experiment::load_case;
use drowse_run::request::RunRequest;
use drowse_tables::Row;
use drowse_tables::schema::NETWORK;

use crate::support::{case, root, system};

fn describe(network: &str) -> Row {
    network::describe(&system(&format!("[network]\n{network}\n")))
}

fn counts<const N: usize>(row: &Row, names: [&str; N]) -> [f64; N] {
    names.map(|name| row.number(name).unwrap_or_else(|| panic!("{name} is absent")))
}

/// Navaridas et al. 2010, Table II.
#[test]
fn table_ii() {
    let names = ["switch_ports", "switches", "links.all", "nodes"];
    for (network, expected) in [
        ("kind = \"tree\"\nk = 8\nn = 4", [16.0, 2048.0, 16384.0, 4096.0]),
        ("kind = \"thin-tree\"\ndown = 8\nup = 4\nlevels = 4", [12.0, 960.0, 7680.0, 4096.0]),
        ("kind = \"thin-tree\"\ndown = 8\nup = 2\nlevels = 4", [10.0, 680.0, 5440.0, 4096.0]),
    ] {
        assert_eq!(counts(&describe(network), names), expected, "{network}");
    }
}

/// Navaridas et al. 2010, Table I: N = k^n, R = k + k', S the sum of S_i = k^(n-1-i) k'^i, L = S k.
#[test]
fn table_i() {
    for (k, up, n) in [(4u32, 2u32, 3u32), (4, 3, 3), (3, 2, 5), (6, 4, 3), (4, 6, 3)] {
        let row = describe(&format!("kind = \"thin-tree\"\ndown = {k}\nup = {up}\nlevels = {n}"));
        let at_level = |i| k.pow(n - 1 - i) * up.pow(i);
        let switches = (0..n).map(at_level).sum::<u32>();
        let names = ["nodes", "switch_ports", "switches", "links.all"];
        assert_eq!(counts(&row, names), [k.pow(n), k + up, switches, switches * k].map(f64::from));
        for level in 0..n {
            assert_eq!(row.number(format!("levels.{level}.switches")), Some(f64::from(at_level(level))));
        }
    }
}

#[test]
fn every_key_is_in_the_schema() {
    for network in ["kind = \"tree\"\nk = 4\nn = 3", "kind = \"racks\"\nracks = 8\nnodes_per_rack = 4"] {
        for (name, value) in describe(network).iter() {
            assert_eq!(NETWORK.column(name).map(|column| column.kind), Some(value.kind()), "{name}");
        }
    }
}

/// Writes a TI trace and runs it on a tree of 64 nodes under INSEE's conventions; returns the makespan in cycles.
fn insee_cycles(up: u32, programs: &[String]) -> f64 {
    let folder = tempfile::tempdir().unwrap();
    let mut index = String::new();
    for (rank, program) in programs.iter().enumerate() {
        fs::write(folder.path().join(format!("rank{rank}")), program).unwrap();
        writeln!(index, "rank{rank}").unwrap();
    }
    fs::write(folder.path().join("trace.ti"), index).unwrap();
    let text = format!(
        "preset = \"insee\"\n[network]\nkind = \"thin-tree\"\ndown = 4\nup = {up}\nlevels = 3\n[[job]]\ntrace = \"trace.ti\"\n"
    );
    fs::write(folder.path().join("x.toml"), text).unwrap();
    let case = load_case(&folder.path().join("x.toml"), &[]).unwrap_or_else(|error| panic!("{error}"));
    let outcome = RunRequest::new(&case).run().unwrap().case;
    outcome.summary.figures.number("makespan_s").unwrap() * 1e9
}

/// One message of m packets over h links ends at 16 m + h + 2 on INSEE's clock.
#[test]
fn a_message_ends_when_insee_says() {
    for (to, links) in [(1, 2.0), (5, 4.0), (63, 6.0)] {
        for (bytes, packets) in [(1, 1.0), (64, 1.0), (65, 2.0), (10_240, 160.0)] {
            let mut programs: Vec<String> = (0..64).map(|rank| format!("{rank} init\n{rank} finalize\n")).collect();
            programs[0] = format!("0 init\n0 send {to} 0 {bytes} 6\n0 finalize\n");
            programs[to] = format!("{to} init\n{to} recv 0 0 {bytes} 6\n{to} finalize\n");
            let cycles = insee_cycles(2, &programs);
            assert!((cycles - (16.0 * packets + links + 2.0)).abs() < 1e-6, "{bytes} B to {to}: {cycles}");
        }
    }
}

/// BI, 64 ranks with messages of 10 KiB: 15,386 cycles on INSEE, on the full tree and on thin ones.
#[test]
fn a_binary_reduction_ends_when_insee_says() {
    let program = |rank: u32| {
        let mut text = format!("{rank} init\n");
        for step in 0..6 {
            let distance = 1 << step;
            if rank % (2 * distance) == distance {
                writeln!(text, "{rank} send {} 0 10240 6", rank - distance).unwrap();
                break;
            }
            writeln!(text, "{rank} recv {} 0 10240 6", rank + distance).unwrap();
        }
        text + &format!("{rank} finalize\n")
    };
    let programs: Vec<String> = (0..64).map(program).collect();
    for up in [4, 2, 1] {
        let cycles = insee_cycles(up, &programs);
        assert!((cycles - 15_386.0).abs() < 1e-6, "4:{up},3: {cycles}");
    }
}

/// What an experiment writes stands above a preset, and each job gets the preset's part of a job.
#[test]
fn presets_fill_in_what_is_not_written() {
    let text = fs::read_to_string(root("examples/racks.toml")).unwrap();
    let classes = case(&text).system.config.classes;
    let gigabits: Vec<u64> = classes.iter().map(|class| class.bandwidth.0 / 1_000_000_000).collect();
    assert_eq!(gigabits, [20, 40, 100]);
    // To the top and back: node, two links up, two down, node.
    let way: u64 = classes[0].latency.0 + 2 * classes[1].hop.0 + 2 * classes[2].hop.0 + classes[0].hop.0;
    assert_eq!(way, 960_000, "about 1 us at worst");
}

/// Switches as they are built: a head takes their published latency and 10 ns of wire to the next, and their links can be
/// filled, over trees and with the virtual channels of a dragonfly.
#[test]
fn presets_of_built_switches() {
    for (preset, megabits, hop) in [
        ("slingshot", 200_000, 360),
        ("infiniband-ndr", 400_000, 100),
        ("ethernet-51t", 800_000, 510),
        ("tofu-d", 54_400, 75),
        ("bxi", 100_000, 200),
    ] {
        for network in ["kind = \"tree\"\nk = 4\nn = 2", "kind = \"dragonfly\"\np = 2\na = 4\nh = 2\ngroups = 9"] {
            let system = system(&format!("preset = \"{preset}\"\n[network]\n{network}\n"));
            let class = &system.config.classes[1];
            assert_eq!((class.bandwidth.0 / 1_000_000, class.hop), (megabits, Time::from_ns(hop)), "{preset}");
            assert_eq!(limits(&system.network, &system.config), [], "{preset}, {network}");
        }
    }
}

/// Links of 25 to 800 Gb/s are filled by the same switches: a frame takes a clock cycle and more, and buffers hold what
/// comes in a round trip.
#[test]
fn links_of_any_generation() {
    for (preset, fastest) in [("slingshot", 200), ("infiniband-ndr", 400), ("ethernet-51t", 800), ("bxi", 100)] {
        for gigabits in [25, 50, 100, 200, 400, 800].into_iter().filter(|&gigabits| gigabits <= fastest) {
            let network = "[network]\nkind = \"tree\"\nk = 4\nn = 2\n";
            let link = format!("[link]\nbandwidth = \"{gigabits} Gb/s\"\n");
            let system = system(&format!("preset = \"{preset}\"\n{network}{link}"));
            assert_eq!(system.config.classes[1].bandwidth.0, gigabits * 1_000_000_000);
            assert_eq!(limits(&system.network, &system.config), [], "{preset}, {gigabits} Gb/s");
        }
    }
}
