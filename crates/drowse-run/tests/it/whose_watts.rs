//! Whose watts a result has: where they are those of another device it says so, and which values the user has set.

use std::fs;

use drowse_experiment::load_case;
use drowse_run::outcome::Outcome;
use drowse_run::request::RunRequest;

const PAIR: &str = "title = \"a pair\"\n[network]\nkind = \"torus\"\ndims = [2]\n";
const STENCIL: &str = "[[job]]\napp = { kind = \"stencil\", dims = [2], bytes = \"1 KiB\" }\n";
const TRAINING: &str = "[[job]]\napp = { kind = \"transformer\", layers = 1, hidden = 64, heads = 1, sequence = 16, \
                        micro_batch = 1, data = 2, flops_per_second = \"1 Tflop/s\" }\n";

fn ran(text: &str) -> Outcome {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("x.toml"), text).unwrap();
    let case = load_case(&folder.path().join("x.toml"), &[]).unwrap_or_else(|error| panic!("{error}"));
    RunRequest::new(&case).run().unwrap_or_else(|error| panic!("{error}")).case
}

/// Returns the warnings of watts that are those of another device.
fn misfits(outcome: &Outcome) -> Vec<String> {
    outcome.summary.warnings().map(ToString::to_string).filter(|text| text.starts_with("the watts are")).collect()
}

fn assert_warns(text: &str, parts: &[&str]) {
    let found = misfits(&ran(text));
    assert_eq!(found.len(), parts.len(), "{found:?}");
    parts.iter().for_each(|part| assert!(found.iter().any(|text| text.contains(part)), "{part}: {found:?}"));
}

/// The default: slower links than the device's ports draw as these, which the line of watts says.
#[test]
fn what_fits_has_no_warning() {
    let outcome = ran(&format!("{PAIR}{STENCIL}"));
    assert_eq!(misfits(&outcome), [""; 0]);
    let watts = "slingshot-archer2; a NIC 12.23 W; a node 410 W; links of 80 Gb/s as ports of 200 Gb/s";
    assert_eq!(outcome.case_row().text("energy.watts"), watts);
}

/// 400 GB/s are 3,200 Gb/s: 16 ports of 200 Gb/s, and a NIC of 40.
#[test]
fn links_of_another_speed() {
    let fast = format!("{PAIR}[link]\nbandwidth = \"400 GB/s\"\n{STENCIL}");
    assert_warns(&fast, &["links of 3200 Gb/s draw as several ports of 200 Gb/s", "set power.watts.nic"]);
    let own = format!("{fast}[power.watts]\non = 20.0\nnic = 60.0\n");
    assert_warns(&own, &["set power.watts.on and power.watts.switch"]);
    assert_warns(&format!("{own}switch = 500.0\n"), &[]);
    // Lanes have a port each.
    assert_warns(&format!("{PAIR}[link]\nbandwidth = \"10 GB/s\"\nlanes = 4\n{STENCIL}"), &["set power.watts.nic"]);
    // One class of links is fast, and its watts are written.
    let one = format!("{PAIR}[[link]]\nclass = \"dim-0\"\nbandwidth = \"40 GB/s\"\n{STENCIL}");
    assert_warns(&one, &["links of 320 Gb/s"]);
    let class = "[[power.class]]\nclass = \"dim-0\"\nwatts = { on = 5.0 }\n[power.watts]\nswitch = 90.0\n";
    assert_warns(&format!("{one}{class}"), &[]);
}

/// 100 Gb/s over passive copper were measured, which ends at 5 m: 25 ns.
#[test]
fn links_of_another_medium() {
    let of = |latency: &str, device: &str| {
        format!(
            "{PAIR}[link]\nlatency = \"{latency}\"\n{STENCIL}[power.watts]\ndevice = \"{device}\"\nchassis = \"share\"\n"
        )
    };
    for device in ["nexus-9336c-fx2", "cisco-8201-32fh", "ncs-55a1-24h"] {
        assert_warns(&of("25 ns", device), &[]);
        assert_warns(&of("26 ns", device), &["passive copper cables, which have 25 ns at most, and links have 26 ns"]);
    }
    assert_warns(&of("500 ns", "slingshot-archer2"), &[]);
}

/// The ranks of training are accelerators, and a node of two processors is none; open-loop traffic counts no nodes.
#[test]
fn nodes_of_another_kind() {
    assert_warns(&format!("{PAIR}{TRAINING}"), &["ranks are accelerators, and 410 W is what a node of two processors"]);
    assert_warns(&format!("{PAIR}{TRAINING}[power.watts]\nnode = {{ busy = 1000.0 }}\n"), &[]);
}

/// Every value that was written is named, also one that equals the default, and those of classes and states.
#[test]
fn every_own_value_is_named() {
    let all = "[power.watts]\non = 1.0\nper_bit = 5e-12\nper_packet = 2e-8\nswitch = 80.0\nnic = 12.23\n\
               node = { busy = 410.0, idle = 150.0 }\n";
    let own = |text: &str| {
        let watts = ran(&format!("{PAIR}{STENCIL}{text}")).case_row().text("energy.watts");
        watts.split_once("yours: ").map(|(_, own)| own.to_owned()).unwrap_or_default()
    };
    let named =
        "on 1, per_bit 0.000000000005, per_packet 0.00000002, switch 80, nic 12.23, node.busy 410, node.idle 150";
    assert_eq!(own(all), named);
    assert_eq!(own("[power]\nstates = \"eee-10g\"\npolicy = { kind = \"stall-timer\", deep = \"1 us\" }\n"), "states");
    let class = "[power]\npolicy = { kind = \"stall-timer\", deep = \"1 us\" }\n[power.model]\nports = 0.5\n\
                 [[power.class]]\nclass = \"dim-0\"\nstates = \"eee-10g\"\nwatts = { on = 2.0 }\n";
    assert_eq!(own(class), "class.dim-0.states, class.dim-0.on 2, model.ports 0.5");
    assert_eq!(own(""), "");
}

/// A number can be traced to its experiment and build, wherever it is read.
#[test]
fn results_name_experiment_and_build() {
    let outcome = ran(&format!("{PAIR}{STENCIL}"));
    let json = outcome.to_json();
    assert_eq!(json["engine"]["experiment"], "a pair");
    assert_eq!(json["engine"]["build"], drowse_run::identity::BUILD);
    assert!(json["energy"]["watts"].as_str().unwrap().starts_with("slingshot-archer2"));
    let row = outcome.summary.engine_row();
    assert_eq!(row.text("engine.experiment"), "a pair");
    assert_eq!(row.text("case_id"), outcome.case_id().to_string());
}
