//! What the paper does not print beside its policy: where tasks are placed, how they gather from all, how long they
//! compute, what messages within a node cost, whether packets ask for busy outputs, what an allocator's latency means. Each is changed alone, and in the pairs that load a network most; all else is as usual.

use super::program::{Allocation, Generated, Other, PROGRAMS, Program};

/// One of them, or a pair.
#[derive(Debug, PartialEq, Eq)]
pub struct Choice {
    pub name: &'static str,
    change: Change,
    /// The programs that it is run for.
    of: Of,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Change {
    placement: Option<&'static str>,
    allgather: Option<&'static str>,
    allocation: Allocation,
    /// How long tasks compute, in percent of the usual time.
    pace: Option<u32>,
    others: &'static [&'static Other],
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Of {
    All,
    /// Those that compute.
    Light,
    /// Graph500.
    Heaviest,
}

/// "The first stage knows which outputs are busy" is not printed.
static REQUEST_BUSY: Other = Other { name: "busy outputs requested", keys: &["switch.allocator.request_busy=true"] };
/// The paper's simulator may count nothing for messages that stay in a node.
static FREE_MEMORY: Other = Other {
    name: "memory that takes no time",
    keys: &["node.memory.latency=\"0 ns\"", "node.memory.bandwidth=\"100 TB/s\""],
};
/// One search with its check, and the set-up before it.
static WHOLE: Other = Other { name: "set-up and check", keys: &["job.0.app.setup=true", "job.0.app.validation=true"] };

const USUAL: Change = Change { placement: None, allgather: None, allocation: HIDDEN, pace: None, others: &[] };
const HIDDEN: Allocation = Allocation::Hidden;
const ONE_AT_A_TIME: Change = Change { allocation: Allocation::OneAtATime, ..USUAL };
const DOUBLING: Option<&str> = Some("recursive-doubling");

/// All of them.
pub static CHOICES: [Choice; 18] = [
    Choice { name: "tasks dealt out", change: Change { placement: Some("round-robin"), ..USUAL }, of: Of::All },
    Choice { name: "tasks at random", change: Change { placement: Some("random"), ..USUAL }, of: Of::All },
    Choice { name: "recursive doubling", change: Change { allgather: DOUBLING, ..USUAL }, of: Of::Heaviest },
    Choice {
        name: "allocation not hidden",
        change: Change { allocation: Allocation::NotHidden, ..USUAL },
        of: Of::All,
    },
    Choice { name: "one allocation at a time", change: ONE_AT_A_TIME, of: Of::All },
    Choice { name: "busy outputs requested", change: Change { others: &[&REQUEST_BUSY], ..USUAL }, of: Of::All },
    Choice { name: "memory that takes no time", change: Change { others: &[&FREE_MEMORY], ..USUAL }, of: Of::All },
    Choice { name: "ten times the computing", change: Change { pace: Some(1_000), ..USUAL }, of: Of::Light },
    Choice { name: "three times the computing", change: Change { pace: Some(300), ..USUAL }, of: Of::Light },
    Choice { name: "a third of the computing", change: Change { pace: Some(33), ..USUAL }, of: Of::Light },
    Choice { name: "a tenth of the computing", change: Change { pace: Some(10), ..USUAL }, of: Of::Light },
    // Of 512 tasks that communicate for half a millisecond: tasks that are "idle most of the running time".
    Choice { name: "Graph500 that computes for 40 us", change: Change { pace: Some(2), ..USUAL }, of: Of::Heaviest },
    Choice { name: "set-up and check", change: Change { others: &[&WHOLE], ..USUAL }, of: Of::Heaviest },
    Choice {
        name: "memory that takes no time, recursive doubling",
        change: Change { allgather: DOUBLING, others: &[&FREE_MEMORY], ..USUAL },
        of: Of::Heaviest,
    },
    Choice {
        name: "tasks dealt out, recursive doubling",
        change: Change { placement: Some("round-robin"), allgather: DOUBLING, ..USUAL },
        of: Of::Heaviest,
    },
    Choice {
        name: "tasks at random, allocation not hidden",
        change: Change { placement: Some("random"), allocation: Allocation::NotHidden, ..USUAL },
        of: Of::Heaviest,
    },
    Choice {
        name: "tasks at random, one allocation at a time",
        change: Change { placement: Some("random"), ..ONE_AT_A_TIME },
        of: Of::Heaviest,
    },
    Choice {
        name: "tasks at random, busy outputs requested",
        change: Change { placement: Some("random"), others: &[&REQUEST_BUSY], ..USUAL },
        of: Of::Heaviest,
    },
];

/// The pair that takes least to simulate, for a quick look.
const QUICKEST: usize = 14;

/// Returns what is run on networks of any size.
pub fn works() -> impl Iterator<Item = Generated> {
    CHOICES.iter().flat_map(|choice| PROGRAMS.iter().filter_map(|program| choice.of(program)))
}

/// Returns what a quick look has: the heaviest load as usual, and with the pair that takes least.
pub fn quick() -> impl Iterator<Item = Generated> {
    let heaviest = PROGRAMS.iter().filter(|program| program.is_heaviest());
    heaviest.flat_map(|program| std::iter::once(program.as_printed(None)).chain(CHOICES[QUICKEST].of(program)))
}

impl Choice {
    /// Returns a program with this choice, if it is run so.
    pub fn of(&self, program: &'static Program) -> Option<Generated> {
        let is_run = match self.of {
            Of::All => true,
            Of::Light => !program.is_heaviest(),
            Of::Heaviest => program.is_heaviest(),
        };
        let usual = program.as_printed(None);
        let Change { placement, allgather, allocation, pace, others } = self.change;
        is_run.then(|| Generated {
            placement: placement.unwrap_or(usual.placement),
            allgather,
            allocation,
            computes: usual.computes || pace.is_some(),
            pace: pace.unwrap_or(usual.pace),
            others,
            ..usual
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each choice makes another run of each of its programs than the usual one, and two make no run alike.
    #[test]
    fn choices_differ() {
        for program in &PROGRAMS {
            let runs: Vec<Generated> = CHOICES.iter().filter_map(|choice| choice.of(program)).collect();
            assert_eq!(runs.len(), if program.is_heaviest() { 14 } else { 10 });
            assert!(runs.iter().all(|&run| run != program.as_printed(None)));
            assert!(runs.iter().enumerate().all(|(place, run)| !runs[..place].contains(run)));
        }
        assert_eq!(works().count(), 14 + 4 * 10);
        let titles: Vec<String> = quick().map(|run| run.title()).collect();
        assert_eq!(titles, ["Graph500, 512 tasks", "Graph500, 512 tasks (round-robin, recursive-doubling)"]);
    }
}
