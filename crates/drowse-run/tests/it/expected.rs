//! What a run will move, as it is said before it starts, beside what it has moved.

use std::sync::Mutex;

use drowse_run::expected::Expected;
use drowse_run::request::RunRequest;

use crate::support::{case, root};

/// Runs an experiment; what is estimated before is right to a tenth.
fn check(text: &str) {
    let case = case(text);
    let told = Mutex::new(Expected::default());
    let expects = |expected: &Expected| *told.lock().unwrap() = *expected;
    let request = RunRequest { expects: Some(&expects), ..RunRequest::new(&case) };
    let record = request.run().unwrap_or_else(|error| panic!("{error}")).case.record;
    let expected = *told.lock().unwrap();
    let near = |ours: f64, theirs: u64| (ours / theirs as f64 - 1.0).abs() < 0.1;
    let (injected, hops) = (record.packets_injected, record.hops);
    assert!(near(expected.packets, injected), "{expected:?}: {injected} packets\n{text}");
    assert!((0.5..2.0).contains(&(expected.hops / hops as f64)), "{expected:?}: {hops} hops\n{text}");
}

const NETWORK: &str = "network = { kind = 'torus', dims = [4, 4] }\nlink = { bandwidth = '80 Gb/s' }";

/// Sums of gradients come behind 1,500 operations of an iteration, and are most of what it moves.
#[test]
fn training() {
    check(&format!(
        "{NETWORK}
        simulation.unit = 'flow'
        [[job]]
        app = {{ kind = 'transformer', hidden = 256, layers = 16, heads = 4, vocabulary = 16000, sequence = 64, \
        tensor = 1, pipeline = 4, data = 4, micro_batches = 256, sums = 'collectives', iterations = 2 }}
        collectives = {{ allreduce = 'ring' }}"
    ));
}

#[test]
fn short_iterations() {
    check(&format!(
        "{NETWORK}
        [[job]]
        app = {{ kind = 'stencil', dims = [4, 4], bytes = '10 KiB', compute = '1 us', iterations = 30 }}"
    ));
}

#[test]
fn a_trace() {
    let trace = root("traces").join("cg.A.16.tar.zst");
    check(&format!("{NETWORK}\n[[job]]\ntrace = '{}'", trace.display()));
}

#[test]
fn open_loop_traffic() {
    check(&format!("{NETWORK}\ntraffic = {{ load = 0.2, warmup = '10 us', measure = '500 us' }}"));
}
