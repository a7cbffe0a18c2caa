//! How far flows are from packets: the cases of examples/flows-error.toml, as they are kept in docs/data.

use std::error::Error;
use std::fmt::Write;

use crate::numbers::{median, sorted};

/// Of each case of the sweep: what it is called here, and columns of its `cases.csv`.
const ROWS: &str = include_str!("../../../../docs/data/flows_error.csv");
/// The kinds of queues, as the rows call them.
pub const QUEUES: [&str; 2] = ["virtual-output", "input"];
const ALWAYS_ON: &str = "always on";
/// How the names of applications begin that are no traces.
const TRAINING: &str = "Llama";
/// By how much a run may be longer than with links always on, for its policy to be among those that are compared.
const SLOWER: f64 = 0.01;
/// What is asked of flows, by kind of queues: run time and energy, in the median and in 95 % of cases.
const GOALS: [[f64; 4]; 2] = [[0.02, 0.05, 0.01, 0.03], [0.04, 0.10, 0.02, 0.06]];
/// How many of the cases that are farthest away are shown.
const WORST: usize = 12;

type Failed = Box<dyn Error>;

/// A case by packets and by flows.
pub struct Pair {
    application: &'static str,
    network: &'static str,
    policy: &'static str,
    /// Where packets wait.
    pub queues: &'static str,
    /// Run time and energy by packets, and by flows.
    packets: [f64; 2],
    flows: [f64; 2],
}

impl Pair {
    /// Returns by how much run time and energy by flows are more than by packets, as shares.
    pub fn errors(&self) -> [f64; 2] {
        [0, 1].map(|place| self.flows[place] / self.packets[place] - 1.0)
    }
}

/// Reads the cases.
pub fn read() -> Result<Vec<Pair>, Failed> {
    let mut pairs: Vec<Pair> = Vec::new();
    for line in ROWS.lines().skip(1) {
        let cells: Vec<&'static str> = line.split(',').collect();
        let [application, network, policy, queues, unit, time, energy] = *cells.as_slice() else {
            return Err(format!("{line} has other columns").into());
        };
        let figures = [time.parse()?, energy.parse()?];
        let known = pairs.iter().position(|pair| {
            (pair.application, pair.network, pair.policy, pair.queues) == (application, network, policy, queues)
        });
        let place = known.unwrap_or_else(|| {
            pairs.push(Pair { application, network, policy, queues, packets: [0.0; 2], flows: [0.0; 2] });
            pairs.len() - 1
        });
        match unit {
            "packet" => pairs[place].packets = figures,
            _ => pairs[place].flows = figures,
        }
    }
    let complete = |pair: &Pair| pair.packets[0] > 0.0 && pair.flows[0] > 0.0;
    if pairs.iter().all(complete) { Ok(pairs) } else { Err("a case was run by one unit only".into()) }
}

/// Returns the median and the 95th percentile of the errors of some pairs, without their signs: of run time, and of
/// energy.
fn spread(pairs: &[&Pair]) -> [f64; 4] {
    let of = |place: usize| sorted(pairs.iter().map(|pair| pair.errors()[place].abs()));
    let high = |values: &[f64]| values.get((values.len() * 95).div_ceil(100).saturating_sub(1)).copied().unwrap_or(0.0);
    let [time, energy] = [of(0), of(1)];
    [median(&time), high(&time), median(&energy), high(&energy)]
}

fn percent(share: f64) -> String {
    format!("{:.2}", 100.0 * share)
}

/// Returns what differs, in its first order.
fn distinct(names: impl Iterator<Item = &'static str>) -> Vec<&'static str> {
    let mut found = Vec::new();
    for name in names {
        if !found.contains(&name) {
            found.push(name);
        }
    }
    found
}

/// Writes the page.
pub fn page(pairs: &[Pair]) -> Result<String, Failed> {
    let text = include_str!("flows_error_text.md")
        .replace("<pairs>", &pairs.len().to_string())
        .replace("<goals>\n", &goals(pairs)?)
        .replace("<networks>\n", &table(pairs, |pair| pair.network)?)
        .replace("<policies>\n", &table(pairs, |pair| pair.policy)?)
        .replace("<applications>\n", &table(pairs, |pair| pair.application)?)
        .replace("<choices>", &choices(pairs))
        .replace("<worst>\n", &worst(pairs)?);
    if text.contains('<') { Err("something is not filled in".into()) } else { Ok(text) }
}

/// Tells how far all cases are away, and what is asked.
fn goals(pairs: &[Pair]) -> Result<String, Failed> {
    let mut text = String::from(
        "| queues | run time: median | goal | 95 % | goal | energy: median | goal | 95 % | goal |\n\
         |---|---:|---:|---:|---:|---:|---:|---:|---:|\n",
    );
    for (queues, goals) in QUEUES.iter().zip(GOALS) {
        let all: Vec<&Pair> = pairs.iter().filter(|pair| pair.queues == *queues).collect();
        let traces: Vec<&Pair> = all.iter().copied().filter(|pair| !pair.application.starts_with(TRAINING)).collect();
        for (name, of) in [("", all), (", traces", traces)] {
            write!(text, "| {queues}{name}")?;
            for (error, goal) in spread(&of).iter().zip(goals) {
                write!(text, " | {} | {:.0}", percent(*error), 100.0 * goal)?;
            }
            writeln!(text, " |")?;
        }
    }
    Ok(text)
}

/// Tells how far cases are away that share a name.
fn table(pairs: &[Pair], name: impl Fn(&Pair) -> &'static str) -> Result<String, Failed> {
    let mut text =
        String::from("| | virtual-output: run time | energy | input: run time | energy |\n|---|---:|---:|---:|---:|\n");
    for here in distinct(pairs.iter().map(&name)) {
        write!(text, "| {here}")?;
        for queues in QUEUES {
            let of: Vec<&Pair> = pairs.iter().filter(|pair| name(pair) == here && pair.queues == queues).collect();
            let [time, most_time, energy, most_energy] = spread(&of).map(percent);
            write!(text, " | {time} / {most_time} | {energy} / {most_energy}")?;
        }
        writeln!(text, " |")?;
    }
    Ok(text)
}

/// Tells how often flows choose the policy that packets choose: the one with the least energy of those that keep the
/// limit of run time.
fn choices(pairs: &[Pair]) -> String {
    let same_case = |a: &Pair, b: &Pair| (a.application, a.network, a.queues) == (b.application, b.network, b.queues);
    let base: Vec<&Pair> = pairs.iter().filter(|pair| pair.policy == ALWAYS_ON).collect();
    let best = |base: &Pair, figures: fn(&Pair) -> [f64; 2]| {
        let allowed =
            pairs.iter().filter(|pair| same_case(pair, base) && figures(pair)[0] <= figures(base)[0] * (1.0 + SLOWER));
        allowed.min_by(|a, b| figures(a)[1].total_cmp(&figures(b)[1])).map(|pair| (pair.policy, pair.packets[1]))
    };
    // Of equal energies within a thousandth, either is right.
    let same = base.iter().filter(|base| match (best(base, |pair| pair.packets), best(base, |pair| pair.flows)) {
        (Some((one, least)), Some((other, energy))) => one == other || energy <= least * 1.001,
        _ => false,
    });
    format!("{} of {}", same.count(), base.len())
}

/// Lists the cases that are farthest away.
fn worst(pairs: &[Pair]) -> Result<String, Failed> {
    let mut order: Vec<&Pair> = pairs.iter().collect();
    let most = |pair: &Pair| pair.errors().map(f64::abs).into_iter().fold(0.0, f64::max);
    order.sort_by(|a, b| most(b).total_cmp(&most(a)));
    let mut text =
        String::from("| application | network | policy | queues | run time | energy |\n|---|---|---|---|---:|---:|\n");
    for pair in order.into_iter().take(WORST) {
        let [time, energy] = pair.errors().map(|error| format!("{:+.1}", 100.0 * error));
        let Pair { application, network, policy, queues, .. } = pair;
        writeln!(text, "| {application} | {network} | {policy} | {queues} | {time} | {energy} |")?;
    }
    Ok(text)
}
