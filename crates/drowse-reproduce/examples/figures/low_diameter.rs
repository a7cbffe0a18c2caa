//! Low-diameter networks beside other simulators and the literature: the runs, and their part of the page.

use std::fmt::Write;
use std::path::Path;
use std::sync::Arc;

use drowse_experiment::Source;
use drowse_run::{inputs, run};

use crate::parallel;
use crate::peer_cases::Peer;
use crate::peers::{self, Curve};

/// Returns the part of the page on low-diameter networks.
pub fn section(curves: &[Curve]) -> Result<String, Box<dyn std::error::Error>> {
    let mut page = include_str!("low_diameter_head.md").trim_end().to_owned();
    page.push('\n');
    curves.iter().for_each(|curve| peers::push_table(&mut page, curve));
    push_curve(&mut page, Peer::BookSimDragonfly);
    page.push_str(include_str!("low_diameter_saturation.md"));
    let [at_inputs, at_outputs] = ["input", "output"].map(|queues| parallel::map(&ROWS, |row| accepted(row, queues)));
    for ((row, at_inputs), at_outputs) in ROWS.iter().zip(at_inputs).zip(at_outputs) {
        let Row { network, pattern, routing, expected, source, .. } = row;
        let (at_inputs, at_outputs) = (at_inputs?, at_outputs?);
        let _ = writeln!(
            page,
            "| {network} | {pattern} | {routing} | {expected} | {at_inputs:.3} | {at_outputs:.3} | {source} |"
        );
    }
    Ok(page)
}

fn push_curve(page: &mut String, peer: Peer) {
    let _ = writeln!(page, "\n### {}\n", peer.name());
    page.push_str("| offered load | their latency, cycles | ours | they accept | we accept |\n|---|---|---|---|---|\n");
    let curve = peer.curve();
    let ours = parallel::map(&curve, |point| peer.ours(point.offered, peers::cycles(peer)));
    for (theirs, ours) in curve.iter().zip(ours) {
        let permille = (1000.0 * (ours.latency / theirs.latency - 1.0)).round();
        let latency = if ours.saturated {
            "saturated".into()
        } else {
            format!("{:.2} ({:+.1} %)", ours.latency, permille / 10.0 + 0.0)
        };
        let _ = writeln!(
            page,
            "| {} | {:.2} | {latency} | {:.3} | {:.3} |",
            theirs.offered, theirs.latency, theirs.accepted, ours.accepted
        );
    }
}

/// A network at full load.
struct Row {
    network: &'static str,
    keys: &'static str,
    routing: &'static str,
    pattern: &'static str,
    /// What is known of the load that it accepts, and where from.
    expected: &'static str,
    source: &'static str,
}

const FULL: &str = "kind = \"full\"\nswitches = 32\nnodes = 32\n";
const HYPERX: &str = "kind = \"hyperx\"\ndims = [8, 8]\nnodes = 8\n";
const SLIM_FLY: &str = "kind = \"slim-fly\"\nq = 5\n";
const KIM: &str = "Kim et al. 2007";
const AHN: &str = "Ahn et al. 2009";
const BESTA: &str = "Besta and Hoefler 2014";

const ROWS: [Row; 10] = [
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

/// Returns the load that a network accepts of a full one, with queues at inputs or at outputs.
fn accepted(row: &Row, queues: &str) -> Result<f64, String> {
    // Eight virtual channels where they deal out to the hops, with room for 16 packets each.
    let vcs = if row.routing == "dimension-order" { "any = 8" } else { "hop = 8" };
    let text = format!(
        "[network]\n{}routing = \"{}\"\n[switch]\nvcs = {{ {vcs} }}\nqueues = \"{queues}\"\n[traffic]\npattern = \"{}\"\nload = 1.0\nwarmup = \"4000 cycles\"\nmeasure = \"4000 cycles\"\n",
        row.keys, row.routing, row.pattern
    );
    let source = Source::new(Path::new("low-diameter.toml"), text, &[]).map_err(|error| error.to_string())?;
    let case = drowse_experiment::case(&Arc::new(source)).map_err(|error| error.to_string())?;
    let inputs = inputs::open(&case, &inputs::Traces::default()).map_err(|error| error.to_string())?;
    let run = run::run(&case, &inputs, &mut |_| {}).map_err(|error| error.to_string())?;
    let open_loop = run.record.open_loop.ok_or("no open loop")?;
    Ok(open_loop.delivered_flits as f64 / open_loop.capacity_flits)
}
