//! One application as several formats tell it: the same messages, and the same times where nothing is computed.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use drowse_core::model::units::{FlopRate, Time};
use drowse_core::workload::algorithms::Algorithms;
use drowse_core::workload::collectives::expand_in;
use drowse_core::workload::operation::Operation;
use drowse_run::trace;
use drowse_traces::{ComputeModel, Trace};
use proptest::prelude::*;

use crate::formats::run;
use crate::support::root;

const SPEED: FlopRate = FlopRate(10_000_000_000);
const NETWORK: &str = "[network]\nkind = \"ideal\"\nnodes = 27\nlatency = \"500 ns\"\nbandwidth = \"1 GB/s\"\n";
const NO_COMPUTING: &str = "compute = { scale = 0.0 }";

fn data(name: &str) -> PathBuf {
    root("crates/drowse-traces/tests/data").join(name)
}

/// What is sent: the receiver, the size, and how long the sender has computed before, in picoseconds.
type Sent = (u32, u64, u64);

/// Returns what each rank sends, in order, with the messages of its collectives.
fn sent(path: &Path) -> Vec<Vec<Sent>> {
    let trace = Trace::open(path).unwrap();
    let mut source = trace.operations(ComputeModel::TEN_GIGAFLOPS);
    let communicators = source.communicators();
    let mut of_rank = |rank| {
        let (mut sent, mut computed, mut block, mut steps) = (Vec::new(), 0, Vec::new(), Vec::new());
        loop {
            block.clear();
            source.refill(rank, &mut block).unwrap();
            if block.is_empty() {
                return sent;
            }
            for operation in &block {
                steps.clear();
                if let (Some(comm), Some(collective)) = (operation.comm(), operation.called()) {
                    expand_in(&communicators, &Algorithms::default(), None, comm, rank, collective, &mut steps);
                } else {
                    steps.push(operation.clone());
                }
                for step in &steps {
                    match *step {
                        Operation::Compute(time) => computed += time.0,
                        Operation::Send { to, bytes, .. } | Operation::Isend { to, bytes, .. } => {
                            sent.push((to, bytes, computed));
                        }
                        _ => {}
                    }
                }
            }
        }
    };
    (0..trace.ranks()).map(&mut of_rank).collect()
}

/// Messages and bytes by sender and receiver.
type Pairs = BTreeMap<(u32, u32), (u64, u64)>;

/// Counts the messages of a trace, with those of its collectives.
fn pairs(path: &Path) -> Pairs {
    let mut pairs = Pairs::new();
    for (rank, sent) in (0..).zip(sent(path)) {
        for (to, bytes, _) in sent {
            let (count, sum) = pairs.entry((rank, to)).or_default();
            (*count, *sum) = (*count + 1, *sum + bytes);
        }
    }
    pairs
}

/// Returns when the last rank ends, if nothing is computed.
fn time(path: &Path) -> Time {
    run(NETWORK, path, NO_COMPUTING).record.ranks.iter().map(|rank| rank.finish).max().unwrap()
}

/// LULESH and CG, written in each format that can say them, send the same messages in the same time.
#[test]
fn one_program_in_the_formats_that_are_written() {
    for (name, path) in [("LULESH", data("lulesh_27.drowse.gz")), ("CG", root("traces/cg.A.16.tar.zst"))] {
        let (messages, makespan) = (pairs(&path), time(&path));
        let folder = tempfile::tempdir().unwrap();
        for format in ["drowse", "simgrid-ti", "dimemas", "goal"] {
            let file = folder.path().join(format);
            let to = trace::Format::named(format);
            trace::convert(&path, &crate::target(&file), [None, to], SPEED)
                .unwrap_or_else(|error| panic!("{name}, {format}: {error}"));
            assert_eq!(pairs(&file), messages, "{name}, {format}");
            assert_eq!(time(&file), makespan, "{name}, {format}");
        }
    }
}

/// ASTRA-sim's all-reduce in a ring: all ranks send 128 KiB and then receive, and no send waits for its receive. Written
/// as sends that do, the ranks would wait for each other. TI, Dimemas and GOAL have no such send: each of the 14 steps asks
/// the receiver first, which takes a latency there and one back.
#[test]
fn a_ring_of_ready_sends_ends_in_all_formats() {
    let path = data("chakra/ring_8.tar.gz");
    let (makespan, folder) = (time(&path), tempfile::tempdir().unwrap());
    for format in ["drowse", "simgrid-ti", "dimemas", "goal", "vef"] {
        let file = folder.path().join(format);
        trace::convert(&path, &crate::target(&file), [None, trace::Format::named(format)], SPEED).unwrap();
        let asks = if matches!(format, "drowse" | "vef") { Time::ZERO } else { Time::from_us(14) };
        assert_eq!(time(&file), makespan + asks, "{format}");
    }
}

/// A round of a random program: all ranks compute, send to a rank further on, and receive.
fn round(number: usize, (word, shift, bytes, compute): (&str, u32, u64, u64)) -> [String; 4] {
    std::array::from_fn(|rank| {
        let (to, from) = ((rank as u32 + shift) % 4, (rank as u32 + 4 - shift) % 4);
        let request = if word.starts_with('i') { format!(" as {number}") } else { String::new() };
        let wait = if request.is_empty() { String::new() } else { format!("wait {number}\n") };
        let compute = compute * (rank as u64 + 1);
        format!("compute {compute} ns\n{word} {to} {bytes}{request}\nrecv {from}\n{wait}")
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, failure_persistence: None, ..ProptestConfig::default() })]

    /// Programs whose ranks send before they receive, written in any format, end. Where nothing is said of what is not
    /// told, they take the same time.
    #[test]
    fn random_programs_end_in_all_formats(
        rounds in prop::collection::vec(
            (
                prop::sample::select(vec!["isend", "issend", "ibsend", "irsend", "bsend", "rsend"]),
                1_u32..4,
                prop::sample::select(vec![8_u64, 60_000, 70_000, 300_000]),
                0_u64..50,
            ),
            1..8,
        ),
    ) {
        let mut ranks: [String; 4] = std::array::from_fn(|rank| format!("rank {rank}\n"));
        for (number, &drawn) in rounds.iter().enumerate() {
            ranks.iter_mut().zip(round(number, drawn)).for_each(|(text, lines)| text.push_str(&lines));
        }
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("text");
        fs::write(&path, format!("drowse-trace 1\nranks 4\n{}", ranks.concat())).unwrap();
        let end = |path: &Path| run(NETWORK, path, "").record.ranks.iter().map(|rank| rank.finish).max().unwrap();
        let makespan = end(&path);
        for format in ["drowse", "simgrid-ti", "dimemas", "goal", "vef"] {
            let file = folder.path().join(format);
            match trace::convert(&path, &crate::target(&file), [None, trace::Format::named(format)], SPEED) {
                Ok(notes) if notes.is_empty() && format != "goal" => prop_assert_eq!(end(&file), makespan, "{}", format),
                Ok(_) => prop_assert!(end(&file) > Time::ZERO, "{}", format),
                Err(error) => prop_assert!(error.to_string().contains("for a later one"), "{}", error),
            }
        }
    }
}

/// With their computations, too, programs are the same but for rounding. A text of Drowse's own has picoseconds, and one
/// of SimGrid's tenths of nanoseconds, of which CG's times are made. A GOAL text has whole nanoseconds, and what is left
/// of one computation is added to the next: a rank is always less than a nanosecond off.
#[test]
fn computations_in_the_formats_that_are_written() {
    let path = root("traces/cg.A.16.tar.zst");
    let (messages, folder) = (sent(&path), tempfile::tempdir().unwrap());
    for (format, most) in [("drowse", 0), ("simgrid-ti", 0), ("dimemas", 0), ("goal", 999)] {
        let file = folder.path().join(format);
        trace::convert(&path, &crate::target(&file), [None, trace::Format::named(format)], SPEED).unwrap();
        let mut off = 0;
        for (expected, found) in messages.iter().flatten().zip(sent(&file).iter().flatten()) {
            assert_eq!((expected.0, expected.1), (found.0, found.1), "{format}");
            off = off.max(expected.2.abs_diff(found.2));
        }
        assert!(off <= most, "{format}: {off} ps");
        assert!(messages[5].last().unwrap().2 > 1_000_000_000, "CG computes");
    }
}

/// Returns a trace as Drowse's own text in a folder, with other words for some of its lines.
fn rewritten(folder: &Path, trace: &Path, of_line: impl Fn(&str) -> String) -> PathBuf {
    let name = trace.file_name().unwrap().to_string_lossy();
    let (whole, changed) = (folder.join(format!("{name}.whole")), folder.join(format!("{name}.changed")));
    trace::convert(trace, &crate::target(&whole), [None, None], SPEED).unwrap();
    let lines: String = fs::read_to_string(&whole).unwrap().lines().map(|line| of_line(line) + "\n").collect();
    fs::write(&changed, lines).unwrap();
    fs::remove_file(whole).unwrap();
    changed
}

/// One run of IS as Extrae recorded it, and as `prv2dim` made it of that: the same messages, but for a barrier that
/// `prv2dim` writes for MPI_Init. It takes as long as a barrier by itself. `prv2dim` also makes the sends synchronous:
/// the receivers of the last messages are asked first, which takes a latency to them and one back.
#[test]
fn paraver_and_dimemas_tell_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let barrier = folder.path().join("barrier");
    fs::write(&barrier, "drowse-trace 1\nranks 16\nrank 0-15\nbarrier\n").unwrap();
    let (paraver, dimemas) = (data("is_16.prv.gz"), data("is_16.dim.gz"));
    let mut expected = pairs(&paraver);
    for (pair, (count, bytes)) in pairs(&barrier) {
        let sum = expected.entry(pair).or_default();
        *sum = (sum.0 + count, sum.1 + bytes);
    }
    assert_eq!(pairs(&dimemas), expected);
    let standard = rewritten(folder.path(), &dimemas, |line| line.replace("ssend", "send"));
    assert_eq!(time(&standard).0, time(&paraver).0 + time(&barrier).0);
    assert_eq!(time(&dimemas), time(&standard) + Time::from_ns(2 * 500));
}

/// Returns a call of alltoallv as one that sends as much to each rank, in a list or not.
fn split_evenly(line: &str, as_list: bool) -> String {
    let Some(sizes) = line.strip_prefix("alltoallv ") else { return line.to_owned() };
    let sizes: Vec<u64> = sizes.split(' ').map(|size| size.parse().unwrap()).collect();
    let (ranks, all) = (sizes.len(), sizes.iter().sum::<u64>());
    assert_eq!(all % ranks as u64, 0);
    let each = (all / ranks as u64).to_string();
    if as_list { format!("alltoallv {}", vec![each; ranks].join(" ")) } else { format!("alltoall {each}") }
}

/// Two runs of IS, one recorded by Extrae and one by libdumpi. Extrae's trace does not tell what goes to which rank in
/// an alltoallv: with DUMPI's sizes split evenly, both tell the same.
#[test]
fn paraver_and_dumpi_tell_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let (paraver, dumpi) = (data("is_16.prv.gz"), data("dumpi/is.S.16.tar.gz"));
    let even = rewritten(folder.path(), &dumpi, |line| split_evenly(line, true));
    assert_eq!(pairs(&paraver), pairs(&even));
    assert_ne!(pairs(&paraver), pairs(&dumpi), "IS does not send as much to each rank");
    assert_eq!(time(&paraver), time(&even));
}

/// One run of IS as libdumpi recorded it, and a VEF trace that was derived from it by another program. VEF has no
/// alltoallv: what a rank sends in all is split evenly, and sent as an alltoall.
#[test]
fn dumpi_and_the_vef_that_was_derived_from_it() {
    let folder = tempfile::tempdir().unwrap();
    let (dumpi, vef) = (data("dumpi/is.S.16.tar.gz"), data("is_16.vef.gz"));
    let info = |path: &Path| Trace::open(path).unwrap().info().unwrap();
    assert_eq!(info(&dumpi).messages, info(&vef).messages);
    let even = rewritten(folder.path(), &dumpi, |line| split_evenly(line, false));
    assert_eq!(pairs(&vef), pairs(&even));
    assert_eq!(time(&vef), time(&even));
}
