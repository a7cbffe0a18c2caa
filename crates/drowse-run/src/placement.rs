//! Places the ranks of a job on free cores, by its `placement`.

use std::path::Path;

use drowse_core::model::ids::NodeId;
use drowse_core::model::rng::{Purpose, Stream};
use drowse_core::workload::placement::{FreeCores, PlacementError};

use crate::error::RunError;
use crate::machine_file::{self, MachineFile};
use drowse_experiment::machine::is_bad_input;
use drowse_experiment::{Diagnostic, JobSpec, PlacementSpec, Source, System, meant, read_text};

/// The values of `placement` beside file names.
const WORDS: [&str; 4] = ["linear", "random", "random-nodes", "round-robin"];

/// Places the ranks of a job; `number` is its position among all jobs, copies included.
pub fn place(
    spec: &JobSpec,
    number: u32,
    ranks: u32,
    free: &mut FreeCores,
    system: &System,
) -> Result<Vec<NodeId>, RunError> {
    let placed = match &spec.placement {
        PlacementSpec::Linear => free.linear(ranks),
        PlacementSpec::RoundRobin => free.round_robin(ranks),
        PlacementSpec::Random(seed) => free.random(ranks, &mut Stream::new(*seed, Purpose::Placement, number)),
        PlacementSpec::RandomNodes(seed) => {
            free.random_nodes(ranks, &mut Stream::new(*seed, Purpose::Placement, number))
        }
        PlacementSpec::File(file) => return by_file(file, spec, ranks, free, system),
        PlacementSpec::Machine => match machine_file::of_job(spec, system)? {
            Some(machine) => return on_machine(&machine, ranks, spec, free, system),
            None => free.linear(ranks),
        },
    };
    Ok(placed.map_err(|error| does_not_fit(error, spec, system))?)
}

fn does_not_fit(error: PlacementError, spec: &JobSpec, system: &System) -> Diagnostic {
    let (nodes, cores) = (system.network.nodes, system.cores);
    let all = u64::from(nodes) * u64::from(cores);
    match error {
        PlacementError::TooManyRanks { ranks, free } => {
            let message = format!("the {ranks} ranks of `{}` do not fit: {free} cores are free", spec.name);
            let help = format!("node.cores = {cores} on {nodes} nodes make {all}; raise it or make [network] larger");
            system.keys.error(&spec.program_path(), message, help)
        }
        PlacementError::TooManyCores { .. } => {
            system.keys.error(&format!("{}.placement", spec.path), error.to_string(), "make node.cores smaller")
        }
    }
}

/// Takes the cores of the nodes that a machine file maps tasks to.
fn on_machine(
    machine: &MachineFile,
    ranks: u32,
    spec: &JobSpec,
    free: &mut FreeCores,
    system: &System,
) -> Result<Vec<NodeId>, RunError> {
    let at = format!("{}.dimemas", spec.path);
    let take = |node: u32| {
        take_core(&node.to_string(), free).map_err(|(message, help)| {
            system.keys.error(&at, format!("the machine file maps a task to node {node}: {message}"), help).into()
        })
    };
    machine.place(ranks)?.into_iter().map(take).collect()
}

/// Reads one node number per line and rank; empty lines and what follows `#` are left out.
fn by_file(
    file: &Path,
    spec: &JobSpec,
    ranks: u32,
    free: &mut FreeCores,
    system: &System,
) -> Result<Vec<NodeId>, RunError> {
    let at = format!("{}.placement", spec.path);
    let text = read_text(file).map_err(|error| {
        if !is_bad_input(&error) {
            return RunError::Machine(format!("{}: cannot be read: {error}", file.display()));
        }
        let message = format!("the placement file {} cannot be read: {error}", file.display());
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        let words = WORDS.map(|word| format!("\"{word}\"")).join(", ");
        let help =
            format!("{}write {words}, or the name of a file with one node number per line", meant(&name, &WORDS));
        system.keys.error(&at, message, help).into()
    })?;
    let source = Source::new(file, text.clone(), &[])?;
    let mut placement = Vec::new();
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let word = line.split('#').next().unwrap_or_default().trim();
        if !word.is_empty() {
            let offset = start + line.find(word).unwrap_or_default();
            let span = offset..offset + word.len();
            let node = take_core(word, free).map_err(|(message, help)| source.error_at(&span, message, help))?;
            placement.push(node);
        }
        start += line.len();
    }
    if placement.len() != ranks as usize {
        let message = format!("the placement file has {} nodes for {ranks} ranks", placement.len());
        return Err(system.keys.error(&at, message, "write one node number per rank, each on a line").into());
    }
    Ok(placement)
}

/// Takes a core of the node that a word names, or returns message and help of an error.
fn take_core(word: &str, free: &mut FreeCores) -> Result<NodeId, (String, String)> {
    let node = word.parse().ok().filter(|&node| free.of(node).is_some());
    let Some(node) = node else {
        return Err((format!("`{word}` is no node"), format!("write a number from 0 to {}", free.nodes() - 1)));
    };
    let full = || (format!("node {node} has no free core"), "raise node.cores, or use another node".into());
    free.take(node).ok_or_else(full)
}
