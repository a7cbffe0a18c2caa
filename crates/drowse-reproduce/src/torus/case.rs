//! A case: a network, its workload, and the figures that are kept of a run.

use std::path::PathBuf;

use drowse_run::outcome::Outcome;
use drowse_tables::Row;
use drowse_tables::schema::{Column, cases as columns};

use super::program::Generated;
use super::set::Drawn;
#[cfg(test)]
use super::table_2::TABLE_2;
use super::table_2::{EXPERIMENT, Torus};
use crate::cases::Planned;
use crate::programs::Program;

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
    pub fn is_run(&self, saving: bool) -> bool {
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
    pub traces: PathBuf,
}

impl From<Generated> for Work {
    fn from(program: Generated) -> Self {
        Work::Generated(program)
    }
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
