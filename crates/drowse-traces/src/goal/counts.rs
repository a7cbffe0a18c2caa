//! What a trace holds, in numbers.

use std::collections::BTreeMap;

use super::NAME;
use super::collectives::Collectives;
use super::graph::Does;
use crate::info::{Computing, Coverage, Messages, Noted, TraceInfo};

/// What the statements are, in numbers.
#[derive(Default)]
pub(super) struct Counts {
    sends: u64,
    receives: u64,
    calculations: u64,
    bytes: u64,
    nanoseconds: u128,
    on_other_processors: u64,
    pub collectives: Collectives,
    /// Waits for the first statement in the file.
    pub approximated: u64,
}

impl Counts {
    /// Counts a statement of a rank on a processor.
    pub fn add(&mut self, rank: u32, does: Does, cpu: u64) {
        self.collectives.add(rank, does);
        match does {
            Does::Send { bytes, .. } => {
                self.sends += 1;
                self.bytes = self.bytes.saturating_add(bytes);
            }
            Does::Receive { .. } => self.receives += 1,
            Does::Calculate(nanoseconds) => {
                self.calculations += 1;
                self.nanoseconds += u128::from(nanoseconds);
                self.on_other_processors += u64::from(cpu != 0);
            }
        }
    }

    /// Returns what is said of a trace.
    pub fn info(&self, ranks: u32) -> TraceInfo {
        let named = [("send", self.sends), ("recv", self.receives), ("calc", self.calculations)];
        let operations: BTreeMap<String, u64> =
            named.into_iter().filter(|(_, count)| *count > 0).map(|(name, count)| (name.to_owned(), count)).collect();
        let waits = "waits are for the first statement of the file where another might go on earlier";
        let processors = "calculations on other processors than 0 run one after the other with the rest of their rank";
        let any = "receives of any tag take no messages of collectives (tags above 1000000), as in MPI";
        let kept_apart = self.collectives.kept_apart();
        let approximated = [(self.approximated, waits), (self.on_other_processors, processors), (kept_apart, any)];
        let approximated = approximated.into_iter().filter_map(|(count, what)| Noted::some(count, what)).collect();
        let all = self.sends + self.receives + self.calculations;
        let simulated = all - self.on_other_processors - kept_apart;
        let coverage = Coverage { simulated, approximated, ignored: Vec::new() };
        TraceInfo {
            format: NAME,
            ranks,
            operations,
            messages: Messages { count: self.sends, bytes: self.bytes },
            collectives: BTreeMap::new(),
            compute: Computing::Picoseconds(self.nanoseconds * 1_000),
            warnings: coverage.warnings().collect(),
            coverage,
            not_simulated: Vec::new(),
            different_collectives: None,
        }
    }
}
