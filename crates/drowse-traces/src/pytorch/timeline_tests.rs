//! Timelines by hand: a stream 7 that computes, and a stream 40 that communicates.

use super::*;

/// A computation on stream 7, from a begin to an end, and when it was launched.
fn computes(begin: i64, end: i64, launched: impl Into<Option<i64>>) -> Activity {
    Activity { stream: 7, begin, end, launched: launched.into(), number: begin, communication: None, blocks: false }
}

/// A communication on stream 40.
fn communicates(number: u32, begin: i64, end: i64, launched: impl Into<Option<i64>>) -> Activity {
    Activity { stream: 40, communication: Some(number), ..computes(begin, end, launched) }
}

fn recorded(activities: &[Activity]) -> Recorded {
    let end = activities.iter().map(|of| of.end).max().unwrap_or_default();
    Recorded { activities: activities.to_vec(), end, ..Recorded::default() }
}

fn steps(activities: &[Activity]) -> Vec<Step> {
    order(&recorded(activities)).steps
}

use Step::{Compute, Iteration, Start, Wait};

/// What was launched in time waits for the communication; how long that ran does not count.
#[test]
fn an_exposed_communication_is_waited_for() {
    for end in [20, 200] {
        let all = [computes(0, 10, 0), communicates(0, 10, end, 1), computes(end + 2, end + 7, 2)];
        assert_eq!(steps(&all), [Compute(10), Start(0), Wait(0), Compute(2 + 5)]);
    }
}

/// The communication starts in the middle of a computation; what is left of it behind the computation does not count.
#[test]
fn a_part_is_hidden() {
    let all = [computes(0, 10, 0), communicates(0, 4, 30, 1), computes(30, 35, 2)];
    assert_eq!(steps(&all), [Compute(4), Start(0), Compute(6), Wait(0), Compute(5)]);
}

/// The host had not launched what follows when the communication ended: its time is computing.
#[test]
fn a_slow_host_is_computing() {
    let all = [computes(0, 10, 0), communicates(0, 10, 20, 1), computes(50, 55, 45)];
    let ordered = order(&recorded(&all));
    assert_eq!((ordered.steps, ordered.unneeded), (vec![Compute(10), Start(0), Compute(45)], 1));
    // It makes the stream wait, so the next computation needs the communication nevertheless.
    let waits = Recorded { host_waits: vec![30], ..recorded(&all) };
    assert_eq!(order(&waits).steps, [Compute(10), Start(0), Compute(40), Wait(0), Compute(5)]);
    // Launched while the communication ran: the time before is the host's.
    let all = [computes(0, 10, 0), communicates(0, 10, 20, 1), computes(20, 25, 13)];
    assert_eq!(steps(&all), [Compute(10), Start(0), Compute(3), Wait(0), Compute(5)]);
}

/// The host waits for the GPU from 12 on.
#[test]
fn the_host_waits_for_the_communication() {
    let all = [computes(0, 10, 0), communicates(0, 10, 20, 1), computes(50, 55, 45)];
    let waits = Recorded { host_syncs: vec![(12, 21)], ..recorded(&all) };
    assert_eq!(order(&waits).steps, [Compute(10), Start(0), Compute(2), Wait(0), Compute(35)]);
}

/// What ends while the GPU computes is waited for with the next one of its stream, or at the end.
#[test]
fn hidden_communications() {
    let all = [computes(0, 50, 0), communicates(0, 5, 10, 1), communicates(1, 10, 60, 2), computes(60, 70, 3)];
    let ordered = order(&recorded(&all));
    assert_eq!(ordered.steps, [Compute(5), Start(0), Compute(5), Start(1), Compute(40), Wait(0), Wait(1), Compute(10)]);
    assert_eq!(ordered.unneeded, 1);
    let all = [computes(0, 50, 0), communicates(0, 5, 10, 1)];
    assert_eq!(steps(&all), [Compute(5), Start(0), Compute(45)]);
}

/// A stream runs one communication after the other: where both are exposed, the second starts when the first has ended.
#[test]
fn communications_in_turn() {
    let all = [computes(0, 10, 0), communicates(0, 10, 20, 1), communicates(1, 20, 30, 2), computes(30, 35, 3)];
    assert_eq!(steps(&all), [Compute(10), Start(0), Wait(0), Start(1), Wait(1), Compute(5)]);
}

/// A call that does not return before it has ended runs on the stream of computations.
#[test]
fn the_same_stream() {
    let on_seven = |number, begin, end| Activity { stream: 7, ..communicates(number, begin, end, 0) };
    let copy = Activity { stream: 9, ..computes(10, 25, 0) };
    let all = [computes(0, 10, 0), on_seven(0, 10, 20), copy, computes(22, 30, 5)];
    assert_eq!(steps(&all), [Compute(10), Start(0), Compute(12), Wait(0), Compute(8)]);
}

/// Stream 7 waits, by call 6, for what stream 40 had to do at call 5.
#[test]
fn waits_of_streams() {
    let number = |of: Activity, number| Activity { number, ..of };
    let all = [
        number(computes(0, 50, 0), 1),
        number(communicates(0, 5, 10, 1), 2),
        number(computes(50, 60, 2), 3),
        number(computes(60, 70, 3), 7),
    ];
    let waits =
        Recorded { stream_waits: vec![StreamWait { stream: 7, number: 6, on: 40, recorded: 5 }], ..recorded(&all) };
    assert_eq!(order(&waits).steps, [Compute(5), Start(0), Compute(55), Wait(0), Compute(10)]);
}

/// The time before the first kernel and behind the last is the host's.
#[test]
fn iterations_begin_with_their_first_kernel() {
    let all = Recorded {
        begin: -20,
        end: 100,
        iterations: vec![-20, 15],
        ..recorded(&[computes(0, 10, -5), computes(20, 30, 14), computes(40, 50, 16)])
    };
    assert_eq!(order(&all).steps, [Compute(20), Iteration, Compute(40), Iteration, Compute(60)]);
}

/// Whatever overlaps, each communication starts once, is waited for at most once and later, and no more time is
/// computed than passed, nor less than the GPU computed.
#[test]
fn random_timelines() {
    let mut seed = 1_u64;
    let mut draw = |below: u64| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((seed >> 33) % below).cast_signed()
    };
    for _ in 0..2000 {
        let count = 1 + draw(9);
        let activities: Vec<Activity> = (0..count)
            .zip(0_u32..)
            .map(|(_, place)| {
                let begin = draw(40);
                Activity {
                    stream: 7 + draw(3),
                    begin,
                    end: begin + draw(15),
                    launched: (draw(3) > 0).then(|| begin - draw(10)),
                    number: draw(20),
                    communication: (draw(2) == 0).then_some(place),
                    blocks: draw(4) == 0,
                }
            })
            .collect();
        let wait = StreamWait { stream: 7, number: draw(20), on: 8, recorded: draw(20) };
        let host_syncs = vec![(draw(40), draw(60))];
        let (host_waits, iterations) = (vec![draw(40), draw(40)], vec![draw(40)]);
        let recorded = Recorded {
            activities: activities.clone(),
            host_waits,
            host_syncs,
            stream_waits: vec![wait],
            iterations,
            begin: 0,
            end: 60,
        };
        let steps = order(&recorded).steps;
        let (mut started, mut waited) = (Vec::new(), Vec::new());
        let mut computed = 0;
        for step in steps {
            match step {
                Start(number) => started.push(number),
                Wait(number) => {
                    assert!(started.contains(&number) && !waited.contains(&number));
                    waited.push(number);
                }
                Compute(time) => computed += time,
                Iteration => {}
            }
        }
        let communications = activities.iter().filter(|of| of.communication.is_some()).count();
        assert_eq!(started.len(), communications);
        let busy =
            |time: &i64| activities.iter().any(|of| of.communication.is_none() && of.begin <= *time && *time < of.end);
        let least = (0..60).filter(busy).count() as u64;
        assert!(computed >= least && computed <= 60, "{computed} {least}");
    }
}
