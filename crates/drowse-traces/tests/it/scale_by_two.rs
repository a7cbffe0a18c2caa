//! Programs on more ranks by two traces of them, beside what their sizes are by hand.

use std::fmt::Write as _;

use drowse_core::workload::operation::{Collective, Operation};
use drowse_traces::{ComputeModel, Scaled, Trace};
use insta::assert_snapshot;

use crate::sample::{Folder, operations, shipped};
use crate::scale::{Program, program, sizes};

const COMPUTE: ComputeModel = ComputeModel::TEN_GIGAFLOPS;

fn real(name: &str, ranks: u32) -> Trace {
    Trace::open(shipped(&format!("{name}.A.{ranks}.tar.zst"))).unwrap()
}

fn operations_of(scaled: &Scaled) -> Program {
    operations(scaled.operations().as_mut()).unwrap()
}

/// Returns a program on a number of ranks, by two texts of it.
fn scaled(texts: [&str; 2], ranks: u32) -> Result<Program, String> {
    let folder = Folder::new(&[("one", texts[0]), ("two", texts[1])]);
    let [one, two] = ["one", "two"].map(|name| Trace::open(folder.path().join(name)).unwrap());
    let scaled = Scaled::by_both(&one, &two, COMPUTE, ranks).map_err(|error| folder.message(&error))?;
    operations(scaled.operations().as_mut())
}

/// A square grid, closed to a torus, of a problem of 4,096 by 4,096 numbers: all send their faces, of 8 B a number, to
/// the next ranks of both dimensions, compute 1 ns a number, and send all to all a part of what they have.
fn stencil(side: u32) -> String {
    let mut text = format!("drowse-trace 1\nranks {}\n", side * side);
    let width = u64::from(4_096 / side);
    for rank in 0..side * side {
        let (row, column) = (rank / side, rank % side);
        let at = |row: u32, column: u32| row % side * side + column % side;
        writeln!(text, "rank {rank}\ncompute {}", width * width).unwrap();
        for (to, from) in
            [(at(row + 1, column), at(row + side - 1, column)), (at(row, column + 1), at(row, column + side - 1))]
        {
            writeln!(text, "irecv {from} as 1\nsend {to} {}\nwait 1", 8 * width).unwrap();
        }
        let elements = width * width / u64::from(side * side);
        writeln!(text, "alltoall {}\nallreduce 16 count 2\nallreduce {} count {elements}", 8 * elements, 8 * elements)
            .unwrap();
    }
    text
}

#[test]
fn sizes_of_a_problem_that_is_shared_out() {
    for (sides, wanted) in [([4, 8], 16), ([8, 4], 16), ([16, 8], 4), ([4, 16], 8), ([4, 8], 8)] {
        let found = scaled(sides.map(stencil).each_ref().map(String::as_str), wanted * wanted);
        let found = found.unwrap_or_else(|error| panic!("{sides:?} to {wanted}: {error}"));
        assert!(found == program(&stencil(wanted)), "{sides:?} to {wanted}");
    }
}

/// Class A of NAS CG has a vector of 14,000 numbers over the rows of ranks. 16 ranks and 4 tell all messages of the real
/// trace of 64 ranks, in their order; the 4 are the 16, scaled, with vectors twice as long. 16 and 64 tell those of 256.
#[test]
fn cg_by_two_traces_is_the_real_one() {
    let vector = |ranks: u32| 8 * 14_000 / u64::from(ranks.isqrt());
    let mut text = Vec::new();
    let four = Scaled::of(&real("cg", 16), COMPUTE, 4).unwrap();
    drowse_traces::text::write(four.operations().as_mut(), &mut text).unwrap();
    let four = String::from_utf8(text).unwrap().replace(&format!(" {} ", vector(16)), &format!(" {} ", vector(4)));
    let folder = Folder::new(&[("four", &four)]);
    let four = Trace::open(folder.path().join("four")).unwrap();
    let by = |one: &Trace, two: &Trace, ranks: u32| {
        let scaled = Scaled::by_both(one, two, COMPUTE, ranks).unwrap_or_else(|error| panic!("{error}"));
        sizes(&operations_of(&scaled))
    };
    let of = |trace: &Trace| sizes(&operations(trace.operations(COMPUTE).as_mut()).unwrap());
    assert_eq!(by(&real("cg", 16), &four, 64), of(&real("cg", 64)));
    assert_eq!(by(&real("cg", 64), &real("cg", 16), 4), of(&four));
    let mut more = sizes(&operations_of(&Scaled::of(&real("cg", 64), COMPUTE, 256).unwrap()));
    for bytes in more.values_mut().flatten().filter(|bytes| **bytes == vector(64)) {
        *bytes = vector(256);
    }
    assert_eq!(by(&real("cg", 16), &real("cg", 64), 256), more);
}

/// Returns what a rank computes in the mean, in picoseconds.
fn mean(program: &Program) -> f64 {
    let computed = program.iter().flatten().map(|operation| match operation {
        Operation::Compute(time) => u128::from(time.0),
        _ => 0,
    });
    computed.sum::<u128>() as f64 / program.len() as f64
}

/// Class A of NAS FT transposes 256 x 256 x 128 complex numbers of 16 B: each rank sends each an equal part.
#[test]
fn ft_by_two_traces() {
    let scaled =
        Scaled::by_both(&real("ft", 16), &real("ft", 64), COMPUTE, 256).unwrap_or_else(|error| panic!("{error}"));
    assert_snapshot!(scaled.notes[0], @"its ranks are an open grid of 16, and become an open grid of 256; of 4 kinds of messages and collectives, the sizes of 3 stay, of 1 go with ranks^-2; computing goes with ranks^-0.976, as a rank computes 0.258 times as long on 64 ranks as on 16");
    let program = operations_of(&scaled);
    assert_eq!(program.len(), 256);
    // From 64 ranks to 256 as from 16 to 64.
    let [of_16, of_64] =
        [16, 64].map(|ranks| mean(&operations(real("ft", ranks).operations(COMPUTE).as_mut()).unwrap()));
    assert!((mean(&program) / (of_64 * of_64 / of_16) - 1.0).abs() < 1e-6, "{of_16} {of_64} {}", mean(&program));
    for rank in program {
        let parts = rank.iter().filter_map(|operation| match operation.called() {
            Some(Collective::Alltoall { bytes }) => Some(*bytes),
            _ => None,
        });
        let parts: Vec<_> = parts.collect();
        assert!(
            !parts.is_empty() && parts.iter().all(|&bytes| bytes == 256 * 256 * 128 * 16 / (256 * 256)),
            "{parts:?}"
        );
    }
}

#[test]
fn what_two_traces_do_not_tell() {
    let ring = |ranks: u32, first: u32, bytes: &str| {
        let rank = |rank: u32| {
            let (next, last) = ((rank + 1) % ranks, (rank + ranks - 1) % ranks);
            format!("rank {rank}\nirecv {last} as 1\nsend {next} {first}\nwait 1\nbcast 0 {bytes}\n")
        };
        format!("drowse-trace 1\nranks {ranks}\n{}", (0..ranks).map(rank).collect::<String>())
    };
    let refused = |one: String, two: String, ranks: u32| scaled([&one, &two], ranks).unwrap_err();
    assert_snapshot!(refused(ring(4, 8, "8"), ring(4, 8, "8"), 16), @"both traces have 4 ranks: how sizes change is told by one of another number");
    assert_snapshot!(refused(ring(4, 8, "8"), ring(8, 9, "8"), 16), @"two:5: rank 0, operation 2 of the trace of 8 ranks (`send 1 9`): 8 B on 4 ranks and 9 B on 8 are no known power");
    assert_snapshot!(refused(ring(16, 8, "64"), ring(64, 8, "32"), 32), @"two:7: rank 0, operation 4 of the trace of 64 ranks (`bcast 0 32`): 64 B on 16 ranks go with ranks^(-1/2), which is no whole number on 32 ranks");
    assert_snapshot!(refused(ring(16, 8, "64"), ring(64, 8, "16"), 256 * 256), @"two:7: rank 0, operation 4 of the trace of 64 ranks (`bcast 0 16`): 64 B on 16 ranks go with ranks^-1, which is no whole number on 65536 ranks");
    assert_snapshot!(refused(ring(4, 8, "8"), ring(8, 8, "8").replacen("bcast 0 8", "bcast 1 8", 1), 16), @"two:7: rank 0, operation 4 of the trace of 8 ranks (`bcast 1 8`): by the trace of 4 ranks, it would be `bcast 0 8`");
    assert_snapshot!(refused(ring(4, 8, "8"), ring(8, 8, "8") + "barrier\n", 16), @"two:43: rank 7, operation 5 of the trace of 8 ranks (`barrier`): by the trace of 4 ranks, the rank would have ended");
    assert_snapshot!(refused(ring(4, 8, "8"), ring(8, 8, "8").trim_end().trim_end_matches("bcast 0 8").to_owned(), 16), @"two:41: rank 7, operation 3 of the trace of 8 ranks (`its end`): by the trace of 4 ranks, it would be `bcast 0 8`");
    assert_snapshot!(refused(ring(4, 8, "8"), ring(8, 8, "8").replacen("send 1 8", "send 1 4", 1), 16), @"two:10: rank 1, operation 2 of the trace of 8 ranks (`send 2 8`): 8 B on 4 ranks are 4 B elsewhere on 8 ranks, and 8 B here");
}
