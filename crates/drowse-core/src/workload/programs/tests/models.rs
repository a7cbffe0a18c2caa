//! HPCG, LULESH, Sweep3D and MapReduce against second models of them, against what the programs print, and by hand.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use super::super::*;
use super::codes::told;
use super::{COMPUTE, operations};
use crate::workload::operation::{Operation, SendMode};

/// What a rank sends, in order.
fn sent(operations: &[Operation]) -> Vec<(u32, u64)> {
    let sent = |operation: &Operation| match *operation {
        Operation::Send { to, bytes, .. } => Some((to, bytes)),
        _ => None,
    };
    operations.iter().filter_map(sent).collect()
}

/// What `SetupHalo` finds: whose points the rows of a rank's matrix name, and which of its own points they need. The
/// matrix is followed point by point.
fn halo(dims: [u32; 3], sides: [u32; 3], rank: u32) -> Vec<(u32, u64)> {
    let place = [rank % dims[0], rank / dims[0] % dims[1], rank / dims[0] / dims[1]];
    let range = |axis: usize| place[axis] * sides[axis]..(place[axis] + 1) * sides[axis];
    let mut needed: BTreeMap<u32, BTreeSet<[u32; 3]>> = BTreeMap::new();
    for point in range(2).flat_map(|z| range(1).flat_map(move |y| range(0).map(move |x| [x, y, z]))) {
        for offset in 0..27 {
            let other = [point[0] + offset % 3, point[1] + offset / 3 % 3, point[2] + offset / 9];
            if (0..3).all(|axis| (1..=dims[axis] * sides[axis]).contains(&other[axis])) {
                let [x, y, z] = [0, 1, 2].map(|axis: usize| (other[axis] - 1) / sides[axis]);
                needed.entry((z * dims[1] + y) * dims[0] + x).or_default().insert(point);
            }
        }
    }
    needed.remove(&rank);
    needed.into_iter().map(|(other, points)| (other, 8 * points.len() as u64)).collect()
}

/// Each of the eleven exchanges of an iteration, on its level.
#[test]
fn halos_of_hpcg_are_those_of_its_matrix() {
    let (dims, local) = ([3, 2, 3], [8, 16, 8]);
    for (rank, operations) in (0..).zip(operations(Hpcg::new(dims, local).unwrap(), 1, SendMode::Standard)) {
        let exchanges =
            [0, 0, 1, 1, 2, 2, 3, 2, 1, 0, 0].map(|level| halo(dims, local.map(|side| side >> level), rank));
        assert_eq!(sent(&operations), exchanges.concat(), "{rank}");
    }
}

/// Two ranks share a face of 8 x 8, 4 x 4, 2 x 2 and 1 x 1 points.
#[test]
fn an_iteration_of_hpcg() {
    let hpcg = Hpcg::new([2, 1, 1], [8; 3]).unwrap();
    let exchange = |bytes: u64| format!("<1 >1:{bytes}");
    let down = [512, 128, 32].map(|bytes| format!("{0} c {0} c", exchange(bytes))).join(" ");
    let up = [8, 32, 128, 512].map(|bytes| format!("{} c", exchange(bytes))).join(" ");
    assert_eq!(told(hpcg, 0), format!("{down} {up} c + c {} c c + c c +", exchange(512)));
    assert_eq!(told(hpcg.beginning(), 0), format!("{} c c +", exchange(512)));
}

/// Operations as `ReportResults` counts them: two for each non-zero of a product, four of a smoothing, two for each point
/// of a sum or of an addition of vectors; 27 non-zeros in a row. A set begins with a product, an addition and a sum.
#[test]
fn hpcg_computes_as_it_counts() {
    let points = |level: u32| (104_u64 >> level).pow(3) as f64;
    let cycle: f64 = (0..3).map(|level| (4.0 + 2.0 + 4.0) * 27.0 * points(level)).sum::<f64>() + 4.0 * 27.0 * points(3);
    let all = cycle + 2.0 * 27.0 * points(0) + (3.0 + 3.0) * 2.0 * points(0);
    let hpcg = Hpcg::new([1; 3], [104; 3]).unwrap();
    let computed = |chain: Hpcg| -> u64 {
        let time = |operation: &Operation| if let Operation::Compute(time) = operation { time.0 } else { 0 };
        operations(chain, 1, SendMode::Ready)[0].iter().map(time).sum()
    };
    assert_eq!(computed(hpcg), COMPUTE.0);
    let share = (2.0 * 27.0 + 2.0 + 2.0) * points(0) / all;
    assert!((computed(hpcg.beginning()) as f64 / COMPUTE.0 as f64 - share).abs() < 1e-5);
}

/// Rank 3 of eight is at (1, 1, 0). Two elements along an edge make three nodes: faces of 9, edges of 3, a corner.
#[test]
fn a_time_step_of_lulesh() {
    let lulesh = Lulesh::new(8, 2).unwrap();
    let posts = "<7 <1 <2 <0 <5 <6 <4";
    let masses = ">7:72 >1:72 >2:72 >0:24 >5:24 >6:24 >4:8";
    let forces = ">7:216 >1:216 >2:216 >0:72 >5:72 >6:72 >4:24";
    let motion = "<7 <5 <6 <4 c >1:432 >2:432 >0:144 c";
    let gradients = "<7 <1 <2 c >7:96 >1:96 >2:96 c";
    let first = format!("{posts} c {forces} {motion} {gradients}");
    assert_eq!(told(lulesh.beginning(), 3), format!("{posts} {masses} +"));
    assert_eq!(told(lulesh.first(), 3), first);
    assert_eq!(told(lulesh, 3), format!("+ {first}"));
    assert_eq!(told(lulesh.end(), 3), "+");
    // One rank has nobody to send to.
    assert_eq!(told(Lulesh::new(1, 2).unwrap(), 0), "+ c c c c c");
}

/// Ranks wait for all that they have started, and then for all that they have posted, before they go on.
#[test]
fn waits_of_lulesh() {
    for operations in operations(Lulesh::new(27, 2).unwrap(), 2, SendMode::Standard) {
        let (mut posted, mut started, mut waited) = (Vec::new(), Vec::new(), Vec::new());
        for operation in operations.into_iter().chain([Operation::Iteration]) {
            if !waited.is_empty() && !matches!(operation, Operation::Wait { .. }) {
                started.append(&mut posted);
                assert_eq!(std::mem::take(&mut waited), std::mem::take(&mut started));
            }
            match operation {
                Operation::Irecv { request, .. } => posted.push(request),
                Operation::Isend { request, .. } => started.extend(request),
                Operation::Wait { request } => waited.push(request),
                _ => {}
            }
        }
        assert!(posted.is_empty() && started.is_empty());
    }
}

/// How long ranks take whose messages take no time, in computations.
fn critical_path(ranks: &[Vec<Operation>]) -> u64 {
    let mut sent: BTreeMap<(u32, u32, u32), VecDeque<u64>> = BTreeMap::new();
    let (mut done, mut times) = (vec![0; ranks.len()], vec![0; ranks.len()]);
    while (0..ranks.len()).any(|rank| done[rank] < ranks[rank].len()) {
        for rank in 0..ranks.len() {
            while let Some(operation) = ranks[rank].get(done[rank]) {
                match *operation {
                    Operation::Compute(time) => times[rank] += time.0,
                    Operation::Send { to, tag, .. } => {
                        sent.entry((rank as u32, to, tag)).or_default().push_back(times[rank]);
                    }
                    Operation::Recv { from: Some(from), tag: Some(tag), .. } => {
                        let arrived = sent.get_mut(&(from, rank as u32, tag)).and_then(VecDeque::pop_front);
                        let Some(time) = arrived else { break };
                        times[rank] = time.max(times[rank]);
                    }
                    _ => {}
                }
                done[rank] += 1;
            }
        }
    }
    times.into_iter().max().unwrap_or(0)
}

/// What Sweep3D 2.2b prints of its two inputs on 2 x 3 ranks: messages of an iteration, and the share of the time in which
/// ranks compute where messages take none.
#[test]
fn sweeps_are_those_that_the_program_prints() {
    let of_50 = Cells { cells: [50; 3], angles: 6, planes: 10, batch: 3 };
    let of_150 = Cells { cells: [150; 3], angles: 6, planes: 30, batch: 2 };
    for (cells, messages, efficiency) in [(of_50, 560, 88.89), (of_150, 840, 92.31)] {
        let sweep = Sweep3d::new([2, 3], cells).unwrap();
        assert_eq!(Work::from(sweep.clone()).messages(), messages);
        let share = COMPUTE.0 as f64 / critical_path(&operations(sweep, 1, SendMode::Ready)) as f64;
        assert!((100.0 * share - efficiency).abs() < 0.005, "{share}");
    }
}

/// Rank 0 of 2 x 2 has the corner that is reached last by the first octants. Its cells are 3 x 2 of 5 x 3. The second
/// block has one plane, and messages as large as the first's.
#[test]
fn octants_of_sweep3d() {
    let cells = Cells { cells: [5, 3, 3], angles: 2, planes: 2, batch: 2 };
    let [x, y] = [">1:64", ">2:96"];
    let twice = |block: &str| [block; 4].join(" ");
    let octants = ["<1 <2 c".into(), format!("<1 c {y}"), format!("<2 c {x}"), format!("c {x} {y}")];
    let all: Vec<String> = octants.iter().map(|block| twice(block)).collect();
    let sweep = Sweep3d::new([2, 2], cells).unwrap();
    assert_eq!(told(sweep.clone(), 0), format!("{} + +", all.join(" ")));
    let lasts = |operation: &Operation| if let Operation::Compute(time) = operation { Some(time.0) } else { None };
    let times: Vec<u64> = operations(sweep, 1, SendMode::Ready)[0].iter().filter_map(lasts).collect();
    assert!(times.chunks(2).all(|pair| pair == [COMPUTE.0 * 2 / 24, COMPUTE.0 / 24]));
    // One rank takes an octant at once.
    assert_eq!(told(Sweep3d::new([1, 1], cells).unwrap(), 0), "c c c c c c c c + +");
}

const JOB: Job = Job { mappers: 2, reducers: 2, tasks: 2, bytes: 100, replicas: 1 };
const KEYS: Keys = Keys { number: 10_000, popularity: Popularity::Equal, seed: 3 };

/// Ranks 0 and 1 of three map, and ranks 1 and 2 reduce. There is one key, so that one of the reducers gets all.
#[test]
fn a_job_of_mapreduce() {
    let program = |job| MapReduce::new(3, job, Keys { number: 1, ..KEYS }).unwrap();
    let bytes = |operations: &[Operation]| sent(operations).into_iter().collect::<BTreeMap<u32, u64>>();
    let of_0 = bytes(&operations(program(JOB), 1, SendMode::Ready)[0]);
    let (one, two) = (of_0[&1], of_0[&2]);
    assert!([one, two] == [100, 0] || [one, two] == [0, 100]);
    assert_eq!(told(program(JOB), 0), format!("c >2:{two} >1:{one} c >2:{two} >1:{one} +"));
    let computes = |bytes: u64| if bytes > 0 { " c" } else { "" };
    assert_eq!(told(program(JOB), 1), format!("c >2:{two} c >2:{two} < <{} +", computes(one)));
    // Output goes on to one more rank, round the ring.
    let copied = program(Job { replicas: 2, ..JOB });
    let output = |bytes: u64| 4 * bytes;
    assert_eq!(told(copied, 2), format!("< < < <{} >0:{} <1 +", computes(two), output(two)));
    assert!(told(copied, 0).ends_with("<2 +"));
}

/// What the reducers get of a task.
fn shares(keys: Keys) -> Vec<u64> {
    let job = Job { mappers: 1, reducers: 16, tasks: 1, bytes: 1 << 30, replicas: 1 };
    let sent = sent(&operations(MapReduce::new(17, job, keys).unwrap(), 1, SendMode::Ready)[0]);
    sent.into_iter().collect::<BTreeMap<_, _>>().into_values().collect()
}

/// Equal keys are spread as balls over bins: a reducer of 16 has the mean of 625 with a variance of 586. By Zipf's law the
/// most frequent of 10,000 keys has one part of 9.788 (the harmonic number), and the largest reducer has more.
#[test]
fn keys_make_reducers_differ() {
    let equal = shares(KEYS);
    assert_eq!(equal.iter().sum::<u64>(), 1 << 30);
    let keys = equal.iter().map(|&bytes| bytes as f64 / (1 << 30) as f64 * 10_000.0);
    let chi2: f64 = keys.map(|keys| (keys - 625.0).powi(2) / 625.0).sum();
    assert!((4.6..32.8).contains(&chi2), "{chi2}: 99 of 100 draws with 15 degrees of freedom are between");
    let zipf = shares(Keys { popularity: Popularity::Zipf, ..KEYS });
    let most = *zipf.iter().max().unwrap() as f64 / (1 << 30) as f64;
    assert!(most > 1.0 / 9.788 && zipf.iter().sum::<u64>() == 1 << 30, "{most}");
    assert_ne!(shares(Keys { seed: 4, ..KEYS }), equal);
}

#[test]
fn what_none_of_them_can_be_is_refused() {
    let text = |error: ProgramError| error.to_string();
    assert_eq!(
        text(Hpcg::new([2, 2, 2], [104, 104, 100]).unwrap_err()),
        "local = [104, 104, 100] is out of range: write three multiples of 8 of at most 4096: levels halve them three times"
    );
    assert!(Hpcg::new([2, 0, 2], [8; 3]).is_err() && Hpcg::new([1 << 12; 3], [8; 3]).is_err());
    assert!(Hpcg::new([1; 3], [8, 0, 8]).is_err());
    assert_eq!(
        text(Lulesh::new(16, 30).unwrap_err()),
        "ranks = 16 is out of range: write the cube of a number, as the program demands"
    );
    assert!(Lulesh::new(0, 30).is_err() && Lulesh::new(u32::MAX, 30).is_err() && Lulesh::new(8, 646).is_err());
    assert_eq!(text(Lulesh::new(8, 0).unwrap_err()), "side = 0 is out of range: write a number from 1 to 645");
    let cells = Cells { cells: [4, 4, 4], angles: 6, planes: 2, batch: 3 };
    assert_eq!(
        text(Sweep3d::new([5, 1], cells).unwrap_err()),
        "cells = [4, 4, 4] is out of range: write at least 5, 1 and 1, a cell for each rank, and at most 1048576"
    );
    assert_eq!(
        text(Sweep3d::new([2, 2], Cells { batch: 4, ..cells }).unwrap_err()),
        "batch = 4 is out of range: write a number that divides the 6 angles"
    );
    assert!(text(Sweep3d::new([0, 2], cells).unwrap_err()).starts_with("grid = [0, 2] is out of range"));
    assert!(Sweep3d::new([2, 2], Cells { planes: 0, ..cells }).is_err());
    assert_eq!(
        text(MapReduce::new(8, Job { reducers: 5, ..JOB }, KEYS).unwrap_err()),
        "reducers = 5 is out of range: write a number from 6 to 8"
    );
    assert!(MapReduce::new(2, Job { mappers: 3, ..JOB }, KEYS).is_err());
    assert!(MapReduce::new(2, Job { bytes: 0, ..JOB }, KEYS).is_err());
    assert!(MapReduce::new(2, Job { replicas: 3, ..JOB }, KEYS).is_err());
    assert!(MapReduce::new(2, JOB, Keys { number: 0, ..KEYS }).is_err());
}
