//! `job.app`: an application as a communication graph: which rank sends how much to which in an iteration.

use drowse_core::units::Bytes;
use drowse_core::workload::graph::{
    Cg, Class, Ft, Graph, GraphError, Is, Lu, Mg, Milc, Multipartition, Random, Solver, Stencil,
};
use serde::Deserialize;

use crate::experiment::diagnostic::Diagnostic;
use crate::experiment::keys::{Keys, join};
use crate::experiment::node::Node;
use crate::experiment::quantity::Quantity;

/// An application, resolved.
pub struct App {
    /// Its kind, as it is written.
    pub kind: &'static str,
    pub graph: Graph,
    /// How many iterations are counted.
    pub iterations: u32,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Kind {
    Stencil,
    Milc,
    Cg,
    Mg,
    Lu,
    Bt,
    Sp,
    Ft,
    Is,
    AllToAll,
    Random,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawStencil {
    dims: Vec<u32>,
    periodic: Option<bool>,
    bytes: Quantity<Bytes>,
    iterations: Option<u32>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawMilc {
    dims: Vec<u32>,
    local: Option<[u32; 4]>,
    sums: Option<u32>,
    iterations: Option<u32>,
}

/// A program of the NAS Parallel Benchmarks.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawNpb {
    ranks: u32,
    class: RawClass,
    iterations: Option<u32>,
}

#[derive(Clone, Copy, Deserialize)]
enum RawClass {
    S,
    W,
    A,
    B,
    C,
    D,
    E,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawAllToAll {
    ranks: u32,
    bytes: Quantity<Bytes>,
    iterations: Option<u32>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawRandom {
    ranks: u32,
    degree: u32,
    bytes: Quantity<Bytes>,
    iterations: Option<u32>,
}

/// Reads the table; random graphs are drawn from the seed.
pub fn resolve(mut node: Node<'_>, keys: &Keys, seed: u64) -> Result<App, Diagnostic> {
    let path = node.path.clone();
    let kind: Kind = node.require("kind", keys)?.read(keys)?;
    let (graph, iterations) = graph(kind, node, keys, seed)?;
    let graph = graph.map_err(|GraphError { key, value, reason }| {
        let key = join(&path, key);
        keys.error(&key, format!("`{key}` = {value} is out of range"), reason)
    })?;
    let iterations = super::job::in_range(iterations, u32::MAX, keys, &join(&path, "iterations"))?.unwrap_or(1);
    Ok(App { kind: kind.name(), graph, iterations })
}

/// Reads the keys of a kind; gives the graph and the iterations.
fn graph(
    kind: Kind,
    node: Node<'_>,
    keys: &Keys,
    seed: u64,
) -> Result<(Result<Graph, GraphError>, Option<u32>), Diagnostic> {
    Ok(match kind {
        Kind::Stencil => {
            let RawStencil { dims, periodic, bytes, iterations } = node.read(keys)?;
            (Stencil::new(dims, periodic.unwrap_or(true), bytes.0.0).map(Graph::Stencil), iterations)
        }
        Kind::Milc => {
            let RawMilc { dims, local, sums, iterations } = node.read(keys)?;
            (Milc::new(dims, local.unwrap_or([8; 4]), sums.unwrap_or(0)).map(Graph::Milc), iterations)
        }
        Kind::AllToAll => {
            let RawAllToAll { ranks, bytes, iterations } = node.read(keys)?;
            (Graph::all_to_all(ranks, bytes.0.0), iterations)
        }
        Kind::Random => {
            let RawRandom { ranks, degree, bytes, iterations } = node.read(keys)?;
            (Random::new(ranks, degree, bytes.0.0, seed).map(Graph::Random), iterations)
        }
        Kind::Cg | Kind::Mg | Kind::Lu | Kind::Bt | Kind::Sp | Kind::Ft | Kind::Is => {
            let RawNpb { ranks, class, iterations } = node.read(keys)?;
            (kind.npb(ranks, class.into()), iterations)
        }
    })
}

impl Kind {
    const fn name(self) -> &'static str {
        match self {
            Kind::Stencil => "stencil",
            Kind::Milc => "milc",
            Kind::Cg => "cg",
            Kind::Mg => "mg",
            Kind::Lu => "lu",
            Kind::Bt => "bt",
            Kind::Sp => "sp",
            Kind::Ft => "ft",
            Kind::Is => "is",
            Kind::AllToAll => "all-to-all",
            Kind::Random => "random",
        }
    }

    /// Makes the graph of a program of the NAS Parallel Benchmarks.
    fn npb(self, ranks: u32, class: Class) -> Result<Graph, GraphError> {
        let solver = |solver| Multipartition::new(solver, ranks, class).map(Graph::Multipartition);
        match self {
            Kind::Mg => Mg::new(ranks, class).map(Graph::Mg),
            Kind::Lu => Lu::new(ranks, class).map(Graph::Lu),
            Kind::Bt => solver(Solver::BlockTridiagonal),
            Kind::Sp => solver(Solver::ScalarPentadiagonal),
            Kind::Ft => Ft::new(ranks, class).map(Graph::Ft),
            Kind::Is => Is::new(ranks, class).map(Graph::Is),
            _ => Cg::new(ranks, class).map(Graph::Cg),
        }
    }
}

impl From<RawClass> for Class {
    fn from(class: RawClass) -> Self {
        match class {
            RawClass::S => Class::S,
            RawClass::W => Class::W,
            RawClass::A => Class::A,
            RawClass::B => Class::B,
            RawClass::C => Class::C,
            RawClass::D => Class::D,
            RawClass::E => Class::E,
        }
    }
}
