//! The cases: networks, their workloads, and the figures that are kept of a run.

use std::num::NonZeroU32;
use std::path::{Path, PathBuf};

use drowse_run::outcome::Outcome;
use drowse_run::sweep::SweepError;
use drowse_tables::Row;
use drowse_tables::schema::{Column, cases as columns};

use super::choices;
use super::generated::{self, Generated};
use super::sets::{self, Drawn};
use super::table_2::{EXPERIMENT, TABLE_2, Torus};
use crate::cases::{self, Planned};
use crate::options::{Observer, Options};
use crate::programs::{PROGRAMS, Program};

/// The experiment of uniform traffic.
const LOADS: &str = include_str!("loads.toml");
/// The experiment of sets of programs.
const SETS: &str = concat!(include_str!("networks.toml"), include_str!("sets.toml"));
/// The experiment of programs that are generated.
const GENERATED: &str = concat!(include_str!("networks.toml"), include_str!("generated.toml"));

/// How power is saved. The paper does not give its thresholds; these are Drowse's defaults.
const POLICY: &str = r#"{ kind = "trunk", window = "10 us", on = 0.65, off = 0.25 }"#;

/// The workload of a network.
#[derive(Clone, Debug, PartialEq)]
pub enum Work {
    /// A program, so many copies of it on each node.
    Program { program: &'static Program, computes: bool, copies: u32 },
    /// A program as it was traced, once on each node, but tasks compute for so many percent of their time.
    Faster { program: &'static Program, percent: u32 },
    /// A program that is generated.
    Generated(Generated),
    /// A set of programs that a scheduler starts.
    Set(Drawn),
    /// Uniform traffic, percent of what nodes can send.
    Uniform { percent: u32 },
}

impl Work {
    /// Returns what it is on the reference network.
    pub fn on_reference(&self) -> Self {
        match self {
            Work::Generated(program) => program.on_reference().into(),
            work => work.clone(),
        }
    }

    /// Returns whether it is run on a network that saves power, or saves none.
    fn is_run(&self, saving: bool) -> bool {
        match self {
            Work::Generated(program) => program.is_run(saving),
            _ => true,
        }
    }
}

/// One run.
#[derive(Clone, Debug)]
pub struct Case {
    pub torus: &'static Torus,
    /// Trunks shed ports.
    pub saving: bool,
    pub work: Work,
    traces: PathBuf,
}

/// Programs of 64 ranks, those of the paper first; on the networks of 256 nodes four copies of each lie side by side.
const ON_64: [&str; 11] = ["LINPACK", "Graph500", "EP", "CoMD", "LULESH", "CG", "MG", "BT", "LU", "FT", "IS"];
const ON_256: [&str; 4] = ["LINPACK", "Graph500", "EP", "CG"];
/// Those of a quick reproduction, on the networks of 64 nodes alone.
const QUICK: [&str; 3] = ["LINPACK", "Graph500", "EP"];
/// The program that the paper loads its networks most with, and of which as many tasks as the paper has are on a node.
const HEAVIEST: &str = "Graph500";
/// The traced program that the paper has, too, and how long it may have computed on its machine: ours made the trace with
/// one core for all ranks.
const LIGHTEST: &str = "LINPACK";
pub const PERCENT_OF_COMPUTING: [u32; 2] = [10, 3];

/// Loads of uniform traffic, in percent.
const PERCENT: [u32; 10] = [5, 10, 20, 30, 40, 50, 60, 70, 80, 90];

/// Runs all cases whose traces are in the folder.
pub fn run(options: &Options<'_>, traces: &Path, observer: Observer<'_>) -> Result<Vec<(Case, Row)>, SweepError> {
    let planned = plan(options, traces);
    let rows = cases::run(&planned, options, observer)?;
    Ok(planned.into_iter().zip(rows).collect())
}

fn plan(options: &Options<'_>, traces: &Path) -> Vec<Case> {
    let quick = options.quick;
    let seeds = options.seeds.map_or(if quick { 0 } else { sets::SEEDS }, NonZeroU32::get);
    let works = |nodes: u32| {
        let programs = programs(quick, nodes).filter(|program| program.is_there(traces));
        let loads = PERCENT.into_iter().filter(move |&percent| !quick || nodes == 64 && percent == 10);
        let generated = match (quick, nodes) {
            (true, 64) => choices::quick().collect(),
            (true, _) => Vec::new(),
            (false, _) => each_once(generated::works(nodes).into_iter().chain(choices::works())),
        };
        let programs =
            programs.flat_map(|program| loads_of(program, quick)).chain(generated.into_iter().map(Work::Generated));
        let loads = loads.map(|percent| Work::Uniform { percent });
        programs.chain(sets::works(nodes, seeds)).chain(loads).collect::<Vec<_>>()
    };
    let on = |torus: &'static Torus, work: &Work| {
        let savings: &[bool] = if torus.aggregation > 1 { &[false, true] } else { &[false] };
        let case = |&saving| Case { torus, saving, work: work.clone(), traces: traces.to_owned() };
        let is_run = |&&saving: &&bool| work.is_run(saving) && !(quick && saving && matches!(work, Work::Generated(_)));
        savings.iter().filter(is_run).map(case).collect::<Vec<_>>()
    };
    TABLE_2
        .iter()
        .flat_map(|torus| works(torus.nodes()).iter().flat_map(|work| on(torus, work)).collect::<Vec<_>>())
        .collect()
}

/// Leaves out what was there before.
fn each_once(runs: impl Iterator<Item = Generated>) -> Vec<Generated> {
    let mut all: Vec<Generated> = Vec::new();
    for run in runs {
        if !all.contains(&run) {
            all.push(run);
        }
    }
    all
}

fn programs(quick: bool, nodes: u32) -> impl Iterator<Item = &'static Program> {
    PROGRAMS.iter().filter(move |program| is_run(quick, nodes, program))
}

/// Returns whether a program is run on the networks of so many nodes where its trace is there.
pub fn is_run(quick: bool, nodes: u32, program: &Program) -> bool {
    let names: &[&str] = match (quick, nodes) {
        (true, 64) => &QUICK,
        (true, _) => &[],
        (false, 64) => &ON_64,
        (false, _) => &ON_256,
    };
    names.contains(&program.name)
}

/// Returns a program as it was traced, and its communication alone.
fn loads_of(program: &'static Program, quick: bool) -> Vec<Work> {
    let alone = |copies| Work::Program { program, computes: false, copies };
    let mut works = vec![Work::Program { program, computes: true, copies: 1 }, alone(1)];
    works.extend((program.name == HEAVIEST).then(|| alone(8)));
    let faster = PERCENT_OF_COMPUTING.into_iter().filter(|_| !quick && program.name == LIGHTEST);
    works.extend(faster.map(|percent| Work::Faster { program, percent }));
    works
}

impl Case {
    /// Returns the network's name.
    pub fn name(&self) -> String {
        self.torus.named(self.saving)
    }

    /// Returns the keys of a traced program, so many copies on each node.
    fn traced(&self, program: &Program, copies: u32, scale: &str) -> [String; 5] {
        [
            format!("node.cores={copies}"),
            format!("job=[{}]", program.job(&self.traces, false)),
            "job.0.placement=\"round-robin\"".into(),
            format!("job.0.count={}", copies * self.torus.nodes() / program.ranks),
            format!("job.0.compute.scale={scale}"),
        ]
    }
}

/// Figures of a summary that are kept.
const KEPT: [Column; 11] = [
    columns::PATH_MEMORY_FRACTION,
    columns::PATH_NETWORK_FRACTION,
    columns::MAKESPAN_S,
    columns::RANKS_RUNNING_FRACTION,
    columns::LINKS_DEEP_FRACTION,
    columns::ENERGY_W_NET,
    columns::ENERGY_E_NET,
    columns::LOAD_OFFERED,
    columns::LOAD_ACCEPTED,
    columns::LATENCY_PACKET_MEAN_NS,
    columns::LATENCY_PACKET_P99_NS,
];
/// `E_cluster` is kept for these shares of a node's power that an idle node draws.
const IDLE_NODE: [&str; 3] = ["0.0", "0.5", "1.0"];

impl Planned for Case {
    fn experiment(&self) -> &'static str {
        match self.work {
            Work::Program { .. } | Work::Faster { .. } => EXPERIMENT,
            Work::Generated(_) => GENERATED,
            Work::Set(_) => SETS,
            Work::Uniform { .. } => LOADS,
        }
    }

    fn overrides(&self) -> Vec<String> {
        let mut overrides = self.torus.overrides();
        if self.saving {
            overrides.push(format!("power.policy={POLICY}"));
        }
        match self.work {
            Work::Generated(program) => overrides.extend(program.overrides(self.torus)),
            Work::Set(set) => overrides.extend(set.overrides(self.torus)),
            Work::Uniform { percent } => overrides.push(format!("traffic.load={percent}e-2")),
            Work::Faster { program, percent } => {
                overrides.extend(self.traced(program, 1, &format!("{:.2}", f64::from(percent) / 100.0)));
            }
            Work::Program { program, computes, copies } => {
                overrides.extend(self.traced(program, copies, if computes { "1.0" } else { "0.0" }));
            }
        }
        overrides
    }

    fn row(&self, outcome: &Outcome) -> Row {
        let mut row = Row::new();
        KEPT.into_iter().for_each(|column| row.copy(column, &outcome.summary.figures));
        IDLE_NODE.into_iter().for_each(|idle| row.copy(columns::ENERGY_E_CLUSTER.of(idle), &outcome.summary.figures));
        row
    }
}

#[cfg(test)]
impl Case {
    /// Makes a case that is not run.
    pub fn of(name: &str, saving: bool, work: Work) -> Self {
        let torus = TABLE_2.iter().find(|torus| torus.name == name).unwrap_or_else(|| panic!("{name}"));
        Case { torus, saving, work, traces: PathBuf::new() }
    }
}
