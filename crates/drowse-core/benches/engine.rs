//! Speed of the event loop in packet-hops: `cargo bench -p drowse-core`.
//!
//! Networks are built and runs prepared outside the measured time. The example `hops` runs the same cases for
//! instruction counts.

#![expect(clippy::unwrap_used, reason = "a bench that cannot run has nothing to say")]

mod cases;

use criterion::{BatchSize, BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};

use drowse_core::engine::{Progress, Simulation};
use drowse_core::measure::Record;
use drowse_core::power::StallTimer;
use drowse_core::workload::Workload;

fn run(mut simulation: Simulation<StallTimer>) -> Record {
    while simulation.advance(u64::MAX).unwrap() != Progress::Done {}
    simulation.into_record()
}

fn hops(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("hops");
    group.sample_size(10);
    for case in cases::CASES {
        let network = case.network();
        let (config, policy) = (case.config(&network), cases::policy(&network));
        let prepare = || Simulation::new(&network, &config, &policy, Workload::OpenLoop(case.traffic())).unwrap();
        group.throughput(Throughput::Elements(run(prepare()).hops));
        group.bench_function(BenchmarkId::from_parameter(case.name), |bencher| {
            bencher.iter_batched(prepare, run, BatchSize::PerIteration);
        });
    }
    group.finish();
}

criterion_group!(benches, hops);
criterion_main!(benches);
