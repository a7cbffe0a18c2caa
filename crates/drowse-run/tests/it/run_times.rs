//! How long generated programs take beside traces of them: with nothing computed, and with the times of the trace.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use drowse_core::model::units::FlopRate;
use drowse_run::trace;

use crate::applications::{TIMER, figures_on};

/// LULESH and stencils: their keys, their traces and the torus on which both run.
const NEIGHBOURS: [[&str; 3]; 4] = [
    ["kind = \"lulesh\", ranks = 27, side = 8, iterations = 10", "lulesh.27", "[3, 3, 3]"],
    ["kind = \"lulesh\", ranks = 64, side = 8, iterations = 10", "lulesh.64", "[4, 4, 4]"],
    ["kind = \"stencil\", dims = [4, 4], bytes = \"512 B\", iterations = 20", "stencil2d.16", "[4, 4]"],
    ["kind = \"stencil\", dims = [8, 8], bytes = \"512 B\", iterations = 20", "stencil2d.64", "[8, 8]"],
];

/// A folder of experiments on a torus.
struct Runs<'a> {
    dims: &'a str,
    power: &'a str,
    folder: tempfile::TempDir,
}

impl<'a> Runs<'a> {
    fn on(dims: &'a str, power: &'a str) -> Self {
        Runs { dims, power, folder: tempfile::tempdir().unwrap() }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn time(&self, job: &str) -> f64 {
        figures_on(self.dims, self.power, &self.path("x.toml"), job).number("makespan_s").unwrap()
    }

    /// Returns a program in Drowse's text format.
    fn text(&self, program: &Path) -> String {
        let (to, speed) = (self.path("text.drowse"), FlopRate(10_000_000_000));
        trace::convert(program, &crate::target(&to), [None, None], speed).unwrap();
        let text = fs::read_to_string(&to).unwrap();
        fs::remove_file(to).unwrap();
        text
    }

    /// Returns how long a program takes that is given as text.
    fn time_of(&self, text: &str) -> f64 {
        fs::write(self.path("given.drowse"), text).unwrap();
        self.time("trace = \"given.drowse\"")
    }
}

/// Returns the path of a trace in this repository.
fn traced(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../../traces/{name}.tar.zst"))
}

/// Programs of the NAS Parallel Benchmarks and LULESH take as long as their traces where nothing is computed: the
/// difference that remains with computing is that of its times, which in the traces are different for each call.
#[test]
fn programs_take_as_long_as_their_traces() {
    for [keys, name, dims] in [
        ["kind = \"cg\", class = \"A\", order = \"program\", ranks = 16, iterations = 3", "cg.A.16", "[4, 4]"],
        ["kind = \"lu\", class = \"A\", order = \"program\", ranks = 16, iterations = 10", "lu.A.16", "[4, 4]"],
        NEIGHBOURS[0],
        NEIGHBOURS[1],
    ] {
        let runs = Runs::on(dims, TIMER);
        let generated = runs.time(&format!("app = {{ {keys} }}"));
        let traced = runs.time(&format!("trace = {:?}\ncompute = {{ scale = 0.0 }}", traced(name)));
        assert_eq!(generated, traced, "{name}");
        assert!(generated > 5e-5, "{name}");
    }
}

/// Leaves out the operations of a kind.
fn without(text: &str, operation: &str) -> String {
    text.lines().filter(|line| !line.starts_with(operation)).flat_map(|line| [line, "\n"]).collect()
}

/// So does a stencil, without the sums of the traced program.
#[test]
fn stencils_take_as_long_as_their_traces() {
    for [keys, name, dims] in &NEIGHBOURS[2..] {
        let runs = Runs::on(dims, "");
        let traced = without(&without(&runs.text(&traced(name)), "allreduce"), "compute");
        let generated = runs.time(&format!("app = {{ {keys} }}"));
        assert_eq!(generated, runs.time_of(&traced), "{name}");
        assert!(generated > 5e-6, "{name}");
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

/// Computes for a time where the first of some operations does, or before all of them.
fn timed(operations: &[&str], time: f64) -> String {
    let place = operations.iter().position(|line| line.starts_with("compute")).unwrap_or(0);
    let [before, after] =
        [&operations[..place], &operations[place..]].map(|lines| without(&lines.join("\n"), "compute"));
    format!("{before}compute {time}\n{after}")
}

/// Puts what a trace computes between two waits or collectives where a program computes between the same.
fn with_times_of(trace: &str, program: &str) -> String {
    let time = |line: &&str| line.strip_prefix("compute ").map(|time| time.parse::<f64>().unwrap());
    let (traced, generated) = (ranks(trace), ranks(program));
    let mut text = format!("drowse-trace 1\nranks {}\n", traced.len());
    for (rank, (traced, generated)) in traced.iter().zip(&generated).enumerate() {
        let (traced, mut generated) = (stretches(traced), stretches(generated));
        // A trace may compute after all else.
        assert!((generated.len()..=generated.len() + 1).contains(&traced.len()), "{rank}");
        generated.resize(traced.len(), &[]);
        writeln!(text, "rank {rank}").unwrap();
        let times = traced.into_iter().map(|operations| operations.iter().filter_map(time).sum());
        text.extend(generated.into_iter().zip(times).map(|(operations, time)| timed(operations, time)));
    }
    text
}

/// With what each rank of a trace computes between waits, LULESH and a stencil take as long as the trace, within 5 %: they
/// take longer, since they compute all of it before they send, and the traces compute between sends and after them, too.
/// In the stencil of 64 ranks that is half of the time. A stencil does not have the sums of the traced program. Links are
/// always on.
#[test]
fn programs_take_as_long_in_the_times_of_their_traces() {
    for [keys, name, dims] in NEIGHBOURS {
        let runs = Runs::on(dims, "");
        let theirs = runs.time(&format!("trace = {:?}", traced(name)));
        runs.time(&format!("app = {{ {keys}, compute = \"1 us\" }}"));
        let (program, mut trace) = (runs.text(&runs.path("x.toml")), runs.text(&traced(name)));
        if keys.contains("stencil") {
            trace = without(&trace, "allreduce");
        }
        let ours = runs.time_of(&with_times_of(&trace, &program));
        assert!((ours / theirs - 1.0).abs() < 0.05, "{name}: {ours} {theirs}");
    }
}
