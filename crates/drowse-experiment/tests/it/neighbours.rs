//! Programs that exchange with neighbours, against traces of them: LULESH and a stencil.

use std::collections::BTreeMap;

use drowse_core::workload::operation::{Collective, Operation};

use crate::programs::{Call, calls, generated, traced};

/// Messages and bytes by sender and receiver.
fn pairs(ranks: &[Vec<Operation>]) -> BTreeMap<(u32, u32), (u64, u64)> {
    let mut pairs: BTreeMap<_, (u64, u64)> = BTreeMap::new();
    for (rank, operations) in (0..).zip(ranks) {
        for operation in operations {
            if let Operation::Send { to, bytes, .. } | Operation::Isend { to, bytes, .. } = *operation {
                let (messages, all) = pairs.entry((rank, to)).or_default();
                (*messages, *all) = (*messages + 1, *all + bytes);
            }
        }
    }
    pairs
}

/// How many collectives each rank calls.
fn collectives(ranks: &[Vec<Operation>]) -> Vec<usize> {
    let is_collective = |operation: &&Operation| matches!(operation, Operation::Collective { .. });
    ranks.iter().map(|operations| operations.iter().filter(is_collective).count()).collect()
}

/// Tags of each rank's messages, as it posts and starts them.
fn tags(ranks: &[Vec<Operation>]) -> Vec<Vec<Option<u32>>> {
    let tag = |operation: &Operation| match *operation {
        Operation::Isend { tag, .. } => Some(Some(tag)),
        Operation::Irecv { tag, .. } => Some(tag),
        _ => None,
    };
    ranks.iter().map(|operations| operations.iter().filter_map(tag).collect()).collect()
}

/// The traces of LULESH: 8 x 8 x 8 elements on each of edge^3 ranks, ten iterations.
const LULESH: [u64; 2] = [3, 4];
const SIDE: u64 = 8;
const ITERATIONS: u64 = 10;

fn lulesh(edge: u64) -> [Vec<Vec<Operation>>; 2] {
    let ranks = edge.pow(3);
    let keys = format!("kind = \"lulesh\", ranks = {ranks}, side = {SIDE}, iterations = {ITERATIONS}");
    [generated(&keys), traced(&format!("lulesh.{ranks}"))]
}

/// Every receive, send and collective of every rank, in the order of the program, to the byte and the tag. What ranks wait
/// for differs: the program waits for its sends and then for one receive after the other, and a trace of SimGrid does not
/// tell which requests the first wait is for.
#[test]
fn lulesh_calls_what_its_traces_do() {
    for edge in LULESH {
        let [generated, traced] = lulesh(edge);
        assert_eq!(pairs(&generated), pairs(&traced));
        assert_eq!(collectives(&generated), collectives(&traced));
        assert_eq!(tags(&generated), tags(&traced));
        let [generated, traced] = [generated, traced].map(|ranks| {
            let mut calls = calls(ranks);
            calls.iter_mut().for_each(|calls| calls.retain(|call| !matches!(call, Call::Wait | Call::WaitAll)));
            calls
        });
        assert_eq!(generated, traced);
    }
}

/// What the traces send, in closed form: along a line of ranks with n nodes each, a rank has its own and one of each
/// neighbour. Masses, and in each iteration three forces, go to all neighbours, six numbers of positions and velocities to
/// half of them, and three gradients of elements across faces.
#[test]
fn volumes_of_lulesh_are_closed_forms() {
    for edge in LULESH {
        let nodes = SIDE + 1;
        let halos = (edge * nodes + 2 * (edge - 1)).pow(3) - (edge * nodes).pow(3);
        let (pairs_of_all, faces) = ((3 * edge - 2).pow(3) - edge.pow(3), 6 * edge.pow(2) * (edge - 1));
        let messages = pairs_of_all + ITERATIONS * (pairs_of_all + pairs_of_all / 2 + faces);
        let numbers = halos + ITERATIONS * (3 * halos + 6 * halos / 2 + 3 * faces * SIDE.pow(2));
        let [_, traced] = lulesh(edge);
        let sum = pairs(&traced).into_values().fold((0, 0), |sum, pair| (sum.0 + pair.0, sum.1 + pair.1));
        assert_eq!(sum, (messages, 8 * numbers));
    }
}

/// The iterations of a rank that begin with an agreement on the time step, without the last, which the end of the program
/// follows.
fn iterations(operations: &[Operation]) -> impl Iterator<Item = &[Operation]> {
    let is_agreement = |operation: &Operation| {
        matches!(operation, Operation::Collective { collective: Collective::Allreduce { .. }, .. })
    };
    let ends = operations.iter().filter(|operation| is_agreement(operation)).count();
    operations.split(is_agreement).take(ends).skip(1)
}

/// How long all ranks of a trace compute in the parts of iterations, as shares: up to the wait of each exchange, and before
/// receives of gradients are posted.
fn traced_shares(ranks: &[Vec<Operation>]) -> [f64; 5] {
    let mut sums = [0; 5];
    for iteration in ranks.iter().flat_map(|operations| iterations(operations)) {
        let mut part = 0;
        for operation in iteration {
            match *operation {
                Operation::Compute(time) => sums[part] += time.0,
                Operation::Irecv { tag: Some(3072), .. } if part == 2 => part = 3,
                Operation::WaitAll => part += 1,
                _ => {}
            }
        }
    }
    let all: u64 = sums.iter().sum();
    sums.map(|sum| sum as f64 / all as f64)
}

/// Parts of an iteration take the shares of the computing that they have in both traces together, within three hundredths
/// of each.
#[test]
fn lulesh_computes_where_its_traces_do() {
    let generated = generated("kind = \"lulesh\", ranks = 1, iterations = 3, compute = \"1 ms\"");
    let time = |operation: &Operation| if let Operation::Compute(time) = operation { Some(time.0) } else { None };
    let ours: Vec<u64> = iterations(&generated[0]).flatten().filter_map(time).collect();
    assert_eq!((ours.len(), ours.iter().sum()), (5, 1_000_000_000));
    for edge in LULESH {
        let [_, traced] = lulesh(edge);
        for (ours, theirs) in ours.iter().zip(traced_shares(&traced)) {
            assert!((*ours as f64 / 1e9 - theirs).abs() < 0.03, "{edge}: {ours} {theirs}");
        }
    }
}

/// Messages and bytes by pair of ranks of a stencil of 4 x 4 and 8 x 8 ranks, twenty iterations. The traced program posts
/// and sends in an order of its own, and sums a number after every tenth iteration, which a stencil does not.
#[test]
fn stencils_send_what_their_traces_do() {
    for edge in [4, 8] {
        let ranks = edge * edge;
        let keys = format!("kind = \"stencil\", dims = [{edge}, {edge}], bytes = \"512 B\", iterations = 20");
        let (generated, traced) = (generated(&keys), traced(&format!("stencil2d.{ranks}")));
        assert_eq!(pairs(&generated), pairs(&traced));
        assert_eq!(pairs(&traced).len(), 4 * ranks);
        assert_eq!([collectives(&generated), collectives(&traced)], [vec![0; ranks], vec![2; ranks]]);
    }
}
