//! Programs as experiments: read as traces are, and the same result from a file.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use drowse_core::model::units::FlopRate;
use drowse_experiment::load_case;
use drowse_run::request::RunRequest;
use drowse_run::trace;
use drowse_tables::Row;

/// Every program with an order on 16 ranks: messages and bytes of an iteration in closed form.
const PROGRAMS: [(&str, f64, f64); 18] = [
    ("kind = \"all-to-all\", order = \"program\", ranks = 16, groups = 2, bytes = \"9 kB\"", 112.0, 1_008_000.0),
    ("kind = \"binary-tree\", ranks = 16, bytes = \"100 kB\"", 15.0, 1_500_000.0),
    ("kind = \"butterfly\", ranks = 16, bytes = \"10 kB\", growing = true", 64.0, 2_400_000.0),
    ("kind = \"stencil\", order = \"program\", periodic = false, dims = [4, 4], bytes = \"100 kB\"", 48.0, 4_800_000.0),
    ("kind = \"stencil\", order = \"program\", dims = [4, 4], bytes = \"100 kB\"", 64.0, 6_400_000.0),
    ("kind = \"one-to-all\", ranks = 16, root = 3, bytes = \"1 kB\"", 15.0, 15_000.0),
    ("kind = \"all-to-one\", ranks = 16, bytes = \"1 kB\"", 15.0, 15_000.0),
    ("kind = \"ping-pong\", ranks = 16, bytes = \"1 kB\"", 16.0, 16_000.0),
    ("kind = \"n-bodies\", ranks = 16, bytes = \"1 kB\"", 144.0, 144_000.0),
    ("kind = \"wavefront\", dims = [4, 2, 2], bytes = \"1 kB\"", 28.0, 28_000.0),
    ("kind = \"random-waves\", ranks = 16, messages = 90, wave = 20, bytes = \"1 kB\"", 90.0, 90_000.0),
    // Activations of 2,048 B, and 49,152 weights in each of four layers.
    (
        "kind = \"transformer\", tensor = 2, pipeline = 2, data = 4, layers = 4, hidden = 64, sequence = 16, micro_batches = 2",
        512.0 + 32.0 + 96.0,
        (512.0 / 2.0 + 32.0) * 2_048.0 + 6.0 * 4.0 * 98_304.0,
    ),
    // Two updates for each other rank in two rounds, and the end.
    ("kind = \"random-access\", ranks = 16, updates = 32, ahead = 7", 240.0 * 3.0, 240.0 * 24.0),
    // Patches of ten atoms, each of which seven other ranks need: coordinates and forces.
    ("kind = \"namd\", ranks = 16, patches = [4, 2, 2], atoms = 160, pme = 0", 224.0, 112.0 * 10.0 * 56.0),
    // Two pulses of 1 of 2 x 2 x 4 cells, 3,000 and 4,500 atoms: numbers, and coordinates and forces in a step.
    (
        "kind = \"gromacs\", dims = [4, 4, 1], atoms = 96000, side = 8, cutoff = 1, search = 1, energies = 1",
        16.0 * 6.0,
        16.0 * (3_000.0 + 4_500.0) * 28.0,
    ),
    ("kind = \"isam\", ranks = 16", 0.0, 0.0),
    // Eight octants of 2 x 2 blocks, over twelve boundaries in each direction: 6 columns or rows of cells, 3 planes, 2 angles.
    (
        "kind = \"sweep3d\", grid = [4, 4], cells = [6, 6, 5], angles = 4, planes = 3, batch = 2",
        32.0 * 24.0,
        32.0 * 2.0 * 3.0 * 6.0 * 3.0 * 2.0 * 8.0,
    ),
    // Two tasks of eight mappers to eight reducers, and two copies of all that these get.
    (
        "kind = \"mapreduce\", ranks = 16, mappers = 8, reducers = 8, tasks = 2, bytes = \"10 kB\", replicas = 3",
        2.0 * 64.0 + 16.0,
        160_000.0 * 3.0,
    ),
];

/// All other kinds of applications, on 16 ranks, or 8 where the number must be a cube.
const OTHERS: [&str; 32] = [
    "kind = \"stencil\", dims = [4, 4], bytes = \"9 kB\"",
    "kind = \"milc\", dims = [2, 2, 2, 2], local = [4, 4, 4, 4], sums = 1",
    "kind = \"all-to-all\", ranks = 16, bytes = \"1 kB\"",
    "kind = \"random\", ranks = 16, degree = 3, bytes = \"1 kB\", region = { ranks = 4, share = 0.5 }",
    "kind = \"permutation\", pattern = \"bisection\", ranks = 16, bytes = \"1 kB\", messages = 2",
    "kind = \"graph500\", ranks = 16, scale = 16, levels = 3",
    "kind = \"linpack\", grid = [4, 4], size = 100, block = 8",
    "kind = \"namd\", ranks = 16, system = \"apoa1\", atoms = 999, pme = 2",
    "kind = \"ep\", ranks = 16",
    "kind = \"bt\", ranks = 16, class = \"S\"",
    "kind = \"bt\", ranks = 16, class = \"S\", order = \"program\"",
    "kind = \"cg\", ranks = 16, class = \"S\"",
    "kind = \"cg\", ranks = 16, class = \"S\", order = \"program\"",
    "kind = \"ft\", ranks = 16, class = \"S\"",
    "kind = \"ft\", ranks = 16, class = \"S\", order = \"program\"",
    "kind = \"is\", ranks = 16, class = \"S\"",
    "kind = \"is\", ranks = 16, class = \"S\", order = \"program\"",
    "kind = \"lu\", ranks = 16, class = \"W\"",
    "kind = \"lu\", ranks = 16, class = \"W\", order = \"program\"",
    "kind = \"mg\", ranks = 16, class = \"S\"",
    "kind = \"mg\", ranks = 16, class = \"S\", order = \"program\"",
    "kind = \"sp\", ranks = 16, class = \"S\"",
    "kind = \"sp\", ranks = 16, class = \"S\", order = \"program\"",
    "kind = \"all-to-all\", order = \"program\", ranks = 16, bytes = \"70 kB\"",
    "kind = \"hpcg\", dims = [4, 2, 2], local = [96, 104, 8]",
    "kind = \"pencil-fft\", grid = [4, 4], points = [16, 16, 16]",
    "kind = \"lulesh\", ranks = 8, side = 60",
    "kind = \"mapreduce\", ranks = 16, mappers = 12, bytes = \"100 kB\", popularity = \"zipf\"",
    "kind = \"transformer\", tensor = 2, context = 2, expert = 2, data = 2, pipeline = 2, virtual_stages = 2, \
     micro_batches = 2, layers = 4, hidden = 16, heads = 4, kv_heads = 2, experts = 4, experts_per_token = 2, \
     vocabulary = 99, gated = true, sequence = 16, gradient = 4, sequence_parallel = true",
    "kind = \"transformer\", tensor = 2, context = 2, expert = 2, data = 2, pipeline = 2, virtual_stages = 2, \
     micro_batches = 2, layers = 4, hidden = 16, experts = 4, sequence = 16, sums = \"collectives\", overlap = true",
    "kind = \"transformer\", model = \"llama-3-8b\", tensor = 4, pipeline = 4, layers = 4, vocabulary = 512, \
     feed_forward = 64, hidden = 64, sequence = 16, sums = \"collectives\", flops_per_second = \"1 Tflop/s\", tensor_bandwidth = \"1 GB/s\"",
    "kind = \"inference\", model = \"llama-3-8b\", layers = 2, hidden = 64, feed_forward = 64, vocabulary = 512, \
     prefill_groups = 2, prefill_tensor = 4, decode_groups = 1, decode_tensor = 7, requests = 12, batch = 4, \
     requests_per_second = 1e5, prompt = 30, output = 7, lengths = \"exponential\", \
     flops_per_second = \"1 Tflop/s\", memory_bandwidth = \"100 GB/s\"",
];

/// What all of them have; those that do not know better how long they compute, COMPUTE, too.
const COMMON: &str = "iterations = 3, imbalance = 0.2, jitter = 0.1, distribution = \"normal\"";
const COMPUTE: &str = ", compute = \"20 us\"";

const SPEED: FlopRate = FlopRate(10_000_000_000);

/// A policy whose links sleep in most waits.
pub const TIMER: &str = "policy = { kind = \"stall-timer\", deep = \"10 us\" }";

/// Writes an experiment on a torus of 4 x 4 nodes whose links sleep, and returns the figures of its run.
fn figures(path: &Path, job: &str) -> Row {
    figures_on("[4, 4]", TIMER, path, job)
}

/// Writes an experiment on a torus, and returns the figures of its run.
pub fn figures_on(dims: &str, power: &str, path: &Path, job: &str) -> Row {
    let network = format!("[network]\nkind = \"torus\"\ndims = {dims}");
    fs::write(path, format!("seed = 5\n{network}\n[power]\n{power}\n[[job]]\nname = \"one\"\n{job}\n")).unwrap();
    let case = load_case(path, &[]).unwrap_or_else(|error| panic!("{error}"));
    let outcome = RunRequest::new(&case).run().unwrap().case;
    outcome.summary.figures
}

/// Two runs have the same figures, but for ids, which name what was run.
fn assert_same(described: &Row, replayed: &Row, told: &str) {
    let differ: Vec<_> = described.iter().filter(|(key, value)| replayed.get(*key) != Some(*value)).collect();
    assert!(differ.iter().all(|(key, _)| key.ends_with("id")), "{told}: {differ:?}");
}

/// Reads an application, and returns what it consists of. Nothing is found wrong; written to a file, it runs as it does
/// described, to the last figure.
fn replayed(keys: &str) -> Row {
    let folder = tempfile::tempdir().unwrap();
    let app = folder.path().join("app.toml");
    let compute = if keys.contains("flops_per_second") { "" } else { COMPUTE };
    let described = figures(&app, &format!("app = {{ {keys}, {COMMON}{compute} }}"));
    assert_eq!(trace::check(&app, None, 20).unwrap().total, 0, "{keys}");
    let notes = trace::convert(&app, &crate::target(&folder.path().join("app.drowse")), [None, None], SPEED).unwrap();
    assert_eq!(notes, Vec::<String>::new());
    let replayed = figures(&folder.path().join("replay.toml"), "trace = \"app.drowse\"");
    assert_same(&described, &replayed, keys);
    let (row, matrix) = trace::info(&app, None, SPEED).unwrap();
    assert_eq!(row.text("format"), "app");
    // A run says how much it has simulated.
    assert_eq!(described.number("ranks.operations"), row.number("coverage.simulated"), "{keys}");
    assert!(matrix.is_some());
    row
}

/// Counts are those of the closed forms.
#[test]
fn applications_are_traces() {
    for (keys, messages, bytes) in PROGRAMS {
        let row = replayed(keys);
        assert_eq!(row.number("messages.count"), Some(3.0 * messages), "{keys}");
        assert_eq!(row.number("messages.bytes"), Some(3.0 * bytes), "{keys}");
        assert_eq!(row.number("operations.iteration"), Some(48.0));
    }
}

/// A runtime system goes by the marks of iterations that are in the file, and by no others: with those of periods or runs
/// as well it would take each iteration for two and more, and links would stay on.
#[test]
fn marks_of_a_file_are_those_of_its_program() {
    const RUNTIME: &str = "policy = { kind = \"runtime\", mode = \"scheduled\", learn = 2, margin = \"1 us\", overhead = \"1 us\" }\n\
        states = { deep = { power = 0.0, enter = \"3 us\", wake = \"3 us\" } }";
    let folder = tempfile::tempdir().unwrap();
    let [app, replay, file] = ["app.toml", "replay.toml", "app.drowse"].map(|name| folder.path().join(name));
    for kind in ["stencil\", dims = [4, 4], bytes = \"9 kB", "cg\", ranks = 16, class = \"S"] {
        let run = |path: &Path, program: &str, repeat| {
            figures_on("[4, 4]", RUNTIME, path, &format!("{program}\nrepeat = {repeat}"))
        };
        let program = format!("app = {{ kind = \"{kind}\", iterations = 12, compute = \"2 ms\" }}");
        // The last one that is written is converted: the program once.
        let described = [3, 1].map(|repeat| (repeat, run(&app, &program, repeat)));
        trace::convert(&app, &crate::target(&file), [None, None], SPEED).unwrap();
        for (repeat, described) in described {
            assert_same(&described, &run(&replay, "trace = \"app.drowse\"", repeat), &format!("{kind}, {repeat}"));
            assert!(described.number("links.deep_fraction").is_some_and(|share| share > 0.1), "{kind}: links sleep");
        }
        fs::remove_file(&file).unwrap();
    }
    let (row, _) = trace::info(&app, None, SPEED).unwrap();
    assert_eq!((row.text("iterations.from"), row.number("iterations.count")), ("marks".to_owned(), Some(12.0)));
}

#[test]
fn every_kind_of_application_is_a_trace() {
    for keys in OTHERS {
        let ranks = if keys.contains("lulesh") { 8.0 } else { 16.0 };
        assert_eq!(replayed(keys).number("operations.iteration"), Some(3.0 * ranks), "{keys}");
    }
    let kinds: BTreeSet<&str> =
        PROGRAMS.iter().map(|program| program.0).chain(OTHERS).filter_map(|keys| keys.split('"').nth(1)).collect();
    let reference = drowse_experiment::Kinds::default().reference();
    let headings = reference.lines().filter(|line| line.starts_with("### `job.app`"));
    let named: BTreeSet<&str> = headings.filter_map(|line| line.split('`').nth(3)).collect();
    assert_eq!(kinds, named);
}

/// Without numbers that are drawn, ranks compute what is written; with them, seeds make a difference, and repeats none.
#[test]
fn what_ranks_compute() {
    let folder = tempfile::tempdir().unwrap();
    let app = folder.path().join("app.toml");
    let computing = |keys: &str| {
        let kind = "kind = \"stencil\", order = \"program\", dims = [4, 4], bytes = \"1 kB\", compute = \"1 ms\"";
        figures(&app, &format!("app = {{ {kind}, iterations = 4{keys} }}"));
        let (row, _) = trace::info(&app, None, SPEED).unwrap();
        ["compute_of_a_rank.least_s", "compute_of_a_rank.mean_s", "compute_of_a_rank.most_s"]
            .map(|key| row.number(key).unwrap())
    };
    // The mean is a sum of rounded numbers.
    let [least, mean, most] = computing("");
    assert!([least, most] == [4e-3; 2] && (mean - 4e-3).abs() < 1e-15);
    let [least, mean, most] = computing(", imbalance = 0.5");
    assert!(2e-3 < least && least < mean && mean < most && most < 6e-3);
    assert_eq!(computing(", imbalance = 0.5"), [least, mean, most]);
    assert_ne!(computing(", jitter = 0.5"), [least, mean, most]);
}

/// Experiments whose program cannot be read as a trace.
#[test]
fn experiments_without_an_application() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.toml");
    let wrong = |text: &str| {
        fs::write(&path, format!("[network]\nkind = \"torus\"\ndims = [4, 4]\n{text}\n")).unwrap();
        let error = trace::info(&path, None, SPEED).unwrap_err().to_string();
        error.replace(&format!("{}/", folder.path().display()), "")
    };
    let app = "app = { kind = \"stencil\", dims = [2, 2], bytes = \"1 B\" }";
    let several = wrong(&format!("[[job]]\n{app}\n[[job]]\n{app}"));
    assert!(several.starts_with("x.toml:6:1: error: this experiment has several jobs"), "{several}");
    let traced = wrong("[[job]]\ntrace = \"x.ti\"");
    assert!(traced.starts_with("x.toml:5:9: error: the job of this experiment has no app"), "{traced}");
    let open = wrong("[traffic]\nload = 0.1\nwarmup = \"1 us\"\nmeasure = \"1 us\"");
    assert!(open.starts_with("x.toml:4:1: error: this experiment has no job whose program could be read"), "{open}");
}
