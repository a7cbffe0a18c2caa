//! Machine files of Dimemas: where ranks run and how fast, with times by hand; and files that are wrong.

use drowse_core::model::units::Time;
use drowse_run::request::RunRequest;
use insta::assert_snapshot;

/// Four ranks that compute 100 us each.
const TRACE: &str = "drowse-trace 1\nranks 4\nrank 0\ncompute 100 us\nrank 1\ncompute 100 us\nrank 2\ncompute 100 us\n\
                     rank 3\ncompute 100 us\n";

/// The head of what Dimemas' own program writes: definitions of fields, in a comment and beside the records.
const HEAD: &str = "#DIMEMAS_CONFIGURATION\n/* \"node information\" {1: int \"machine ID\"};; */\n\
                    \"node information\" {\n  int \"machine_id\";\n  double \"speed\";\n};;\n\
                    \"environment information\" {\"\", 0, \"a, b\", 4, 0.0, 0, 1};;\n";

/// Returns a record of a node.
fn node(number: u32, processors: u32, speed: f64) -> String {
    format!("\"node information\" {{0, {number}, \"\", {processors}, {speed}, 0.0, 0.0, 1, 1, 0, 0.0, 1, 1, 0.0}};;\n")
}

/// Runs the trace on eight nodes with a machine file; returns each rank's node, and when it ends, in microseconds.
fn run(machine: &str, more: &str) -> Result<Vec<(u32, u64)>, String> {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("t.drowse"), TRACE).unwrap();
    std::fs::write(folder.path().join("m.cfg"), machine).unwrap();
    let text = format!(
        "[network]\nkind = \"ideal\"\nnodes = 8\nlatency = \"500 ns\"\n[node]\ncores = 2\n[[job]]\n\
         trace = \"t.drowse\"\ndimemas = \"m.cfg\"\n{more}\n"
    );
    let path = folder.path().join("x.toml");
    std::fs::write(&path, text).unwrap();
    let said = |error: String| error.replace(&format!("{}/", folder.path().display()), "");
    let case = drowse_experiment::load_case(&path, &[]).map_err(|error| said(error.to_string()))?;
    let outcome = RunRequest::new(&case).run().map_err(|error| said(error.to_string()))?.case;
    Ok(outcome.record.ranks.iter().map(|rank| (rank.node, rank.finish.0 / Time::from_us(1).0)).collect())
}

#[test]
fn nodes_have_speeds_and_tasks_have_nodes() {
    let nodes = [node(0, 2, 1.0), node(1, 2, 2.0), node(2, 2, 0.5), node(3, 2, 0.0)].concat();
    let listed = format!("{HEAD}{nodes}\"mapping information\" {{\"t.dim\", 4, [4] {{3, 1, 2, 0}}}};;\n");
    assert_eq!(run(&listed, ""), Ok(vec![(3, 0), (1, 50), (2, 200), (0, 100)]));
    let filled = format!("{HEAD}{nodes}\"predefined mapping information\" {{\"t.dim\", \"FILL_NODES\"}};;\n");
    assert_eq!(run(&filled, ""), Ok(vec![(0, 100), (0, 100), (1, 50), (1, 50)]));
    let turns = format!("{HEAD}{nodes}\"predefined mapping information\" {{\"INTERLEAVED\"}};;\n");
    assert_eq!(run(&turns, ""), Ok(vec![(0, 100), (1, 50), (2, 200), (3, 0)]));
    let each = turns.replace("INTERLEAVED", "1 TASKS_PER_NODE");
    assert_eq!(run(&each, ""), run(&turns, ""));
    // Without a mapping, nodes are filled. A placement of the job comes first.
    assert_eq!(run(&format!("{HEAD}{nodes}"), ""), run(&filled, ""));
    assert_eq!(run(&listed, "placement = \"linear\""), run(&filled, ""));
    assert_eq!(run(&listed, "compute = { scale = 2.0 }"), Ok(vec![(3, 0), (1, 100), (2, 400), (0, 200)]));
}

/// Nodes without a number of their own, of the oldest form, and all alike.
#[test]
fn all_forms_of_nodes() {
    let plain = "\"node information\" {0, \"\", 1, 4.0, 0.0, 0.0, 1, 1, 0, 0.0, 1, 1, 0.0};;\n";
    let oldest = "\"node information\" {0, 1, \"\", 1, 1, 0, 0.0, 0.0, 2.0, 0.0, 0.0};;\n";
    let alike = "\"multi node information\" {0, 2, \"\", 1, 1.0, 0.0, 0.0, 1, 1, 0, 0.0, 1, 1, 0.0};;\n";
    assert_eq!(run(&[plain, oldest, alike].concat(), ""), Ok(vec![(0, 25), (1, 50), (2, 100), (3, 100)]));
    // The file that comes with Dimemas.
    let ideal = "\"multi node information\" {0, 1024, \"\", 32, 1.0, 0.0, 0.0, 1, 1, 0, 0.0, 1, 1, 0.0};;\n\
                 \"predefined mapping information\" {\"1 TASKS_PER_NODE\"};;\n";
    assert_eq!(run(ideal, ""), Ok(vec![(0, 100), (1, 100), (2, 100), (3, 100)]));
}

#[test]
fn machine_files_that_are_wrong() {
    // The first line and the help; between them stands the record.
    let wrong = |text: &str| {
        let message = run(text, "").unwrap_err();
        let lines: Vec<&str> = message.lines().collect();
        format!("{}; {}", lines[0], lines[lines.len() - 1])
    };
    let map = |list: &str| format!("{}\"mapping information\" {{\"t\", {list}}};;", node(0, 1, 1.0));
    assert_snapshot!(wrong(""), @r#"m.cfg:1:1: error: the machine file tells of no node; help: write `"node information" {0, 0, "", 4, 1.0, ...};;` for each node, as Dimemas does"#);
    assert_snapshot!(wrong("\"node information\" {0, 0, \"\"};;"), @r#"m.cfg:1:21: error: this node has 3 fields; help: a node has 14 fields: machine, number, "architecture", processors, relative speed, ..."#);
    assert_snapshot!(wrong(&node(0, 1, 1.0).replace("0, 0,", "0, -1,")), @"m.cfg:1:24: error: the node's number is `-1`; it must be a whole number that is not negative; help: correct it");
    assert_snapshot!(wrong(&node(0, 1, 1.0).replace("\", 1, 1", "\", 1, fast")), @"m.cfg:1:34: error: the relative speed is `fast`; it must be a number, such as 1.0; help: correct it");
    assert_snapshot!(wrong(&[node(5, 1, 1.0), node(5, 1, 1.0)].concat()), @"m.cfg:2:24: error: node 5 is told twice; help: give it another number");
    assert_snapshot!(wrong(&node(999_999_999, 1, 1.0)), @"m.cfg:1:24: error: the node's number is `999999999`; it must be less than 16,777,216; help: correct it");
    assert_snapshot!(wrong("\"multi node information\" {0, 4000000000, \"\", 1, 1.0, 0, 0, 1, 1, 0, 0, 1, 1, 0};;"), @"m.cfg:1:30: error: the number of nodes is `4000000000`; it must be at most 16,777,216 in all; help: correct it");
    assert_snapshot!(wrong(&node(0, 1, 1.0)), @"m.cfg: error: the nodes have 1 processors for 4 ranks; help: add nodes, or give the job a placement");
    assert_snapshot!(wrong(&map("4, [4] {0, 0, 0}")), @r#"m.cfg:2:24: error: this mapping lists 3 nodes for 4 tasks; help: write `"mapping information" {"trace.dim", 2, [2] {0, 1}};;`"#);
    assert_snapshot!(wrong(&map("2, [2] {0, 0}")), @"m.cfg:2:37: error: the mapping has 2 tasks for 4 ranks; help: write a node for each rank");
    assert_snapshot!(wrong(&map("4, [4] {0, 0, x, 0}")), @"m.cfg:2:43: error: a node is `x`; it must be a whole number that is not negative; help: correct it");
    assert_snapshot!(wrong(&map("4, [4] {0, 99, 0, 0}")), @"x.toml:9:11: error: the machine file maps a task to node 99: `99` is no node; help: write a number from 0 to 7");
    assert_snapshot!(wrong(&map("4, [4] {0, 1, 0, 1}")), @r#"m.cfg: error: a rank runs on node 1, of which no record tells (1 are told); help: add its "node information", or place the ranks on other nodes"#);
    assert_snapshot!(wrong("\"predefined mapping information\" {\"SOMEHOW\"};;"), @"m.cfg:1:35: error: `SOMEHOW` is no mapping; help: write FILL_NODES, INTERLEAVED, or 4 TASKS_PER_NODE");
    assert_snapshot!(wrong("\"predefined mapping information\" {\"0 TASKS_PER_NODE\"};;"), @"m.cfg:1:35: error: `0 TASKS_PER_NODE` is no mapping; help: write FILL_NODES, INTERLEAVED, or 4 TASKS_PER_NODE");
    assert_snapshot!(wrong("\"node information"), @r#"m.cfg:1:1: error: a record has no end of its name; help: write records like `"name" {value, value};;`"#);
    assert_snapshot!(wrong("\"node information\" {0, 0"), @r#"m.cfg:1:1: error: a record has no `};;` at its end; help: write records like `"name" {value, value};;`"#);
    assert_snapshot!(wrong("\"node information\" 0"), @r#"m.cfg:1:1: error: a record has no `{` after its name; help: write records like `"name" {value, value};;`"#);
}
