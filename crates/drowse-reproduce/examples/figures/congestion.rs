//! Congestion control on links that sleep: the cases of examples/congestion-sleep.toml, as they are kept in docs/data.

use std::error::Error;
use std::fmt::Write;

use crate::numbers::{median, percent, sorted};

/// Of each case: what it is called, and figures of its `cases.csv` (the example `keep`).
const ROWS: &str = include_str!("../../../../docs/data/congestion_sleep.csv");
/// What the rows call traffic, controls and wakes.
pub const TRAFFIC: [&str; 5] = ["incast", "permutation", "all-reduce", "training step", "CG"];
pub const CONTROLS: [&str; 8] =
    ["none", "window", "credit", "dcqcn", "becn", "nscc", "nscc, grace", "nscc, target 60 us"];
pub const WAKES: [&str; 3] = ["0.3 us", "5 us", "50 us"];
const POLICIES: [&str; 4] = ["timer 10 us", "timer 100 us", "PerfBound", "trunk"];
/// What others are compared with.
const POLICY: &str = "timer 10 us";

/// A case; ratios to the same traffic and control on links that are always on.
pub struct Case {
    traffic: &'static str,
    control: &'static str,
    policy: &'static str,
    wake: &'static str,
    pub time: f64,
    energy: f64,
    seconds: f64,
}

/// Reads the cases.
pub fn read() -> Result<Vec<Case>, Box<dyn Error>> {
    let case = |line: &'static str| {
        let cells: Vec<&str> = line.split(',').collect();
        let [traffic, control, policy, wake, time, energy, seconds, _] = *cells.as_slice() else { return None };
        let number = |text: &str| text.parse().ok();
        Some(Case {
            traffic,
            control,
            policy,
            wake,
            time: number(time)?,
            energy: number(energy)?,
            seconds: number(seconds)?,
        })
    };
    ROWS.lines().skip(1).map(case).collect::<Option<_>>().ok_or_else(|| "a row has other columns".into())
}

/// Returns a case.
pub fn find<'a>(cases: &'a [Case], traffic: &str, control: &str, policy: &str, wake: &str) -> Option<&'a Case> {
    let is = |case: &&Case| (case.traffic, case.control, case.policy, case.wake) == (traffic, control, policy, wake);
    cases.iter().find(is)
}

/// Returns the case of a traffic under the timer that others are compared with.
pub fn of_timer<'a>(cases: &'a [Case], traffic: &str, control: &str, wake: &str) -> Option<&'a Case> {
    find(cases, traffic, &control.replace(", ", " "), POLICY, wake)
}

/// Writes the page.
pub fn page(cases: &[Case]) -> Result<String, Box<dyn Error>> {
    Ok(include_str!("congestion_text.md")
        .replace("<cases>", &cases.len().to_string())
        .replace("<sentences>\n", &sentences(cases)?)
        .replace("<slowdown>\n", &slowdown(cases)?)
        .replace("<policies>\n", &policies(cases)?)
        .replace("<without>\n", &without(cases)?))
}

const MISSING: &str = "a case is missing";

/// Says of each control what wakes of 5 us and 50 us cost under the timer.
fn sentences(cases: &[Case]) -> Result<String, Box<dyn Error>> {
    let mut text = String::new();
    for control in CONTROLS {
        let mut ranges = Vec::new();
        for wake in WAKES {
            let times: Option<Vec<f64>> =
                TRAFFIC.iter().map(|traffic| of_timer(cases, traffic, control, wake).map(|case| case.time)).collect();
            let times = sorted(times.ok_or(MISSING)?.into_iter());
            ranges.push((median(&times), times[times.len() - 1]));
        }
        let [_, (of_5, most_5), (of_50, most_50)] = *ranges.as_slice() else { return Err(MISSING.into()) };
        let verdict = match most_5 {
            most if most < 1.1 => "Wakes of 5 us are not taken for congestion",
            most if most < 1.5 => "Wakes of 5 us cost something",
            _ => "Wakes of 5 us are taken for congestion",
        };
        writeln!(
            text,
            "- **{control}**. {verdict}: run times are {of_5:.2} times those on links that are always on in the median, \
             {most_5:.2} at most. With 50 us they are {of_50:.2} and {most_50:.2}."
        )?;
    }
    Ok(text)
}

/// Makes the head of a table: names of cases, and numbers.
fn head(names: &[&str], numbers: &[&str]) -> String {
    let titles = [names, numbers].concat().join(" | ");
    format!("| {titles} |\n|{}{}\n", "---|".repeat(names.len()), "---:|".repeat(numbers.len()))
}

/// Makes the table of run times under the timer.
fn slowdown(cases: &[Case]) -> Result<String, Box<dyn Error>> {
    let mut table = head(&["control", "wake"], &TRAFFIC);
    for control in CONTROLS {
        for wake in WAKES {
            write!(table, "| {control} | {wake} |")?;
            for traffic in TRAFFIC {
                write!(table, " {:.2} |", of_timer(cases, traffic, control, wake).ok_or(MISSING)?.time)?;
            }
            table.push('\n');
        }
    }
    Ok(table)
}

/// Makes the table of what policies save and cost at wakes of 5 us, in the median over traffic.
fn policies(cases: &[Case]) -> Result<String, Box<dyn Error>> {
    let mut table = head(&["control"], &POLICIES);
    for control in CONTROLS {
        write!(table, "| {control} |")?;
        for policy in POLICIES {
            let of = |traffic: &&str| find(cases, traffic, &control.replace(", ", " "), policy, "5 us");
            let all: Option<Vec<&Case>> = TRAFFIC.iter().map(of).collect();
            let all = all.ok_or(MISSING)?;
            let saved = median(&sorted(all.iter().map(|case| 1.0 - case.energy)));
            let longest = sorted(all.iter().map(|case| case.time));
            write!(table, " {} / {:.2} |", percent(saved), longest[longest.len() - 1])?;
        }
        table.push('\n');
    }
    Ok(table)
}

/// Makes the table of run times where links are always on.
fn without(cases: &[Case]) -> Result<String, Box<dyn Error>> {
    let mut table = head(&["control"], &TRAFFIC);
    for control in CONTROLS.iter().filter(|control| !control.contains(',') || control.contains("target")) {
        write!(table, "| {control} |")?;
        for traffic in TRAFFIC {
            let case = of_timer(cases, traffic, control, "0.3 us").ok_or(MISSING)?;
            write!(table, " {:.3} ms |", 1e3 * case.seconds / case.time)?;
        }
        table.push('\n');
    }
    Ok(table)
}
