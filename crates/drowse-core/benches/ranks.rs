//! Lists all operations of all ranks of every kind of application once, 65,536 ranks or as many as a kind takes, and the
//! most memory that this took: `cargo bench -p drowse-core --bench ranks [-- KIND...]`. Some have thousands of millions of
//! operations.

#![expect(clippy::unwrap_used, reason = "a bench that cannot run has nothing to say")]
#![expect(clippy::print_stdout, reason = "its output")]

mod applications;

use std::fs;
use std::sync::Arc;
use std::time::Instant;

use drowse_core::model::units::Time;
use drowse_core::workload::operation::{Operation, OperationSource, SendMode};
use drowse_core::workload::programs::{Application, Iterate, Phase, Work};

/// What is counted of a program.
#[derive(Default)]
struct Counts {
    operations: u64,
    sent: u64,
    received: u64,
}

fn main() {
    let wanted: Vec<String> = std::env::args().skip(1).filter(|arg| !arg.starts_with('-')).collect();
    println!(
        "{:<24} {:>6} {:>14} {:>14} {:>8} {:>8} {:>6}",
        "kind", "ranks", "operations", "messages", "s", "M/s", "MB"
    );
    for (name, work) in applications::all() {
        if wanted.is_empty() || wanted.iter().any(|kind| kind == name) {
            print(name, work);
        }
    }
}

/// Lists a kind's operations, and prints what it took.
fn print(name: &str, work: Work) {
    forget_peak();
    let begin = Instant::now();
    let phase = Phase { work, iterations: 1, compute: Time(1_000_000).into(), mode: SendMode::Ready };
    let mut source = Iterate::new(Arc::new(Application::new(vec![phase]).unwrap()), 1);
    let Counts { operations, sent, received } = count(&mut source);
    let seconds = begin.elapsed().as_secs_f64();
    assert_eq!(sent, received, "{name}: a message that is sent is received");
    let (ranks, speed) = (source.ranks(), operations as f64 / seconds / 1e6);
    let memory = peak().map_or_else(|| "-".into(), |kilobytes| format!("{:.0}", kilobytes as f64 / 1e3));
    println!("{name:<24} {ranks:>6} {operations:>14} {sent:>14} {seconds:>8.1} {speed:>8.0} {memory:>6}");
}

fn count(source: &mut dyn OperationSource) -> Counts {
    let (mut counts, mut operations) = (Counts::default(), Vec::new());
    for rank in 0..source.ranks() {
        loop {
            operations.clear();
            source.refill(rank, &mut operations).unwrap();
            if operations.is_empty() {
                break;
            }
            operations.iter().for_each(|operation| counts.add(operation));
        }
    }
    counts
}

impl Counts {
    fn add(&mut self, operation: &Operation) {
        self.operations += 1;
        match operation {
            Operation::Send { .. } | Operation::Isend { .. } => self.sent += 1,
            Operation::Recv { .. } | Operation::Irecv { .. } => self.received += 1,
            _ => {}
        }
    }
}

/// Lets the system count the most memory anew, where it can: only Linux has this file.
fn forget_peak() {
    drop(fs::write("/proc/self/clear_refs", "5"));
}

/// Returns the most memory that the process has held, in kB.
fn peak() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM"))?;
    line.split_whitespace().nth(1)?.parse().ok()
}
