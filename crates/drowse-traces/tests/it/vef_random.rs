//! Random VEF traces against a second model: tasks that run their operations on a network without delay.

use std::fmt::Write as _;

use drowse_core::workload::operation::Operation;
use drowse_traces::Trace;
use proptest::prelude::*;

use crate::sample::{COMPUTE, Folder, operations};

/// A record: its task, its receiver, which of the possible parents it has, its time, and its place in the file.
type Drawn = (u32, u32, prop::sample::Index, u64, u64);

/// What a record depends on.
#[derive(Clone, Copy, Debug)]
enum On {
    Start,
    Sent(usize),
    Received(usize),
}

/// A record of a trace.
#[derive(Clone, Copy, Debug)]
struct Record {
    from: u32,
    to: u32,
    on: On,
    after: u64,
}

/// Makes records that depend on those before them.
fn records(drawn: &[Drawn]) -> Vec<Record> {
    let mut records: Vec<Record> = Vec::new();
    for &(from, to, parent, after, _) in drawn {
        let earlier = records.iter().enumerate();
        let sent = earlier.clone().filter(|(_, record)| record.from == from).map(|(place, _)| On::Sent(place));
        let received = earlier.filter(|(_, record)| record.to == from).map(|(place, _)| On::Received(place));
        let parents: Vec<On> = sent.chain(received).chain([On::Start]).collect();
        records.push(Record { from, to, on: parents[parent.index(parents.len())], after });
    }
    records
}

/// Writes records as a trace, in this order, with their places as ids.
fn text(records: &[Record], order: &[usize]) -> String {
    let mut text = format!("VEF3 4 {} 0 0 0 FALSE\n", records.len());
    for &place in order {
        let Record { from, to, on, after } = records[place];
        let (kind, id) = match on {
            On::Start => (0, "-1".to_owned()),
            On::Sent(id) => (1, id.to_string()),
            On::Received(id) => (2, id.to_string()),
        };
        writeln!(text, "{place} {from} {to} {place} {kind} {after} {id}").unwrap();
    }
    text
}

/// Runs programs: returns when each message was sent, by its size, which is its id.
fn run(programs: &[Vec<Operation>], messages: usize) -> Vec<u64> {
    let mut next = vec![0; programs.len()];
    let mut now = vec![0_u64; programs.len()];
    let (mut sent, mut of_tag) = (vec![None; messages], vec![None; messages]);
    loop {
        let mut moved = false;
        for (task, program) in programs.iter().enumerate() {
            while let Some(operation) = program.get(next[task]) {
                match *operation {
                    Operation::Compute(time) => now[task] += time.0 / 1_000,
                    Operation::Isend { tag, bytes, .. } => {
                        sent[bytes as usize] = Some(now[task]);
                        of_tag[tag as usize] = Some(now[task]);
                    }
                    Operation::Recv { tag, .. } => match of_tag[tag.unwrap() as usize] {
                        Some(time) => now[task] = now[task].max(time),
                        None => break,
                    },
                    Operation::Irecv { .. } | Operation::WaitAll => {}
                    ref other => panic!("{other:?}"),
                }
                (next[task], moved) = (next[task] + 1, true);
            }
        }
        if !moved {
            break;
        }
    }
    assert!(next.iter().zip(programs).all(|(next, program)| *next == program.len()), "tasks wait for each other");
    sent.into_iter().map(|time| time.expect("a message was never sent")).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    /// Whatever the order of the file, all tasks end, every message is sent once and received once, and none is sent
    /// earlier than the trace says.
    #[test]
    fn dependencies_are_honoured(
        drawn in prop::collection::vec((0_u32..4, 0_u32..4, any::<prop::sample::Index>(), 0_u64..1_000, any::<u64>()), 1..40),
        shuffled in any::<bool>(),
    ) {
        let records = records(&drawn);
        let mut order: Vec<usize> = (0..records.len()).collect();
        if shuffled {
            order.sort_by_key(|&place| drawn[place].4);
        }
        let folder = Folder::new(&[("a", &text(&records, &order))]);
        let trace = Trace::open(folder.path().join("a")).unwrap();
        let programs = operations(&mut *trace.operations(COMPUTE)).unwrap();
        let sent = run(&programs, records.len());
        let begin = records.iter().filter(|record| matches!(record.on, On::Start)).map(|record| record.after).min().unwrap();
        let mut delayed = 0;
        for (record, &time) in records.iter().zip(&sent) {
            let earliest = match record.on {
                On::Start => record.after - begin,
                On::Sent(place) | On::Received(place) => sent[place] + record.after,
            };
            prop_assert!(time >= earliest, "{record:?} at {time}, not before {earliest}");
            delayed += u64::from(time > earliest && !matches!(record.on, On::Received(_)));
        }
        prop_assert!(delayed <= trace.info().unwrap().coverage.approximations(), "{delayed} records are delayed");
        let received = programs.concat().iter().filter(|operation| matches!(operation, Operation::Recv { .. } | Operation::Irecv { .. })).count();
        prop_assert_eq!(received, records.len());
    }
}
