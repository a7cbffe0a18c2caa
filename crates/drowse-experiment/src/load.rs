//! Reads experiment files and resolves them, section by section.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use drowse_core::model::config::Config;
use drowse_fabric::Fabric;

use super::case::{Case, System, WorkloadSpec};
use super::diagnostic::Diagnostic;
use super::keys::Keys;
use super::kinds::Kinds;
use super::lists::Lists;
use super::lru_cache::LruCache;
use super::node::Node;
use super::sections::head::Head;
use super::sections::watts::Drawn;
use super::sections::{
    cost, job, link, network, node as compute_node, power, scheduler, simulation, switch, traffic, transport,
};
use super::source::{Source, read_text};
use super::subnet_files::SubnetFiles;
use super::{document, single_case};

/// Why an experiment cannot be had.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// Something in it is wrong.
    #[error(transparent)]
    Wrong(#[from] Diagnostic),
    /// Its file cannot be read.
    #[error("{}: error: this file cannot be read: {error}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the system said.
        error: io::Error,
    },
}

/// The networks that were built last, by the text of their section.
pub(super) type Networks = LruCache<network::Resolved>;

/// Reads the file at `path`, puts in the overrides (`path=value` each), and resolves the case in it.
pub fn load_case(path: &Path, overrides: &[String]) -> Result<Case, LoadError> {
    Kinds::default().load_case(path, overrides)
}

/// Reads the file at `path`, puts in the overrides, and resolves the system; what runs on it may be missing.
pub fn load_system(path: &Path, overrides: &[String]) -> Result<System, LoadError> {
    Kinds::default().load_system(path, overrides)
}

/// Resolves the case of an experiment that is no file; the paths in it begin in the working folder.
pub fn case_of(text: &str) -> Result<Case, Diagnostic> {
    case(&Arc::new(Source::new(Path::new("experiment.toml"), text.to_owned(), &[])?))
}

/// Resolves the case of an experiment.
pub fn case(source: &Arc<Source>) -> Result<Case, Diagnostic> {
    Kinds::default().case(source)
}

impl Kinds {
    /// Does as [`load_case`], where an experiment may name these kinds.
    pub fn load_case(&self, path: &Path, overrides: &[String]) -> Result<Case, LoadError> {
        Ok(self.case(&Arc::new(read_source(path, overrides)?))?)
    }

    /// Does as [`load_system`], where an experiment may name these kinds.
    pub fn load_system(&self, path: &Path, overrides: &[String]) -> Result<System, LoadError> {
        Ok(self.system(&Arc::new(read_source(path, overrides)?))?)
    }

    /// Does as [`Kinds::load_system`], where the file may also be a description of a network: a dump of a fabric, a graph
    /// and the like. Its network is then of kind `graph` with this file, and with what the overrides say beside it.
    pub fn load_network(&self, path: &Path, overrides: &[String]) -> Result<System, LoadError> {
        Ok(self.system(&Arc::new(read_network(path, overrides)?))?)
    }

    /// Reads the network of an experiment, or of a file that describes one, as it can be written in another format.
    pub fn load_fabric(&self, path: &Path, overrides: &[String]) -> Result<Fabric, LoadError> {
        let source = Arc::new(read_network(path, overrides)?);
        let (mut root, keys) = document::parse(&source, Arc::clone(&self.schema))?;
        Ok(network::fabric(root.require("network", &keys)?, &self.lists.networks, &keys)?)
    }

    /// Returns the files of the subnet that is the network, where forwarding tables are named.
    pub fn load_subnet_files(&self, path: &Path, overrides: &[String]) -> Result<Option<SubnetFiles>, LoadError> {
        let source = Arc::new(read_network(path, overrides)?);
        let (mut root, _) = document::parse(&source, Arc::clone(&self.schema))?;
        let network = root.take("network").filter(|network| network.text_of("kind") == Some("graph"));
        Ok(network.and_then(|network| {
            let named = |key| network.text_of(key).map(|file| source.resolve(file));
            let lanes = named("service_levels").zip(named("lane_maps"));
            Some(SubnetFiles { topology: named("file")?, tables: named("tables")?, lanes })
        }))
    }

    /// Resolves the case of an experiment.
    pub fn case(&self, source: &Arc<Source>) -> Result<Case, Diagnostic> {
        let (mut root, keys) = document::parse(source, Arc::clone(&self.schema))?;
        if let Some(sweep) = root.take("sweep") {
            single_case::refuse(sweep, &keys)?;
        }
        // Asks about the cases of the sweep.
        root.take("search");
        resolve_case(root, keys, &self.lists, &Networks::default())
    }

    /// Resolves the system of an experiment; jobs, traffic and sweep are left aside.
    pub fn system(&self, source: &Arc<Source>) -> Result<System, Diagnostic> {
        let (mut root, keys) = document::parse(source, Arc::clone(&self.schema))?;
        for aside in ["job", "scheduler", "traffic", "sweep", "search"] {
            root.take(aside);
        }
        resolve_system(root, keys, &self.lists, &Networks::default())
    }

    /// Estimates the bytes that building the network of an experiment takes; it is not built.
    pub fn network_bytes(&self, source: &Arc<Source>) -> Result<u64, Diagnostic> {
        let (mut root, keys) = document::parse(source, Arc::clone(&self.schema))?;
        network::bytes(root.require("network", &keys)?, &self.lists.networks, &keys)
    }
}

/// Resolves a tree without a sweep to a case.
pub(super) fn resolve_case(
    mut root: Node<'_>,
    keys: Keys,
    kinds: &Lists,
    networks: &Networks,
) -> Result<Case, Diagnostic> {
    let experiment = root.to_toml();
    let (jobs, traffic, scheduler) = (root.take("job"), root.take("traffic"), root.take("scheduler"));
    let mut system = resolve_system(root, keys, kinds, networks)?;
    let (keys, seed) = (&system.keys, system.config.seed);
    let rules = |node| {
        scheduler::resolve(
            node,
            keys,
            (&system.network, system.topology.node_names()),
            (system.config.switch.clock, system.cores),
            seed,
        )
    };
    let scheduler = scheduler.map(rules).transpose()?;
    let (mut background, has_scheduler) = (None, scheduler.is_some());
    let has_log = scheduler.as_ref().is_some_and(|scheduled| scheduled.log.is_some());
    let (mut notes, log) = (Vec::new(), scheduler.as_ref().and_then(|scheduled| scheduled.log.as_ref()));
    let workload = match (jobs, traffic) {
        (Some(jobs), traffic) => {
            let traffic =
                traffic.map(|traffic| traffic::resolve_beside(traffic, &kinds.patterns, &system, has_scheduler));
            background = traffic.transpose()?.flatten();
            let resolved = {
                let known =
                    job::Known { programs: &kinds.programs, algorithms: &kinds.algorithms, formats: &kinds.formats };
                job::resolve(jobs, known, keys, seed, scheduler.as_ref())?
            };
            notes = resolved.notes;
            WorkloadSpec::Jobs(resolved.jobs)
        }
        // Jobs of a log need no program.
        (None, None) if log.is_some() => {
            let jobs = job::of_log(&[], scheduler.as_ref(), keys)?;
            notes = jobs.notes;
            WorkloadSpec::Jobs(jobs.jobs)
        }
        (None, _) if has_scheduler => {
            return Err(keys.error("scheduler", "there are no jobs to schedule", "add [[job]], or remove [scheduler]"));
        }
        (None, Some(traffic)) => WorkloadSpec::Traffic(traffic::resolve(traffic, &kinds.patterns, &system)?),
        (None, None) => {
            let help = "add [[job]] with trace = \"...\", or [traffic] with load, warmup and measure";
            return Err(keys.source().error("nothing runs on this network", help));
        }
    };
    let scheduler = scheduler.map(|scheduled| scheduled.rules);
    system.notes.append(&mut notes);
    let suspends = scheduler.as_ref().is_some_and(|rules| rules.suspend.is_some());
    system.notes.extend(without_effect(&system.watts, (has_scheduler, suspends)));
    system.notes.extend(unknown_idle(&system.watts).filter(|_| has_log));
    system.watts.accelerators = workload.has_accelerators();
    Ok(Case { system, workload, scheduler, background, experiment })
}

/// Names powers of nodes that were written and that no node ever draws.
fn without_effect(watts: &Drawn, (has_scheduler, suspends): (bool, bool)) -> Option<String> {
    let unused = [("node.free", has_scheduler), ("node.off", suspends)];
    let unused: Vec<String> = unused
        .into_iter()
        .filter(|&(key, used)| !used && watts.is_own(key))
        .map(|(key, _)| format!("power.watts.{key}"))
        .collect();
    let verb = if unused.len() == 1 { "changes" } else { "change" };
    let lacks = if has_scheduler {
        "without scheduler.suspend no node is off"
    } else {
        "without [scheduler] no node is without a job"
    };
    (!unused.is_empty()).then(|| format!("{} {verb} nothing: {lacks}", unused.join(" and ")))
}

/// Warns that nodes without a job count as if they computed, because nobody has published what they draw.
fn unknown_idle(watts: &Drawn) -> Option<String> {
    let node = &watts.watts.node;
    let is_known = ["node.idle", "node.free"].iter().any(|key| watts.is_own(key)) || node.idle < node.busy;
    (!is_known).then(|| {
        format!(
            "nodes without a job count {} W, as those that compute: what they draw then is not known; set \
             power.watts.node.idle",
            node.busy
        )
    })
}

/// Resolves the system of an experiment; jobs, traffic and sweep are left aside.
pub fn system(source: &Arc<Source>) -> Result<System, Diagnostic> {
    Kinds::default().system(source)
}

/// Estimates the bytes that building the network of an experiment takes; it is not built.
pub fn network_bytes(source: &Arc<Source>) -> Result<u64, Diagnostic> {
    Kinds::default().network_bytes(source)
}

fn resolve_system(mut root: Node<'_>, keys: Keys, kinds: &Lists, networks: &Networks) -> Result<System, Diagnostic> {
    let network = root.require("network", &keys)?;
    let (switch, link) = (root.take("switch"), root.take("link"));
    let (node, power, cost) = (root.take("node"), root.take("power"), root.take("cost"));
    let (simulation, transport) = (root.take("simulation"), root.take("transport"));
    // Has been filled in; asked for here so that it is known where an unknown key is told.
    root.take("preset");
    let head: Head = root.read(&keys)?;
    let network = networks.get(&network.to_toml(), || network::resolve(network, &kinds.networks, &keys))?;
    let switch = switch::resolve(switch, &keys, network.routing, &network.network)?;
    let mut links = link::resolve(link, &keys, &switch, (&network.topology, &network.network))?;
    let (node, cores) = compute_node::resolve(node, &keys)?;
    let power = power::resolve(power, &kinds.policies, &keys, &network.network, &mut links, &switch.model)?;
    let unit = simulation::resolve(simulation, &keys, &switch.model)?;
    let transport = transport::resolve(transport, &keys, links.classes[0].bandwidth, switch.flow_control.is_lossy())?;
    let mut config = Config {
        switch: switch.model,
        classes: links.classes,
        node,
        routing: network.routing,
        sleep: power.sleep,
        unit,
        transport,
        seed: head.seed.unwrap_or(1),
        audit: false,
    };
    switch.flow_control.set(&mut config, &network.network, &keys)?;
    let mut cost = cost.map(|cost| cost::resolve(cost, &network.network, &keys)).transpose()?;
    let mut notes = network.notes;
    notes.extend(transport::early(&config));
    notes.extend(cost.iter_mut().flat_map(|cost| std::mem::take(&mut cost.notes)));
    Ok(System {
        title: head.title.unwrap_or_else(|| keys.source().name()),
        topology: network.topology,
        network: network.network,
        notes,
        config,
        cores,
        channels: power.channels,
        policy: power.policy,
        state_names: power.state_names,
        model: power.model,
        watts: power.watts,
        tariff: cost.as_ref().map(|cost| cost.tariff.clone()).unwrap_or_default(),
        investment: cost.as_mut().and_then(|cost| cost.investment.take()),
        cost: cost.and_then(|cost| cost.system),
        keys,
    })
}

/// Returns whether a file is an experiment rather than the description of a network: it is called so, or it is TOML with a
/// section `[network]`. What can be read only once is taken for one.
fn is_experiment(path: &Path) -> bool {
    let is_toml = |text: String| text.parse::<toml::Table>().is_ok_and(|table| table.contains_key("network"));
    path.extension().is_some_and(|ending| ending == "toml") || !path.is_file() || read_text(path).is_ok_and(is_toml)
}

/// Does as [`read_source`], where the file may also describe a network.
pub(super) fn read_network(path: &Path, overrides: &[String]) -> Result<Source, LoadError> {
    if is_experiment(path) {
        return read_source(path, overrides);
    }
    let file = path.file_name().unwrap_or_default().to_string_lossy();
    let file = toml::Value::String(file.into_owned());
    let described = ["network.kind=graph".to_owned(), format!("network.file={file}")];
    let all: Vec<String> = described.iter().chain(overrides).cloned().collect();
    Ok(Source::new(path, String::new(), &all)?)
}

/// Reads the file at `path` and joins it with overrides, as the text of one or many cases.
pub fn read_source(path: &Path, overrides: &[String]) -> Result<Source, LoadError> {
    let text = read_text(path).map_err(|error| LoadError::Unreadable { path: path.to_owned(), error })?;
    Ok(Source::new(path, text, overrides)?)
}
