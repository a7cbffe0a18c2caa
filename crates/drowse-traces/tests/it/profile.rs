//! What is counted of a program's operations, beside counts by hand and by a second way.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::io::Read;

use drowse_core::model::units::Time;
use drowse_core::workload::operation::Operation;
use drowse_traces::{ComputeModel, Messages, Profile, Profiling, Trace};
use flate2::read::GzDecoder;

use crate::sample::{Folder, data, operations, shipped};

const COMPUTE: ComputeModel = ComputeModel::TEN_GIGAFLOPS;

fn profile(trace: &Trace) -> Profile {
    Profiling::new(trace.operations(COMPUTE)).finish().unwrap()
}

fn messages(count: u64, bytes: u64) -> Messages {
    Messages { count, bytes }
}

#[test]
fn a_trace_by_hand() {
    let text = "drowse-trace 1\nranks 3\ncommunicator odd 1\ncommunicator two 2 0\nrank 0\ncompute 5 us\nsend 1 0\n\
                isend 1 1 as 0\nsend 2 2\nsend 2 3\nsend 2 4\nsend 2 5\nwait 0\ncompute 1 ns\nallreduce 8\n\
                bcast 0 9 in two\nrank 1\nrecv 0\nrecv 0\nsend 1 1024\nrecv 1\nallreduce 8\nrank 2\nrecv 0\nrecv 0\n\
                recv 0\nrecv 0\nallreduce 8 compute 3\niallgatherv 20 30 40 as 7\nwait 7\nbcast 0 9 in two\n";
    let folder = Folder::new(&[("t", text)]);
    let profile = profile(&Trace::open(folder.path().join("t")).unwrap());
    let sizes = [
        (0, messages(1, 0)),
        (1, messages(1, 1)),
        (2, messages(1, 2)),
        (4, messages(2, 7)),
        (8, messages(1, 5)),
        (1024, messages(1, 1024)),
    ];
    assert_eq!(profile.sizes, BTreeMap::from(sizes));
    let collectives = [
        (("allreduce", 8), messages(3, 24)),
        (("bcast", 16), messages(2, 18)),
        (("iallgatherv", 128), messages(1, 90)),
    ];
    assert_eq!(profile.collectives, BTreeMap::from(collectives));
    assert_eq!(profile.communicators, BTreeMap::from([(1, 1), (2, 1), (3, 1)]));
    assert_eq!(profile.computed, [5_001_000, 0, 0]);
    assert_eq!(profile.pairs, 3, "0 to 1, 0 to 2, 1 to itself");
    let bytes: Vec<u64> = (0..9).map(|cell| profile.matrix.of(cell / 3, cell % 3).bytes).collect();
    assert_eq!(bytes, [0, 1, 14, 0, 1024, 0, 0, 0, 0]);
}

/// Counts anew, from all operations in memory, with classes by division instead of powers.
#[test]
fn shipped_traces_counted_a_second_way() {
    let class = |bytes: u64| {
        let (mut halvings, mut left) = (0, bytes.saturating_sub(1));
        while left > 0 {
            (halvings, left) = (halvings + 1, left / 2);
        }
        if bytes == 0 { 0 } else { 1 << halvings }
    };
    for name in ["cg.A.16", "lu.A.16", "is.A.16", "stencil2d.64", "graph500.64", "lulesh.64"] {
        let trace = Trace::open(shipped(&format!("{name}.tar.zst"))).unwrap();
        let program = operations(&mut *trace.operations(COMPUTE)).unwrap();
        let (mut sizes, mut cells) = (BTreeMap::<u64, (u64, u64)>::new(), BTreeMap::<(u32, u32), (u64, u64)>::new());
        let (mut calls, mut pairs) = (0, BTreeSet::new());
        for (rank, operation) in (0..).zip(&program).flat_map(|(rank, all)| all.iter().map(move |one| (rank, one))) {
            if let Operation::Send { to, bytes, .. } | Operation::Isend { to, bytes, .. } = *operation {
                for count in [sizes.entry(class(bytes)).or_default(), cells.entry((rank, to)).or_default()] {
                    *count = (count.0 + 1, count.1 + bytes);
                }
                pairs.insert((rank, to));
            }
            calls += u64::from(operation.called().is_some());
        }
        let (found, info) = (profile(&trace), trace.info().unwrap());
        let found_sizes = found.sizes.iter().map(|(&size, messages)| (size, (messages.count, messages.bytes)));
        assert_eq!(found_sizes.collect::<BTreeMap<_, _>>(), sizes, "{name}");
        assert_eq!(found.pairs, pairs.len() as u64, "{name}");
        assert_eq!(found.collectives.values().map(|calls| calls.count).sum::<u64>(), calls, "{name}");
        assert_eq!(calls, info.collectives.values().sum::<u64>(), "{name}");
        let cell = |cell: u32| (cell / info.ranks, cell % info.ranks);
        let (mut count, mut bytes) = (0, 0);
        for (from, to) in (0..info.ranks * info.ranks).map(cell) {
            let here = found.matrix.of(from, to);
            assert_eq!((here.messages, here.bytes), cells.get(&(from, to)).copied().unwrap_or_default(), "{name}");
            (count, bytes) = (count + here.messages, bytes + here.bytes);
        }
        assert_eq!(messages(count, bytes), info.messages, "{name}");
    }
}

/// Each rank of a stencil sends its neighbours as much as they send to it. A rank of an 8 x 8 grid has 2 to 4 of them.
#[test]
fn a_stencil_is_symmetric() {
    let matrix = profile(&Trace::open(shipped("stencil2d.64.tar.zst")).unwrap()).matrix;
    for from in 0..64 {
        let sent: Vec<u64> = (0..64).map(|to| matrix.of(from, to).bytes).collect();
        let received: Vec<u64> = (0..64).map(|to| matrix.of(to, from).bytes).collect();
        assert_eq!(sent, received, "rank {from}");
        let neighbours = sent.iter().filter(|&&bytes| bytes > 0).count();
        assert!((2..=4).contains(&neighbours), "rank {from} has {neighbours}");
    }
}

/// Ranks beyond those that have a cell of their own share one.
#[test]
fn many_ranks_share_cells() {
    let ranks = 1_000_u64;
    let mut text = format!("drowse-trace 1\nranks {ranks}\n");
    for rank in 0..ranks {
        let (next, last) = ((rank + 1) % ranks, (rank + ranks - 1) % ranks);
        writeln!(text, "rank {rank}\nisend {next} {} as 0\nrecv {last}\nwait 0", rank + 1).unwrap();
    }
    let folder = Folder::new(&[("ring", &text)]);
    let profile = profile(&Trace::open(folder.path().join("ring")).unwrap());
    let (block, blocks) = (profile.matrix.block(), profile.matrix.blocks());
    assert_eq!((block, blocks, profile.pairs), (4, 250, ranks));
    let first = profile.matrix.of(0, 0);
    assert_eq!((first.messages, first.bytes), (3, 1 + 2 + 3));
    assert_eq!(profile.matrix.of(0, 1).bytes, 4);
    let all: u64 = (0..blocks * blocks).map(|cell| profile.matrix.of(cell / blocks, cell % blocks).bytes).sum();
    assert_eq!(all, ranks * (ranks + 1) / 2);
}

/// A Paraver trace records a rank up to its last event, and a rank computes where it is in no call: the text says so
/// without the reader.
#[test]
fn recorded_times() {
    let trace = Trace::open(data("is_16.prv.gz")).unwrap();
    let recorded = trace.recorded().unwrap();
    let mut text = String::new();
    let file = std::fs::File::open(data("is_16.prv.gz")).unwrap();
    GzDecoder::new(file).read_to_string(&mut text).unwrap();
    let (mut last, mut begun, mut within) = ([0; 16], [0; 16], [0; 16]);
    for line in text.lines().filter(|line| line.starts_with("2:")) {
        let fields: Vec<u64> = line.split(':').map(|field| field.parse().unwrap()).collect();
        // Calls of MPI, and the end of the application.
        let (rank, time) = (fields[3] as usize - 1, fields[5]);
        for event in fields[6..].chunks(2) {
            match (event[0], event[1]) {
                (50_000_001..=50_000_003, 0) => within[rank] += time - begun[rank],
                (50_000_001..=50_000_003, _) => begun[rank] = time,
                (40_000_001, _) => {}
                _ => continue,
            }
            last[rank] = last[rank].max(time);
        }
    }
    assert_eq!(recorded, last.map(Time::from_ns));
    let computed = profile(&trace).computed;
    let outside: Vec<u128> = (0..16).map(|rank| u128::from(last[rank] - within[rank]) * 1_000).collect();
    assert_eq!(computed, outside);
    let dumpi = Trace::open(data("dumpi/is.S.16.tar.gz")).unwrap();
    for trace in [trace, dumpi] {
        let (recorded, computed) = (trace.recorded().unwrap(), profile(&trace).computed);
        assert_eq!(recorded.len(), 16);
        let both = recorded.iter().zip(&computed);
        assert!(both.clone().all(|(time, &computed)| computed > 0 && computed < time.0.into()), "{both:?}");
    }
    assert!(Trace::open(data("is_16.dim.gz")).unwrap().recorded().is_none(), "bursts have no place in time");
}
