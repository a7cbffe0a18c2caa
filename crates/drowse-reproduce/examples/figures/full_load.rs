//! Low-diameter networks at full load. The runs take minutes, so that what they accept is kept in a file that the page
//! shows. A test repeats two of them (`tests/it/at_full_load.rs`), and one that `cargo xtask long` runs all.

use std::path::Path;
use std::sync::Arc;

use drowse_experiment::Source;
use drowse_run::request::RunRequest;

/// Where packets wait.
pub const QUEUES: [&str; 2] = ["input", "output"];

/// A network at full load.
pub struct Row {
    pub network: &'static str,
    keys: &'static str,
    pub routing: &'static str,
    pub pattern: &'static str,
    /// What is known of the load that it accepts, and where from.
    pub expected: &'static str,
    pub source: &'static str,
}

const FULL: &str = "kind = \"full\"\nswitches = 32\nnodes = 32\n";
const HYPERX: &str = "kind = \"hyperx\"\ndims = [8, 8]\nnodes = 8\n";
const SLIM_FLY: &str = "kind = \"slim-fly\"\nq = 5\n";
const KIM: &str = "Kim et al. 2007";
const AHN: &str = "Ahn et al. 2009";
const BESTA: &str = "Besta and Hoefler 2014";

/// All rows of the page.
pub const ROWS: [Row; 10] = [
    Row {
        network: "full mesh, 32 x 32 nodes",
        keys: FULL,
        routing: "minimal",
        pattern: "uniform",
        expected: "near 1",
        source: KIM,
    },
    Row {
        network: "full mesh, 32 x 32 nodes",
        keys: FULL,
        routing: "valiant",
        pattern: "uniform",
        expected: "0.5",
        source: KIM,
    },
    Row {
        network: "full mesh, 32 x 32 nodes",
        keys: FULL,
        routing: "minimal",
        pattern: "tornado",
        expected: "1/32 = 0.031",
        source: KIM,
    },
    Row {
        network: "full mesh, 32 x 32 nodes",
        keys: FULL,
        routing: "valiant",
        pattern: "tornado",
        expected: "0.5",
        source: KIM,
    },
    Row {
        network: "full mesh, 32 x 32 nodes",
        keys: FULL,
        routing: "ugal",
        pattern: "tornado",
        expected: "0.5",
        source: KIM,
    },
    Row {
        network: "HyperX 8 x 8, 512 nodes",
        keys: HYPERX,
        routing: "dimension-order",
        pattern: "uniform",
        expected: "at most 1",
        source: AHN,
    },
    Row {
        network: "HyperX 8 x 8, 512 nodes",
        keys: HYPERX,
        routing: "dimension-order",
        pattern: "tornado",
        expected: "1/8 = 0.125",
        source: AHN,
    },
    Row {
        network: "Slim Fly, q = 5, 200 nodes",
        keys: SLIM_FLY,
        routing: "minimal",
        pattern: "uniform",
        expected: "at most 0.957",
        source: BESTA,
    },
    Row {
        network: "Slim Fly, q = 5, 200 nodes",
        keys: SLIM_FLY,
        routing: "ugal",
        pattern: "uniform",
        expected: "at most 0.957",
        source: BESTA,
    },
    Row {
        network: "Slim Fly, q = 5, 200 nodes",
        keys: SLIM_FLY,
        routing: "valiant",
        pattern: "uniform",
        expected: "below 0.5",
        source: BESTA,
    },
];

/// Returns the kept load that a network accepts, with three decimals.
pub fn kept_at_full_load(row: &Row, queues: &str) -> &'static str {
    let start = line(row, queues, "");
    let kept = include_str!("../../../../docs/data/full_load.csv").lines().find_map(|line| line.strip_prefix(&start));
    kept.unwrap()
}

/// Writes a line of the file.
pub fn line(row: &Row, queues: &str, accepted: &str) -> String {
    let Row { network, pattern, routing, .. } = row;
    format!("{},{pattern},{routing},{queues},{accepted}", network.replace(',', ""))
}

/// Returns the load that a network accepts of a full one, with queues at inputs or at outputs.
pub fn accepted(row: &Row, queues: &str) -> Result<f64, String> {
    // Eight virtual channels where they deal out to the hops, with room for 16 packets each.
    let vcs = if row.routing == "dimension-order" { "any = 8" } else { "hop = 8" };
    let text = format!(
        "[network]\n{}routing = \"{}\"\n[switch]\nvcs = {{ {vcs} }}\nqueues = \"{queues}\"\n[traffic]\npattern = \"{}\"\nload = 1.0\nwarmup = \"4000 cycles\"\nmeasure = \"4000 cycles\"\n",
        row.keys, row.routing, row.pattern
    );
    let source = Source::new(Path::new("low-diameter.toml"), text, &[]).map_err(|error| error.to_string())?;
    let case = drowse_experiment::case(&Arc::new(source)).map_err(|error| error.to_string())?;
    let run = RunRequest::new(&case).run().map_err(|error| error.to_string())?;
    let open_loop = run.case.record.open_loop.ok_or("no open loop")?;
    Ok(open_loop.delivered_flits as f64 / open_loop.capacity_flits)
}
