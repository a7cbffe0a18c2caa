//! Windows: how far partitions may be apart, by closed forms, and what is decided between two of them.

use drowse_core::engine::{Coordinator, Progress, Report, Simulation, Step, Window, window_cycles};
use drowse_core::model::config::Config;
use drowse_core::model::units::{Bytes, Time};
use drowse_core::power::StallTimer;
use drowse_core::topology::Network;
use drowse_core::workload::Workload;
use drowse_core::workload::traffic::{Count, Length, Lengths, Pattern, Traffic};

use crate::common::*;

const CYCLE: u64 = 1_600;

fn traffic(packets: Lengths, drain: bool) -> Traffic {
    Traffic {
        pattern: Pattern::Uniform,
        packets,
        load: 0.1,
        include_self: false,
        count: Count::Generated,
        warmup: Time(1_000 * CYCLE),
        measure: Time(1_000 * CYCLE),
        drain,
    }
}

/// A hop and the return of a credit, a wire after the shortest packet has left, are the soonest effects. A packet may
/// be ahead by a fraction of a picosecond. A flit takes a cycle.
#[test]
fn nothing_crosses_sooner() {
    let ring = torus(&[4], 1, 1);
    let cycles = |hop: u64, wire: u64, change: &dyn Fn(&mut Config), packets: Option<Lengths>| {
        let mut config = config(&ring, 1);
        (config.classes[1].hop, config.classes[1].latency) = (Time(hop), Time(wire));
        change(&mut config);
        let traffic = packets.map(|packets| traffic(packets, true));
        assert_eq!(window_cycles(&ring, &config, traffic.as_ref(), 1).unwrap(), 1_024, "alone");
        window_cycles(&ring, &config, traffic.as_ref(), 2).unwrap()
    };
    let plain = |_: &mut Config| ();
    // Packets of programs may have one flit: 1 + 1 cycles less a picosecond. Padded ones have eight.
    assert_eq!(cycles(4 * CYCLE, CYCLE, &plain, None), 2);
    assert_eq!(cycles(CYCLE, CYCLE, &plain, None), 1);
    let padded = |config: &mut Config| config.switch.padding = true;
    assert_eq!(cycles(4 * CYCLE, CYCLE, &padded, None), 4);
    assert_eq!(cycles(20 * CYCLE, CYCLE, &padded, None), 9);
    // A wire of 10.5 cycles: the edge after.
    assert_eq!(cycles(20 * CYCLE, 10 * CYCLE + 800, &plain, None), 12);
    // Where links are paired, news of a wake takes the wire alone.
    let paired = |config: &mut Config| config.sleep.both = true;
    assert_eq!([cycles(20 * CYCLE, 10 * CYCLE, &plain, None), cycles(20 * CYCLE, 10 * CYCLE, &paired, None)], [11, 10]);
    // The last packet of a message of 10 flits has two, of 16 flits eight.
    let one = |bytes| Some(Lengths::One(Length::Bytes(Bytes(bytes))));
    assert_eq!([160, 256, 128, 16].map(|bytes| cycles(20 * CYCLE, CYCLE, &plain, one(bytes))), [3, 9, 9, 2]);
    let [short, long] = [48, 96].map(|bytes| Length::Bytes(Bytes(bytes)));
    for (short, long) in [(short, long), (long, short)] {
        assert_eq!(cycles(20 * CYCLE, CYCLE, &plain, Some(Lengths::Two { short, long, share: 0.5 })), 4);
    }
}

/// Rows of switches: between two halves of a square are channels of the second dimension only.
#[test]
fn only_channels_between_partitions_count() {
    let square = torus(&[4, 4], 1, 1);
    let cycles = |network: &Network, slow: &[usize]| {
        let mut config = config(network, 1);
        for &class in slow {
            (config.classes[class].hop, config.classes[class].latency) = (Time(9 * CYCLE), Time(9 * CYCLE));
        }
        window_cycles(network, &config, None, 2).unwrap()
    };
    assert_eq!([cycles(&square, &[]), cycles(&square, &[0, 1]), cycles(&square, &[2])], [2, 2, 9]);
}

fn coordinator(drain: bool) -> Coordinator<'static> {
    let network = torus(&[4], 1, 1);
    let config = Config { audit: false, ..config(&network, 1) };
    Coordinator::new(&config, Some(&traffic(Lengths::packets(1), drain)), 100, None)
}

/// The report of shards whose next event is in a bucket, and of whose measured packets some are in flight.
fn report(next: u64, in_flight: u64) -> Report {
    let next = [next, u64::MAX];
    let mut report = Report { next, busy: in_flight > 0, moves: in_flight > 0, ..Report::NOTHING };
    (report.counts.measured_sent, report.counts.measured_delivered) = (9, 9 - in_flight);
    report
}

fn window(end: u64, stop_traffic: bool) -> Step {
    window_until(end, stop_traffic, u64::MAX)
}

fn window_until(end: u64, stop_traffic: bool, until: u64) -> Step {
    Step::Advance(Window { ends: [end; 2], until, stop_traffic, commands: None, starts: None, restarts: None })
}

/// Windows are 100 cycles and end where the traffic is looked at: at the end of the measured time, then every 1,024
/// cycles. Once all is delivered it stops.
#[test]
fn open_loop_traffic_ends_when_it_is_drained() {
    let mut run = coordinator(true);
    assert_eq!(run.decide(report(0, 0), u64::MAX), window(100, false));
    assert_eq!(run.decide(report(150, 3), u64::MAX), window(250, false));
    assert_eq!(run.now(), Time(150 * CYCLE));
    assert_eq!(run.decide(report(1_950, 3), u64::MAX), window(2_000, false));
    // Not yet: on to 2,048, and to 3,072.
    assert_eq!(run.decide(report(2_000, 3), u64::MAX), window(2_048, false));
    assert_eq!(run.decide(report(2_048, 1), u64::MAX), window(2_148, false));
    assert_eq!(run.decide(report(3_000, 0), u64::MAX), window(3_072, false));
    assert_eq!(run.decide(report(3_100, 0), u64::MAX), window(3_200, true));
    assert_eq!(run.decide(report(3_150, 0), u64::MAX), window(3_250, true));
    assert_eq!(run.decide(report(u64::MAX, 0), u64::MAX), Step::End);
    assert!(!run.gave_up());
}

/// After eleven times the length of warm-up and window, 22,000 cycles, it is ended at the next multiple of 1,024.
#[test]
fn traffic_that_never_drains_is_given_up() {
    let mut run = coordinator(true);
    let mut next = 0;
    while let Step::Advance(Window { ends: [end, _], stop_traffic, .. }) = run.decide(report(next, 1), u64::MAX) {
        assert!(!stop_traffic && end > next && end <= next + 100);
        next = end;
    }
    assert_eq!((next, run.gave_up(), run.now()), (22 * 1_024, true, Time(22 * 1_024 * CYCLE)));
    // Without draining at once.
    let mut run = coordinator(false);
    assert_eq!(run.decide(report(1_999, 1), u64::MAX), window(2_000, false));
    assert_eq!((run.decide(report(2_000, 0), u64::MAX), run.gave_up()), (Step::End, true));
}

/// The half that is behind goes on to where an effect of the other may come, 100 cycles after its next event, or one of
/// its own by way of the other; never past a look at the traffic, at 2,000 cycles here.
#[test]
fn halves_go_on_by_two_lookaheads() {
    let mut run = coordinator(true);
    assert!(run.alternate());
    let mut ends = |next| match run.decide(Report { next, ..report(0, 3) }, u64::MAX) {
        Step::Advance(window) => window.ends,
        other => panic!("{other:?}"),
    };
    assert_eq!([[0, 0], [100, 0], [100, 200], [300, 200]].map(&mut ends), [[100, 0], [0, 200], [300, 0], [0, 400]]);
    assert_eq!([[350, 330], [500, 900], [500, u64::MAX]].map(&mut ends), [[0, 450], [700, 0], [700, 0]]);
    assert_eq!([[1_950, 1_990], [2_000, 1_990]].map(&mut ends), [[2_000, 0], [0, 2_000]]);
    assert_eq!([[2_000, 2_010], [2_048, 2_010]].map(ends), [[2_048, 0], [0, 2_048]]);
}

/// Between two events may lie many looks at the traffic: it is the last of them, before the second event, that counts.
#[test]
fn an_event_after_many_looks_counts_at_the_last() {
    for (next, step) in [(20_000, window(20_100, false)), (20_450, window(20_480, false)), (30_000, Step::End)] {
        let mut run = coordinator(true);
        assert_eq!(run.decide(report(2_000, 3), u64::MAX), window(2_048, false));
        assert_eq!(run.decide(report(next, 3), u64::MAX), step, "{next}");
        assert_eq!(run.gave_up(), step == Step::End);
    }
}

/// At eleven times the length of warm-up and window, 1,024 cycles here, there is still time; one look later there is not.
#[test]
fn patience_ends_after_its_last_cycle() {
    let network = torus(&[4], 1, 1);
    let config = Config { audit: false, ..config(&network, 1) };
    let load = Traffic { warmup: Time::ZERO, measure: Time(1_024 * CYCLE), ..traffic(Lengths::packets(1), true) };
    let mut run = Coordinator::new(&config, Some(&load), 100, None);
    assert_eq!(run.decide(report(1_024, 1), u64::MAX), window(1_124, false));
    assert_eq!(run.decide(report(11 * 1_024, 1), u64::MAX), window(11 * 1_024 + 100, false));
    assert_eq!((run.decide(report(12 * 1_024, 1), u64::MAX), run.gave_up()), (Step::End, true));
}

/// Packets that are there and cannot move end a run: they are deadlocked, not slow.
#[test]
fn what_stands_still_ends_a_run() {
    for (next, ends) in [(1_999, false), (2_000, true)] {
        let mut run = coordinator(true);
        let step = run.decide(Report { moves: false, ..report(next, 1) }, u64::MAX);
        assert_eq!((step == Step::End, run.gave_up()), (ends, false), "looked at once the measured time is over");
    }
    let failed = Report { failed: true, ..report(0, 0) };
    assert_eq!(coordinator(true).decide(failed, u64::MAX), Step::End);
    let handled = |events| coordinator(true).decide(Report { events, ..report(0, 0) }, 5);
    assert_eq!([handled(4), handled(5)], [window_until(100, false, 5), Step::Pause]);
}

/// A report of several shards adds up what is counted, and takes the first event and any warning.
#[test]
fn reports_add_up() {
    let mut first = Report { events: 3, audited: [7, 4, 3], failed: true, ..report(20, 2) };
    (first.counts.generated_flits, first.counts.delivered_flits) = (30, 20);
    let mut second = Report { events: 5, audited: [10, 8, 2], ..report(10, 0) };
    (second.counts.generated_flits, second.counts.delivered_flits) = (3, 2);
    for both in [first.clone().plus(second.clone()), second.plus(first)] {
        assert_eq!((both.next, both.events, both.audited), ([10, u64::MAX], 8, [17, 12, 5]));
        assert_eq!((both.failed, both.busy, both.moves), (true, true, true));
        assert_eq!((both.counts.measured_sent, both.counts.measured_delivered), (18, 16));
        assert_eq!((both.counts.generated_flits, both.counts.delivered_flits), (33, 22));
    }
    let none = Report::NOTHING.plus(Report::NOTHING);
    assert!(!none.failed && !none.busy && !none.moves && none.next == [u64::MAX; 2]);
}

/// No more shards than switches, and at least one.
#[test]
fn shards_are_as_many_as_asked_for() {
    let ring = torus(&[4], 1, 1);
    let config = config(&ring, 1);
    let policy = StallTimer::always_on(ring.classes.len());
    let shards = |parts| {
        let workload = job(vec![vec![]], &[0]);
        Simulation::in_partitions(&ring, &config, &policy, workload, parts).unwrap().shards()
    };
    assert_eq!([0, 1, 2, 3, 4, 9].map(shards), [1, 1, 2, 3, 4, 4]);
}

/// A shard alone has windows of 1,024 cycles, and reports after as many events as were asked for all the same: one that
/// is asked for one reports after every bucket in which something happens. How often it is asked changes nothing.
#[test]
fn a_shard_alone_reports_after_some_events() {
    let network = torus(&[4, 4], 1, 1);
    let config = Config { audit: false, ..config(&network, 1) };
    let policy = StallTimer::uniform(network.classes.len(), None, None);
    let record = |events: u64| {
        let load = Workload::OpenLoop(traffic(Lengths::packets(1), true));
        let mut simulation = Simulation::in_partitions(&network, &config, &policy, load, 1).unwrap();
        let mut reports = 0;
        while simulation.advance(events).unwrap() != Progress::Done {
            reports += 1;
        }
        (reports, simulation.into_record())
    };
    let ((every, often), (once, seldom)) = (record(1), record(u64::MAX));
    // Sixteen nodes send a packet of eight flits every 80 cycles: some 400 in 2,000, each an event when it arrives, which
    // few share with another.
    assert!(every > 300, "{every} reports");
    assert_eq!(once, 0);
    assert_eq!(often, seldom);
}
