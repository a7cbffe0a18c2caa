//! `cargo xtask instructions`: the instructions of the event loop per packet-hop and per flow, held against `.ci/instructions.csv` and
//! `.ci/instructions-flows.csv`: the same on any machine, however busy. Fails where a count has changed by more than 5 %.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use crate::failure::{Failure, Outcome};
use crate::marked::fill;
use crate::process::{captured, cargo, command, run as go, said, target, tool, whole};
use crate::repository::{read, write};

/// An example of the core that runs cases, and what is counted by it.
struct Kind {
    /// The name of the example, whose function `run` is the event loop; and in the plural what it prints how many of.
    example: &'static str,
    /// One of these.
    unit: &'static str,
    /// Where the counts are kept.
    kept: &'static str,
}

const HOPS: Kind = Kind { example: "hops", unit: "hop", kept: ".ci/instructions.csv" };
const FLOWS: Kind = Kind { example: "flows", unit: "flow", kept: ".ci/instructions-flows.csv" };
const RUNS: &str = ".ci/instructions-runs.csv";
const PAGE: &str = "docs/performance.md";

/// By how many per cent a count may change.
const TOLERANCE: f64 = 5.0;

/// Counts and compares; with a folder, by the examples `hops` and `flows` that are built there already. `--record` writes the counts
/// down, there and in the page, which `--page` prints; `--runs DROWSE` counts whole runs of what users run, which takes half an hour.
pub fn run(arguments: &[String]) -> Outcome {
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match words[..] {
        ["--page"] => {
            print!("{}", page()?);
            Ok(())
        }
        ["--runs", drowse] => count_runs(Path::new(drowse)),
        [] => compare(&count_all(&built()?)?),
        ["--record"] => {
            let counted = count_all(&built()?)?;
            for (kind, counts) in &counted {
                write(kind.kept, counts)?;
            }
            write(PAGE, page()?)?;
            compare(&counted)
        }
        [examples] if !examples.starts_with('-') => compare(&count_all(Path::new(examples))?),
        _ => Err(Failure::usage("usage: cargo xtask instructions [EXAMPLES | --record | --runs DROWSE | --page]")),
    }
}

/// Returns the page with the recorded counts.
pub fn page() -> Outcome<String> {
    let rows = |csv: &str| -> Outcome<String> {
        Ok(pairs(&read(csv)?).iter().map(|(name, count)| format!("| {name} | {count} |\n")).collect())
    };
    let table =
        |kind: &str, unit: &str, rows: &str| format!("\n| {kind} | instructions per {unit} |\n|---|---:|\n{rows}\n");
    let parts = [
        ("<!-- instructions of a hop", table("case", HOPS.unit, &rows(HOPS.kept)?)),
        ("<!-- instructions of a flow", table("case", FLOWS.unit, &rows(FLOWS.kept)?)),
        ("<!-- instructions of whole runs", table("run", "hop", &rows(RUNS)?)),
    ];
    Ok(fill(&read(PAGE)?, "<!-- end of instructions", &parts))
}

/// The rows of a table of two columns.
fn pairs(csv: &str) -> Vec<(&str, &str)> {
    csv.lines().skip(1).filter_map(|line| line.split_once(',')).collect()
}

/// Builds the examples; returns their folder.
fn built() -> Outcome<PathBuf> {
    let build =
        ["build", "--release", "--locked", "-p", "drowse-core", "--example", HOPS.example, "--example", FLOWS.example];
    go(cargo(build).env("CARGO_PROFILE_RELEASE_STRIP", "none"))?;
    Ok(target().join("release/examples"))
}

/// Counts each case of the examples in a folder. Returns the new tables.
fn count_all(examples: &Path) -> Outcome<Vec<(Kind, String)>> {
    tool("valgrind")?;
    let tables = [HOPS, FLOWS].into_iter().map(|kind| {
        let counts = count(&kind, &examples.join(kind.example))?;
        Ok((kind, counts))
    });
    tables.collect()
}

/// Counts each case of an example. Returns the new table.
fn count(kind: &Kind, example: &Path) -> Outcome<String> {
    let mut counted = format!("case,instructions_per_{}\n", kind.unit);
    let (event_loop, counts) = (format!("--toggle-collect={}::run", kind.example), format!(" {}, ", kind.example));
    for case in said(&mut command(example, [""; 0]))?.split_whitespace() {
        let output = captured(callgrind().arg(&event_loop).arg(example).arg(case))?;
        let output = whole(&output);
        let number = output.lines().find(|line| line.contains(&counts)).and_then(|line| line.split_whitespace().next());
        let cost =
            cost(&output, number).ok_or_else(|| Failure::new(format!("{case}: nothing was counted:\n{output}")))?;
        let _ = writeln!(counted, "{case},{cost:.0}");
    }
    Ok(counted)
}

fn callgrind() -> std::process::Command {
    command("valgrind", ["--tool=callgrind", "--callgrind-out-file=/dev/null"])
}

/// The instructions that callgrind has collected by how many hops or flows there were.
fn cost(output: &str, count: Option<&str>) -> Option<f64> {
    let collected = output.lines().find(|line| line.contains("Collected"))?.split_whitespace().last()?;
    let count: f64 = count?.replace(',', "").parse().ok()?;
    Some(collected.parse::<f64>().ok()? / count)
}

/// Prints the counts beside those that are recorded.
fn compare(counted: &[(Kind, String)]) -> Outcome {
    let mut changed = false;
    for (kind, counts) in counted {
        let (table, differs) = held_against(&read(kind.kept)?, counts, kind.unit);
        print!("{table}");
        changed |= differs;
    }
    if changed {
        Err(Failure::new("the cost of a hop or flow has changed: find out why, then record it"))
    } else {
        Ok(())
    }
}

/// Returns a line for each case, and whether a count has changed by too much.
fn held_against(recorded: &str, counted: &str, unit: &str) -> (String, bool) {
    let was: HashMap<&str, f64> =
        pairs(recorded).into_iter().filter_map(|(case, count)| Some((case, count.parse().ok()?))).collect();
    let mut table = String::new();
    let mut changed = false;
    for (case, count) in pairs(counted) {
        let count: f64 = count.parse().unwrap_or(f64::NAN);
        let was = was.get(case).copied().unwrap_or(f64::NAN);
        let change = 100.0 * (count / was - 1.0);
        let _ = writeln!(table, "{case:<22} {count:>6} instructions a {unit}, recorded {was:>6} ({change:+.1} %)");
        // Not a number is a change, too.
        changed |= change.is_nan() || change.abs() > TOLERANCE;
    }
    (table, changed)
}

/// Counts whole runs into their table and the page.
fn count_runs(drowse: &Path) -> Outcome {
    tool("valgrind")?;
    let mut counted = "run,instructions_per_hop\n".to_owned();
    for (name, file, set) in whole_runs() {
        let mut run = callgrind();
        run.arg(drowse).args(["run", &format!("examples/{file}.toml"), "--threads", "1", "--details"]);
        run.args(set.iter().flat_map(|set| ["--set", set]));
        let output = captured(&mut run)?;
        let output = whole(&output);
        let hops = output.lines().find_map(|line| line.strip_prefix("  hops  "));
        let hops = hops.and_then(|rest| rest.split_whitespace().next());
        let cost =
            cost(&output, hops).ok_or_else(|| Failure::new(format!("{name}: nothing was counted:\n{output}")))?;
        println!("{name},{cost:.0}");
        let _ = writeln!(counted, "{name},{cost:.0}");
    }
    write(RUNS, counted)?;
    write(PAGE, page()?)
}

/// What users run: a name, a file of `examples`, and what is set.
fn whole_runs() -> Vec<(String, &'static str, Vec<String>)> {
    let set = |keys: &[&str]| keys.iter().map(|key| (*key).to_owned()).collect::<Vec<_>>();
    let mut runs = vec![
        ("cg-torus".to_owned(), "cg-torus", Vec::new()),
        ("cg-torus-always-on".to_owned(), "cg-torus", set(&["power.policy={kind=\"always-on\"}"])),
        ("cg-tree".to_owned(), "cg-tree", Vec::new()),
    ];
    for trace in ["bt", "lu"] {
        for policy in ["perfbound", "dynamic-fastwake"] {
            let trace_key = format!("job.0.trace=\"../traces/{trace}.A.64.tar.zst\"");
            let policy_key = format!("power.policy.kind=\"{policy}\"");
            runs.push((format!("racks-{trace}-{policy}"), "perfbound", vec![trace_key, policy_key]));
        }
    }
    let graph500 = "job=[{name=\"Graph500\",trace=\"../traces/graph500.64.tar.zst\"}]";
    let governed = set(&[graph500, "power.states=\"andujar-2019\"", "power.policy={kind=\"trunk\"}"]);
    runs.push(("graph500-governed-trunks".to_owned(), "torus-1d-16x", governed));
    runs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_than_five_per_cent_or_a_new_case_is_a_change() {
        let recorded = "case,count\na,1000\n";
        assert!(!held_against(recorded, "case,count\na,1049\n", "hop").1);
        assert!(held_against(recorded, "case,count\na,1051\n", "hop").1);
        assert!(held_against(recorded, "case,count\na,949\n", "hop").1);
        assert!(held_against(recorded, "case,count\nb,1000\n", "hop").1);
    }

    #[test]
    fn instructions_by_hops() {
        let output = "2,000 hops, 3 s\n==1== Collected : 5000\n";
        assert_eq!(cost(output, Some("2,000")), Some(2.5));
        assert_eq!(cost("", Some("1")), None);
    }
}
