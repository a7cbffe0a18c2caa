//! `job.app.kind = "token"`: a message goes around all ranks.

use drowse_core::model::units::Bytes;
use drowse_core::workload::programs::{Given, Parts, Program, ProgramError, ProgramKeys, Steps, Writer};
use schemars::JsonSchema;
use serde::Deserialize;

/// A message that goes around.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Token {
    /// Ranks.
    #[schemars(extend("examples" = [8]), range(min = 2))]
    ranks: u32,
    /// Size of the message.
    #[schemars(extend("examples" = ["64 KiB"]))]
    bytes: Bytes,
}

impl ProgramKeys for Token {
    const KIND: &'static str = "token";
    const ABOUT: &'static str =
        "A message goes once around all ranks in an iteration; each computes before it passes it on.";

    fn parts(self, given: Given) -> Result<Parts, ProgramError> {
        if self.ranks < 2 {
            let reason = "nobody passes it on: write 2 or more";
            return Err(ProgramError::out_of_range("ranks", self.ranks, reason));
        }
        Ok(given.iterated(self))
    }
}

impl Program for Token {
    fn ranks(&self) -> u32 {
        self.ranks
    }

    fn messages(&self) -> u64 {
        self.ranks.into()
    }

    fn largest(&self) -> u64 {
        self.bytes.0
    }

    fn prepare(&self) -> Box<dyn Steps> {
        Box::new(*self)
    }
}

impl Steps for Token {
    fn take(&self, rank: u32, _step: u64, writer: &mut Writer<'_>) {
        let (before, after) = ((rank + self.ranks - 1) % self.ranks, (rank + 1) % self.ranks);
        if rank > 0 {
            writer.receive(before, 0);
        }
        writer.compute();
        writer.send(after, 0, self.bytes.0);
        if rank == 0 {
            writer.receive(before, 0);
        }
    }
}
