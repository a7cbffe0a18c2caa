//! What loads the network: jobs whose ranks run operations, or open-loop synthetic messages.

pub mod again;
pub mod algorithms;
pub mod by_node;
pub mod check;
pub mod collectives;
pub mod communicators;
pub mod computation;
pub mod exchanges;
pub mod iterations;
pub mod listed;
pub mod matching;
mod member;
pub mod named;
pub mod operation;
pub mod operation_kind;
pub mod operation_line;
pub mod own_algorithms;
pub mod periods;
pub mod placement;
pub mod programs;
pub mod repeat;
pub mod scheduler;
pub mod stretched;
pub mod traffic;

use std::sync::Arc;

use crate::model::ids::NodeId;
use crate::model::units::Time;
use crate::topology::Network;
use operation::OperationSource;
use placement::{FreeCores, PlacementError};
use programs::{Application, Iterate};
use scheduler::Scheduler;
use traffic::Background;

pub use traffic::Traffic;

/// One application run: ranks on nodes.
pub struct Job {
    /// Its name in results.
    pub name: String,
    /// Where the ranks' operations come from.
    pub source: Box<dyn OperationSource>,
    /// The node of each rank; of none where a scheduler gives the job its nodes.
    pub placement: Vec<NodeId>,
    /// When the ranks start; where a scheduler starts the job, when it arrives.
    pub start: Time,
}

/// The load of a run.
pub enum Workload {
    /// Applications side by side.
    Jobs(Vec<Job>),
    /// Applications that a scheduler starts; its requests are these jobs.
    Scheduled(Vec<Job>, Scheduler),
    /// Messages generated independently of the network's state.
    OpenLoop(Traffic),
    /// Applications, started by a scheduler or not, with open-loop traffic beside them until they end.
    Beside(Vec<Job>, Option<Scheduler>, Background),
}

impl Workload {
    /// Makes the workload of one application, whose ranks are on the first nodes of a network, one on each.
    pub fn application(application: Application, network: &Network) -> Result<Self, PlacementError> {
        Workload::program(Iterate::new(Arc::new(application), 1), network)
    }

    /// Makes the workload of one program, whose ranks are on the first nodes of a network, one on each.
    pub fn program(source: impl OperationSource + 'static, network: &Network) -> Result<Self, PlacementError> {
        let placement = FreeCores::new(network.nodes, 1).linear(source.ranks())?;
        let source = Box::new(source);
        Ok(Workload::Jobs(vec![Job { name: "program".into(), source, placement, start: Time::ZERO }]))
    }
}
