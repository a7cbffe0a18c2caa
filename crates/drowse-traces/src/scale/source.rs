//! The operations of a program on another number of ranks.

use std::sync::Arc;

use drowse_core::workload::algorithms::Algorithms;
use drowse_core::workload::communicators::{ALL, Communicators};
use drowse_core::workload::operation::{Operation, OperationSource, SourceError};

use super::Scaled;

/// The operations of a scaled program. Each rank does what one of the traced ranks does, with neighbours of its own.
pub(super) struct ScaledSource {
    scaled: Scaled,
    /// The traced rank whose operations a rank has, and which of the readings of that one is the rank's own.
    models: Vec<(u32, usize)>,
    /// Readings of the trace. Each reads every traced rank for one rank.
    readings: Vec<Box<dyn OperationSource>>,
}

impl ScaledSource {
    /// Makes the operations of a scaled program.
    pub fn new(scaled: Scaled) -> Self {
        let grids = &scaled.grids;
        let mut copies = vec![0; grids.traced.ranks() as usize];
        let model = |rank| {
            let model = grids.scaled.like_place(rank, &grids.traced, &grids.reach);
            let copy = &mut copies[model as usize];
            *copy += 1;
            (model, *copy - 1)
        };
        let models = (0..grids.scaled.ranks()).map(model).collect();
        ScaledSource { scaled, models, readings: Vec::new() }
    }

    /// Returns the neighbour of a rank that is where a traced rank has one.
    fn neighbour(&self, rank: u32, model: u32, peer: u32) -> Result<u32, SourceError> {
        let grids = &self.scaled.grids;
        grids.scaled.at(rank, &grids.traced.way(model, peer)).ok_or_else(|| {
            SourceError(format!("rank {rank} would have no neighbour where traced rank {model} has rank {peer}"))
        })
    }
}

impl OperationSource for ScaledSource {
    fn ranks(&self) -> u32 {
        self.models.len() as u32
    }

    fn communicators(&self) -> Arc<Communicators> {
        Arc::clone(&self.scaled.communicators)
    }

    fn algorithms(&self) -> Algorithms {
        self.readings.first().map_or_else(Algorithms::default, |reading| reading.algorithms())
    }

    fn refill(&mut self, rank: u32, operations: &mut Vec<Operation>) -> Result<(), SourceError> {
        let Some(&(model, copy)) = self.models.get(rank as usize) else { return Ok(()) };
        while self.readings.len() <= copy {
            self.readings.push(self.scaled.trace.operations(self.scaled.compute));
        }
        let before = operations.len();
        self.readings[copy].refill(model, operations)?;
        for operation in &mut operations[before..] {
            if let Some(peer) = operation.peer() {
                let neighbour = self.neighbour(rank, model, peer)?;
                operation.peer_mut().into_iter().for_each(|peer| *peer = neighbour);
            }
            if let Some(comm) = operation.comm_mut() {
                *comm = self.scaled.numbers.get(*comm as usize).copied().flatten().unwrap_or(ALL);
            }
        }
        Ok(())
    }
}
