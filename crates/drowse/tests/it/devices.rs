//! `drowse devices`.

use std::fs;

use drowse_experiment::devices::catalogue;

use crate::support::{drowse, drowse_in, json_of};

/// The tables, the page and the JSON name every device and module with its source and mark; what is unknown is null.
#[test]
fn every_device_is_listed() {
    let list = drowse(&["devices"]).stdout;
    let one_line = list.split_whitespace().collect::<Vec<_>>().join(" ");
    let page = drowse(&["devices", "--format", "markdown"]).stdout;
    let json = json_of(&drowse(&["devices", "--format", "json"]));
    let all = catalogue();
    for (index, device) in all.device.iter().enumerate() {
        let source = format!("{} ({})", device.source, device.mark.word());
        assert!(one_line.contains(&source) && one_line.contains(&device.what), "{source}");
        assert!(page.contains(&format!("| `{}` | {} |", device.name, device.what)), "{}", device.name);
        assert_eq!(json["switches"][index]["name"], device.name.as_str());
        assert_eq!(json["switches"][index]["base"].as_f64(), device.base.0);
    }
    for (index, module) in all.module.iter().enumerate() {
        assert!(one_line.contains(&format!("{}: {}", module.name, module.source)), "{}", module.name);
        assert!(page.contains(&format!("| {} |", module.source)), "{}", module.name);
        assert_eq!(json["modules"][index]["power"]["max"].as_f64(), module.power.max.0);
    }
    // What sleeps of a switch with copper and with optics.
    for share in ["12.2 %", "14.7 %", "2.4 %"] {
        assert!(list.contains(share) && page.contains(share), "{share}");
    }
    let wide: Vec<&str> = list.lines().filter(|line| line.chars().count() > 80).collect();
    assert!(wide.is_empty(), "{wide:#?}");
}

/// The snake test of NetPowerBench by the command: a stream of packets with 1,024 B of data goes through eight ports of
/// a Nexus 9336C-FX2 at 40 Gb/s. The meter showed 298.55 W and 298.69 W.
#[test]
fn a_stream_through_a_switch_draws_what_the_meter_showed() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    write("snake.txt", "node a s0\ns0 s1\ns1 s2\ns2 s3\nnode b s3\n");
    // 8,192 bits at 40 Gb/s take 204.8 ns; a flop takes 0.1 ns.
    let stream = "0 isend 1 0 1082\n0 compute 2048\n1 recv 0 0 1082\n".repeat(1_000);
    write("stream.ti", &format!("0 init\n1 init\n{stream}0 waitall\n0 finalize\n1 finalize\n"));
    write(
        "snake.toml",
        "network = { kind = \"graph\", file = \"snake.txt\" }\n\
         switch = { flit = \"1082 B\", packet = \"1082 B\", buffer = \"64 KiB\" }\n\
         link = { bandwidth = \"100 Gb/s\", latency = \"5 ns\", medium = \"dac\" }\n\
         job = { trace = \"stream.ti\", compute = { flops_per_second = \"10 Gflop/s\" } }\n\
         power.watts = { device = \"nexus-9336c-fx2\", chassis = \"one\", plugged = 8 }\n",
    );
    let json = json_of(&drowse_in(folder.path(), &["run", "snake.toml", "--format", "json"]));
    let watts = json["power"]["links"]["all_w"].as_f64().unwrap() + json["power"]["switches_w"].as_f64().unwrap();
    assert!((watts / 298.62 - 1.0).abs() < 0.01, "{watts} W");
}
