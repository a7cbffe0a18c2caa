//! Training on links that sleep: the page of the sweep of examples/training-links.toml, as it is kept in docs/data.

use std::error::Error;
use std::fmt::Write;

use crate::numbers::{median, percent, sorted};

/// Of each case of the sweep: what it is called here, and four columns of its `cases.csv` (the example `keep`).
const ROWS: &str = include_str!("../../../../docs/data/training_links.csv");
/// The networks, as the rows call them.
const NETWORKS: [&str; 4] = ["tree", "tree with rails", "dragonfly+", "torus"];
/// Models and accelerators.
const PROGRAMS: [(&str, &str); 4] = [("8B", "64"), ("70B", "64"), ("8B", "512"), ("70B", "512")];
const ORACLE: &str = "oracle";
/// Those that are given a bound.
const BOUNDED: [&str; 2] = ["perfbound", "dynamic-fastwake"];
/// Run times below this keep the bound of 1 %.
const BOUND: f64 = 1.01;

/// A case.
struct Case {
    model: &'static str,
    accelerators: &'static str,
    network: &'static str,
    policy: &'static str,
    /// How long a wake takes, of timers.
    wake: &'static str,
    /// Run time, where links are always on = 1.
    time: f64,
    /// Energy of the network, where links are always on = 1.
    energy: f64,
    /// The part of the time that links sleep.
    asleep: f64,
}

/// Writes the page.
pub fn page() -> Result<String, Box<dyn Error>> {
    let cases = ROWS.lines().skip(1).map(case).collect::<Option<Vec<_>>>().ok_or("a row has other columns")?;
    let missed = cases.iter().filter(|case| BOUNDED.contains(&case.policy) && case.time >= BOUND).count();
    let text = names(&cases).into_iter().fold(include_str!("training_text.md").to_owned(), |text, name| {
        text.replace(&format!("<kept, {name}>"), &kept(&cases, name))
    });
    Ok(text
        .replace("<best>\n", &best(&cases)?)
        .replace("<sentence>", &sentence(&cases))
        .replace("<policies>\n", &policies(&cases))
        .replace("<missed>", &missed.to_string())
        .replace("<wakes>\n", &wakes(&cases)))
}

fn case(line: &'static str) -> Option<Case> {
    let cells: Vec<&'static str> = line.split(',').collect();
    let [model, accelerators, network, policy, wake, time, energy, shallow, deep] = *cells.as_slice() else {
        return None;
    };
    let asleep = shallow.parse::<f64>().ok()? + deep.parse::<f64>().ok()?;
    let (time, energy) = (time.parse().ok()?, energy.parse().ok()?);
    Some(Case { model, accelerators, network, policy, wake, time, energy, asleep })
}

/// Returns the cases of a model on a machine, the oracle's first.
fn of<'a>(cases: &'a [Case], (model, accelerators): (&str, &str), network: &str) -> Vec<&'a Case> {
    let chosen = |case: &&Case| case.model == model && case.accelerators == accelerators && case.network == network;
    cases.iter().filter(chosen).collect()
}

/// Returns the case that saves most and keeps the bound, but for the oracle; none where nothing is saved.
fn winner<'a>(cases: &[&'a Case]) -> Option<&'a Case> {
    let kept = cases.iter().filter(|case| case.policy != ORACLE && case.time < BOUND && case.energy < 0.999);
    kept.min_by(|a, b| a.energy.total_cmp(&b.energy)).copied()
}

fn best(cases: &[Case]) -> Result<String, Box<dyn Error>> {
    let mut table =
        "| model | accelerators | network | links asleep, oracle | saved by the oracle | policy | saved | longer |\n\
                     |---|---:|---|---:|---:|---|---:|---:|\n"
            .to_owned();
    for program in PROGRAMS {
        for network in NETWORKS {
            let all = of(cases, program, network);
            let oracle = all.iter().find(|case| case.policy == ORACLE).ok_or("a machine has no oracle")?;
            let (asleep, most) = (percent(oracle.asleep), percent(1.0 - oracle.energy));
            let _ = write!(table, "| {} | {} | {network} | {asleep} | {most} |", program.0, program.1);
            let _ = match winner(&all) {
                Some(case) => writeln!(
                    table,
                    " {} | {} | {:.2} % |",
                    case.policy,
                    percent(1.0 - case.energy),
                    100.0 * (case.time - 1.0)
                ),
                None => writeln!(table, " none | | |"),
            };
        }
    }
    Ok(table)
}

/// Says how often each policy wins.
fn sentence(cases: &[Case]) -> String {
    let winners: Vec<Option<&Case>> =
        PROGRAMS.iter().flat_map(|&program| NETWORKS.map(|network| winner(&of(cases, program, network)))).collect();
    let mut counts: Vec<(usize, &str)> = Vec::new();
    for case in winners.iter().flatten() {
        match counts.iter_mut().find(|(_, policy)| *policy == case.policy) {
            Some((count, _)) => *count += 1,
            None => counts.push((1, case.policy)),
        }
    }
    counts.sort_by_key(|&(count, policy)| (std::cmp::Reverse(count), policy));
    let told: Vec<String> = counts.iter().map(|(count, policy)| format!("{policy} {count}")).collect();
    let none = winners.iter().filter(|winner| winner.is_none()).count();
    format!("{}, none {none}", told.join(", "))
}

/// Returns the policies in the order of the sweep.
fn names(cases: &[Case]) -> Vec<&'static str> {
    let mut names = Vec::new();
    for case in cases {
        if !names.contains(&case.policy) {
            names.push(case.policy);
        }
    }
    names
}

/// Says in how many cases a policy keeps the bound.
fn kept(cases: &[Case], policy: &str) -> String {
    let (kept, missed): (Vec<&Case>, Vec<&Case>) =
        cases.iter().filter(|case| case.policy == policy).partition(|case| case.time < BOUND);
    format!("{} of {}", kept.len(), kept.len() + missed.len())
}

fn policies(cases: &[Case]) -> String {
    let mut table = "| policy | wake | under 1 % | longer, median | longer, worst | saved, median |\n\
                     |---|---:|---:|---:|---:|---:|\n"
        .to_owned();
    for name in names(cases) {
        let chosen: Vec<&Case> = cases.iter().filter(|case| case.policy == name).collect();
        let times = sorted(chosen.iter().map(|case| case.time));
        let energies = sorted(chosen.iter().map(|case| case.energy));
        let _ = writeln!(
            table,
            "| {name} | {} | {} | {} | {} | {} |",
            chosen.first().map_or("", |case| case.wake),
            kept(cases, name),
            percent(median(&times) - 1.0),
            percent(times.last().map_or(0.0, |most| most - 1.0)),
            percent(1.0 - median(&energies)),
        );
    }
    table
}

fn wakes(cases: &[Case]) -> String {
    let timers: Vec<(&str, &str)> =
        ["timer of 1 us (fast wake)", "timer of 20 us", "timer of 1 ms", "timer of 5 ms", "timer of 20 ms"]
            .into_iter()
            .filter_map(|timer| cases.iter().find(|case| case.policy == timer).map(|case| (timer, case.wake)))
            .collect();
    let mut table = "| accelerators | network |".to_owned();
    timers.iter().for_each(|(_, wake)| {
        let _ = write!(table, " {wake} |");
    });
    let _ = writeln!(table, "\n|---:|---|{}", "---:|".repeat(timers.len()));
    for accelerators in ["64", "512"] {
        for network in NETWORKS {
            let _ = write!(table, "| {accelerators} | {network} |");
            for (timer, _) in &timers {
                let is_it = |case: &&Case| {
                    case.accelerators == accelerators && case.network == network && case.policy == *timer
                };
                let times = sorted(cases.iter().filter(is_it).map(|case| case.time - 1.0));
                let ends = [times.first(), times.last()].map(|time| percent(time.copied().unwrap_or(0.0)));
                let _ = if ends[0] == ends[1] {
                    write!(table, " {} |", ends[0])
                } else {
                    write!(table, " {} to {} |", ends[0], ends[1])
                };
            }
            table.push('\n');
        }
    }
    table
}
