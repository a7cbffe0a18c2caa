//! Usage: traces against closed forms, the figures of a row, and what is refused.

use std::fs;

use drowse_core::model::units::Time;
use drowse_describe::usage::{self, Counted, Options};
use drowse_experiment::Case;
use drowse_run::inputs::Traces;
use drowse_tables::schema::{USAGE, USAGE_CHANNELS, USAGE_MATRIX};
use drowse_tables::{Row, csv};

use crate::support::{case, root, wrong};

/// A ring of four switches, the ways of whose packets are fixed.
const RING: &str = "[network]\nkind = \"torus\"\ndims = [4]\nrouting = \"dimension-order\"\n\
                    [switch]\nvcs = { escape = 2 }\n[link]\nbandwidth = \"1 GB/s\"\n";

fn ring(app: &str) -> Case {
    case(&format!("{RING}[[job]]\napp = {app}\n"))
}

fn row(case: &Case, options: &Options) -> Row {
    let used = usage::count(case, &Traces::default()).unwrap_or_else(|error| panic!("{error}"));
    usage::row(&used, case, options).unwrap_or_else(|error| panic!("{error}"))
}

fn numbers<const N: usize>(row: &Row, names: [&str; N]) -> [f64; N] {
    names.map(|name| row.number(name).unwrap_or(f64::NAN))
}

/// A line of three ranks on a ring of four switches uses two of its four links, both ways.
#[test]
fn the_figures_of_a_line() {
    let line = ring("{ kind = \"stencil\", dims = [3], periodic = false, bytes = \"1 MB\", iterations = 2 }");
    let row = row(&line, &Options::default());
    assert_eq!(numbers(&row, ["ranks", "nodes", "messages.count", "messages.bytes"]), [3.0, 3.0, 8.0, 8e6]);
    assert_eq!(numbers(&row, ["network.messages", "network.packets", "network.mean_channels"]), [8.0, 62_504.0, 1.0]);
    assert_eq!(numbers(&row, ["channels.used", "channels.total", "channels.fraction"]), [4.0, 8.0, 0.5]);
    assert_eq!(numbers(&row, ["cables.used", "cables.total", "cables.fraction"]), [2.0, 4.0, 0.5]);
    assert_eq!(numbers(&row, ["by_class.dim-0.used", "by_class.dim-0.total"]), [4.0, 8.0]);
    assert_eq!(numbers(&row, ["by_class.dim-0.bytes", "busiest_s"]), [8e6, 2e-3]);
    assert_eq!((row.get("by_class.node.used"), row.get("utilisation")), (None, None), "links of nodes do not sleep");
    for (name, value) in row.iter() {
        assert_eq!(USAGE.column(name).map(|column| column.kind), Some(value.kind()), "{name}");
    }
}

/// Four ranks sum up 1 KB: by the rules, each sends to two partners; to rank 0 and back, three send and get it.
#[test]
fn named_algorithms_are_counted() {
    let folder = tempfile::tempdir().unwrap();
    let trace = folder.path().join("sum.drowse");
    fs::write(&trace, "drowse-trace 1\nranks 4\nrank 0-3\nallreduce 1000\n").unwrap();
    for (named, messages) in [("", 8.0), ("allreduce = \"linear\"", 6.0), ("allreduce = \"hierarchical\"", 8.0)] {
        let path = trace.display();
        let sum = case(&format!("{RING}[[job]]\ntrace = '{path}'\ncollectives = {{ {named} }}\n"));
        let row = row(&sum, &Options::default());
        assert_eq!(numbers(&row, ["messages.count", "messages.bytes"]), [messages, 1_000.0 * messages], "{named}");
    }
}

/// Sections 5 and 6 of Totoni et al. 2014: 2 ms at 4 of 8 channels in 10 ms, and twice 1 ms more for each of these.
#[test]
fn the_bound_of_savings() {
    let line = ring("{ kind = \"stencil\", dims = [3], periodic = false, bytes = \"1 MB\", iterations = 2 }");
    let options = |delay| Options { time: Some(Time::from_us(10_000)), delay, counted: Counted::Channels };
    let near = |row: &Row, name: &str, expected: f64| {
        let value = row.number(name).unwrap();
        assert!((value - expected).abs() < 1e-12, "{name} = {value}, not {expected}");
    };
    let ideal = row(&line, &options(None));
    near(&ideal, "utilisation", 4.0 / 8.0 * 0.2);
    near(&ideal, "savings_bound", 0.9);
    let delayed = row(&line, &options(Some(Time::from_us(1_000))));
    near(&delayed, "utilisation", 4.0 / 8.0 * (0.2 + 2.0 * 0.1));
    // A channel that sends for 2 ms of 10 and is switched for 9.8 never sleeps.
    near(&row(&line, &options(Some(Time::from_us(4_900)))), "savings_bound", 0.5);
    // One message on one cable, whose other direction is switched with it.
    let one = ring("{ kind = \"cg\", class = \"S\", ranks = 2 }");
    let cables = |counted| Options { counted, ..options(Some(Time::from_us(1_000))) };
    let [apart, together] = [Counted::Channels, Counted::Cables].map(|counted| row(&one, &cables(counted)));
    assert_eq!(numbers(&apart, ["by_class.dim-0.used", "by_class.dim-0.total"]), [2.0, 8.0]);
    assert_eq!(numbers(&together, ["by_class.dim-0.used", "by_class.dim-0.total"]), [1.0, 4.0]);
}

#[test]
fn times_that_make_no_sense() {
    let line = ring("{ kind = \"stencil\", dims = [3], periodic = false, bytes = \"1 MB\", iterations = 2 }");
    let used = usage::count(&line, &Traces::default()).unwrap();
    let refused = |time, delay| {
        let options = Options { time: Some(Time::from_us(time)), delay, ..Options::default() };
        usage::row(&used, &line, &options).expect_err("an error").to_string()
    };
    insta::assert_snapshot!(refused(1_000, None), @r#"
    x.toml: error: --time 1 ms is too short: the busiest channel needs 2 ms for its bytes
    help: give the time of everything that is counted, such as that of all iterations
    "#);
    insta::assert_snapshot!(refused(10_000, Some(Time::from_us(5_000))), @r#"
    x.toml: error: --delay 5 ms is at least half of --time 10 ms: no channel could sleep
    help: give a delay below half the time, since a channel is switched off and on once
    "#);
}

/// FT of 16 ranks on 16 nodes of a tree of two levels: 8 transpositions among all, a barrier and small trees beside; 12
/// of 15 partners are under another switch.
#[test]
fn collectives_of_a_trace() {
    let trace = root("traces/ft.A.16.tar.zst");
    let tree = "[network]\nkind = \"tree\"\nk = 4\nn = 2\nrouting = \"d-mod-k\"\n[switch]\nvcs = { any = 1 }\n";
    let row = row(&case(&format!("{tree}[[job]]\ntrace = '{}'\n", trace.display())), &Options::default());
    let (pairs, share) = (16.0 * 15.0, f64::from(256 * 256 * 128 * 16 / (16 * 16)));
    let bytes = 8.0 * pairs * share + 15.0 * (5.0 * 4.0 + 6.0 * 16.0);
    assert_eq!(numbers(&row, ["messages.count", "messages.bytes"]), [8.0 * pairs + 64.0 + 15.0 * 11.0, bytes]);
    let reach = row.number("levels.1.packets_fraction").unwrap();
    assert!((reach - 0.8).abs() < 1e-3, "{reach}");
    assert_eq!(row.number("levels.0.packets_fraction"), Some(1.0));
}

/// EP on four ranks: 4 B to all by a tree; a barrier, and sums of 1, 1, 10 and 1 doubles, of two partners each.
#[test]
fn collectives_of_an_application() {
    let row = row(&ring("{ kind = \"ep\", ranks = 4 }"), &Options::default());
    let exchanges = 4.0 * 2.0;
    let [messages, bytes] = [3.0 + 5.0 * exchanges, 3.0 * 4.0 + 13.0 * 8.0 * exchanges];
    assert_eq!(numbers(&row, ["messages.count", "messages.bytes"]), [messages, bytes]);
}

/// Two jobs side by side, and one that runs twice.
#[test]
fn jobs_add_up() {
    let all = "app = { kind = \"all-to-all\", ranks = 2, bytes = \"10 B\" }";
    let jobs =
        format!("{RING}[[job]]\n{all}\n[[job]]\nname = \"b\"\nrepeat = 3\nplacement = \"random-nodes\"\n{all}\n");
    let case = case(&jobs);
    let used = usage::count(&case, &Traces::default()).unwrap();
    let row = usage::row(&used, &case, &Options::default()).unwrap();
    assert_eq!(numbers(&row, ["ranks", "nodes", "messages.count", "messages.bytes"]), [4.0, 4.0, 2.0 + 6.0, 80.0]);
    assert_eq!(
        (used.matrix.of(0, 1).messages, used.matrix.of(2, 3).messages, used.matrix.of(1, 2).messages),
        (1, 3, 0)
    );
}

/// Applications one after the other are counted all.
#[test]
fn phases_add_up() {
    let line = "{ kind = \"stencil\", dims = [4], periodic = false, bytes = \"10 B\", iterations = 2 }";
    let all = "{ kind = \"all-to-all\", ranks = 4, bytes = \"1 B\", compute = \"1 ms\" }";
    let row = row(&ring(&format!("[{line}, {all}]")), &Options::default());
    let (messages, bytes) = (2 * 6 + 12, 2 * 6 * 10 + 12);
    assert_eq!(numbers(&row, ["messages.count", "messages.bytes"]), [messages, bytes].map(f64::from));
}

#[test]
fn files_hold_what_was_counted() {
    let folder = tempfile::tempdir().unwrap();
    let case = ring("{ kind = \"random\", ranks = 4, degree = 3, bytes = \"1 KiB\" }");
    let used = usage::count(&case, &Traces::default()).unwrap();
    let row = usage::row(&used, &case, &Options::default()).unwrap();
    let files = usage::write(folder.path(), &case.system.network, &used, &row).unwrap();
    assert!(files.iter().all(|file| file.is_file()) && files.len() == 4);
    let read = |schema| csv::read(schema, fs::File::open(folder.path().join(schema.file)).unwrap()).unwrap();
    assert_eq!(read(&USAGE), std::slice::from_ref(&row));
    let sum = |rows: &[Row], name: &str| rows.iter().map(|row| row.number(name).unwrap()).sum::<f64>();
    let [matrix, channels] = [&USAGE_MATRIX, &USAGE_CHANNELS].map(read);
    assert_eq!(sum(&matrix, "bytes"), row.number("messages.bytes").unwrap());
    let nodes: Vec<Row> = channels.into_iter().filter(|row| row.get("class").unwrap().to_string() == "node").collect();
    assert_eq!(sum(&nodes, "messages"), 2.0 * 12.0, "in and out");
    // The columns of the file are in the schema's order, and the row is in that of the file.
    let text = fs::read_to_string(folder.path().join(USAGE.file)).unwrap();
    let names: Vec<&str> = row.iter().map(|(name, _)| name).collect();
    assert_eq!(text.lines().next().unwrap(), names.join(","));
}

#[test]
fn what_cannot_be_counted() {
    let traffic = case(&format!("{RING}[traffic]\nload = 0.1\nwarmup = \"100 cycles\"\nmeasure = \"100 cycles\"\n"));
    insta::assert_snapshot!(usage::count(&traffic, &Traces::default()).unwrap_err(), @r#"
    x.toml:9:1: error: usage needs a job: open-loop traffic has no end
     9 | [traffic]
       | ^^^^^^^^^
    help: write [[job]] with a trace or an app, such as app = { kind = "random", ... }
    "#);
    let ideal = "[network]\nkind = \"ideal\"\nnodes = 4\nlatency = \"1 us\"\nbandwidth = \"1 GB/s\"\n";
    let ideal = case(&format!("{ideal}[[job]]\napp = {{ kind = \"all-to-all\", ranks = 4, bytes = \"1 B\" }}\n"));
    insta::assert_snapshot!(usage::count(&ideal, &Traces::default()).unwrap_err(), @r#"
    x.toml:2:8: error: an ideal network has no channels to use
     2 | kind = "ideal"
       |        ^^^^^^^
    help: write another kind of network
    "#);
    let many = ring("{ kind = \"all-to-all\", ranks = 5, bytes = \"1 B\" }");
    insta::assert_snapshot!(usage::count(&many, &Traces::default()).unwrap_err(), @r#"
    x.toml:10:7: error: the 5 ranks of `all-to-all` do not fit: 4 cores are free
     10 | app = { kind = "all-to-all", ranks = 5, bytes = "1 B" }
        |       ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
    help: node.cores = 1 on 4 nodes make 4; raise it or make [network] larger
    "#);
}

/// A million nodes would be followed for days.
#[test]
fn all_of_very_many_nodes() {
    let torus = "[network]\nkind = \"mesh\"\ndims = [100, 400]\n";
    let case = case(&format!("{torus}[[job]]\napp = {{ kind = \"all-to-all\", ranks = 40_000, bytes = \"1 B\" }}\n"));
    insta::assert_snapshot!(usage::count(&case, &Traces::default()).unwrap_err(), @r#"
    x.toml:5:7: error: every rank sends to every other: 40000 nodes have too many pairs to follow
     5 | app = { kind = "all-to-all", ranks = 40_000, bytes = "1 B" }
       |       ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
    help: use at most 32768 nodes: fewer ranks, or more ranks per node
    "#);
}

#[test]
fn applications_that_are_wrong() {
    let wrong = |app: &str| wrong(&format!("{RING}[[job]]\n{app}\n"));
    insta::assert_snapshot!(wrong("app = { kind = \"stencil\", dims = [4, 0], bytes = \"1 B\" }"), @r#"
    x.toml:10:34: error: `job.0.app.dims` = [4, 0] is out of range
     10 | app = { kind = "stencil", dims = [4, 0], bytes = "1 B" }
        |                                  ^^^^^^
    help: write 1 to 10 numbers of at least 1 whose product is at most 268435456 ranks
    "#);
    insta::assert_snapshot!(wrong("app = { kind = \"stencill\", dims = [4], bytes = \"1 B\" }"), @r#"
    x.toml:10:16: error: `job.0.app.kind` = "stencill" is not known
     10 | app = { kind = "stencill", dims = [4], bytes = "1 B" }
        |                ^^^^^^^^^^
    help: did you mean `stencil`? this version knows: stencil, milc, cg, mg, lu, bt, sp, ft, is, ep, all-to-all, random, permutation, binary-tree, butterfly, wavefront, random-waves, one-to-all, all-to-one, ping-pong, n-bodies, graph500, linpack, random-access, namd, gromacs, isam, hpcg, pencil-fft, lulesh, sweep3d, mapreduce, transformer, inference
    "#);
    insta::assert_snapshot!(wrong("app = { kind = \"cg\", class = \"A\", ranks = 48 }"), @r#"
    x.toml:10:43: error: `job.0.app.ranks` = 48 is out of range
     10 | app = { kind = "cg", class = "A", ranks = 48 }
        |                                           ^^
    help: write a power of two of at most 268435456, as the program demands
    "#);
    insta::assert_snapshot!(wrong("app = { kind = \"bt\", class = \"A\", ranks = 8 }"), @r#"
    x.toml:10:43: error: `job.0.app.ranks` = 8 is out of range
     10 | app = { kind = "bt", class = "A", ranks = 8 }
        |                                           ^
    help: write the square of a number, as the program demands
    "#);
    insta::assert_snapshot!(wrong("app = { kind = \"mg\", class = \"F\", ranks = 8 }"), @r#"
    x.toml:10:30: error: `job.0.app.class` = "F" is not known
     10 | app = { kind = "mg", class = "F", ranks = 8 }
        |                              ^^^
    help: did you mean `S`? this version knows: S, W, A, B, C, D, E
    "#);
    insta::assert_snapshot!(wrong("app = { kind = \"all-to-all\", ranks = 4 }"), @r#"
    x.toml:10:7: error: `job.0.app.bytes` is missing
     10 | app = { kind = "all-to-all", ranks = 4 }
        |       ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
    help: write bytes = "8 KiB"
    "#);
    insta::assert_snapshot!(wrong("app = { kind = \"all-to-all\", ranks = 4, bytes = \"1 B\", iterations = 0 }"), @r#"
    x.toml:10:69: error: `job.0.app.iterations` = 0 is out of range
     10 | app = { kind = "all-to-all", ranks = 4, bytes = "1 B", iterations = 0 }
        |                                                                     ^
    help: write a number from 1 to 4294967295
    "#);
    insta::assert_snapshot!(wrong("app = { kind = \"all-to-all\", ranks = 4, bytes = \"1 B\" }\ntrace = \"x.tar\""), @r#"
    x.toml:10:7: error: `job.0` has both a trace and an app
     10 | app = { kind = "all-to-all", ranks = 4, bytes = "1 B" }
        |       ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
    help: remove one of them
    "#);
    insta::assert_snapshot!(wrong("app = { kind = \"all-to-all\", ranks = 4, bytes = \"1 B\" }\ncompute = { scale = 0.5 }"), @r#"
    x.toml:11:11: error: `job.0.compute` says how the computations of a trace become time, and this is none
     11 | compute = { scale = 0.5 }
        |           ^^^^^^^^^^^^^^^
    help: remove it
    "#);
}

#[test]
fn phases_that_are_wrong() {
    let wrong = |app: &str| wrong(&format!("{RING}[[job]]\napp = {app}\n"));
    let stencil = |more: &str| format!("{{ kind = \"stencil\", dims = [4], bytes = \"1 B\"{more} }}");
    insta::assert_snapshot!(wrong("[]"), @r#"
    x.toml:10:7: error: the list of applications is empty
     10 | app = []
        |       ^^
    help: write one, or several in a row
    "#);
    insta::assert_snapshot!(wrong(&format!("[{}, {{ kind = \"cg\", class = \"S\", ranks = 2 }}]", stencil(""))), @r#"
    x.toml:10:57: error: `job.0.app.1` has 2 ranks, but the first has 4
     10 | ...es = "1 B" }, { kind = "cg", class = "S", ranks = 2 }]
        |                  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
    help: all must have the same number: they are run by the same ranks
    "#);
    insta::assert_snapshot!(wrong(&stencil(", compute = \"2 s\"")), @r#"
    x.toml:10:64: error: `job.0.app.compute` = 2 s is too long
     10 | app = { kind = "stencil", dims = [4], bytes = "1 B", compute = "2 s" }
        |                                                                ^^^^^
    help: write a time of at most "1 s"
    "#);
    insta::assert_snapshot!(wrong(&stencil(", compute = \"1 s\", iterations = 1_000_001")), @r#"
    x.toml:10:7: error: `job.0.app` computes for 1000001 s in all its iterations
     10 | app = { kind = "stencil", dims = [4], bytes = "1 B", compute = "1 s", iterations = 1_0
        |       ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
    help: the most is 1,000,000 s: compute for a shorter time, or write fewer iterations
    "#);
    insta::assert_snapshot!(wrong(&stencil(", computes = \"1 s\"")), @r#"
    x.toml:10:54: error: unknown key `job.0.app.computes`
     10 | app = { kind = "stencil", dims = [4], bytes = "1 B", computes = "1 s" }
        |                                                      ^^^^^^^^
    help: did you mean `compute`? keys known here: dims, periodic, bytes, order, kind, iterations, compute, distribution, imbalance, jitter, mode
    "#);
}

#[test]
fn routings_around_rings_where_there_are_none() {
    let network = |keys: &str| wrong(&format!("[network]\nkind = {keys}\n"));
    insta::assert_snapshot!(network("\"mesh\"\ndims = [2, 4]\nrings_of_two = true"), @r#"
    x.toml:4:1: error: unknown key `network.rings_of_two`
     4 | rings_of_two = true
       | ^^^^^^^^^^^^
    help: keys known here: dims, trunk, nodes, kind, failed, routing
    "#);
    insta::assert_snapshot!(network("\"torus\"\ndims = [2, 4]\nties = \"direct\""), @r#"
    x.toml:4:8: error: `network.ties` is about dimension order; adaptive routing takes either direction
     4 | ties = "direct"
       |        ^^^^^^^^
    help: remove it, or write routing = "dimension-order"
    "#);
    insta::assert_snapshot!(network("\"torus\"\ndims = [2, 4]\nrouting = \"dimension-order\"\nties = \"up\""), @r#"
    x.toml:5:8: error: `network.ties` = "up" is not known
     5 | ties = "up"
       |        ^^^^
    help: this version knows: alternate, direct
    "#);
}
