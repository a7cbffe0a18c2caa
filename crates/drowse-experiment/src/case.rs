//! What an experiment file becomes: a system, and one case of running something on it.

use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;

use drowse_core::model::config::{Config, SleepRules};
use drowse_core::model::ids::NodeId;
use drowse_core::model::unit::Unit;
use drowse_core::model::units::Time;
use drowse_core::power::ByClass;
use drowse_core::power::cost::{CostModel, Tariff};
use drowse_core::power::investment::Investment;
use drowse_core::power::model::PowerModel;
use drowse_core::topology::{Network, TopologySpec};
use drowse_core::workload::Traffic;
use drowse_core::workload::algorithms::Algorithms;
use drowse_core::workload::exchanges::Division;
use drowse_core::workload::programs::Phase;
use drowse_core::workload::scheduler::{Kind, Rules};
use drowse_core::workload::traffic::Background;
use drowse_traces::{ComputeModel, Formats};
use serde::Serialize;

use super::keys::Keys;
use super::sections::power::SleepingChannels;
use super::sections::simulation::usual_flows;
use super::sections::watts::Drawn;

/// The machine of an experiment: everything but what runs on it.
#[derive(Clone, Debug)]
pub struct System {
    /// The experiment's title.
    pub title: String,
    /// The topology and its parameters.
    pub topology: TopologySpec,
    /// The topology, built.
    pub network: Arc<Network>,
    /// What to know of the network before using figures, such as what of its file is left out.
    pub notes: Vec<String>,
    /// All parameters of the simulation.
    pub config: Config,
    /// Cores of each node.
    pub cores: u32,
    /// Which channels may sleep; shares of channel time are taken over these.
    pub channels: SleepingChannels,
    /// When they sleep.
    pub policy: ByClass,
    /// By link class, what its sleep states are called, lightest first; none where it never sleeps.
    pub state_names: Vec<Vec<String>>,
    /// From residencies to power and energy.
    pub model: PowerModel,
    /// What its parts draw in watts.
    pub watts: Drawn,
    /// What energy costs and emits.
    pub tariff: Tariff,
    /// What its parts cost when they are bought.
    pub investment: Option<Investment>,
    /// A system whose energy is paid for.
    pub cost: Option<CostModel>,
    /// Where each key was written.
    pub keys: Keys,
}

impl System {
    /// Returns the ports of each switch that have a link, as they are paid for: a link of several lanes takes so many.
    pub fn switch_ports(&self) -> impl Iterator<Item = u64> {
        let lanes = |&class: &u8| u64::from(self.config.classes[usize::from(class)].lanes);
        let classes = |ports: &[u32]| &self.network.port_class[ports[0] as usize..ports[1] as usize];
        self.network.first_port.windows(2).map(move |ports| classes(ports).iter().map(lanes).sum())
    }

    /// Returns the ports of all switches.
    pub fn ports(&self) -> u64 {
        self.switch_ports().sum()
    }
}

/// One run: a system and what runs on it.
#[derive(Clone, Debug)]
pub struct Case {
    /// The machine.
    pub system: System,
    /// What runs on it.
    pub workload: WorkloadSpec,
    /// How jobs get their nodes, if by a scheduler.
    pub scheduler: Option<Rules>,
    /// Open-loop traffic beside jobs, if there is some.
    pub background: Option<Background>,
    /// The experiment as TOML, overrides put in.
    pub experiment: String,
}

/// What runs, as the experiment names it: no file has been opened.
#[derive(Clone, Debug)]
pub enum WorkloadSpec {
    /// Applications side by side.
    Jobs(Vec<JobSpec>),
    /// Open-loop synthetic messages.
    Traffic(Traffic),
}

impl WorkloadSpec {
    /// Returns whether some ranks are accelerators: those of training and inference, and of traces of Chakra
    /// and PyTorch.
    pub fn has_accelerators(&self) -> bool {
        let of_phase = |phase: &Phase| phase.work.has_accelerators();
        let of_job = |job: &JobSpec| match &job.program {
            Program::App(phases) => phases.iter().any(of_phase),
            Program::Trace(path) => {
                let path = path.to_string_lossy();
                let formats = ["chakra", "kineto", "kineto-one-rank", "execution-trace"];
                let endings = [".et", ".json", ".json.gz", ".json.zst", ".json.xz"];
                job.trace_format.as_deref().is_some_and(|name| formats.contains(&name))
                    || endings.iter().any(|ending| path.ends_with(ending))
            }
            Program::Compute { .. } | Program::Assumed { .. } => false,
        };
        matches!(self, WorkloadSpec::Jobs(jobs) if jobs.iter().any(of_job))
    }
}

/// One application run.
#[derive(Clone, Debug)]
pub struct JobSpec {
    /// Its name in results.
    pub name: String,
    /// What its ranks do.
    pub program: Program,
    /// The number of ranks that the program must have, if given.
    pub ranks: Option<u32>,
    /// Where its ranks run.
    pub placement: PlacementSpec,
    /// The machine file of Dimemas that tells the speed of each node.
    pub machine: Option<PathBuf>,
    /// The format of its trace; `None` where the trace tells.
    pub trace_format: Option<String>,
    /// The formats that traces may have.
    pub formats: Formats,
    /// The part of its trace that is run, by time; all of it without.
    pub time: Option<Range<Time>>,
    /// How a trace's operations become time.
    pub compute: ComputeModel,
    /// The algorithms of its collective operations that are named.
    pub collectives: Algorithms,
    /// How often its ranks run the program.
    pub repeat: Repeat,
    /// When its ranks start; where a scheduler starts it, when it arrives.
    pub start: Time,
    /// How long its user says that it will run; a scheduler may ask.
    pub estimate: Option<Time>,
    /// What a log says of it, if it comes from one.
    pub log: Option<LogTimes>,
    /// The path of its table, such as `job.0`, to point to it.
    pub path: String,
}

/// What a log says of a job.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LogTimes {
    /// When it started; `None` where that is not known.
    pub start: Option<Time>,
    /// How long it ran.
    pub run: Time,
    /// How long it was allowed to run; `None` where that is not known.
    pub limit: Option<Time>,
    /// The whole nodes that it held.
    pub nodes: u32,
    /// Which these were; `None` where any will do.
    pub named: Option<Arc<[NodeId]>>,
    /// How often its program runs in that time; `None`: as often as fits.
    pub runs: Option<u32>,
}

/// How often the ranks of a job run their program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum Repeat {
    /// So many times in a row.
    Times(u32),
    /// Again and again, until all jobs have ended that run a number of times.
    UntilOthersEnd,
}

impl Repeat {
    /// Returns the number of runs that are known before: one of a job that repeats until others end.
    pub fn times(self) -> u32 {
        match self {
            Repeat::Times(times) => times,
            Repeat::UntilOthersEnd => 1,
        }
    }
}

/// What the ranks of a job do.
#[derive(Clone, Debug)]
pub enum Program {
    /// The operations of the trace at this path.
    Trace(PathBuf),
    /// Phases of an application, which have the same number of ranks.
    App(Vec<Phase>),
    /// Ranks that compute for a time and send nothing.
    Compute {
        /// How many.
        ranks: u32,
        /// How long.
        time: Time,
    },
    /// Ranks on all cores of some nodes of which no more is known than their time: a share of it is assumed to go
    /// to communication.
    Assumed {
        /// How many nodes.
        nodes: u32,
        /// Ranks of each.
        cores: u32,
        /// How long.
        time: Time,
        /// Which share, in how many exchanges.
        division: Division,
    },
}

impl JobSpec {
    /// Makes a job of a log, which has no [[job]] of its own.
    pub(super) fn unmapped(name: &str, program: Program, path: &str) -> Self {
        JobSpec {
            name: name.to_owned(),
            program,
            ranks: None,
            placement: PlacementSpec::Linear,
            machine: None,
            trace_format: None,
            formats: Formats::default(),
            time: None,
            compute: ComputeModel::TEN_GIGAFLOPS,
            collectives: Algorithms::default(),
            repeat: Repeat::Times(1),
            start: Time::ZERO,
            estimate: None,
            log: None,
            path: path.to_owned(),
        }
    }

    /// Returns the same job, which runs its program so many times.
    #[must_use]
    pub fn repeated(&self, times: u32) -> Self {
        JobSpec { repeat: Repeat::Times(times), ..self.clone() }
    }

    /// Returns the path of the key that names the program.
    pub fn program_path(&self) -> String {
        let key = match self.program {
            Program::Trace(_) => "trace",
            Program::App(_) => "app",
            Program::Compute { .. } | Program::Assumed { .. } => "file",
        };
        format!("{}.{key}", self.path)
    }
}

/// Where the ranks of a job run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PlacementSpec {
    /// On the first free cores, filling a node before the next.
    Linear,
    /// On free cores of one node after the other, going round them all before a node's second core is used.
    RoundRobin,
    /// On free cores drawn at random from this seed and the job's number.
    Random(u64),
    /// On the free cores of nodes in a random order, drawn likewise, filling a node before the next.
    RandomNodes(u64),
    /// On the nodes that a file lists, one number per line and rank.
    File(PathBuf),
    /// On the nodes that the job's machine file of Dimemas maps its tasks to.
    Machine,
}

impl Case {
    /// Sets the format of the traces of all jobs.
    pub fn read_traces_as(&mut self, format: &str) {
        let WorkloadSpec::Jobs(jobs) = &mut self.workload else { return };
        for job in jobs.iter_mut().filter(|job| matches!(job.program, Program::Trace(_))) {
            job.trace_format = Some(format.to_owned());
        }
    }

    /// Returns the same case with every channel always on: the baseline of `--baseline always-on`. It is the same for all
    /// policies, so it has none of the rules of how packets meet channels that sleep.
    #[must_use]
    pub fn always_on(&self) -> Case {
        let mut case = self.clone();
        case.system.config.sleep = SleepRules::default();
        case.system.policy = ByClass::always_on(case.system.network.classes.len());
        case.system.config.classes.iter_mut().for_each(|class| class.states = None);
        case
    }

    /// Returns the same case by packets.
    #[must_use]
    pub fn by_packets(&self) -> Case {
        let mut case = self.clone();
        case.system.config.unit = Unit::Packet;
        case
    }

    /// Returns the same case by flows: as it is written, or as is usual for its switches.
    #[must_use]
    pub fn by_flows(&self) -> Case {
        let mut case = self.clone();
        let config = &mut case.system.config;
        config.unit = Unit::Flow(config.unit.flows().unwrap_or_else(|| usual_flows(&config.switch)));
        case
    }

    /// Returns the same case with each job alone on the machine: the baseline of `--baseline alone`. `None` where no
    /// scheduler starts its jobs.
    #[must_use]
    pub fn alone(&self) -> Option<Case> {
        let mut case = self.clone();
        case.scheduler.as_mut()?.kind = Kind::Alone;
        Some(case)
    }

    /// Returns whether no channel of the case ever sleeps.
    pub fn is_always_on(&self) -> bool {
        self.system.policy == ByClass::always_on(self.system.network.classes.len())
    }
}
