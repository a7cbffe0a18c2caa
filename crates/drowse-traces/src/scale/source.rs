//! The operations of a program on another number of ranks.

use std::sync::Arc;

use drowse_core::workload::algorithms::Algorithms;
use drowse_core::workload::communicators::Communicators;
use drowse_core::workload::operation::{Operation, OperationSource, SourceError};

use super::stages::Stages;
use super::{Scaled, Way, renumber};

/// The operations of a scaled program. Each rank does what one of the traced ranks does, with peers of its own.
pub(super) struct ScaledSource {
    scaled: Scaled,
    readings: Readings,
    /// How far each rank is in its butterflies.
    stages: Vec<Stages>,
}

/// Readings of a trace, of which each reads every traced rank for one rank.
struct Readings {
    /// The traced rank whose operations a rank has, and which of the readings of that one is the rank's own.
    models: Vec<(u32, usize)>,
    sources: Vec<Box<dyn OperationSource>>,
}

impl ScaledSource {
    /// Makes the operations of a scaled program.
    pub fn new(scaled: Scaled) -> Self {
        let mut copies = vec![0; scaled.trace.ranks() as usize];
        let model = |rank| {
            let model = match &*scaled.way {
                Way::Grid(grids) => grids.scaled.like_place(rank, &grids.traced, &grids.reach),
                Way::Butterfly(butterfly, shape) => shape.like_place(rank, butterfly.shape),
            };
            let copy = &mut copies[model as usize];
            *copy += 1;
            (model, *copy - 1)
        };
        let readings = Readings { models: (0..scaled.ranks()).map(model).collect(), sources: Vec::new() };
        let stages = match &*scaled.way {
            Way::Grid(_) => Vec::new(),
            Way::Butterfly(..) => readings.models.iter().map(|_| Stages::default()).collect(),
        };
        ScaledSource { scaled, readings, stages }
    }
}

impl Readings {
    /// Appends the next operations of the traced rank that is a rank's model.
    fn refill(&mut self, scaled: &Scaled, rank: u32, operations: &mut Vec<Operation>) -> Result<u32, SourceError> {
        let (model, copy) = self.models[rank as usize];
        while self.sources.len() <= copy {
            self.sources.push(scaled.trace.operations(scaled.compute));
        }
        self.sources[copy].refill(model, operations)?;
        Ok(model)
    }
}

impl OperationSource for ScaledSource {
    fn ranks(&self) -> u32 {
        self.readings.models.len() as u32
    }

    fn communicators(&self) -> Arc<Communicators> {
        Arc::clone(&self.scaled.communicators)
    }

    fn algorithms(&self) -> Algorithms {
        self.readings.sources.first().map_or_else(Algorithms::default, |source| source.algorithms())
    }

    fn refill(&mut self, rank: u32, operations: &mut Vec<Operation>) -> Result<(), SourceError> {
        if rank >= self.ranks() {
            return Ok(());
        }
        let before = operations.len();
        let ScaledSource { scaled, readings, stages } = self;
        match &*scaled.way {
            Way::Grid(grids) => {
                let model = readings.refill(scaled, rank, operations)?;
                for operation in &mut operations[before..] {
                    if let Some(peer) = operation.peer_mut() {
                        *peer = grids.neighbour(rank, model, *peer)?;
                    }
                }
            }
            Way::Butterfly(butterfly, shape) => {
                let stages = &mut stages[rank as usize];
                let mut more = |model: &mut Vec<Operation>| readings.refill(scaled, rank, model).map(drop);
                stages.refill((butterfly, *shape), rank, operations, &mut more)?;
            }
        }
        for operation in &mut operations[before..] {
            renumber(operation, &scaled.numbers);
            if let Some(laws) = &scaled.laws {
                laws.apply(operation)?;
            }
        }
        Ok(())
    }
}
