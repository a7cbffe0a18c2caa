//! `drowse report`: a page of what a run and a sweep have written, and folders that are none.

use std::fs;

use crate::support::{drowse_in, ping};

#[test]
fn a_run_and_a_sweep_become_pages() {
    let folder = ping();
    let done = |arguments: &[&str]| {
        let ended = drowse_in(folder.path(), arguments);
        assert_eq!((ended.code, ended.stderr.as_str()), (Some(0), ""), "{arguments:?}");
        ended.stdout
    };
    done(&[
        "run",
        "ping.toml",
        "--baseline",
        "always-on",
        "--out",
        "run",
        "--table",
        "idle-periods",
        "--table",
        "message-sizes",
        "--timeline",
        "table",
    ]);
    assert_eq!(done(&["report", "run", "-o", "run.html"]), "", "the page is in the file");
    let page = fs::read_to_string(folder.path().join("run.html")).unwrap();
    for kind in [
        "energy",
        "states",
        "waiting",
        "path",
        "network",
        "links",
        "positions",
        "ranks",
        "rank-timeline",
        "link-timeline",
        "sizes",
        "idle",
    ] {
        assert!(page.contains(&format!("data-chart=\"{kind}\"")), "{kind}");
    }
    assert!(
        page.contains("<title>Ping</title>") && page.contains(">this case</th>") && page.contains(">always on</th>")
    );
    let sweep = "sweep={ \"power.policy.deep\" = [\"1 us\", \"20 us\"] }";
    done(&["sweep", "ping.toml", "--set", sweep, "--out", "sweep"]);
    done(&["report", "sweep", "--output", "sweep.html"]);
    let page = fs::read_to_string(folder.path().join("sweep.html")).unwrap();
    assert!(page.contains("<legend>power.policy.deep</legend>") && page.contains("data-chart=\"swept\""));
    // The same tables make the same page, in the place of the old one.
    done(&["report", "sweep", "-o", "run.html"]);
    assert_eq!(fs::read_to_string(folder.path().join("run.html")).unwrap(), page);
}

#[test]
fn what_cannot_be_shown_or_written_is_refused() {
    let folder = ping();
    let refused = |arguments: &[&str]| {
        let ended = drowse_in(folder.path(), arguments);
        assert_eq!((ended.code, ended.stdout.as_str()), (Some(2), ""), "{arguments:?}");
        ended.stderr
    };
    insta::assert_snapshot!(refused(&["report", "none", "-o", "page.html"]), @"error: none: no such folder; give a folder that `drowse run --out` or `drowse sweep --out` has written");
    insta::assert_snapshot!(refused(&["report", ".", "-o", "page.html"]), @"error: .: holds no cases.csv; give a folder that `drowse run --out` or `drowse sweep --out` has written");
    fs::write(folder.path().join("cases.csv"), "makespan_s,case_id\n0.001,a\n").unwrap();
    insta::assert_snapshot!(refused(&["report", ".", "-o", "none/page.html"]), @"error: none/page.html: cannot be written: No such file or directory (os error 2); give the name of a file in a folder that is there");
    insta::assert_snapshot!(refused(&["report", ".", "-o", ".."]), @"error: ..: is a folder; give the name of a file");
    fs::write(folder.path().join("cases.csv"), "makespan_s,case_id\n0.001,a\n0.0").unwrap();
    insta::assert_snapshot!(refused(&["report", ".", "-o", "page.html"]), @"error: ./cases.csv: is cut: its last line has no end; run the experiment again, or copy the file anew");
    assert!(!folder.path().join("page.html").exists());
}

/// Each link has the colour of its figure: on a ring where one link carries all, one is bright and the others are dark.
#[test]
fn a_network_coloured_by_a_run() {
    let folder = ping();
    let run = |arguments: &[&str]| drowse_in(folder.path(), arguments);
    assert_eq!(run(&["run", "ping.toml", "--out", "run"]).code, Some(0));
    let plain = run(&["network", "ping.toml", "--format", "svg"]).stdout;
    let ended = run(&["network", "ping.toml", "--format", "svg", "--colour", "run", "--by", "flits"]);
    assert_eq!((ended.code, ended.stderr.as_str()), (Some(0), ""));
    let svg = ended.stdout;
    let drawn = |svg: &str| svg.split("<g class=\"legend\">").next().unwrap().matches("<path ").count();
    assert_eq!(drawn(&svg), drawn(&plain));
    // The flits of each channel between switches, by hand from the table: the mean over both directions of a cable.
    let table = fs::read_to_string(folder.path().join("run/channels.csv")).unwrap();
    let cells = |line: &str| line.split(',').map(str::to_owned).collect::<Vec<_>>();
    let place = |name: &str| cells(table.lines().next().unwrap()).iter().position(|column| column == name).unwrap();
    let (class, flits) = (place("class"), place("flits"));
    let busy = table.lines().map(cells).filter(|line| line[class] == "dim-0" && line[flits] != "0").count();
    // Neighbours of one colour are a group.
    let links = svg.split("class=\"links dim-0\"").nth(1).unwrap().split("<g class=").next().unwrap();
    let (mut group, mut dark, mut all) = ("", 0, 0);
    for line in links.lines() {
        if line.starts_with("<path") {
            all += 1;
            dark += usize::from(if line.contains("stroke") { line } else { group }.contains("#440154"));
        } else {
            group = line;
        }
    }
    assert_eq!([all, dark], [4, 4 - busy / 2], "{table}");
    let refused = |arguments: &[&str]| {
        let ended = run(&[&["network", "ping.toml"], arguments].concat());
        assert_eq!((ended.code, ended.stdout.as_str()), (Some(2), ""), "{arguments:?}");
        ended.stderr
    };
    insta::assert_snapshot!(refused(&["--colour", "run"]), @"error: --colour needs --format svg, pdf or png");
    insta::assert_snapshot!(refused(&["--format", "svg", "--colour", "run", "--by", "joy"]), @"error: run/channels.csv: has no `joy` that is not 0; give one of: utilisation, flits, asleep, energy_j, wakes, delayed_messages, time_lost_us");
    let other = ["--format", "svg", "--colour", "run", "--set", "network.dims=[5]"];
    insta::assert_snapshot!(refused(&other), @"error: run/channels.csv: holds the channels of another network than that of the experiment file");
}

#[test]
fn a_chart_and_a_table_alone() {
    let folder = ping();
    let run = |arguments: &[&str]| drowse_in(folder.path(), arguments);
    assert_eq!(run(&["run", "ping.toml", "--baseline", "always-on", "--out", "run"]).code, Some(0));
    assert_eq!(run(&["plot", "run", "--kind", "energy", "-o", "energy.vl.json"]).code, Some(0));
    let text = fs::read_to_string(folder.path().join("energy.vl.json")).unwrap();
    let spec: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(spec["datasets"]["energy"].as_array().map(Vec::len), Some(2));
    let table = run(&["table", "run"]);
    assert!(table.stdout.starts_with("| case | run time, ") && table.stdout.lines().count() == 4, "{}", table.stdout);
    assert!(run(&["table", "run", "--latex"]).stdout.contains("\\begin{tabular}{lrr"));
    let refused = |arguments: &[&str]| {
        let ended = run(arguments);
        assert_eq!((ended.code, ended.stdout.as_str()), (Some(2), ""), "{arguments:?}");
        ended.stderr
    };
    insta::assert_snapshot!(refused(&["plot", "run", "--kind", "latency", "-o", "x.json"]), @"error: run: these tables have no data for a chart `latency`; they have it for: energy, states, waiting, path, network, links, positions, ranks");
    insta::assert_snapshot!(refused(&["plot", "run", "--kind", "energy", "-o", "x.gif"]), @"error: x.gif: give a name that ends with .svg, .pdf, .png or .json, or --format");
    insta::assert_snapshot!(refused(&["table", "run", "--columns", "makespan"]), @"error: run/cases.csv: has no column `makespan`; did you mean `makespan_s`? its first line has all names");
}

/// Every chart is drawn without a browser: what it is of, and a mark for each part that is there.
#[test]
fn charts_as_svg() {
    let folder = ping();
    let run = |arguments: &[&str]| drowse_in(folder.path(), arguments);
    let out = [
        "run",
        "ping.toml",
        "--baseline",
        "always-on",
        "--out",
        "run",
        "--table",
        "idle-periods",
        "--table",
        "message-sizes",
        "--timeline",
        "table",
    ];
    assert_eq!(run(&out).code, Some(0));
    let svg = |kind: &str| {
        let ended = run(&["plot", "run", "--kind", kind, "-o", "x.svg"]);
        assert_eq!((ended.code, ended.stderr.as_str()), (Some(0), ""), "{kind}");
        fs::read_to_string(folder.path().join("x.svg")).unwrap()
    };
    for (kind, title) in [
        ("energy", "Energy against run time"),
        ("states", "States of links"),
        ("waiting", "What ranks do"),
        ("path", "Critical path"),
        ("network", "The network"),
        ("links", "Links between switches"),
        ("positions", "Links by dimension and position"),
        ("ranks", "Each rank"),
        ("idle", "Idle periods"),
        ("sizes", "Latency by message size"),
        ("rank-timeline", "Ranks over time"),
        ("link-timeline", "Links over time"),
    ] {
        let svg = svg(kind);
        assert!(
            svg.starts_with("<svg") && svg.contains(title) && svg.ends_with("</svg>\n<!-- made by drowse -->\n"),
            "{kind}"
        );
        assert!(!svg.contains("NaN") && !svg.contains("inf"), "{kind}");
    }
    // Four links of the ring and four of nodes are lines; the ring's four switches are dots.
    let network = svg("network");
    assert_eq!([network.matches("<path").count(), network.matches("<circle").count()], [8, 4]);
    // Four switches, each of which sends to two others; and the background, and 50 steps of the scale.
    assert_eq!(svg("links").matches("<rect").count(), 8 + 1 + 50);
    // Four positions in one dimension.
    assert_eq!(svg("positions").matches("<rect").count(), 4 + 1 + 50);
    // Rank 0 computes and then waits at the barrier, rank 1 waits for the message: each state is a bar.
    let spans = fs::read_to_string(folder.path().join("run/spans.csv")).unwrap();
    let case = spans.lines().nth(1).unwrap().split(',').next().unwrap().to_owned();
    assert!(svg("rank-timeline").contains(">rank 1<"), "one job needs no name");
    let states = spans.lines().filter(|line| line.starts_with(&format!("{case},rank,"))).count();
    // The background, and five states in the legend.
    assert_eq!(svg("rank-timeline").matches("<rect").count(), states + 1 + 5);
    // The program of rank 0 computes for 1 ms, and rank 1 waits for it; both end at the barrier.
    assert!(svg("ranks").contains("#8c8c8c") && svg("ranks").contains("#b0509a"));
}
