//! The names of nodes in a job log.

use std::sync::Arc;

use drowse_core::model::ids::NodeId;

use super::log_cut::CutJob;
use crate::diagnostic::Diagnostic;
use crate::job_log::Wrong;
use crate::job_log::node_names::{NameError, NodeNames};
use crate::keys::Keys;

/// The machine's nodes by name.
#[derive(Clone, Debug)]
pub struct Names {
    names: NodeNames,
    /// The description of the network has them; the experiment says nothing.
    of_network: bool,
}

impl Names {
    /// Reads the names of all nodes of a network, in the order of their numbers.
    pub fn read(
        hosts: &str,
        (nodes, of_network): (u32, &[String]),
        keys: &Keys,
        path: &str,
    ) -> Result<Self, Diagnostic> {
        let names = NodeNames::listed(hosts).map_err(|why| {
            keys.error(path, format!("`{path}` is no list of hosts: {why}"), "write it like \"n[01-96],gpu[1-4]\"")
        })?;
        if names.count() != nodes as usize {
            let message = format!("`{path}` has {} names, and this network has {nodes} nodes", names.count());
            return Err(keys.error(path, message, "name each node once, in the order of their numbers"));
        }
        // A name that the network has for another node would put jobs on the wrong ones.
        for (number, name) in (0..).zip(of_network) {
            if names.numbers(name).is_ok_and(|listed| listed[..] != [number]) {
                let message = format!("the file of the network has another order: `{name}` is its node {number}");
                return Err(keys.error(path, message, "leave the key out: nodes are found by the names of that file"));
            }
        }
        Ok(Names { names, of_network: false })
    }

    /// Takes the names that the description of a network has; `None` unless each node has one of its own.
    pub fn of_network(names: &[String]) -> Option<Self> {
        let all = !names.is_empty() && names.iter().all(|name| !name.is_empty());
        let names = NodeNames::new(names.iter().cloned()).ok().filter(|_| all)?;
        Some(Names { names, of_network: true })
    }

    /// Returns whether jobs of a log run on nodes that the network has. Names that the experiment writes must be right; where
    /// those of the network's description are others than the log's, only the number of nodes is used.
    pub fn fit<'j>(&self, mut jobs: impl Iterator<Item = &'j CutJob>) -> bool {
        let strange = |job: &CutJob| {
            let hosts = job.job.hosts.as_ref().map(|(hosts, _)| self.names.numbers(hosts));
            matches!(hosts, Some(Err(NameError::Unknown(_))))
        };
        !(self.of_network && jobs.any(strange))
    }

    /// Returns the nodes that a job had; `None` where the log does not name them.
    pub fn of(&self, job: &CutJob, nodes: u32) -> Result<Option<Arc<[NodeId]>>, Wrong> {
        let Some((hosts, place)) = &job.job.hosts else { return Ok(None) };
        let numbers = self.names.numbers(hosts).map_err(|why| {
            let help = "correct it, or scheduler.log.nodes; without that key, only the number of nodes is used";
            Wrong::new(place, format!("the nodes of job {} are not known: {why}", job.job.id), help)
        })?;
        if numbers.len() != nodes as usize {
            let message = format!("job {} names {} nodes, and had {nodes}", job.job.id, numbers.len());
            return Err(Wrong::new(place, message, "correct one of both"));
        }
        Ok(Some(numbers.into_iter().map(NodeId).collect()))
    }
}
