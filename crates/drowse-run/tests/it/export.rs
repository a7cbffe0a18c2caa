//! Tables on disk read back as what was measured.

use std::fs::{self, File};
use std::path::Path;

use drowse_run::outcome::Outcome;
use drowse_run::request::RunRequest;
use drowse_run::{export, files};
use drowse_tables::schema::{CASES, CHANNELS, ENGINE, SWITCHES, Schema};
use drowse_tables::{Row, csv};

use crate::support::{NETWORK, TRAFFIC, case};

fn outcome() -> Outcome {
    RunRequest::new(&case(&format!("{NETWORK}{TRAFFIC}"))).run().unwrap().case
}

fn read(folder: &Path, schema: &Schema) -> Vec<Row> {
    csv::read(schema, File::open(folder.join(schema.file)).unwrap()).unwrap()
}

#[test]
fn tables_read_back_and_nothing_else_is_left() {
    let folder = tempfile::tempdir().unwrap();
    let outcome = outcome();
    let out = folder.path().join("new/results");
    files::prepare(&out).unwrap();
    export::write(&out, &[&outcome]).unwrap();
    export::write(&out, &[&outcome]).unwrap();
    let mut names: Vec<_> = fs::read_dir(&out).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    names.sort();
    assert_eq!(
        names,
        [
            "cases.csv",
            "channels.csv",
            "checksums.json",
            "engine.csv",
            "jobs.csv",
            "manifest.json",
            "ranks.csv",
            "switches.csv"
        ]
    );
    assert_eq!(read(&out, &CASES), [outcome.case_row()]);
    assert_eq!(read(&out, &ENGINE), [outcome.summary.engine_row()]);
}

#[test]
fn channels_have_their_ends_and_their_whole_time() {
    let folder = tempfile::tempdir().unwrap();
    let outcome = outcome();
    export::write(folder.path(), &[&outcome]).unwrap();
    let channels = read(folder.path(), &CHANNELS);
    let network = &outcome.case.system.network;
    assert_eq!(channels.len(), network.channels() as usize);
    let text = |row: &Row, name: &str| row.get(name).unwrap().to_string();
    // Port 0 of switch 0 leads up dimension 0, to port 1 (down) of switch 1; the last channel is node 15's injection.
    assert_eq!([text(&channels[0], "from"), text(&channels[0], "to")], ["switch 0 port 0", "switch 1 port 1"]);
    let last = channels.last().unwrap();
    assert_eq!([text(last, "from"), text(last, "to"), text(last, "class")], ["node 15", "switch 15 port 4", "node"]);
    for row in &channels {
        let time = |state: &str| row.number(format!("{state}_ps")).unwrap();
        let sum: f64 = ["on", "entering", "shallow", "deep", "waking"].map(time).iter().sum();
        assert!((sum - outcome.record.measured.0 as f64).abs() < 0.5);
    }
}

/// Ends are columns, too: a number for a switch and its port, or for a node.
#[test]
fn ends_of_channels_are_columns() {
    let folder = tempfile::tempdir().unwrap();
    export::write(folder.path(), &[&outcome()]).unwrap();
    let ends = |row: &Row, end: &str| ["kind", "switch", "port", "node"].map(|part| row.text(format!("{end}_{part}")));
    for row in &read(folder.path(), &CHANNELS) {
        for end in ["from", "to"] {
            let name = match ends(row, end) {
                [kind, switch, port, node] if kind == "switch" && node.is_empty() => {
                    format!("switch {switch} port {port}")
                }
                [kind, switch, port, node] if switch.is_empty() && port.is_empty() => format!("{kind} {node}"),
                other => panic!("{other:?}"),
            };
            assert_eq!(name, row.text(end));
        }
    }
}

/// The tables of channels and switches say what the summary says: joules sum, and utilisation times capacity is bytes.
#[test]
fn channels_and_switches_sum_to_the_case() {
    let folder = tempfile::tempdir().unwrap();
    let watts = "[power]\nwatts = { device = \"nexus-9336c-fx2\", chassis = \"share\", switch = 3.0 }\n";
    let outcome = RunRequest::new(&case(&format!("{NETWORK}{watts}{TRAFFIC}"))).run().unwrap().case;
    export::write(folder.path(), &[&outcome]).unwrap();
    let (channels, switches) = (read(folder.path(), &CHANNELS), read(folder.path(), &SWITCHES));
    let sum = |rows: &[Row], name: &str| rows.iter().map(|row| row.number(name).unwrap()).sum::<f64>();
    let case = outcome.case_row();
    let figure = |name: &str| case.number(name).unwrap();
    let near = |a: f64, b: f64| assert!((a - b).abs() <= 1e-9 * b.abs(), "{a} is not {b}");
    assert_eq!(switches.len(), 16);
    assert!(sum(&channels, "bytes") > 0.0);
    near(sum(&channels, "energy_j"), figure("energy.links.all_j"));
    near(sum(&switches, "energy_j"), figure("energy.switches_j"));
    near(sum(&switches, "energy_j"), 16.0 * 3.0 * outcome.record.measured.seconds());
    let of_nodes: Vec<Row> = channels.iter().filter(|row| row.text("from_kind") == "node").cloned().collect();
    near(sum(&switches, "links_energy_j") + sum(&of_nodes, "energy_j"), figure("energy.links.all_j"));
    near(sum(&switches, "bytes") + sum(&of_nodes, "bytes"), sum(&channels, "bytes"));
    near(sum(&switches, "packets") + sum(&of_nodes, "packets"), sum(&channels, "packets"));
    // 10 GB/s in each direction.
    let capacity = 1e10 * outcome.record.measured.seconds();
    channels.iter().for_each(|row| {
        near(row.number("utilisation").unwrap() * capacity, row.number("bytes").unwrap());
        near(row.number("bytes").unwrap(), 16.0 * row.number("flits").unwrap());
    });
    switches.iter().for_each(|row| {
        let ports = row.number("ports").unwrap();
        near(row.number("utilisation").unwrap() * ports * capacity, row.number("bytes").unwrap());
    });
}

#[test]
fn the_manifest_holds_the_experiment() {
    let folder = tempfile::tempdir().unwrap();
    export::write(folder.path(), &[&outcome()]).unwrap();
    let text = fs::read_to_string(folder.path().join("manifest.json")).unwrap();
    let manifest: serde_json::Value = serde_json::from_str(&text).unwrap();
    let again = case(manifest["cases"][0]["experiment"].as_str().unwrap());
    let again = RunRequest::new(&again).run().unwrap().case;
    assert_eq!(again.summary.identity.get("case_id").unwrap().to_string(), manifest["cases"][0]["case_id"]);
}

#[test]
fn a_folder_that_cannot_be_made_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    fs::write(&file, "").unwrap();
    for path in [&file, &file.join("results")] {
        let error = files::prepare(path).unwrap_err();
        let expected = format!("{}: is a file, not a folder; give the name of a folder for tables", file.display());
        assert_eq!((error.to_string(), error.is_bad_input()), (expected, true));
    }
}
