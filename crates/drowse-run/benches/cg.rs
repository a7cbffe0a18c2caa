//! Speed of a whole case: the shipped NAS CG trace on the first example's network, with sleeping links and without.
//! `cargo bench -p drowse-run`; the figure is packet-hops per second, reading the trace included.

#![expect(clippy::unwrap_used, reason = "a bench that cannot run has nothing to say")]

use std::path::Path;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use drowse_experiment::load_case;
use drowse_run::inputs::Traces;
use drowse_run::request::RunRequest;

fn cg(criterion: &mut Criterion) {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/cg-torus.toml");
    let sleeping = load_case(&file, &[]).unwrap();
    let mut group = criterion.benchmark_group("CG, 64 ranks");
    group.sample_size(10);
    for (name, case) in [("always-on", sleeping.always_on()), ("stall timer of 50 us", sleeping)] {
        let traces = Traces::default();
        let once = || RunRequest::new(&case).run_with(&traces).unwrap().case.record;
        group.throughput(Throughput::Elements(once().hops));
        group.bench_function(name, |bencher| bencher.iter(once));
    }
    group.finish();
}

criterion_group!(benches, cg);
criterion_main!(benches);
