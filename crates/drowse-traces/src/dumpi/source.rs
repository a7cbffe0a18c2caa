//! The operations of a DUMPI trace, one block of a rank's file at a time.

use std::sync::Arc;

use drowse_core::workload::communicators::Communicators;
use drowse_core::workload::operation::{Operation, OperationSource, SourceError};

use super::reading::{Block, Place, RankFile};
use super::survey::Survey;
use super::translate::{Counted, RankState, Translator};
use crate::compute::ComputeModel;
use crate::error::TraceError;
use crate::reader::refill;

/// The size of blocks, some hundred calls.
const BLOCK_BYTES: usize = 16 << 10;

/// The operations of a DUMPI trace.
pub(crate) struct DumpiSource {
    files: Arc<Vec<RankFile>>,
    survey: Arc<Survey>,
    compute: ComputeModel,
    states: Vec<(Place, RankState)>,
    block: Block,
}

impl DumpiSource {
    /// Makes the operations of a trace of these files.
    pub fn new(files: &Arc<Vec<RankFile>>, survey: &Arc<Survey>, compute: ComputeModel) -> Self {
        let ranks = files.iter().zip(&survey.ranks);
        let states = ranks.map(|(file, survey)| (Place::Start, RankState::new(file, survey))).collect();
        let (files, survey) = (Arc::clone(files), Arc::clone(survey));
        DumpiSource { files, survey, compute, states, block: Block::default() }
    }

    /// Appends the operations of the next block of a rank; false at its end.
    fn read_block(&mut self, rank: u32, operations: &mut Vec<Operation>) -> Result<bool, TraceError> {
        let Some((place, state)) = self.states.get_mut(rank as usize) else { return Ok(false) };
        let (file, survey) = (&self.files[rank as usize], &self.survey);
        let mut translator = Translator { rank, state, survey, compute: &self.compute, operations };
        let goes_on = file.read(place, &mut self.block, BLOCK_BYTES, |offset, record| {
            translator.translate(record).map_err(|problem| file.error(offset, problem))
        })?;
        if !goes_on {
            translator.end();
        }
        Ok(goes_on)
    }
}

impl OperationSource for DumpiSource {
    fn ranks(&self) -> u32 {
        self.states.len() as u32
    }

    fn communicators(&self) -> Arc<Communicators> {
        Arc::clone(&self.survey.communicators)
    }

    fn refill(&mut self, rank: u32, operations: &mut Vec<Operation>) -> Result<(), SourceError> {
        refill(operations, |operations| self.read_block(rank, operations))
    }

    fn warns_of_what_is_read(&self) -> bool {
        true
    }

    fn warnings(&self) -> Vec<String> {
        let mut counted = Counted::default();
        self.states.iter().for_each(|(_, state)| counted.add(&state.counted));
        counted.notes().map(|noted| format!("{} {}", noted.count, noted.what)).collect()
    }
}
