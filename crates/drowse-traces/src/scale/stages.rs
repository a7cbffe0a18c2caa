//! The operations of a rank of butterflies with another number of stages.

use std::collections::VecDeque;

use drowse_core::workload::operation::{Operation, SourceError};

use super::butterfly::{Butterfly, Peer, Run, Shape};

/// The stage that is repeated where there are more: the first that does not follow what is before the run.
const REPEATED: usize = 1;

/// How far a rank is.
#[derive(Default)]
pub(super) struct Stages {
    /// Operations of the traced rank that were read and not used.
    read: VecDeque<Operation>,
    /// The operations that were used, without computations.
    at: usize,
    /// The runs that were used.
    runs: usize,
}

/// Reads more operations of the traced rank.
type More<'a> = dyn FnMut(&mut Vec<Operation>) -> Result<(), SourceError> + 'a;

impl Stages {
    /// Appends operations of a rank; none at its end.
    pub fn refill(
        &mut self,
        (butterfly, shape): (&Butterfly, Shape),
        rank: u32,
        operations: &mut Vec<Operation>,
        more: &mut More,
    ) -> Result<(), SourceError> {
        let before = operations.len();
        while operations.len() == before {
            match butterfly.runs.get(self.runs) {
                Some(&run) if run.start == self.at => self.run(run, (butterfly, shape), rank, operations, more)?,
                _ => {
                    let peer = butterfly.peers.get(self.at).copied().unwrap_or(Peer::None);
                    let Some(operation) = self.next(more)? else { return Ok(()) };
                    operations.push(with_peer(operation, peer, shape, rank));
                }
            }
        }
        Ok(())
    }

    /// Appends the stages of a run.
    fn run(
        &mut self,
        run: Run,
        (butterfly, shape): (&Butterfly, Shape),
        rank: u32,
        operations: &mut Vec<Operation>,
        more: &mut More,
    ) -> Result<(), SourceError> {
        let mut traced = Vec::new();
        for _ in 0..butterfly.shape.stages(run.is_column) {
            let (mut stage, end) = (Vec::new(), self.at + run.length);
            while self.at < end {
                let Some(operation) = self.next(more)? else { break };
                stage.push(operation);
            }
            traced.push(stage);
        }
        self.runs += 1;
        let (stages, lowest) = (shape.stages(run.is_column), if run.is_column { shape.columns } else { 0 });
        for stage in 0..stages {
            let bit = lowest + if run.is_upward { stage } else { stages - 1 - stage };
            let alike = traced.get(stage as usize).or_else(|| traced.get(REPEATED));
            let made = alike.into_iter().flatten().cloned();
            operations.extend(made.map(|operation| with_peer(operation, Peer::Bit(bit as u8), shape, rank)));
        }
        Ok(())
    }

    /// Returns the next operation of the traced rank.
    fn next(&mut self, more: &mut More) -> Result<Option<Operation>, SourceError> {
        if self.read.is_empty() {
            let mut read = Vec::new();
            more(&mut read)?;
            self.read = read.into();
        }
        let next = self.read.pop_front();
        self.at += usize::from(next.as_ref().is_some_and(|operation| !matches!(operation, Operation::Compute(_))));
        Ok(next)
    }
}

/// Returns an operation with the peer that a rank has there.
fn with_peer(mut operation: Operation, peer: Peer, shape: Shape, rank: u32) -> Operation {
    let peer = match peer {
        Peer::None => None,
        Peer::Itself | Peer::OnDiagonal => Some(rank),
        Peer::Across => shape.across(rank),
        Peer::Bit(bit) => Some(rank ^ (1 << bit)),
    };
    if let (Some(named), Some(peer)) = (operation.peer_mut(), peer) {
        *named = peer;
    }
    operation
}
