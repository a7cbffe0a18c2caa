//! Counts which channels a workload uses, without simulating it (Totoni et al. 2014, sections 3 and 5).

use std::collections::BTreeSet;
use std::sync::Arc;

use drowse_core::model::config::SwitchModel;
use drowse_core::model::ids::NodeId;
use drowse_core::usage::{Account, Matrix, Sender, Traffic};
use drowse_core::workload::by_node::ByNode;
use drowse_core::workload::check::check;
use drowse_core::workload::collectives;
use drowse_core::workload::communicators::{CommId, Communicators};
use drowse_core::workload::operation::{Collective, Operation, OperationSource, SourceError};
use drowse_core::workload::placement::FreeCores;
use drowse_core::workload::programs::{Application, Flow, Iterate, Phase, sent};
use drowse_traces::Trace;

use drowse_experiment::{Case, Diagnostic, JobSpec, Program, System, WorkloadSpec};
use drowse_run::error::RunError;
use drowse_run::inputs::{Traces, application, open_program, ranks};
use drowse_run::placement::place;

/// The traffic of a workload on the channels of a network.
#[derive(Debug)]
pub struct Usage<'a> {
    /// The traffic on each channel.
    pub account: Account<'a>,
    /// The traffic between ranks.
    pub matrix: Matrix,
    /// The traffic between ranks of one node.
    pub within: Traffic,
    /// Nodes that have a rank.
    pub nodes: u32,
    /// What to know before using the figures.
    pub warnings: Vec<String>,
}

/// The source of a job's messages.
enum Opened<'a> {
    Trace(Trace),
    /// Its phases, and the steps of those that do not send all messages at once, one iteration each.
    App(Vec<(&'a Phase, Option<Arc<Application>>)>),
}

/// A job whose ranks are placed.
struct Placed<'a> {
    spec: &'a JobSpec,
    program: Opened<'a>,
    placement: Vec<NodeId>,
}

/// Counts what the jobs of a case send over each channel.
pub fn count<'a>(case: &'a Case, traces: &Traces) -> Result<Usage<'a>, RunError> {
    let system = &case.system;
    let jobs = open(case, traces)?;
    let ranks: u64 = jobs.iter().map(|job| job.placement.len() as u64).sum();
    let ranks = u32::try_from(ranks).map_err(|_| {
        let message = format!("the jobs have {ranks} ranks together");
        system.keys.error("job", message, format!("make them fewer: the most is {}", u32::MAX))
    })?;
    let mut usage = Usage {
        account: Account::new(&system.network, &system.config),
        matrix: Matrix::new(ranks),
        within: Traffic::default(),
        nodes: jobs.iter().flat_map(|job| &job.placement).collect::<BTreeSet<_>>().len() as u32,
        warnings: Vec::new(),
    };
    let mut first = 0;
    for job in &jobs {
        usage.matrix.begin_at(first);
        check_pairs(job, system)?;
        usage.add(job, &system.config.switch)?;
        first += job.placement.len() as u32;
    }
    Ok(usage)
}

/// Opens the programs of a case and places their ranks.
fn open<'a>(case: &'a Case, traces: &Traces) -> Result<Vec<Placed<'a>>, RunError> {
    let system = &case.system;
    let WorkloadSpec::Jobs(specs) = &case.workload else {
        let help = "write [[job]] with a trace or an app, such as app = { kind = \"random\", ... }";
        return Err(system.keys.error("traffic", "usage needs a job: open-loop traffic has no end", help).into());
    };
    if case.scheduler.is_some() {
        let help = "remove [scheduler], and write placements";
        return Err(system.keys.error("scheduler", "a scheduler places jobs only during a run", help).into());
    }
    if system.network.channels() == 0 {
        let message = "an ideal network has no channels to use";
        return Err(system.keys.error("network.kind", message, "write another kind of network").into());
    }
    let mut free = FreeCores::new(system.network.nodes, system.cores);
    let place_job = |(number, spec): (u32, &'a JobSpec)| {
        let (program, ranks) = match &spec.program {
            Program::Trace(path) => {
                let trace = open_program(path, spec, traces, system)?.trace;
                let ranks = trace.ranks();
                (Opened::Trace(trace), ranks)
            }
            Program::App(phases) => {
                let ranks = ranks(spec, phases, system)?;
                (Opened::App(phases.iter().map(|phase| opened(spec, phase, system)).collect::<Result<_, _>>()?), ranks)
            }
            // It sends nothing.
            &Program::Compute { ranks, .. } => (Opened::App(Vec::new()), ranks),
            // Only jobs of a log are so, and a scheduler is refused.
            &Program::Assumed { nodes, cores, .. } => (Opened::App(Vec::new()), nodes * cores),
        };
        Ok(Placed { spec, program, placement: place(spec, number, ranks, &mut free, system)? })
    };
    (0..).zip(specs).map(place_job).collect()
}

/// Prepares one iteration of a phase, unless it sends all messages at once.
fn opened<'a>(
    spec: &JobSpec,
    phase: &'a Phase,
    system: &System,
) -> Result<(&'a Phase, Option<Arc<Application>>), Diagnostic> {
    if phase.work.at_once().is_some() {
        return Ok((phase, None));
    }
    let once = Phase { iterations: 1, ..phase.clone() };
    Ok((phase, Some(Arc::new(application(spec, &[once], system)?))))
}

/// Refuses a program with so many messages, or so many pairs of nodes, that following all of them would take minutes.
fn check_pairs(job: &Placed<'_>, system: &System) -> Result<(), Diagnostic> {
    const MOST: u64 = 1 << 30;
    let Opened::App(phases) = &job.program else { return Ok(()) };
    let refuse = |message: String, help: String| Err(system.keys.error(&job.spec.program_path(), message, help));
    let nodes = job.placement.iter().collect::<BTreeSet<_>>().len() as u64;
    for (Phase { work, .. }, _) in phases {
        match work.at_once() {
            Some(program) if program.to_all().is_some() && nodes * nodes > MOST => {
                let message = format!("every rank sends to every other: {nodes} nodes have too many pairs to follow");
                let help = format!("use at most {} nodes: fewer ranks, or more ranks per node", MOST.isqrt());
                return refuse(message, help);
            }
            None if work.messages() > MOST => {
                let message = format!("an iteration has {} messages, too many to follow each", work.messages());
                return refuse(message, format!("make them at most {MOST}: fewer ranks, or smaller groups"));
            }
            _ => {}
        }
    }
    Ok(())
}

impl Usage<'_> {
    /// Counts what a job sends.
    fn add(&mut self, job: &Placed<'_>, switch: &SwitchModel) -> Result<(), RunError> {
        let repeat = u64::from(job.spec.repeat.times());
        let mut sender = Sender::new(&job.placement, switch);
        match &job.program {
            Opened::App(phases) => {
                for (Phase { work, iterations, .. }, steps) in phases {
                    let times = u64::from(*iterations).saturating_mul(repeat);
                    if let Some(program) = work.at_once() {
                        sender.send_at_once(program, times, &mut self.account, &mut self.matrix);
                    }
                    if let Some(steps) = steps {
                        self.add_operations(job, &mut sender, &mut Iterate::new(Arc::clone(steps), 1), times)?;
                    }
                }
            }
            Opened::Trace(trace) => {
                let mut source = trace.operations(job.spec.compute);
                self.add_operations(job, &mut sender, source.as_mut(), repeat)?;
                self.warnings.extend(source.warnings());
            }
        }
        self.within += sender.within();
        Ok(())
    }

    /// Counts what the ranks of a job send by their operations, so many times.
    fn add_operations(
        &mut self,
        job: &Placed<'_>,
        sender: &mut Sender<'_>,
        source: &mut dyn OperationSource,
        times: u64,
    ) -> Result<(), RunError> {
        let communicators = source.communicators();
        let nodes = ByNode::new(&communicators, &job.placement);
        let flows = |rank, visit: &mut dyn FnMut(Flow)| {
            let expand = |comm, collective: &Collective, expanded: &mut Vec<Operation>| {
                let algorithms = &job.spec.collectives;
                collectives::expand_in(&communicators, algorithms, Some(&nodes), comm, rank, collective, expanded);
            };
            send_all(source, &communicators, rank, &expand, visit)
        };
        sender.send(times, &mut self.account, &mut self.matrix, flows).map_err(RunError::Source)
    }
}

/// Calls `visit` with all messages that a rank sends, those included of its collective operations, which `expand`
/// appends.
fn send_all(
    source: &mut dyn OperationSource,
    communicators: &Communicators,
    rank: u32,
    expand: &dyn Fn(CommId, &Collective, &mut Vec<Operation>),
    visit: &mut dyn FnMut(Flow),
) -> Result<(), SourceError> {
    let (mut operations, mut expanded) = (Vec::new(), Vec::new());
    loop {
        operations.clear();
        source.refill(rank, &mut operations)?;
        if operations.is_empty() {
            return Ok(());
        }
        for operation in &operations {
            check(operation, rank, communicators)?;
            expanded.clear();
            if let (Some(comm), Some(collective)) = (operation.comm(), operation.called()) {
                expand(comm, collective, &mut expanded);
            }
            std::iter::once(operation).chain(&expanded).filter_map(sent).for_each(&mut *visit);
        }
    }
}
