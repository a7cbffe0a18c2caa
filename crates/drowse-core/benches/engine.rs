//! Speed of the event loop in packet-hops: `cargo bench -p drowse-core`.
//!
//! The 8x8x8 torus with all counters, histograms and a stall timer on, and a nearly idle 4x4x4 torus over a million cycles.

#![expect(clippy::unwrap_used, reason = "a bench that cannot run has nothing to say")]

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};

use drowse_core::config::{Arbitration, ClassModel, Config, NodeModel, SleepRules, SwitchModel, VirtualChannels};
use drowse_core::engine;
use drowse_core::measure::Record;
use drowse_core::power::{SleepState, SleepStates, StallTimer};
use drowse_core::routing::RoutingKind;
use drowse_core::topology::{Network, PerDimension, TopologySpec, Torus};
use drowse_core::units::{BitRate, Bytes, Time};
use drowse_core::workload::Workload;
use drowse_core::workload::traffic::{Count, Lengths, Pattern, Traffic};

const CYCLE: u64 = 1_600;

fn torus(dims: &[u32]) -> Network {
    TopologySpec::Torus(Torus { dims: dims.to_vec(), trunk: PerDimension::All(1), nodes: 1 }).build().unwrap()
}

/// `BookSim2`'s pipeline and buffers, so that speeds can be set side by side; links may sleep.
fn config(network: &Network) -> Config {
    let state = |power, enter, wake| SleepState { power, enter: Time(enter), wake: Time(wake) };
    let states = SleepStates { shallow: state(0.6, 0, 250_000), deep: state(0.1, 2_880_000, 4_480_000) };
    let class = ClassModel {
        bandwidth: BitRate::from_bytes_per_second(10_000_000_000),
        latency: Time(CYCLE),
        hop: Time(4 * CYCLE),
        states: Some(states),
    };
    Config {
        switch: SwitchModel {
            clock: Time(CYCLE),
            flit: Bytes(16),
            packet_flits: 8,
            vcs: VirtualChannels::grid(0, 4),
            buffer_flits: 16,
            input_speedup: 1,
            arbitration: Arbitration::RoundRobin,
            request_busy: false,
            padding: false,
        },
        classes: vec![class; network.classes.len()],
        node: NodeModel::default(),
        routing: RoutingKind::DimensionOrder,
        sleep: SleepRules { aware: true, wake_after: None },
        seed: 1,
        audit: false,
    }
}

fn run(network: &Network, load: f64, cycles: u64) -> Record {
    let policy = StallTimer::uniform(network.classes.len(), None, Some(Time::from_us(50)));
    let traffic = Traffic {
        pattern: Pattern::Uniform,
        packets: Lengths::packets(1),
        load,
        include_self: true,
        count: Count::Generated,
        warmup: Time(CYCLE * cycles / 10),
        measure: Time(CYCLE * cycles * 9 / 10),
        drain: true,
    };
    engine::run(network, &config(network), &policy, Workload::OpenLoop(traffic)).unwrap().unwrap()
}

fn hops(criterion: &mut Criterion) {
    let network = torus(&[8, 8, 8]);
    let mut group = criterion.benchmark_group("torus-8x8x8");
    group.sample_size(10);
    for (load, cycles) in [(0.05, 40_000), (0.2, 10_000), (0.4, 5_000)] {
        group.throughput(Throughput::Elements(run(&network, load, cycles).hops));
        group.bench_function(BenchmarkId::from_parameter(load), |bencher| bencher.iter(|| run(&network, load, cycles)));
    }
    group.finish();
}

fn idle_time(criterion: &mut Criterion) {
    let network = torus(&[4, 4, 4]);
    let mut group = criterion.benchmark_group("torus-4x4x4");
    group.sample_size(10);
    group.throughput(Throughput::Elements(1_000_000));
    group.bench_function("load 0.01, a million cycles", |bencher| bencher.iter(|| run(&network, 0.01, 1_000_000)));
    group.finish();
}

criterion_group!(benches, hops, idle_time);
criterion_main!(benches);
