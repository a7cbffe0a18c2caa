//! `drowse advise`: figures of the page from the tables, resumed, and wrong inputs.

use std::collections::HashMap;
use std::fs;
use std::path::Path;

use drowse_tables::Row;
use drowse_tables::csv;
use drowse_tables::schema::{CASES, JOBS, Schema, cases, jobs};

use crate::support::{Ended, drowse_in, root};

/// Three jobs on a torus of sixteen nodes; for an hour two of them hold twelve nodes.
const LOG: &str = "; Version: 2.2\n; MaxNodes: 16\n; MaxProcs: 16\n\
    1 0 0 7200 8 -1 -1 8 7200 -1 1 1 1 1 1 1 -1 -1\n\
    2 600 3000 3600 4 -1 -1 4 7200 -1 1 1 1 1 1 1 -1 -1\n\
    3 900 6300 3600 1 -1 -1 1 7200 -1 1 1 1 1 1 1 -1 -1\n";
const MACHINE: &str = "[network]\nkind = \"torus\"\ndims = [4, 2]\nnodes = 2\n";

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("log.swf"), LOG).unwrap();
    fs::write(folder.path().join("machine.toml"), MACHINE).unwrap();
    folder
}

const SHORT: [&str; 8] = ["--busiest", "1", "--drawn", "2", "--window", "4 ms", "--price", "0.25"];

fn advise(folder: &Path, more: &[&str]) -> Ended {
    let all: Vec<&str> =
        ["advise", "machine.toml", "--jobs", "log.swf"].into_iter().chain(SHORT).chain(more.iter().copied()).collect();
    drowse_in(folder, &all)
}

fn rows(folder: &Path, schema: &'static Schema) -> Vec<Row> {
    csv::read(schema, fs::File::open(folder.join(schema.file)).unwrap()).unwrap()
}

/// What the page says of a policy, computed anew from `cases.csv` and `jobs.csv`: watts in the mean over the windows that
/// were drawn, and how much longer jobs of several nodes run in all windows.
fn recomputed(folder: &Path, policy: &str) -> (f64, Vec<f64>) {
    let all = rows(folder, &CASES);
    let by_id: HashMap<String, &Row> = all.iter().map(|row| (row.text(cases::CASE_ID), row)).collect();
    let of = |row: &Row, key: &str| row.text(cases::SET.of(key));
    let ours: Vec<&Row> = all.iter().filter(|row| of(row, "power.policy").contains(&format!("\"{policy}\""))).collect();
    let saved = |row: &&Row| {
        let on = by_id[&row.text(cases::RELATIVE_CASE_ID)];
        let joules = |row: &Row| row.number(cases::ENERGY_NETWORK_J).unwrap();
        (joules(on) - joules(row)) / on.number(cases::MAKESPAN_S).unwrap()
    };
    let drawn: Vec<f64> = ours.iter().filter(|row| of(row, "scheduler.log").contains("drawn")).map(saved).collect();
    let ids: Vec<String> = ours.iter().map(|row| row.text(cases::CASE_ID)).collect();
    let mut longer: Vec<f64> = rows(folder, &JOBS)
        .iter()
        .filter(|row| ids.contains(&row.text(jobs::CASE_ID)) && row.number(jobs::NODES).unwrap() > 1.0)
        .map(|row| row.number(jobs::RELATIVE_MAKESPAN).unwrap() - 1.0)
        .collect();
    longer.sort_by(f64::total_cmp);
    (drawn.iter().sum::<f64>() / drawn.len() as f64, longer)
}

#[test]
fn the_page_says_what_the_tables_say() {
    let folder = folder();
    let first = advise(folder.path(), &["--out", "a.html"]);
    assert_eq!(first.code, Some(0), "{}", first.stderr);
    let page = fs::read_to_string(folder.path().join("a.html")).unwrap();
    let results = folder.path().join("a");
    let mut policies = 0;
    for policy in ["timer 10 us", "timer 200 us", "PerfBound 1 %", "oracle"] {
        let (watts, longer) = recomputed(&results, policy);
        let row = page.lines().find(|line| line.starts_with(&format!("<tr><th scope=\"row\">{policy}"))).unwrap();
        let cells: Vec<&str> = row.split("<td>").skip(1).map(|cell| cell.split('<').next().unwrap()).collect();
        let number = |text: &str| text.split_whitespace().next().unwrap().replace(',', "").parse::<f64>().unwrap();
        assert!((number(cells[0]) * 1e3 - watts).abs() <= 5.0 + 1e-9, "{policy}: {} and {watts} W", cells[0]);
        let kwh = watts * 8.76;
        assert!((number(cells[2]) - kwh).abs() <= 0.5 + 1e-9, "{policy}: {} and {kwh} kWh", cells[2]);
        assert!((number(cells[3]) - kwh * 0.25).abs() <= 0.5 + 1e-9, "{policy}: {} and {kwh} kWh", cells[3]);
        let rank = (longer.len() * 95).div_ceil(100) - 1;
        let shown = [longer.iter().sum::<f64>() / longer.len() as f64, longer[rank], *longer.last().unwrap()];
        for (cell, share) in cells[6..9].iter().zip(shown) {
            assert!((number(cell) - share * 100.0).abs() <= 0.005 + 1e-9, "{policy}: {cell} and {share}");
        }
        policies += 1;
    }
    assert_eq!(policies, 4);
    // The same question again runs nothing, and says the same; so does one in another folder by one thread.
    let again = advise(folder.path(), &["--out", "a.html", "--force"]);
    assert_eq!((again.code, again.stdout), (Some(0), first.stdout));
    assert_eq!(fs::read_to_string(folder.path().join("a.html")).unwrap(), page);
    let cables = fs::read_to_string(results.join("cables.csv"));
    if let Ok(cables) = cables {
        // Eight switches on a torus of 4 x 2 have twelve cables, and sixteen nodes one each.
        assert_eq!(cables.lines().count(), 1 + 12 + 16);
    }
}

/// The fabric of examples/machine has parallel cables, and names of nodes; `trunk` is asked of packets or of flows.
#[test]
fn a_fabric_with_its_tables() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| root().join("examples/machine").join(name).canonicalize().unwrap().display().to_string();
    let [fabric, tables, log] = ["fabric.topo", "fabric.lft", "month.swf"].map(at);
    let given = ["advise", &fabric, "--tables", &tables, "--jobs", &log, "--out", "b.html"];
    let short = ["--busiest", "1", "--drawn", "2", "--window", "2 ms"];
    let ended = drowse_in(folder.path(), &given.into_iter().chain(short).collect::<Vec<_>>());
    assert_eq!(ended.code, Some(0), "{}", ended.stderr);
    assert!(ended.stdout.contains("96 nodes, 6 switches, 47 links between switches"), "{}", ended.stdout);
    assert!(ended.stdout.contains("trunk"), "{}", ended.stdout);
    let page = fs::read_to_string(folder.path().join("b.html")).unwrap();
    assert!(page.contains("leaf") && page.contains("What hangs on assumptions"));
}

#[test]
fn ten_wrong_inputs() {
    let folder = folder();
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    write("empty.swf", "; Version: 2.2\n");
    write("large.swf", "1 0 0 60 99 -1 -1 99 60 -1 1 1 1 1 1 1 -1 -1\n");
    write("waits.swf", "1 0 -1 60 9 -1 -1 9 60 -1 1 1 1 1 1 1 -1 -1\n");
    write("none.toml", "title = \"no programs\"\n");
    write("broken.toml", "[[job]\n");
    let wrong: [(&[&str], &str); 13] = [
        (&["machine.toml", "--jobs", "nothing.swf"], "nothing.swf: error: this log cannot be read"),
        (&["machine.toml", "--jobs", "empty.swf"], "no job of this log has run"),
        (&["machine.toml", "--jobs", "large.swf"], "job 1 had 99 nodes, and this network has 16"),
        (&["machine.toml", "--jobs", "waits.swf"], "the log does not say when job 1 started"),
        (&["nothing.topo", "--jobs", "log.swf"], "nothing.topo"),
        (&["log.swf", "--jobs", "log.swf"], "log.swf"),
        (&["machine.toml", "--jobs", "log.swf", "--programs", "none.toml"], "this file has no [[job]]"),
        (&["machine.toml", "--jobs", "log.swf", "--programs", "broken.toml"], "broken.toml"),
        (&["machine.toml", "--jobs", "log.swf", "--price=-1"], "write a number from 0 on"),
        (&["machine.toml", "--jobs", "log.swf", "--window", "1 us"], "write whole microseconds from 100 us to 10 s"),
        (&["machine.toml", "--jobs", "log.swf", "--slowdown", "2"], "write a share below 1"),
        (&["machine.toml", "--jobs", "log.swf", "--out", "advice"], "has no ending"),
        (&["machine.toml", "--jobs", "log.swf", "--set", "network.dims=[0]"], "network.dims"),
    ];
    for (arguments, told) in wrong {
        let all: Vec<&str> = std::iter::once("advise").chain(arguments.iter().copied()).collect();
        let ended = drowse_in(folder.path(), &all);
        assert_eq!((ended.code, ended.stdout.as_str()), (Some(2), ""), "{arguments:?}: {}", ended.stderr);
        let message = ended.stderr.replace("\n    ", " ");
        assert!(message.contains(told), "{arguments:?}: {}", ended.stderr);
    }
}
