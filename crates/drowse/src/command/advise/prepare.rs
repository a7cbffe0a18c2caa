//! Reads the machine, its job log and its programs, and chooses windows and policies.

use std::fs;
use std::path::{Path, PathBuf, absolute};
use std::sync::Arc;

use drowse_core::power::rate::Rate;
use drowse_core::topology::{End, Network};
use drowse_experiment::{Kinds, Ran, Source, Sweep, System, log_times, read_source};
use drowse_report::advice::{Asked, Window};
use drowse_run::advise::machine::{Tariff, complete};
use drowse_run::advise::plan::{Plan, Policy, policies, window_name};
use drowse_run::advise::programs::Assumed;
use drowse_run::advise::windows::{Chosen, Wanted, choose};
use drowse_run::inputs::{self, Traces};
use drowse_tables::number::grouped;
use toml::{Table, Value};

use super::arguments::Arguments;
use crate::failure::Failure;

/// The experiment that asks for every policy, in the folder of an advice.
pub const FILE: &str = "advise.toml";
/// Microseconds of a day.
const DAY: f64 = 86_400e6;

/// What is asked.
pub struct Prepared {
    /// The sections of the machine.
    pub machine: Table,
    /// Its nodes.
    pub nodes: u32,
    /// The job log.
    pub log: PathBuf,
    /// Keys of `scheduler.log` beside file and days.
    pub log_keys: Table,
    /// What its jobs run.
    pub jobs: Vec<Value>,
    /// Whether that is assumed.
    pub is_assumed: bool,
    /// The windows.
    pub chosen: Chosen,
    /// The policies that flows do not refuse.
    pub policies: Vec<Policy>,
    /// Those that flows refuse, and packets do not.
    pub by_packets_only: Vec<Policy>,
    /// What the page says beside figures.
    pub asked: Asked,
}

impl Prepared {
    /// Reads all that the arguments name.
    pub fn new(arguments: &Arguments, kinds: &Kinds, folder: &Path) -> Result<Self, Failure> {
        let overrides: Vec<String> = arguments.dump.keys()?.into_iter().chain(arguments.overrides.clone()).collect();
        let (mut machine, system) = kinds.load_machine(&arguments.file, &overrides)?;
        let tariff = Tariff { price: arguments.price, carbon: arguments.carbon, pue: arguments.pue };
        let assumed = complete(&mut machine, &tariff);
        let log = from_root(&arguments.jobs)?;
        let nodes = system.network.nodes;
        let jobs = log_times(&arguments.jobs, nodes, system.cores, arguments.processors_per_node)?;
        let wanted = Wanted {
            busiest: arguments.busiest,
            drawn: arguments.drawn,
            length: arguments.window.0 / 1_000_000,
            seed: arguments.seed,
        };
        let chosen = choose(&jobs, nodes, &wanted);
        if chosen.windows.is_empty() {
            return Err(Failure::Refused(format!(
                "error: {}: at no time do jobs hold {nodes} nodes or fewer\n\
                 help: write --processors-per-node if the log counts processors, or a log of this machine",
                arguments.jobs.display()
            )));
        }
        let programs = arguments.programs.as_deref().map(programs).transpose()?;
        let is_assumed = programs.is_none();
        let asked = asked(arguments, &system, (&jobs, &chosen), folder);
        let mut prepared = Prepared {
            machine,
            nodes,
            log,
            log_keys: log_keys(arguments),
            jobs: programs.unwrap_or_else(|| Assumed::Halo.jobs(nodes)),
            is_assumed,
            chosen,
            policies: policies(has_trunks(&system.network)),
            by_packets_only: Vec::new(),
            asked,
        };
        prepared.assume(assumed, &system);
        prepared.leave_out_refused(kinds, folder)?;
        Ok(prepared)
    }

    /// Returns the experiment of policies in windows, the first of all.
    pub fn text(&self, jobs: &[Value], windows: usize, policies: &[Policy]) -> String {
        let windows = &self.chosen.windows[..windows.min(self.chosen.windows.len())];
        let Prepared { machine, log, log_keys, .. } = self;
        Plan { machine, log, log_keys, jobs, windows, policies }.text()
    }

    /// Says what is assumed.
    fn assume(&mut self, of_machine: Vec<String>, system: &System) {
        let Chosen { idle, overfull, .. } = self.chosen;
        let mut said = of_machine;
        if self.is_assumed {
            said.push(format!("The log does not say what jobs send: {}. --programs says it.", Assumed::Halo.words()));
        }
        said.push("A window shows milliseconds: its jobs are those that ran then, and end with it.".into());
        if !has_names(system) {
            said.push(
                "Jobs get the first free nodes in the order of their start: the log or the network has no names."
                    .into(),
            );
        }
        if idle > 0.0 {
            said.push(format!(
                "No job ran in {:.2} % of the log. That time counts as the mean of the others, although more could sleep.",
                idle * 100.0
            ));
        }
        if overfull > 0.0 {
            said.push(format!(
                "In {:.2} % of the log, jobs held more nodes than there are: no window lies there.",
                overfull * 100.0
            ));
        }
        if !has_trunks(&system.network) {
            said.push("No two switches have parallel links, so `trunk` and `standby` have nothing to do.".into());
        }
        said.push(format!("Watts: {}.", drowse_run::described(system, |whose| &whose.what)));
        said.extend(system.notes.iter().cloned());
        self.asked.assumed = said;
    }

    /// Leaves out the policies that flows refuse, and says why.
    fn leave_out_refused(&mut self, kinds: &Kinds, folder: &Path) -> Result<(), Failure> {
        let mut kept = Vec::new();
        for policy in std::mem::take(&mut self.policies) {
            let text = self.text(&[], 1, std::slice::from_ref(&policy));
            let source = Arc::new(Source::new(&folder.join(FILE), text, &[])?);
            let sweep = Sweep::of(&source, kinds.clone())?;
            let case = sweep.case(0);
            // What is wrong with the machine is wrong with every policy.
            let case = if kept.is_empty() { case.map(Some)? } else { told(case, &policy, &mut self.asked) };
            let Some(case) = case else { continue };
            let inputs = inputs::open(&case, &Traces::default())?;
            match drowse_run::check(&case, &inputs) {
                Ok(()) => kept.push(policy),
                Err(error) if kept.is_empty() => return Err(error.into()),
                Err(_) if drowse_run::check(&case.by_packets(), &inputs).is_ok() => self.by_packets_only.push(policy),
                Err(error) => self.asked.refused.push((policy.name, plain(&error.to_string()))),
            }
        }
        self.policies = kept;
        Ok(())
    }
}

/// Returns a case, or notes why its policy is left out.
fn told<T, E: std::fmt::Display>(case: Result<T, E>, policy: &Policy, asked: &mut Asked) -> Option<T> {
    case.map_err(|error| asked.refused.push((policy.name.clone(), plain(&error.to_string())))).ok()
}

/// Returns the first line of an error, without the place in a file that nobody has written.
fn plain(error: &str) -> String {
    let line = error.lines().next().unwrap_or_default();
    line.rsplit_once("error: ").map_or(line, |(_, message)| message).to_owned()
}

fn log_keys(arguments: &Arguments) -> Table {
    let processors = arguments.processors_per_node.map(|count| ("processors_per_node", Value::from(i64::from(count))));
    let nodes = arguments.nodes.as_deref().map(|nodes| ("nodes", Value::from(nodes)));
    processors.into_iter().chain(nodes).map(|(key, value)| (key.to_owned(), value)).collect()
}

fn from_root(file: &Path) -> Result<PathBuf, Failure> {
    absolute(file).map_err(|error| Failure::Refused(format!("error: {}: {error}", file.display())))
}

/// Reads the programs of a file: its `[[job]]` tables.
fn programs(file: &Path) -> Result<Vec<Value>, Failure> {
    let source = read_source(file, &[])?;
    let wrong = |message: &str, help: &str| Failure::from(source.error(message, help));
    let text =
        fs::read_to_string(file).map_err(|error| Failure::Refused(format!("error: {}: {error}", file.display())))?;
    let table: Table =
        text.parse().map_err(|error: toml::de::Error| wrong(error.message(), "see https://toml.io for the syntax"))?;
    let jobs = match table.get("job") {
        Some(Value::Array(jobs)) => jobs.clone(),
        Some(job @ Value::Table(_)) => vec![job.clone()],
        _ => Vec::new(),
    };
    if jobs.is_empty() {
        return Err(wrong("this file has no [[job]]", "write a [[job]] table for each program, as for scheduler.log"));
    }
    let mut jobs = jobs;
    for job in jobs.iter_mut().filter_map(Value::as_table_mut) {
        if let Some(trace) = job.get("trace").and_then(Value::as_str) {
            let trace = from_root(&source.resolve(trace))?;
            job.insert("trace".into(), trace.display().to_string().into());
        }
    }
    Ok(jobs)
}

/// Returns whether two switches have several links.
fn has_trunks(network: &Network) -> bool {
    let mut pairs = std::collections::HashSet::new();
    (0..network.ports()).any(|port| {
        let channel = drowse_core::model::ids::ChannelId(port);
        let End::Port(peer) = network.target(channel) else { return false };
        !pairs.insert((network.port_switch(port as usize), network.port_switch(peer.index())))
    })
}

/// Returns whether the network has names of nodes.
fn has_names(system: &System) -> bool {
    !system.topology.node_names().is_empty()
}

/// Says what is asked, but for what is assumed.
fn asked(arguments: &Arguments, system: &System, (jobs, chosen): (&[Ran], &Chosen), folder: &Path) -> Asked {
    let network = &system.network;
    let count = |number: u64| grouped(&number.to_string());
    let windows = chosen.windows.iter().enumerate().map(|(number, window)| Window {
        name: window_name(number, window),
        is_busiest: window.is_busiest,
        day: window.from as f64 / DAY,
        milliseconds: window.length as f64 / 1e3,
        jobs: window.jobs,
        nodes: window.nodes,
    });
    Asked {
        machine: format!(
            "{}: {} nodes, {} switches, {} links between switches",
            arguments.file.display(),
            count(network.nodes.into()),
            count(network.switches().into()),
            count(network.switch_links().into()),
        ),
        log: format!(
            "{}: {} jobs in {:.1} days, which held {:.1} % of the nodes in the mean",
            arguments.jobs.display(),
            count(jobs.len() as u64),
            chosen.span as f64 / DAY,
            chosen.held * 100.0,
        ),
        windows: windows.collect(),
        bound: arguments.slowdown,
        price: arguments.price.or_else(|| system.tariff.price.as_ref().and_then(Rate::mean)),
        carbon: arguments.carbon.or_else(|| system.tariff.carbon.as_ref().and_then(Rate::mean)),
        pue: arguments.pue.unwrap_or(system.tariff.pue),
        node_watts: system.watts.watts.node.busy,
        folder: folder.display().to_string(),
        ..Asked::default()
    }
}
