//! Speed of applications in operations: `cargo bench -p drowse-core --bench operations`.
//!
//! Of each 16 ranks list all of their operations, or 2^16 each.

#![expect(clippy::unwrap_used, reason = "a bench that cannot run has nothing to say")]

mod applications;

use std::hint::black_box;
use std::sync::Arc;

use criterion::{BatchSize, BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};

use drowse_core::model::units::Time;
use drowse_core::workload::operation::{Operation, OperationSource, SendMode};
use drowse_core::workload::programs::{Application, Iterate, Phase};

const LISTED: usize = 16;
const MOST: usize = 1 << 16;

/// Lists operations of some ranks, and returns their number.
fn list(application: &Arc<Application>, operations: &mut Vec<Operation>) -> usize {
    let mut source = Iterate::new(Arc::clone(application), 1);
    let ranks = source.ranks();
    let mut listed = 0;
    for rank in (0..ranks).step_by(ranks as usize / LISTED) {
        let mut of_rank = 0;
        while of_rank < MOST {
            operations.clear();
            source.refill(rank, operations).unwrap();
            if black_box(&*operations).is_empty() {
                break;
            }
            of_rank += operations.len();
        }
        listed += of_rank;
    }
    listed
}

fn operations(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("operations");
    group.sample_size(10);
    for (name, work) in applications::all() {
        let phase = Phase { work, iterations: 100, compute: Time(1_000_000).into(), mode: SendMode::Ready };
        let application = Arc::new(Application::new(vec![phase]).unwrap());
        group.throughput(Throughput::Elements(list(&application, &mut Vec::new()) as u64));
        group.bench_function(BenchmarkId::from_parameter(name), |bencher| {
            bencher.iter_batched(Vec::new, |mut list_of| list(&application, &mut list_of), BatchSize::PerIteration);
        });
    }
    group.finish();
}

criterion_group!(benches, operations);
criterion_main!(benches);
