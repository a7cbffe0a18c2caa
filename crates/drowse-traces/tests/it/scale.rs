//! Programs on more ranks than they were traced on, beside programs that were written for as many.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use drowse_core::workload::operation::Operation;
use drowse_traces::{ComputeModel, Scaled, Trace};
use insta::assert_snapshot;
use proptest::prelude::*;

use crate::sample::{Folder, operations, shipped};

const COMPUTE: ComputeModel = ComputeModel::TEN_GIGAFLOPS;

pub type Program = Vec<Vec<Operation>>;

/// A stencil on a grid whose first coordinate changes fastest: all ranks exchange with their neighbours up to a
/// distance in each dimension, the size depends on the dimension and the distance, and then call a collective.
fn stencil(sizes: &[u32], is_closed: bool, reach: u32) -> String {
    let ranks: u32 = sizes.iter().product();
    let mut text = format!("drowse-trace 1\nranks {ranks}\n");
    for rank in 0..ranks {
        let (mut receives, mut sends, mut request, mut stride) = (String::new(), String::new(), 0, 1);
        for (dimension, &size) in sizes.iter().enumerate() {
            let coordinate = rank / stride % size;
            let distances = (1..=reach).flat_map(|distance| [(distance, true), (distance, false)]);
            for (distance, is_up) in distances {
                let there = if is_up { coordinate + distance } else { coordinate + size - distance };
                let is_inside = if is_up { there < size } else { there >= size };
                if !is_inside && !is_closed {
                    continue;
                }
                let peer = rank - coordinate * stride + there % size * stride;
                let (tag, bytes) = (2 * dimension + usize::from(is_up), 100 * distance + dimension as u32);
                let other = 2 * dimension + usize::from(!is_up);
                writeln!(receives, "irecv {peer} tag {other} as {request}").unwrap();
                writeln!(sends, "isend {peer} {bytes} tag {tag} as {}", request + 1).unwrap();
                request += 2;
            }
            stride *= size;
        }
        write!(text, "rank {rank}\nbcast 0 4\ncompute 7\n{receives}{sends}waitall\nallreduce 8\n").unwrap();
    }
    text
}

pub fn program(text: &str) -> Program {
    let folder = Folder::new(&[("t", text)]);
    operations(Trace::open(folder.path().join("t")).unwrap().operations(COMPUTE).as_mut()).unwrap()
}

/// Returns a text on more ranks, or why not.
fn scaled(text: &str, ranks: u32) -> Result<Program, String> {
    let folder = Folder::new(&[("t", text)]);
    let trace = Trace::open(folder.path().join("t")).unwrap();
    let scaled = Scaled::of(&trace, COMPUTE, ranks).map_err(|error| folder.message(&error))?;
    operations(scaled.operations().as_mut())
}

/// Receives come in the order of the traced rank's: sorted, since a closed grid has no first neighbour.
fn sorted(mut program: Program) -> Program {
    for operations in &mut program {
        for block in operations.split_mut(|operation| operation.peer().is_none()) {
            block.sort_by_key(|operation| format!("{operation:?}"));
        }
    }
    program
}

#[test]
fn stencils_on_more_ranks_are_stencils() {
    for (from, to, is_closed, reach) in [
        (&[4, 4][..], &[8, 8][..], false, 1),
        (&[3, 3, 3], &[4, 4, 4], false, 1),
        (&[4, 4], &[8, 8], true, 1),
        (&[5, 5], &[9, 9], false, 2),
        (&[5], &[64], false, 1),
        (&[6, 3], &[12, 6], false, 1),
        (&[8, 8], &[4, 4], false, 1),
        (&[4, 4, 4], &[8, 8, 8], true, 1),
    ] {
        let found = scaled(&stencil(from, is_closed, reach), to.iter().product());
        let found = found.unwrap_or_else(|error| panic!("{from:?} to {to:?}: {error}"));
        assert!(sorted(found) == sorted(program(&stencil(to, is_closed, reach))), "{from:?} to {to:?}, {is_closed}");
    }
}

#[test]
fn collectives_go_on_with_any_number_of_ranks() {
    let text = "drowse-trace 1\nranks 3\ncommunicator again 0-2\nrank 0-2\ncompute 5\nbarrier\nbcast 1 8 in again\n";
    let found = scaled(text, 7).unwrap();
    assert_eq!(found, program(&text.replace("ranks 3", "ranks 7").replace("0-2", "0-6")));
}

/// A stencil on 16 ranks and LULESH on 27 tell each message of the real 64: who sends to whom, how much, in which order.
/// So it is the other way round.
#[test]
fn real_stencils_on_more_ranks_and_fewer() {
    for (program, few) in [("stencil2d", 16), ("lulesh", 27)] {
        let of = |ranks: u32| Trace::open(shipped(&format!("{program}.{ranks}.tar.zst"))).unwrap();
        for (from, to) in [(few, 64), (64, few)] {
            let scaled = Scaled::of(&of(from), COMPUTE, to).unwrap_or_else(|error| panic!("{program}: {error}"));
            let found = sizes(&operations(scaled.operations().as_mut()).unwrap());
            let real = sizes(&operations(of(to).operations(COMPUTE).as_mut()).unwrap());
            assert_eq!(found, real, "{program}, {from} to {to}");
        }
    }
}

/// Ranks that exchange with those whose numbers differ in one bit, in rows of so many: upwards and downwards in each
/// row, across the diagonal where that is, and upwards in each column.
fn butterfly(rows: u32, columns: u32) -> String {
    let mut text = format!("drowse-trace 1\nranks {}\n", rows * columns);
    for rank in 0..rows * columns {
        writeln!(text, "rank {rank}\nbcast 0 4").unwrap();
        let mut exchange = |peer: u32, bytes: u32| {
            writeln!(text, "compute 5\nirecv {peer} tag 1 as 0\nsend {peer} {bytes} tag 1\nwait 0").unwrap();
        };
        (0..columns.ilog2()).for_each(|bit| exchange(rank ^ (1 << bit), 8));
        (0..columns.ilog2()).rev().for_each(|bit| exchange(rank ^ (1 << bit), 16));
        if rows == columns {
            exchange(rank % columns * columns + rank / columns, 24);
        }
        (0..rows.ilog2()).for_each(|bit| exchange(rank ^ (columns << bit), 32));
        text += "allreduce 8\n";
    }
    text
}

#[test]
fn butterflies_on_more_ranks_have_more_stages() {
    for (from, to) in [
        ([1, 4], [1, 64]),
        ([1, 16], [1, 2]),
        ([4, 4], [8, 8]),
        ([4, 4], [32, 32]),
        ([8, 8], [4, 4]),
        ([4, 8], [8, 16]),
        ([16, 4], [32, 8]),
    ] {
        let found = scaled(&butterfly(from[0], from[1]), to[0] * to[1]);
        let found = found.unwrap_or_else(|error| panic!("{from:?} to {to:?}: {error}"));
        assert!(found == program(&butterfly(to[0], to[1])), "{from:?} to {to:?}");
    }
}

/// Sizes of messages by sender and receiver.
pub fn sizes(program: &Program) -> BTreeMap<(u32, u32), Vec<u64>> {
    let mut sizes: BTreeMap<(u32, u32), Vec<u64>> = BTreeMap::new();
    for (rank, operation) in (0..).zip(program).flat_map(|(rank, all)| all.iter().map(move |one| (rank, one))) {
        if let Operation::Send { to, bytes, .. } | Operation::Isend { to, bytes, .. } = *operation {
            sizes.entry((rank, to)).or_default().push(bytes);
        }
    }
    sizes
}

/// CG on 16 ranks tells each message of the real 64, in its order, but for the length of vectors: those of 64 ranks are
/// 14,000 numbers over 8 rows, where 16 ranks have them over 4. So it is the other way round.
#[test]
fn cg_on_more_ranks() {
    let of = |ranks: u32| Trace::open(shipped(&format!("cg.A.{ranks}.tar.zst"))).unwrap();
    for (from, to) in [(16, 64), (64, 16)] {
        let scaled = Scaled::of(&of(from), COMPUTE, to).unwrap_or_else(|error| panic!("{error}"));
        let mut found = sizes(&operations(scaled.operations().as_mut()).unwrap());
        let real = sizes(&operations(of(to).operations(COMPUTE).as_mut()).unwrap());
        let vector = |ranks: u32| 8 * 14_000 / u64::from(ranks.isqrt());
        let count = |sizes: &BTreeMap<(u32, u32), Vec<u64>>, size: u64| {
            sizes.values().flatten().filter(|&&bytes| bytes == size).count()
        };
        assert!(count(&found, vector(from)) > 0 && count(&found, 8) > 0);
        for bytes in found.values_mut().flatten().filter(|bytes| **bytes == vector(from)) {
            *bytes = vector(to);
        }
        assert_eq!(found, real, "{from} to {to}");
    }
}

#[test]
fn what_is_not_known_on_more_ranks() {
    assert_snapshot!(scaled(&butterfly(4, 4), 128).unwrap_err(), @"its ranks make butterflies on 4 rows of 4 ranks, and exchanges across the diagonal; 128 ranks do not: rows and columns are powers of two and grow alike; give another number");
    assert_snapshot!(scaled(&butterfly(1, 16), 48).unwrap_err(), @"its ranks make a butterfly of 16 ranks; 48 ranks do not: rows and columns are powers of two and grow alike; give another number");
    // One rank sends more.
    let whole = butterfly(1, 16);
    let other = whole.replacen("send 1 8", "send 1 9", 1);
    assert_snapshot!(scaled(&other, 64).unwrap_err(), @"on any grid of 16 ranks, neighbours are as far as the borders: the ranks are no stencil, or too few to tell");
    // A stage is missing, comes twice, or in another order.
    for bits in [&[0_u32, 1, 3][..], &[0, 1, 2, 2, 3], &[0, 2, 1, 3]] {
        let exchange = |peer: u32| format!("irecv {peer} as 0\nsend {peer} 8\nwait 0\n");
        let rank = |rank: u32| bits.iter().map(|bit| exchange(rank ^ (1 << bit))).collect::<String>();
        let ranks = (0..16).map(|number| format!("rank {number}\n{}", rank(number))).collect::<String>();
        let error = scaled(&format!("drowse-trace 1\nranks 16\n{ranks}"), 64).unwrap_err();
        assert!(error.starts_with("on any grid of 16 ranks"), "{bits:?}: {error}");
    }
    assert_snapshot!(scaled(&stencil(&[4, 4], false, 1), 22).unwrap_err(), @"its ranks are an open grid of 4 x 4, and 22 ranks are no such grid of at least 3 x 3; give another number");
    assert_snapshot!(scaled(&stencil(&[4, 4], false, 1), 0).unwrap_err(), @"0 ranks cannot be made; give a number from 1 to 1048576");
    assert_snapshot!(scaled("drowse-trace 1\nranks 2\nrank 0-1\nallgatherv 4 5\n", 4).unwrap_err(), @"t:4: rank 0, operation 1 (`allgatherv 4 5`): it lists a size for each rank; so it is not known on more ranks");
    assert_snapshot!(scaled("drowse-trace 1\nranks 2\ncommunicator c 1\nrank 1\nbarrier in c\n", 4).unwrap_err(), @"t:5: rank 1, operation 1 (`barrier in c1`): its communicator is not one of all ranks in their order; so it is not known on more ranks");
    assert_snapshot!(scaled("drowse-trace 1\nranks 2\nrank 0\nsend 1 8\nrank 1\nrecv 0\n", 4).unwrap_err(), @"on any grid of 2 ranks, neighbours are as far as the borders: the ranks are no stencil, or too few to tell");
    // Rank 5 of a row of ranks sends more than its neighbours do.
    let uneven = stencil(&[8], false, 1).replace("isend 6 100 tag 1", "isend 6 101 tag 1");
    assert_snapshot!(scaled(&uneven, 16).unwrap_err(), @"no grid is found on which ranks at like places do the same: an open grid of 8 fits best, where 1 of 8 ranks differ, the first of them rank 5; so it is not known what more ranks would do");
    // On a grid of 3 x 3 each rank has a place of its own; what its middle does is not what neighbours of it would do.
    let star = "drowse-trace 1\nranks 9\nrank 4\n".to_owned()
        + &[0, 1, 2, 3, 5, 6, 7, 8].map(|to| format!("send {to} 8\n")).concat()
        + "rank 0-3\nrecv 4\nrank 5-8\nrecv 4\n";
    assert!(scaled(&star, 16).unwrap_err().starts_with("what would be made is no program: "));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..ProptestConfig::default() })]

    /// Random programs are refused, or what is made of them passes the check.
    #[test]
    fn random_programs_do_not_panic(
        steps in prop::collection::vec((0_u32..6, 0_u32..6, 0_usize..5), 0..12),
        traced in 1_u32..7,
        ranks in 0_u32..40,
    ) {
        let line = |&(_, peer, kind): &(u32, u32, usize)| match kind {
            0 => format!("isend {} 8 as 1\n", peer % traced),
            1 => format!("irecv {} as 2\n", peer % traced),
            2 => "waitall\n".to_owned(),
            3 => "barrier\n".to_owned(),
            _ => "recv any\n".to_owned(),
        };
        let mut text = format!("drowse-trace 1\nranks {traced}\n");
        for rank in 0..traced {
            let steps = steps.iter().filter(|step| step.0 % traced == rank).map(line);
            writeln!(text, "rank {rank}\n{}", steps.collect::<String>()).unwrap();
        }
        if let Ok(found) = scaled(&text, ranks) {
            prop_assert_eq!(found.len(), ranks as usize);
        }
    }
}
