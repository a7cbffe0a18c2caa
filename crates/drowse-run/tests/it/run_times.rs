//! How long generated programs take beside traces of them: with nothing computed, and with the times of the trace.

use std::fs;

use drowse_core::model::units::FlopRate;
use drowse_run::trace;

use crate::applications::{TIMER, figures_on};

/// Returns the path of a trace in this repository.
fn traced(name: &str) -> String {
    format!("{}/../../traces/{name}.tar.zst", env!("CARGO_MANIFEST_DIR"))
}

/// Programs of the NAS Parallel Benchmarks and LULESH take as long as their traces where nothing is computed: the
/// difference that remains with computing is that of its times, which in the traces are different for each call.
#[test]
fn programs_take_as_long_as_their_traces() {
    let folder = tempfile::tempdir().unwrap();
    for (keys, name, dims) in [
        ("kind = \"cg\", class = \"A\", order = \"program\", ranks = 16, iterations = 3", "cg.A.16", "[4, 4]"),
        ("kind = \"lu\", class = \"A\", order = \"program\", ranks = 16, iterations = 10", "lu.A.16", "[4, 4]"),
        ("kind = \"lulesh\", ranks = 27, side = 8, iterations = 10", "lulesh.27", "[3, 3, 3]"),
        ("kind = \"lulesh\", ranks = 64, side = 8, iterations = 10", "lulesh.64", "[4, 4, 4]"),
    ] {
        let run_time =
            |job: &str| figures_on(dims, TIMER, &folder.path().join("x.toml"), job).number("makespan_s").unwrap();
        let generated = run_time(&format!("app = {{ {keys} }}"));
        let traced = run_time(&format!("trace = \"{}\"\ncompute = {{ scale = 0.0 }}", traced(name)));
        assert_eq!(generated, traced, "{name}");
        assert!(generated > 5e-5, "{name}");
    }
}

/// The operations of each rank of a trace in Drowse's text format.
fn ranks(text: &str) -> Vec<Vec<&str>> {
    let begins_rank = |line: &&str| line.starts_with("rank ");
    let lines: Vec<&str> = text.lines().skip_while(|line| !begins_rank(line)).collect();
    lines.split(begins_rank).skip(1).map(<[&str]>::to_vec).collect()
}

/// Cuts operations after each wait, or several in a row, and each collective.
fn stretches<'a>(operations: &'a [&str]) -> Vec<&'a [&'a str]> {
    let is_wait = |line: &str| line.starts_with("wait");
    let ends =
        |line: &str| is_wait(line) || ["barrier", "allreduce", "reduce"].iter().any(|word| line.starts_with(word));
    operations.chunk_by(|one, next| !ends(one) || (is_wait(one) && is_wait(next))).collect()
}

/// Puts what a trace computes between two waits or collectives where a program computes between the same, or before all
/// else there.
fn with_times_of(trace: &str, program: &str) -> String {
    let is_computation = |line: &&&str| line.starts_with("compute ");
    let of_rank = |(rank, (traced, generated)): (usize, (Vec<&str>, Vec<&str>))| {
        let (traced, generated) = (stretches(&traced), stretches(&generated));
        let mut text = format!("rank {rank}\n");
        for (number, times) in traced.iter().enumerate() {
            let time = |line: &&str| line["compute ".len()..].parse::<f64>().unwrap();
            let time = format!("compute {}", times.iter().filter(is_computation).map(time).sum::<f64>());
            let program = generated.get(number).copied().unwrap_or_default();
            let place = program.iter().position(|line| is_computation(&line)).unwrap_or(0);
            let others = |lines: &[&str]| {
                lines.iter().filter(|line| !is_computation(line)).map(|line| format!("{line}\n")).collect::<String>()
            };
            text += &format!("{}{time}\n{}", others(&program[..place]), others(&program[place..]));
        }
        assert!(generated.len() <= traced.len(), "{rank}");
        text
    };
    let both = ranks(trace).into_iter().zip(ranks(program));
    let count = ranks(trace).len();
    format!("drowse-trace 1\nranks {count}\n{}", both.enumerate().map(of_rank).collect::<String>())
}

/// With what each rank of a trace computes between waits, LULESH and a stencil take as long as the trace, within 5 %: they
/// take longer, since they compute all of it before they send, and the traces compute between sends and after them, too.
/// In the stencil of 64 ranks that is half of the time. A stencil does not have the sums of the traced program. Links are
/// always on.
#[test]
fn programs_take_as_long_in_the_times_of_their_traces() {
    let folder = tempfile::tempdir().unwrap();
    let in_folder = |name: &str| folder.path().join(name);
    for (keys, name, dims) in [
        ("kind = \"lulesh\", ranks = 27, side = 8, iterations = 10", "lulesh.27", "[3, 3, 3]"),
        ("kind = \"lulesh\", ranks = 64, side = 8, iterations = 10", "lulesh.64", "[4, 4, 4]"),
        ("kind = \"stencil\", dims = [4, 4], bytes = \"512 B\", iterations = 20", "stencil2d.16", "[4, 4]"),
        ("kind = \"stencil\", dims = [8, 8], bytes = \"512 B\", iterations = 20", "stencil2d.64", "[8, 8]"),
    ] {
        let traced = traced(name);
        let run_time = |job: &str| figures_on(dims, "", &in_folder("x.toml"), job).number("makespan_s").unwrap();
        let theirs = run_time(&format!("trace = \"{traced}\""));
        run_time(&format!("app = {{ {keys}, compute = \"1 us\" }}"));
        let text = |from: &std::path::Path, to: &str| {
            trace::convert(from, &in_folder(to), [None, None], FlopRate(10_000_000_000)).unwrap();
            fs::read_to_string(in_folder(to)).unwrap()
        };
        let program = text(&in_folder("x.toml"), &format!("{name}.app.drowse"));
        let mut trace = text(traced.as_ref(), &format!("{name}.drowse"));
        if keys.contains("stencil") {
            trace =
                trace.lines().filter(|line| !line.starts_with("allreduce")).map(|line| format!("{line}\n")).collect();
        }
        fs::write(in_folder("timed.drowse"), with_times_of(&trace, &program)).unwrap();
        let ours = run_time("trace = \"timed.drowse\"");
        assert!((ours / theirs - 1.0).abs() < 0.05, "{name}: {ours} {theirs}");
    }
}
