//! A bound that holds for whole programs: the cases of examples/bounded-networks.toml, as they are kept in docs/data.

use std::error::Error;
use std::fmt::Write;

use crate::numbers::{median, percent, sorted};

/// Of each case of the sweep: what it is called here, and columns of its `cases.csv`.
const ROWS: &str = include_str!("../../../../docs/data/bounded.csv");
/// Cases and columns of programs and networks by which nothing was chosen.
const OTHERS: &str = include_str!("../../../../docs/data/bounded_others.csv");
const ORACLE: &str = "oracle";
const ALWAYS_ON: &str = "always-on";
/// The policy that the page is about, and that with which it is compared.
pub const BOUNDED: &str = "bounded";
pub const PERFBOUND: &str = "perfbound";
const POLICIES: [&str; 3] = [BOUNDED, PERFBOUND, "dynamic-fastwake"];
/// The bounds, as the rows call them.
const BOUNDS: [(&str, f64); 4] = [("0.5 %", 0.005), ("1 %", 0.01), ("2 %", 0.02), ("5 %", 0.05)];
/// By how much a run may be longer than its bound.
const TOLERANCE: f64 = 0.001;
/// By how much run times may differ with NICs slower by nanoseconds, if they are to tell whether a bound is kept.
const SPREAD: f64 = 0.002;
/// Below this, `PerfBound` saves nothing with which another saving could be compared.
const LITTLE: f64 = 0.01;

type Failed = Box<dyn Error>;

/// A run of an application on a network.
struct Run {
    policy: &'static str,
    setting: &'static str,
    seconds: f64,
    /// The run time and the energy of links, always on = 1.
    time: f64,
    energy: f64,
}

/// An application on a network.
pub struct Program {
    application: &'static str,
    network: &'static str,
    runs: Vec<Run>,
}

/// Reads the cases.
pub fn read() -> Result<Vec<Program>, Failed> {
    programs(ROWS)
}

fn programs(rows: &'static str) -> Result<Vec<Program>, Failed> {
    let mut programs: Vec<Program> = Vec::new();
    for line in rows.lines().skip(1) {
        let cells: Vec<&'static str> = line.split(',').collect();
        let [application, network, policy, setting, seconds, time, energy, _] = *cells.as_slice() else {
            return Err(format!("{line} has other columns").into());
        };
        let run = Run { policy, setting, seconds: seconds.parse()?, time: time.parse()?, energy: energy.parse()? };
        match programs.iter_mut().find(|known| known.application == application && known.network == network) {
            Some(program) => program.runs.push(run),
            None => programs.push(Program { application, network, runs: vec![run] }),
        }
    }
    Ok(programs)
}

impl Program {
    fn run(&self, policy: &str, setting: &str) -> Option<&Run> {
        self.runs.iter().find(|run| run.policy == policy && run.setting == setting)
    }

    /// Returns how much longer a run takes than with links always on, and how much energy of links it saves.
    pub fn longer_and_saved(&self, policy: &str, setting: &str) -> Option<(f64, f64)> {
        self.run(policy, setting).map(|run| (run.time - 1.0, 1.0 - run.energy))
    }

    /// Returns by how much run times differ at most, links always on, where NICs are slower by nanoseconds.
    fn spread(&self) -> f64 {
        let on = self.run(ORACLE, "").map_or(0.0, |run| run.seconds);
        let runs = self.runs.iter().filter(|run| run.policy == ALWAYS_ON);
        runs.map(|run| (run.seconds / on - 1.0).abs()).fold(0.0, f64::max)
    }

    /// Returns whether its run time tells whether a bound is kept.
    pub fn is_steady(&self) -> bool {
        self.spread() <= SPREAD
    }
}

/// Writes the page.
pub fn page(programs: &[Program]) -> Result<String, Failed> {
    let (steady, others): (Vec<&Program>, Vec<&Program>) = programs.iter().partition(|program| program.is_steady());
    let all: Vec<&Program> = programs.iter().collect();
    let untried = self::programs(OTHERS)?;
    let untried: Vec<&Program> = untried.iter().collect();
    if untried.iter().any(|program| !program.is_steady()) {
        return Err("the page says that the others are steady".into());
    }
    let text = include_str!("bounded_text.md")
        .replace("<all>", &all.len().to_string())
        .replace("<steady>", &steady.len().to_string())
        .replace("<holds>", &holds(&steady)?)
        .replace("<others>", &others.len().to_string())
        .replace("<kept>\n", &kept(&steady, &POLICIES)?)
        .replace("<untried>", &untried.len().to_string())
        .replace("<kept, untried>\n", &kept(&untried, &POLICIES[..2])?)
        .replace("<saved>\n", &saved(&all)?)
        .replace("<unsteady>\n", &unsteady(&others)?)
        .replace("<applications>\n", &applications(&steady)?);
    if text.contains('<') { Err("something is not filled in".into()) } else { Ok(text) }
}

/// Returns what is asked of the runs of programs under a policy with a bound.
fn of(programs: &[&Program], policy: &str, setting: &str) -> Result<Vec<(f64, f64)>, Failed> {
    let runs = programs.iter().map(|program| program.longer_and_saved(policy, setting));
    runs.collect::<Option<_>>().ok_or_else(|| format!("{policy} with {setting} is missing").into())
}

/// Tells for how many programs all bounds hold under `bounded`.
fn holds(steady: &[&Program]) -> Result<String, Failed> {
    let mut holds = vec![true; steady.len()];
    for (setting, bound) in BOUNDS {
        let runs = of(steady, BOUNDED, setting)?;
        holds.iter_mut().zip(runs).for_each(|(holds, (longer, _))| *holds &= longer <= bound + TOLERANCE);
    }
    let count = holds.iter().filter(|holds| **holds).count();
    Ok(if count == steady.len() { "all".to_owned() } else { count.to_string() })
}

/// Tells for how many programs each bound is kept, and what the worst is.
fn kept(steady: &[&Program], policies: &[&str]) -> Result<String, Failed> {
    let mut table =
        "| policy | bound | kept by | longer, median | longer, worst | where |\n|---|---:|---:|---:|---:|---|\n"
            .to_owned();
    for &policy in policies {
        for (setting, bound) in BOUNDS {
            let longer: Vec<f64> = of(steady, policy, setting)?.iter().map(|run| run.0).collect();
            let kept = longer.iter().filter(|longer| **longer <= bound + TOLERANCE).count();
            let worst = (0..longer.len()).max_by(|&a, &b| longer[a].total_cmp(&longer[b])).ok_or("no program")?;
            let Program { application, network, .. } = steady[worst];
            let _ = writeln!(
                table,
                "| {policy} | {setting} | {kept} of {} | {:.2} % | {:.2} % | {application}, {network} |",
                longer.len(),
                100.0 * median(&sorted(longer.iter().copied())),
                100.0 * longer[worst],
            );
        }
    }
    Ok(table)
}

/// Tells what each policy saves, and `bounded` in relation to `PerfBound`.
fn saved(all: &[&Program]) -> Result<String, Failed> {
    let mut table = "| bound | bounded | PerfBound | DynamicFastwake | oracle | bounded / PerfBound, median |\n|---:|---:|---:|---:|---:|---:|\n".to_owned();
    let middle = |runs: &[(f64, f64)]| percent(median(&sorted(runs.iter().map(|run| run.1))));
    for (setting, _) in BOUNDS {
        let [bounded, perfbound, fastwake] = POLICIES.map(|policy| of(all, policy, setting));
        let (bounded, perfbound, fastwake) = (bounded?, perfbound?, fastwake?);
        let ratios =
            bounded.iter().zip(&perfbound).filter(|(_, other)| other.1 >= LITTLE).map(|(one, other)| one.1 / other.1);
        let _ = writeln!(
            table,
            "| {setting} | {} | {} | {} | {} | {:.2} |",
            middle(&bounded),
            middle(&perfbound),
            middle(&fastwake),
            middle(&of(all, ORACLE, "")?),
            median(&sorted(ratios)),
        );
    }
    Ok(table)
}

/// Shows programs whose run times differ by more than the tolerance although links are always on.
fn unsteady(others: &[&Program]) -> Result<String, Failed> {
    let mut table = "| application | network | spread |".to_owned();
    BOUNDS.iter().for_each(|(setting, _)| {
        let _ = write!(table, " {setting} |");
    });
    let _ = writeln!(table, " PerfBound, 1 % |\n|---|---|---:|{}---:|", "---:|".repeat(BOUNDS.len()));
    for program in others {
        let _ = write!(table, "| {} | {} | {:.1} % |", program.application, program.network, 100.0 * program.spread());
        let runs = BOUNDS.map(|(setting, _)| (BOUNDED, setting)).into_iter().chain([(PERFBOUND, BOUNDS[1].0)]);
        for (policy, setting) in runs {
            let (longer, _) = program.longer_and_saved(policy, setting).ok_or("a run is missing")?;
            let _ = write!(table, " {:+.1} % |", 100.0 * longer);
        }
        table.push('\n');
    }
    Ok(table)
}

/// Shows how long runs of each application become, and what is saved, with a bound of 1 %; ranges are over networks.
fn applications(steady: &[&Program]) -> Result<String, Failed> {
    let mut table =
        "| application | bounded: longer | saved | PerfBound: longer | saved | DynamicFastwake: longer | saved |\n\
                     |---|---:|---:|---:|---:|---:|---:|\n"
            .to_owned();
    let mut names: Vec<&str> = steady.iter().map(|program| program.application).collect();
    names.dedup();
    for name in names {
        let programs: Vec<&Program> = steady.iter().copied().filter(|program| program.application == name).collect();
        let _ = write!(table, "| {name} |");
        for policy in POLICIES {
            let runs = of(&programs, policy, "1 %")?;
            let range = |values: Vec<f64>, digits: usize| -> String {
                let values = sorted(values.into_iter());
                let [least, most] = [values.first(), values.last()].map(|value| 100.0 * value.copied().unwrap_or(0.0));
                format!("{least:.digits$} to {most:.digits$} %")
            };
            let longer = range(runs.iter().map(|run| run.0).collect(), 1);
            let saved = range(runs.iter().map(|run| run.1).collect(), 0);
            let _ = write!(table, " {longer} | {saved} |");
        }
        table.push('\n');
    }
    Ok(table)
}
