//! In which order a stage of a pipeline passes micro-batches through its layers: one forward and one backward in turn
//! (1F1B), or interleaved over several chunks of layers (Narayanan et al. 2021, section 2.2).

/// The schedule of all stages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Schedule {
    /// Stages, each a rank of the pipeline.
    pub stages: u32,
    /// Chunks of layers of each stage. Chunk 0 of all stages comes first in the model, then chunk 1 of all.
    pub chunks: u32,
    /// Micro-batches of an iteration; a multiple of the stages where there are several chunks.
    pub micro_batches: u32,
}

/// A micro-batch that passes a chunk of a stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Pass {
    /// Whether it goes forward.
    pub is_forward: bool,
    /// The chunk.
    pub chunk: u32,
    /// The passes of the stage before, forward and backward.
    pub before: [u64; 2],
}

impl Schedule {
    /// Returns the passes of a stage in one direction.
    pub fn one_way(&self) -> u64 {
        u64::from(self.micro_batches) * u64::from(self.chunks)
    }

    /// Returns the passes forward of a stage before its first backward.
    fn warmup(&self, stage: u32) -> u64 {
        let behind = u64::from(self.stages - 1 - stage);
        let passes = match self.chunks {
            1 => behind,
            chunks => 2 * behind + u64::from(chunks - 1) * u64::from(self.stages),
        };
        passes.min(self.one_way())
    }

    /// Returns a pass of a stage by its number: those of the warm-up, then one forward and one backward in turn, then the
    /// rest backward.
    pub fn pass(&self, stage: u32, number: u64) -> Pass {
        let (all, first) = (self.one_way(), self.warmup(stage));
        let in_turn = number.saturating_sub(first);
        let (is_forward, forward) = if number < first {
            (true, number)
        } else if number < 2 * all - first {
            (in_turn.is_multiple_of(2), first + in_turn.div_ceil(2))
        } else {
            (false, all)
        };
        let before = [forward, number - forward];
        let position = self.position(before[usize::from(!is_forward)]);
        let chunk = if is_forward { position } else { self.chunks - 1 - position };
        Pass { is_forward, chunk, before }
    }

    /// Returns which of its chunks a stage takes in the pass of a number in one direction: as many micro-batches as there
    /// are stages pass one after the other.
    fn position(&self, number: u64) -> u32 {
        // Below the number of chunks.
        (number / u64::from(self.stages) % u64::from(self.chunks)) as u32
    }

    /// Returns how many of the first so many passes in one direction take the chunk at a position.
    pub fn of_position(&self, passes: u64, position: u32) -> u64 {
        let (stages, chunks) = (u64::from(self.stages), u64::from(self.chunks));
        let (rounds, rest) = (passes / (stages * chunks), passes % (stages * chunks));
        rounds * stages + rest.saturating_sub(u64::from(position) * stages).min(stages)
    }

    /// Returns whether a pass is the last of its chunk.
    pub fn is_last(&self, pass: &Pass) -> bool {
        let [_, backward] = pass.before;
        let taken = self.of_position(backward, self.position(backward));
        !pass.is_forward && taken + 1 == u64::from(self.micro_batches)
    }

    /// Returns the stage from which a pass receives, or to which it sends, and nothing at the ends of the model: the one
    /// before, or the one after.
    pub fn neighbour(&self, stage: u32, chunk: u32, is_before: bool) -> Option<u32> {
        if is_before {
            let wraps = || (chunk > 0).then(|| self.stages - 1);
            stage.checked_sub(1).or_else(wraps)
        } else if stage + 1 < self.stages {
            Some(stage + 1)
        } else {
            (chunk + 1 < self.chunks).then_some(0)
        }
    }
}
