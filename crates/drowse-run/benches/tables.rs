//! What tables cost: the shipped NAS CG trace with all tables, those of every probe included, against a run that writes
//! none. `cargo bench -p drowse-run --bench tables`; the quotient of the two times is in docs/performance/inputs.md.

#![expect(clippy::unwrap_used, reason = "a bench that cannot run has nothing to say")]

use std::path::Path;

use criterion::{Criterion, criterion_group, criterion_main};
use drowse_core::measure::ProbeOptions;
use drowse_core::measure::series::IntervalLength;
use drowse_core::model::units::Time;
use drowse_experiment::load_case;
use drowse_run::request::RunRequest;
use drowse_run::{export, files};

const ALL: ProbeOptions = ProbeOptions {
    idle_periods: true,
    idle_pairs: true,
    timers: true,
    timeline: true,
    waiting: Some(Time(10_000_000)),
    message_sizes: true,
    rank_operations: true,
    rank_waits: true,
    wakes: true,
    power: Some(IntervalLength::OfRun),
};

fn tables(criterion: &mut Criterion) {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/cg-torus.toml");
    let folder = std::env::temp_dir().join(format!("drowse-bench-{}", std::process::id()));
    let cg = load_case(&file, &[]).unwrap();
    let run = |probes| RunRequest { probes, ..RunRequest::new(&cg) }.run().unwrap().case;
    let mut group = criterion.benchmark_group("CG, 64 ranks, from the file to the figures");
    group.sample_size(10);
    group.bench_function("no tables", |bencher| bencher.iter(|| run(ProbeOptions::default())));
    files::prepare(&folder).unwrap();
    for (name, wanted) in [("tables without probes", ProbeOptions::default()), ("all tables", ALL)] {
        let all = || {
            let outcome = run(wanted);
            export::write(&folder, &[&outcome]).unwrap();
        };
        group.bench_function(name, |bencher| bencher.iter(all));
    }
    group.finish();
    std::fs::remove_dir_all(folder).unwrap();
}

criterion_group!(benches, tables);
criterion_main!(benches);
