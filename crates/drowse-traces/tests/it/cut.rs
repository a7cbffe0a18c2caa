//! Parts of traces that are programs, and those that would not be.

use drowse_core::workload::iterations::Known;
use drowse_core::workload::listed::Listed;
use drowse_core::workload::operation::Operation;
use drowse_traces::{ComputeModel, Cut, CutError, Format, Kept, Profile, Profiling, Trace};
use insta::assert_snapshot;
use proptest::prelude::*;

use crate::sample::{Folder, data, operations, shipped};

const COMPUTE: ComputeModel = ComputeModel::TEN_GIGAFLOPS;

fn iterations(first: u64, last: u64) -> Kept {
    Kept { iterations: Some(first..=last), ..Kept::default() }
}

fn ranks(keeps: u32) -> Kept {
    Kept { ranks: Some(keeps), ..Kept::default() }
}

fn program(cut: &Cut) -> Vec<Vec<Operation>> {
    operations(cut.operations().as_mut()).unwrap()
}

fn profile(cut: &Cut) -> Profile {
    Profiling::new(cut.operations()).finish().unwrap()
}

/// Cuts a text; returns each rank's operations as text, or the reason.
fn cut_text(text: &str, kept: &Kept) -> Result<String, String> {
    let folder = Folder::new(&[("t", text)]);
    let trace = Trace::open(folder.path().join("t")).unwrap();
    let cut = Cut::of(&trace, COMPUTE, kept).map_err(|error| folder.message(&error))?;
    let mut written = Vec::new();
    drowse_traces::text::write(cut.operations().as_mut(), &mut written).unwrap();
    Ok(String::from_utf8(written).unwrap())
}

/// Two ranks that exchange messages whose tag is the number of the iteration, between a beginning and an end.
fn exchange(times: u32) -> String {
    let rank = |rank: u32| {
        let iteration = |number: u32| {
            let other = 1 - rank;
            format!(
                "compute {number} us\nirecv {other} tag {number} as 5\nisend {other} 8 tag {number} as 6\nwaitall\n"
            )
        };
        let iterations: String = (1..=times).map(iteration).collect();
        format!("rank {rank}\nbcast 0 4\ncompute 77\n{iterations}compute 3\nbarrier\n")
    };
    format!("drowse-trace 1\nranks 2\n{}{}", rank(0), rank(1))
}

#[test]
fn iterations_by_period() {
    assert_snapshot!(cut_text(&exchange(6), &iterations(3, 4)).unwrap(), @"
    drowse-trace 1
    ranks 2
    rank 0
    compute 3000
    irecv 1 tag 3 as 5
    isend 1 8 tag 3 as 6
    waitall
    compute 4000
    irecv 1 tag 4 as 5
    isend 1 8 tag 4 as 6
    waitall
    rank 1
    compute 3000
    irecv 0 tag 3 as 5
    isend 0 8 tag 3 as 6
    waitall
    compute 4000
    irecv 0 tag 4 as 5
    isend 0 8 tag 4 as 6
    waitall
    ");
    assert_snapshot!(cut_text(&exchange(6), &iterations(5, 7)).unwrap_err(), @"the trace has 6 iterations, so iterations 5 to 7 cannot be kept; give some of 1 to 6");
    assert_snapshot!(cut_text(&exchange(2), &iterations(1, 1)).unwrap_err(), @"no iterations are found: the trace marks none, and the calls of its ranks do not repeat alike at least three times; convert it to Drowse's own text, and mark them there by lines `iteration`");
}

/// Marks win over periods, and computing before a mark is of the iteration before.
#[test]
fn iterations_by_marks() {
    let text = "drowse-trace 1\nranks 1\nrank 0\ncompute 1\niteration\ncompute 2\nbarrier\ncompute 3\niteration\n\
                compute 4\niteration\ncompute 5\nbarrier\n";
    let of = |first, last| cut_text(text, &iterations(first, last)).unwrap();
    assert_eq!(of(1, 1), "drowse-trace 1\nranks 1\nrank 0\niteration\ncompute 2\nbarrier\ncompute 3\n");
    assert_eq!(of(2, 3), "drowse-trace 1\nranks 1\nrank 0\niteration\ncompute 4\niteration\ncompute 5\nbarrier\n");
    let uneven = "drowse-trace 1\nranks 2\nrank 0\niteration\nrank 1\niteration\niteration\n";
    assert_snapshot!(cut_text(uneven, &iterations(1, 1)).unwrap_err(), @"rank 0 marks 1 iterations and rank 1 marks 2; correct the marks");
}

/// A rank whose calls before the first iteration look like the end of one begins earlier than others; the cut moves to
/// where no message crosses it.
#[test]
fn the_cut_moves_to_where_nothing_crosses_it() {
    // The sender's last call of an iteration is like one before the first, so its periods begin with that.
    let sender = "send 2 8\n".to_owned() + &"compute 7\nsend 1 8\ncompute 9\nsend 2 8\n".repeat(4);
    let receiver = "probe 0\nirecv 0 as 3\nwait 3\n".to_owned() + &"recv 0\n".repeat(4);
    let text =
        format!("drowse-trace 1\nranks 3\nrank 0\n{sender}rank 1\n{}rank 2\n{receiver}", "probe 0\nrecv 0\n".repeat(4));
    let folder = Folder::new(&[("t", &text)]);
    let trace = Trace::open(folder.path().join("t")).unwrap();
    let cut = Cut::of(&trace, COMPUTE, &iterations(2, 3)).unwrap();
    assert_snapshot!(cut_text(&text, &iterations(2, 3)).unwrap(), @"
    drowse-trace 1
    ranks 3
    rank 0
    compute 7
    send 1 8
    compute 9
    send 2 8
    compute 7
    send 1 8
    compute 9
    send 2 8
    rank 1
    probe 0
    recv 0
    probe 0
    recv 0
    rank 2
    recv 0
    recv 0
    ");
    assert_snapshot!(cut.notes.join("\n"), @"
    at 1 ranks the cut before iteration 2 is later than where the period begins, so that nothing crosses it
    at 1 ranks the cut after iteration 3 is later than where the period begins, so that nothing crosses it
    ");
}

/// A message that is received one iteration after it is sent crosses every cut; so does a request.
#[test]
fn what_crosses_every_cut() {
    let pipeline = "drowse-trace 1\nranks 2\nrank 0\nsend 1 8\n".to_owned()
        + &"send 1 8\ncompute 5\nbarrier\n".repeat(5)
        + "rank 1\n"
        + &"recv 0\nbarrier\n".repeat(5)
        + "recv 0\n";
    // One message ahead, the receiver takes it before its barrier, and the cut is between.
    assert!(cut_text(&pipeline, &iterations(2, 3)).unwrap().contains("rank 1\nbarrier\nrecv 0\n"));
    let pipeline = pipeline.replace("rank 0\n", "rank 0\nsend 1 8\n") + "recv 0\n";
    assert_snapshot!(cut_text(&pipeline, &iterations(2, 3)).unwrap_err(), @"the cut before iteration 2 is nowhere between two iterations: a message of rank 0 with tag 0 is received outside of its iteration by rank 1, and this is so for a whole iteration; so the part would be no program");
    let waits_at_end = "drowse-trace 1\nranks 1\nrank 0\nirecv 0 as 0\nisend 0 4\n".to_owned()
        + &"irecv 0 as 1\ncompute 4\nisend 0 4\nwait 0\nirecv 0 as 0\nisend 0 4\nwait 1\n".repeat(4)
        + "wait 0\n";
    assert_snapshot!(cut_text(&waits_at_end, &iterations(2, 3)).unwrap_err(), @"the cut before iteration 2 is nowhere between two iterations: rank 0 completes `irecv 0 as 0` outside of its iteration, and this is so for a whole iteration; so the part would be no program");
}

#[test]
fn ranks_that_talk_only_to_each_other() {
    let text = "drowse-trace 1\nranks 4\ncommunicator high 3 2\ncommunicator low 1 0\ncommunicator most 0-2\nrank 0\n\
                send 1 8 in most\nbarrier in low\nrank 1\nrecv 0 in most\nbarrier in low\nrank 2\nsend 3 8\n\
                barrier in high\nrank 3\nrecv 2\nbarrier in high\n";
    assert_snapshot!(cut_text(text, &ranks(2)).unwrap(), @"
    drowse-trace 1
    ranks 2
    communicator c1 1 0
    communicator c2 0-1
    rank 0
    send 1 8 in c2
    barrier in c1
    rank 1
    recv 0 in c2
    barrier in c1
    ");
    assert_snapshot!(cut_text(text, &ranks(3)).unwrap_err(), @"t:13: rank 2, operation 1 (`send 3 8`): it names rank 3, and ranks from 3 on are not kept; so the part would be no program");
    assert_snapshot!(cut_text(text, &ranks(1)).unwrap_err(), @"t:7: rank 0, operation 1 (`send 1 8 in c3`): it names rank 1, and ranks from 1 on are not kept; so the part would be no program");
    assert_snapshot!(cut_text(text, &ranks(5)).unwrap_err(), @"5 ranks cannot be kept of 4; give a number from 1 to 4");
    let all = cut_text(text, &ranks(4)).unwrap();
    assert!(all.contains("communicator c1 3 2\ncommunicator c2 1 0\ncommunicator c3 0-2\n"), "{all}");
    let collective = "drowse-trace 1\nranks 2\nrank 0-1\nbarrier\n";
    assert_snapshot!(cut_text(collective, &ranks(1)).unwrap_err(), @"t:4: rank 0, operation 1 (`barrier`): rank 1 calls it, too, and ranks from 1 on are not kept; so the part would be no program");
    let from_beyond = "drowse-trace 1\nranks 2\nrank 0\nrecv any\nrank 1\nsend 0 8\n";
    assert_snapshot!(cut_text(from_beyond, &ranks(1)).unwrap_err(), @"t:6: rank 1, operation 1 (`send 0 8`): it sends to rank 0, and ranks from 1 on are not kept; so the part would be no program");
    assert_snapshot!(cut_text("drowse-trace 1\nranks 2\nrank 0\nrecv any\n", &ranks(1)).unwrap_err(), @"the part would be no program: rank 0, operation 1: no message comes for `recv any` (as counted in the part)");
}

/// Iterations of real programs are programs: each holds what the others hold, and all formats that say them can be
/// written. LULESH calls one collective per iteration; CG's iterations have none.
#[test]
fn real_programs_are_cut() {
    for (name, times) in [("cg.A.16", 4), ("lulesh.64", 10), ("stencil2d.64", 20), ("mg.A.64", 5), ("bt.A.16", 11)] {
        let trace = Trace::open(shipped(&format!("{name}.tar.zst"))).unwrap();
        let Known::Period(found) = Known::find(trace.operations(COMPUTE).as_mut()).unwrap() else { panic!() };
        assert_eq!(found.count(), times, "{name}");
        let of = |first: usize, last: usize| {
            let kept = iterations(first as u64, last as u64);
            Cut::of(&trace, COMPUTE, &kept).unwrap_or_else(|error| panic!("{name} {kept:?}: {error}"))
        };
        let (one, other, both) = (profile(&of(2, 2)), profile(&of(3, 3)), profile(&of(2, 3)));
        assert!(one.pairs > 0, "{name}");
        assert_eq!((&one.sizes, &one.collectives), (&other.sizes, &other.collectives), "{name}");
        for (size, messages) in &both.sizes {
            assert_eq!((messages.count, messages.bytes), (2 * one.sizes[size].count, 2 * one.sizes[size].bytes));
        }
        // The parts lie side by side in the whole.
        let (one, other, both) = (program(&of(2, 2)), program(&of(3, 3)), program(&of(2, 3)));
        let sides: Vec<Vec<Operation>> = one.into_iter().zip(other).map(|(one, other)| [one, other].concat()).collect();
        assert!(sides == both, "{name}");
    }
}

/// What a cut program does is in the whole, in its order.
#[test]
fn a_cut_is_a_part_of_the_whole() {
    let trace = Trace::open(shipped("lulesh.64.tar.zst")).unwrap();
    let cut = Cut::of(&trace, COMPUTE, &iterations(4, 6)).unwrap();
    let whole = operations(trace.operations(COMPUTE).as_mut()).unwrap();
    for (part, whole) in program(&cut).iter().zip(&whole) {
        assert!(!part.is_empty() && whole.windows(part.len()).any(|window| window == part));
    }
    let (part, all) = (profile(&cut), trace.info().unwrap().messages);
    let bytes: u64 = part.sizes.values().map(|messages| messages.bytes).sum();
    // LULESH exchanges its masses once before the first iteration.
    assert!(bytes * 10 <= all.bytes * 3 && bytes * 11 >= all.bytes * 3, "{bytes} of {}", all.bytes);
}

/// Formats whose requests end otherwise are cut, too, and written in all formats that can say them.
#[test]
fn traces_of_other_formats_are_cut() {
    for (name, last) in [("is_16.dim.gz", 3), ("is_16.prv.gz", 3), ("lulesh_27.drowse.gz", 4)] {
        let trace = Trace::open(data(name)).unwrap();
        let cut = Cut::of(&trace, COMPUTE, &iterations(2, last)).unwrap_or_else(|error| panic!("{name}: {error}"));
        for format in ["drowse", "dimemas", "goal", "simgrid-ti"] {
            let mut text = Vec::new();
            let written =
                Format::named(format).unwrap().write(&|| cut.operations(), COMPUTE.flops_per_second, &mut text);
            written.unwrap_or_else(|error| panic!("{name} as {format}: {error}"));
            let folder = Folder::new(&[("t", std::str::from_utf8(&text).unwrap())]);
            let again = Trace::open(folder.path().join("t")).unwrap();
            let findings = again.check(usize::MAX).unwrap().first;
            // Sends for which nothing waits have requests in some formats.
            let lacking: Vec<_> = findings.iter().filter(|found| !found.what.starts_with("nothing waits")).collect();
            assert!(lacking.is_empty(), "{name} as {format}: {lacking:?}");
        }
    }
}

fn time(text: &str) -> Kept {
    Kept { time: Some(drowse_traces::parse_time(text).unwrap()), ..Kept::default() }
}

/// Rank 1 waits for rank 0, whose first message comes after 8 ms.
const WAITING: &str = "drowse-trace 1\nranks 2\n\
    rank 0\ncompute 8 ms\nsend 1 64\ncompute 1 ms\nsend 1 32\nbarrier\n\
    rank 1\ncompute 7 ms\nrecv 0\nrecv 0\nbarrier\n";

/// What happens at the beginning of the time is kept, and what happens at its end is not. Computing is divided.
#[test]
fn a_time_by_hand() {
    let part = |of: &str| {
        let folder = Folder::new(&[("t", WAITING)]);
        let trace = Trace::open(folder.path().join("t")).unwrap();
        let cut = Cut::of(&trace, COMPUTE, &time(of)).unwrap();
        program(&cut)
    };
    let compute = |us: u64| Operation::Compute(drowse_core::model::units::Time::from_us(us));
    let send = |bytes| Operation::send(1, 0, bytes);
    let recv = || Operation::recv(Some(0), Some(0));
    let barrier = || Operation::collective(drowse_core::workload::operation::Collective::Barrier);
    assert_eq!(part("8 ms.."), [vec![send(64), compute(1_000), send(32), barrier()], vec![recv(), recv(), barrier()]]);
    assert_eq!(part("7500 us..8 ms"), [vec![compute(500)], vec![]]);
    assert_eq!(part("6900 us..8500 us"), [vec![compute(1_100), send(64), compute(500)], vec![compute(100), recv()]]);
    assert_eq!(part("8500 us..8700 us"), [vec![compute(200)], vec![]]);
    assert_eq!(part("..9 ms"), [vec![compute(8_000), send(64), compute(1_000)], vec![compute(7_000), recv()]]);
    let folder = Folder::new(&[("t", WAITING)]);
    let trace = Trace::open(folder.path().join("t")).unwrap();
    let error = Cut::of(&trace, COMPUTE, &time("10 ms..")).err().unwrap();
    assert!(matches!(error, CutError::NoSuchTime { .. }), "{error}");
    let run = trace.ideal_run(COMPUTE).unwrap().unwrap();
    let us = drowse_core::model::units::Time::from_us;
    assert_eq!((run.end, run.communicates), (us(9_000), Some([us(8_000), us(9_000)])));
}

/// A message that is sent before the cut is received before it, and what was left out is counted.
#[test]
fn what_crosses_a_time_moves_it() {
    let text = "drowse-trace 1\nranks 2\nrank 0\ncompute 1 ms\nsend 1 8\ncompute 9 ms\nsend 1 8\n\
                rank 1\ncompute 5 ms\nrecv 0\nrecv 0\n";
    let folder = Folder::new(&[("t", text)]);
    let trace = Trace::open(folder.path().join("t")).unwrap();
    let cut = Cut::of(&trace, COMPUTE, &time("2 ms..")).unwrap();
    assert_eq!(program(&cut).iter().map(Vec::len).collect::<Vec<_>>(), [2, 1]);
    assert_eq!(cut.notes.len(), 2, "{:?}", cut.notes);
    assert!(cut.notes[0].contains("at 1 ranks the cut at 2 ms is later"), "{:?}", cut.notes);
    assert!(
        cut.notes[1].contains("left out before the part: up to 5 ms of computing of a rank, 1 messages"),
        "{:?}",
        cut.notes
    );
}

/// LULESH computes before it sends; cut there, it sends at once.
#[test]
fn the_start_up_of_lulesh() {
    let trace = Trace::open(shipped("lulesh.27.tar.zst")).unwrap();
    let run = trace.ideal_run(COMPUTE).unwrap().unwrap();
    let [first, last] = run.communicates.unwrap();
    assert!(first < last && last <= run.end, "{run:?}");
    let kept = Kept { time: Some(first..drowse_core::model::units::Time::NEVER), ..Kept::default() };
    let cut = Cut::of(&trace, COMPUTE, &kept).unwrap();
    let part = Trace::of_program(move || cut.operations());
    let run_of_part = part.ideal_run(COMPUTE).unwrap().unwrap();
    // Ranks post receives before others send: the cut moves on to where these are complete.
    assert!(run_of_part.communicates.unwrap()[0] < drowse_core::model::units::Time::from_us(10), "{run_of_part:?}");
    assert!(run_of_part.end < run.end, "{run_of_part:?}");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..ProptestConfig::default() })]

    /// A program of random iterations, each in its own marks, of which messages cross no mark: any cut of them is what
    /// stands between the marks.
    #[test]
    fn marked_programs_are_cut_at_their_marks(
        messages in prop::collection::vec(prop::collection::vec((0_u32..4, 0_u32..4, 0_u64..99), 0..6), 1..6),
        first in any::<prop::sample::Index>(),
        more in any::<prop::sample::Index>(),
    ) {
        let first = first.index(messages.len());
        let last = first + more.index(messages.len() - first);
        let mut whole = vec![Vec::new(); 4];
        let mut expected = vec![Vec::new(); 4];
        for (number, messages) in messages.iter().enumerate() {
            let mut iteration = vec![vec![Operation::Iteration]; 4];
            for (request, &(from, to, bytes)) in (0..).zip(messages) {
                iteration[to as usize].push(Operation::irecv(from, number as u32, 2 * request));
                iteration[from as usize].push(Operation::isend(to, number as u32, bytes, 2 * request + 1));
            }
            for (rank, mut operations) in iteration.into_iter().enumerate() {
                operations.push(Operation::WaitAll);
                if (first..=last).contains(&number) {
                    expected[rank].extend(operations.clone());
                }
                whole[rank].extend(operations);
            }
        }
        let mut source = Listed::new(whole);
        let mut text = Vec::new();
        drowse_traces::text::write(&mut source, &mut text).unwrap();
        let folder = Folder::new(&[("t", std::str::from_utf8(&text).unwrap())]);
        let trace = Trace::open(folder.path().join("t")).unwrap();
        let cut = Cut::of(&trace, COMPUTE, &iterations(first as u64 + 1, last as u64 + 1)).unwrap();
        prop_assert_eq!(program(&cut), expected);
    }

    /// Whatever is cut out of whatever program, it is a program or refused.
    #[test]
    fn random_cuts_do_not_panic(
        steps in prop::collection::vec((0_u32..3, 0_u32..3, 0_usize..7), 0..12),
        first in 0_u64..4,
        more in 0_u64..3,
        keeps in 0_u32..4,
    ) {
        let line = |&(_, peer, kind): &(u32, u32, usize)| match kind {
            0 => "iteration\n".to_owned(),
            1 => format!("isend {peer} 8 as 1\n"),
            2 => format!("irecv {peer} as 2\n"),
            3 => "waitall\n".to_owned(),
            4 => "barrier\n".to_owned(),
            5 => format!("recv any tag {peer}\n"),
            _ => "waitany 1 2\n".to_owned(),
        };
        let of_rank = |rank| steps.iter().filter(|step| step.0 == rank).map(line).collect::<String>().repeat(3);
        let text = format!("drowse-trace 1\nranks 3\nrank 0\n{}rank 1\n{}rank 2\n{}", of_rank(0), of_rank(1), of_rank(2));
        let folder = Folder::new(&[("t", &text)]);
        let trace = Trace::open(folder.path().join("t")).unwrap();
        let ranks = (keeps > 0).then_some(keeps);
        let kept = Kept { iterations: Some(first..=first + more), ranks, ..Kept::default() };
        match Cut::of(&trace, COMPUTE, &kept) {
            Ok(cut) => {
                let mut text = Vec::new();
                drowse_traces::text::write(cut.operations().as_mut(), &mut text).unwrap();
                let again = Folder::new(&[("t", std::str::from_utf8(&text).unwrap())]);
                let findings = Trace::open(again.path().join("t")).unwrap().check(9).unwrap();
                prop_assert_eq!(findings.total, 0, "{:?}", findings.first);
            }
            // Requests of one name are under way at once.
            Err(CutError::Source(error)) => prop_assert!(error.to_string().contains("is pending since"), "{}", error),
            Err(_) => {}
        }
    }

    /// A part of any program by time passes the check, and runs where the whole does.
    #[test]
    fn any_time_passes_the_check(
        steps in prop::collection::vec((0_u32..3, 0_u32..3, 0_usize..7, 0_u64..5), 0..30),
        from in 0_u64..40,
        length in 1_u64..40,
    ) {
        use drowse_core::model::units::Time;
        let mut programs = [String::new(), String::new(), String::new()];
        for (number, &(from, to, kind, us)) in steps.iter().enumerate() {
            let to = if from == to { (to + 1) % 3 } else { to };
            programs[from as usize] += format!("compute {us} us\n").as_str();
            match kind {
                0 => programs.iter_mut().for_each(|program| program.push_str("barrier\n")),
                1 => {
                    programs[from as usize] += format!("isend {to} 8 as {number}\n").as_str();
                    programs[to as usize] += format!("recv {from}\n").as_str();
                    programs[from as usize] += format!("wait {number}\n").as_str();
                }
                2 => {
                    programs[to as usize] += format!("irecv {from} as {number}\ncompute {us} us\n").as_str();
                    programs[from as usize] += format!("send {to} 8\n").as_str();
                    programs[to as usize].push_str("waitall\n");
                }
                3 => programs.iter_mut().for_each(|program| program.push_str("allreduce 8\n")),
                _ => {
                    programs[from as usize] += format!("send {to} 8 tag {kind}\n").as_str();
                    programs[to as usize] += format!("recv {from} tag {kind}\n").as_str();
                }
            }
        }
        let [a, b, c] = &programs;
        let text = format!("drowse-trace 1\nranks 3\nrank 0\n{a}rank 1\n{b}rank 2\n{c}");
        let folder = Folder::new(&[("t", &text)]);
        let trace = Trace::open(folder.path().join("t")).unwrap();
        let whole = trace.ideal_run(COMPUTE).unwrap();
        let (from, to) = (Time::from_us(from), Time::from_us(from + length));
        let kept = Kept { time: Some(from..to), ..Kept::default() };
        match Cut::of(&trace, COMPUTE, &kept) {
            Ok(cut) => {
                let part = Trace::of_program(move || cut.operations());
                let findings = part.check(9).unwrap();
                prop_assert_eq!(findings.total, 0, "{:?}", findings.first);
                let run = part.ideal_run(COMPUTE).unwrap();
                prop_assert!(run.is_some() || whole.is_none(), "the part is stuck");
            }
            Err(CutError::NoSuchTime { .. }) => {}
            Err(error) => prop_assert!(whole.is_none(), "{}", error),
        }
    }
}
