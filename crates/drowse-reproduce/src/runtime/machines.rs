//! The networks and applications of the paper, as keys of experiments, and the usage of their channels.

use drowse_describe::usage::Options;
use drowse_run::error::RunError;
use drowse_tables::Row;

use crate::described;

/// The experiment file; each number sets its own network and application in it.
pub const EXPERIMENT: &str = include_str!("experiment.toml");

/// MILC on 4,096 ranks, that is 128 nodes.
pub const MILC: &str = "{ kind = \"milc\", dims = [8, 8, 8, 8] }";
/// NPB MG on as many; its class only decides on sizes.
pub const MG: &str = "{ kind = \"mg\", class = \"C\", ranks = 4096 }";
/// NPB CG on as many.
pub const CG: &str = "{ kind = \"cg\", class = \"C\", ranks = 4096 }";

/// The stencils of 2, 3 and 4 dimensions over 307,200 ranks, that is 9,600 nodes or 300 supernodes.
pub const STENCILS: [(&str, &[u32]); 3] =
    [("2D-Stencil", &[512, 600]), ("3D-Stencil", &[64, 64, 75]), ("4D-Stencil", &[32, 32, 20, 15])];

/// Counts the channels of a network that an application uses, as `drowse usage` does.
pub fn usage(network: &str, app: &str, more: &[&str], options: &Options) -> Result<Row, RunError> {
    let mut overrides = vec![format!("network={network}"), format!("job.0.app={app}")];
    overrides.extend(more.iter().map(|&text| text.to_owned()));
    described::usage("runtime.toml", EXPERIMENT, &overrides, options)
}

/// Writes a PERCS network of some supernodes.
pub fn percs(supernodes: u32) -> String {
    format!("{{ kind = \"percs\", supernodes = {supernodes} }}")
}

/// Writes a torus with the paper's dimension order. A dimension of two switches has two cables, as every other has.
pub fn grid(dims: &[u32]) -> String {
    let keys = "rings_of_two = true, routing = \"dimension-order\", ties = \"direct\"";
    format!("{{ kind = \"torus\", dims = {dims:?}, {keys} }}")
}

/// Counts the channels of a torus that an application uses.
pub fn torus(dims: &[u32], app: &str) -> Result<Row, RunError> {
    usage(&grid(dims), app, &["switch.vcs={ escape = 2 }"], &Options::default())
}

/// Writes a stencil.
pub fn stencil(dims: &[u32]) -> String {
    format!("{{ kind = \"stencil\", dims = {dims:?}, periodic = true, bytes = \"8 KiB\" }}")
}
