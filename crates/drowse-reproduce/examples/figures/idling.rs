//! How edge links idle, and how PerfBound's timers settle (Saravanan and Carpenter 2018, Figs. 6 and 12): the runs.

use std::collections::BTreeMap;
use std::error::Error;
use std::path::Path;

use drowse_core::measure::probe::{IdleBin, Tally, idle_bin, idle_edges};
use drowse_core::measure::{ProbeOptions, ProbeRecord};
use drowse_core::model::ids::ChannelId;
use drowse_experiment::load_case;
use drowse_run::outcome::Outcome;
use drowse_run::request::RunRequest;

use crate::parallel;

/// The experiment; policy and trace are changed.
const EXPERIMENT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/perfbound.toml");
/// Bins of a decade of time.
pub const BINS_PER_DECADE: f64 = 20.0;
/// One millisecond, in bins from one microsecond on.
const MILLISECOND: u8 = 60;

/// A program and its trace.
type Program = (&'static str, &'static str);
type Failed = Box<dyn Error>;

/// Those whose idle periods the paper shows.
const IDLING: [Program; 2] = [("LINPACK", "hpl.64"), ("BT", "bt.A.64")];
/// Those whose timers are shown.
const SETTLING: [Program; 5] =
    [("BT", "bt.A.64"), ("CG", "cg.A.64"), ("LU", "lu.A.64"), ("MG", "mg.A.64"), ("LINPACK", "hpl.64")];

/// All runs.
pub struct Study {
    pub idling: Vec<Idling>,
    pub settling: Vec<Settling>,
}

/// The idle periods of the edge links of a program whose links are always on.
pub struct Idling {
    pub name: &'static str,
    /// Pairs of consecutive periods of 1 us and more, by their bins.
    pub pairs: BTreeMap<[u8; 2], Tally>,
    /// All periods of 1 us and more, by their bins.
    periods: BTreeMap<u8, Tally>,
}

/// The stall timers that an edge link has had under PerfBound without correction, which the paper adds later.
pub struct Settling {
    pub name: &'static str,
    /// The bin of the timer after each idle period of 1 us or more; `None` where the link never sleeps.
    pub timers: Vec<Option<u8>>,
}

/// Runs all programs.
pub fn run() -> Result<Study, Failed> {
    Ok(Study { idling: all(&IDLING, idling)?, settling: all(&SETTLING, settling)? })
}

fn all<T: Send>(programs: &[Program], run: fn(Program) -> Result<T, String>) -> Result<Vec<T>, Failed> {
    let results = parallel::map(programs, |&program| run(program));
    Ok(results.into_iter().collect::<Result<_, _>>()?)
}

/// Runs a program as traced, once.
fn outcome((_, trace): Program, policy: &str, wanted: ProbeOptions) -> Result<Outcome, String> {
    let set = [
        format!("power.policy={policy}"),
        format!("job.0.trace=\"../traces/{trace}.tar.zst\""),
        // What HPL polls is in its trace as computation of whole megaflops.
        "job.0.compute={ flops_per_second = \"10 Gflop/s\", drop_multiples = \"1 Mflop\" }".to_owned(),
        "job.0.repeat=1".to_owned(),
    ];
    let case = load_case(Path::new(EXPERIMENT), &set).map_err(|error| error.to_string())?;
    let run = RunRequest { probes: wanted, ..RunRequest::new(&case) }.run();
    run.map(|outcomes| outcomes.case).map_err(|error| error.to_string())
}

/// Returns what was seen of the channels that lead from and to nodes.
fn of_edges(outcome: &Outcome) -> impl Iterator<Item = &ProbeRecord> {
    let network = &outcome.case.system.network;
    let is_edge =
        |channel: usize| network.classes[usize::from(network.channel_class(ChannelId(channel as u32)))] == "node";
    outcome.seen.iter().enumerate().filter(move |&(channel, _)| is_edge(channel)).map(|(_, seen)| seen)
}

fn idling(program: Program) -> Result<Idling, String> {
    let wanted = ProbeOptions { idle_pairs: true, idle_periods: true, ..ProbeOptions::default() };
    let outcome = outcome(program, "{ kind = \"always-on\" }", wanted)?;
    let mut found = Idling { name: program.0, pairs: BTreeMap::new(), periods: BTreeMap::new() };
    for seen in of_edges(&outcome) {
        for (&pair, &tally) in &seen.pairs {
            if let (Some(bin), Some(next)) = pair {
                found.pairs.entry([bin, next]).or_default().add(tally);
            }
        }
        for (&bin, &tally) in &seen.periods {
            bin.iter().for_each(|&bin| found.periods.entry(bin).or_default().add(tally));
        }
    }
    Ok(found)
}

fn settling(program: Program) -> Result<Settling, String> {
    let wanted = ProbeOptions { timers: true, ..ProbeOptions::default() };
    let outcome = outcome(program, "{ kind = \"perfbound\", bound = 0.01, correction = false }", wanted)?;
    // Of the channels from nodes, the first: they come behind those of ports.
    let first = outcome.seen.len() - outcome.case.system.network.nodes as usize;
    let timers = outcome.seen[first].timers.iter();
    Ok(Settling { name: program.0, timers: timers.map(|at| sleeping(idle_bin(at.timers.deep))).collect() })
}

/// Returns the bin of a timer, but for the last one, which has no end: there the link never sleeps.
fn sleeping(bin: IdleBin) -> IdleBin {
    bin.filter(|_| idle_edges(bin).1.is_some())
}

impl Idling {
    /// Returns the share of periods of 1 us and more that are longer than 1 ms, and their share of the idle time.
    pub fn long(&self) -> [f64; 2] {
        let count = |from: u8| self.periods.range(from..).map(|(_, tally)| tally.count as f64).sum::<f64>();
        [count(MILLISECOND) / count(0), self.time_in_longer(MILLISECOND)]
    }

    /// Returns the share of the idle time, in periods of 1 us and more, that lies in periods longer than some bins.
    pub fn time_in_longer(&self, from: u8) -> f64 {
        let sum = |from: u8| self.periods.range(from..).map(|(_, tally)| tally.idle).sum::<u128>() as f64;
        sum(from) / sum(0)
    }

    /// Returns the microseconds at which most periods lie, of those that are longer than some bins.
    pub fn most_frequent(&self, from: u8) -> Option<f64> {
        let most = self.periods.range(from..).max_by_key(|(_, tally)| tally.count)?;
        Some(idle_edges(Some(*most.0)).0.seconds() * 1e6)
    }
}
