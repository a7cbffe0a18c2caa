//! `cargo xtask examples`, `threads` and `builds`: every example network and experiment runs, and tables are the same to the byte with
//! any number of threads, twice, and from debug and release builds.

use std::fs;
use std::path::Path;

use crate::failure::Outcome;
use crate::process::said;
use crate::process::{command, drowse, quietly, same_bytes, target};
use crate::repository::{files, read, write};

/// Examples that would take minutes and more, by how their names begin, and what is set so that they do not. `None`: planned only.
const SHORTENED: &[(&str, Option<&[&str]>)] = &[
    // Thirty seeds take minutes: here is one, of B. A has Namd as well, and C no Gromacs.
    ("andujar-set-a", None),
    ("andujar-set-b", Some(&["sweep.seed.to=1"])),
    ("andujar-set-c", None),
    ("parallel-links", Some(&["job.0.repeat=1"])),
    // Searching in one takes minutes, and the book searches in the other.
    ("three-jobs-", None),
    ("three-networks-", None),
    // All cases take most of an hour.
    (
        "training-links",
        Some(&[
            "network={ kind = \"torus\", dims = [4, 4, 4] }",
            "job.0.placement=\"linear\"",
            "job.0.app.model=\"llama-3-8b\"",
            "job.0.app.layers=2",
            "job.0.app.pipeline=1",
            "job.0.app.data=8",
            "job.0.app.micro_batches=2",
        ]),
    ),
    // More than a minute: here is a part of the model on a part of the machine.
    (
        "training-405b",
        Some(&[
            "network.children=[32, 32, 1]",
            "job.0.app.layers=16",
            "job.0.app.data=8",
            "job.0.app.vocabulary=16032",
        ]),
    ),
    // All cases take a quarter of an hour and more: here is one of thirteen applications.
    ("networks-policies", Some(STENCIL_OF_64)),
    ("bounded-networks", Some(STENCIL_OF_64)),
    ("flows-error", Some(STENCIL_OF_64)),
    // All cases take minutes: here is one of five kinds of traffic.
    ("congestion-sleep", Some(&["job.0.app={ kind = \"butterfly\", ranks = 16, bytes = \"256 KiB\" }"])),
    // FT takes more than a minute: here is CG, which the lowest cap slows down, too.
    ("power-cap", Some(&["job.0.trace=\"../traces/cg.A.64.tar.zst\""])),
    // All cases take two minutes: here is one of nine applications.
    ("bounded-others", Some(&["job=[{ name = \"stencil\", trace = \"../traces/stencil2d.16.tar.zst\" }]"])),
];

const STENCIL_OF_64: &[&str] = &[
    "job=[{ name = \"stencil\", trace = \"../traces/stencil2d.64.tar.zst\" }]",
    "switch.packet=\"4 KiB\"",
    "switch.buffer=\"64 KiB\"",
];

/// Runs every example; one sweep again with one thread.
pub fn run(arguments: &[String]) -> Outcome {
    let drowse = drowse(arguments.first())?;
    let scratch = tempfile::tempdir()?;
    for file in files()? {
        let name = file.strip_prefix("examples/").and_then(|name| name.strip_suffix(".toml"));
        if let Some(name) = name.filter(|name| !name.contains('/')) {
            println!("{file}");
            example(&drowse, &file, name, scratch.path())?;
        }
    }
    let again = scratch.path().join("timer-points-planned");
    quietly(command(&drowse, ["sweep", "examples/timer-points.toml", "--dry-run", "--out"]).arg(again))?;
    let again = scratch.path().join("again");
    quietly(command(&drowse, ["sweep", "examples/stall-timer-sweep.toml", "--threads", "1", "--out"]).arg(&again))?;
    same_bytes(&again.join("cases.csv"), &scratch.path().join("stall-timer-sweep/cases.csv"))?;
    println!("the same sweep with one thread");
    Ok(())
}

fn example(drowse: &Path, file: &str, name: &str, scratch: &Path) -> Outcome {
    quietly(&mut command(drowse, ["network", file, "--check"]))?;
    let text = read(file)?;
    let has = |tables: &[&str]| text.lines().any(|line| tables.iter().any(|table| line.starts_with(table)));
    let out = scratch.join(name);
    let shortened = SHORTENED.iter().find(|(start, _)| name.starts_with(start));
    if name.starts_with("usage-") {
        quietly(command(drowse, ["usage", file, "--out"]).arg(out))
    } else if let Some((_, set)) = shortened {
        let mut sweep = command(drowse, ["sweep", file, "--out"]);
        sweep.arg(out);
        match set {
            None => sweep.arg("--dry-run"),
            Some(set) => sweep.args(set.iter().flat_map(|set| ["--set", set])),
        };
        quietly(&mut sweep)
    } else if has(&["[search]"]) {
        quietly(command(drowse, ["search", file, "--out"]).arg(out))
    } else if has(&["[sweep]"]) {
        quietly(command(drowse, ["sweep", file, "--out"]).arg(out))
    } else if has(&["[[job]]", "[traffic]"]) {
        write(out.with_extension("json"), said(&mut command(drowse, ["run", file, "--format", "json"]))?)
    } else {
        Ok(())
    }
}

/// Examples that are run with several threads, and what is set besides.
const ON_THREADS: [(&str, &[&str]); 5] = [
    ("uniform-torus", &[]),
    ("cg-tree", &["job.0.trace=\"../traces/stencil2d.64.tar.zst\""]),
    ("stencil-app", &["network.trunk=4", "power.policy={ kind = \"trunk\" }", "power.directions=\"both\""]),
    ("runtime", &[]),
    (
        "two-jobs",
        &[
            "switch.queues=\"virtual-output\"",
            "switch.flow_control=\"trim\"",
            "switch.marking={ kmin = \"512 B\" }",
            "transport.control={ kind = \"nscc\" }",
        ],
    ),
];

/// Runs examples with 1, 2, 3 and 8 threads. Long wires make few windows: here is one core for several threads, and it is the bytes
/// that count.
pub fn threads(arguments: &[String]) -> Outcome {
    let drowse = drowse(arguments.first())?;
    let scratch = tempfile::tempdir()?;
    for count in ["1", "2", "3", "8"] {
        for (name, set) in ON_THREADS {
            let out = |count: &str| scratch.path().join(format!("{name}-{count}"));
            let mut run =
                command(&drowse, ["run", &format!("examples/{name}.toml"), "--set", "link.latency=\"500 ns\""]);
            run.args(set.iter().flat_map(|set| ["--set", set])).args(["--threads", count, "--out"]).arg(out(count));
            quietly(&mut run)?;
            for table in ["cases.csv", "channels.csv", "jobs.csv", "ranks.csv"] {
                same_bytes(&out("1").join(table), &out(count).join(table))?;
            }
        }
    }
    Ok(())
}

/// Runs an example twice by the release build, with one thread and two, and by the debug build: all files are the same.
pub fn builds(_: &[String]) -> Outcome {
    let scratch = tempfile::tempdir()?;
    let out = |name: &str| scratch.path().join(name);
    for (build, threads, name) in [("release", "1", "first"), ("release", "2", "second"), ("debug", "2", "debug")] {
        let mut run =
            command(target().join(build).join("drowse"), ["run", "examples/cg-torus.toml", "--baseline", "always-on"]);
        let tables = ["idle-periods", "idle-pairs", "timers", "timeline", "waiting", "message-sizes", "power"];
        run.args(tables.iter().flat_map(|table| ["--table", table]));
        run.args(["prv", "perfetto", "table"].iter().flat_map(|format| ["--timeline", format]));
        quietly(run.args(["--threads", threads, "--out"]).arg(out(name)))?;
    }
    let kept = [
        "cases.csv",
        "channels.csv",
        "jobs.csv",
        "ranks.csv",
        "idle_periods.csv",
        "idle_pairs.csv",
        "timers.csv",
        "timeline.csv",
        "waiting.csv",
        "message_sizes.csv",
        "spans.csv",
        "timeline.prv",
        "timeline.perfetto.json",
        "manifest.json",
    ];
    for file in kept {
        same_bytes(&out("first").join(file), &out("second").join(file))?;
        same_bytes(&out("first").join(file), &out("debug").join(file))?;
    }
    println!("{} files are the same of {} runs", kept.len(), fs::read_dir(scratch.path())?.count());
    Ok(())
}
