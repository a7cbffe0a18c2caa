//! Examines random machines: `machines FROM COUNT` those of a range of seeds, `machines FROM COUNT QUEUES` those of them
//! whose switches have such queues, `machines flows FROM COUNT` machines whose messages move as flows, `machines twin FROM
//! COUNT` those that the twin models, beside it only, `machines FILE` an experiment.

#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a tool of the project that prints what it finds")]

use std::collections::BTreeMap;
use std::error::Error;
use std::fs;
use std::panic;
use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;

use drowse_machines::shrink::shrink;
use drowse_machines::watch::Watch;
use drowse_machines::{Machine, Verdict, examine, examine_beside_twin, generate};

/// How many machines of a piece that break the same law are made small.
const MOST_SHRUNK: u64 = 2;

/// How machines are drawn and examined.
struct Way {
    draw: fn(u64, &Path) -> Machine,
    examine: fn(&Machine, &Path) -> Verdict,
}

/// Whatever experiments say, by all laws.
const ANY: Way = Way { draw: generate::machine, examine };

/// Whatever experiments say that lets messages move as flows, by all laws.
const OF_FLOWS: Way = Way { draw: generate::machine_of_flows, examine };

/// What the twin models, compared with it.
const BESIDE_TWIN: Way = Way { draw: generate::machine_of_twin, examine: examine_beside_twin };

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let failed = match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [file] => examine_file(Path::new(file))?,
        ["show", seed] => {
            let folder = tempfile::tempdir()?;
            print!("{}", generate::machine(seed.parse()?, folder.path()));
            false
        }
        ["show", "flows", seed] => {
            let folder = tempfile::tempdir()?;
            print!("{}", generate::machine_of_flows(seed.parse()?, folder.path()));
            false
        }
        ["flows", from, count] => examine_range(&OF_FLOWS, from.parse()?, count.parse()?, None)?,
        ["twin", from, count] => examine_range(&BESIDE_TWIN, from.parse()?, count.parse()?, None)?,
        [from, count] => examine_range(&ANY, from.parse()?, count.parse()?, None)?,
        [from, count, queues @ ("input" | "virtual-output" | "output")] => {
            examine_range(&ANY, from.parse()?, count.parse()?, Some(queues))?
        }
        _ => {
            let usage = "machines FROM COUNT [QUEUES], machines flows FROM COUNT, machines twin FROM COUNT, \
                         machines show [flows] SEED, or machines FILE";
            return Err(format!("usage: {usage}").into());
        }
    };
    Ok(if failed { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

/// Examines the machines of a range of seeds, or those with such queues, and returns whether one has failed.
fn examine_range(way: &Way, from: u64, count: u64, queues: Option<&str>) -> Result<bool, Box<dyn Error>> {
    let folder = tempfile::tempdir()?;
    let watch = Watch::begin();
    let (mut machines, mut packets, mut slowest) = (0, 0, (0.0, 0));
    let mut broken: BTreeMap<&str, u64> = BTreeMap::new();
    let mut refused: BTreeMap<String, u64> = BTreeMap::new();
    let began = Instant::now();
    for seed in from..from + count {
        watch.note(format!("the machine of seed {seed}"));
        let since = Instant::now();
        let machine = (way.draw)(seed, folder.path());
        if queues.is_some_and(|queues| machine.queues() != queues) {
            continue;
        }
        machines += 1;
        match (way.examine)(&machine, folder.path()) {
            Verdict::Passed { packets: more } => packets += more,
            Verdict::Refused(message) => *refused.entry(message).or_default() += 1,
            Verdict::Failed(finding) => {
                println!("== seed {seed}: {}\n{}\n\n{machine}", finding.law, finding.text);
                let count = broken.entry(finding.law).or_default();
                *count += 1;
                if *count <= MOST_SHRUNK {
                    print_small(way, seed, &machine, finding.law, folder.path(), &watch);
                }
            }
        }
        let seconds = since.elapsed().as_secs_f64();
        slowest = if seconds > slowest.0 { (seconds, seed) } else { slowest };
    }
    let mut reasons: Vec<(&String, &u64)> = refused.iter().collect();
    reasons.sort_by_key(|(_, count)| std::cmp::Reverse(**count));
    reasons.iter().for_each(|(message, count)| eprintln!("refused {count}: {message}"));
    eprintln!("{packets} packets; the slowest machine took {:.1} s: seed {}", slowest.0, slowest.1);
    let failed: u64 = broken.values().sum();
    let (refused, seconds) = (refused.values().sum::<u64>(), began.elapsed().as_secs_f64());
    println!("{machines} machines from {from}, {refused} refused, {failed} failed, {seconds:.0} seconds");
    Ok(failed > 0)
}

/// Prints a machine that breaks the same law as one that is larger.
fn print_small(way: &Way, seed: u64, machine: &Machine, law: &str, folder: &Path, watch: &Watch) {
    // The same panic many times over says nothing.
    let hook = panic::take_hook();
    panic::set_hook(Box::new(|_| ()));
    let small = shrink(machine, |machine| {
        watch.note(format!("a smaller machine than that of seed {seed}"));
        matches!((way.examine)(machine, folder), Verdict::Failed(finding) if finding.law == law)
    });
    panic::set_hook(hook);
    println!("-- made small\n{small}");
}

/// Examines an experiment, and returns whether it has failed.
fn examine_file(file: &Path) -> Result<bool, Box<dyn Error>> {
    let machine = Machine { tables: fs::read_to_string(file)?.parse()?, files: Vec::new() };
    let verdict = examine(&machine, file.parent().unwrap_or(Path::new("")));
    println!("{verdict:?}");
    Ok(matches!(verdict, Verdict::Failed(_)))
}
