//! `job.app`: an application as a communication graph: which rank sends how much to which in an iteration; or several,
//! one after the other.

use drowse_core::model::units::{Bytes, Time};
use drowse_core::workload::application::Phase;
use drowse_core::workload::graph::{
    Cg, Class, Ft, Graph, GraphError, Is, Lu, Mg, Milc, Multipartition, Random, Solver, Stencil,
};
use serde::Deserialize;

use crate::diagnostic::Diagnostic;
use crate::keys::{Keys, join};
use crate::node::Node;
use crate::quantity::Quantity;

/// An application, resolved.
pub struct App {
    /// The kind of its first phase, as it is written.
    pub kind: &'static str,
    pub phases: Vec<Phase>,
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
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawMilc {
    dims: Vec<u32>,
    local: Option<[u32; 4]>,
    sums: Option<u32>,
}

/// A program of the NAS Parallel Benchmarks.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawNpb {
    ranks: u32,
    class: RawClass,
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
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawRandom {
    ranks: u32,
    degree: u32,
    bytes: Quantity<Bytes>,
}

/// Reads the table, or a list of them; random graphs are drawn from the seed.
pub fn resolve(node: Node<'_>, keys: &Keys, seed: u64) -> Result<App, Diagnostic> {
    let path = node.path.clone();
    let mut app: Option<App> = None;
    for node in node.items() {
        let path = node.path.clone();
        let (kind, phase) = phase(node, keys, seed)?;
        let app = app.get_or_insert_with(|| App { kind: kind.name(), phases: Vec::new() });
        app.phases.push(phase);
        let [first, last] = [&app.phases[0], &app.phases[app.phases.len() - 1]].map(|phase| phase.graph.ranks());
        if first != last {
            let message = format!("`{path}` has {last} ranks, but the first has {first}");
            return Err(keys.error(&path, message, "all must have the same number: they are run by the same ranks"));
        }
    }
    app.ok_or_else(|| keys.error(&path, "the list of applications is empty", "write one, or several in a row"))
}

/// Reads the table of an application.
fn phase(mut node: Node<'_>, keys: &Keys, seed: u64) -> Result<(Kind, Phase), Diagnostic> {
    let path = node.path.clone();
    let kind: Kind = node.require("kind", keys)?.read(keys)?;
    let iterations = node.take("iterations").map(|node| node.read(keys)).transpose()?;
    let iterations = super::job::in_range(iterations, u32::MAX, keys, &join(&path, "iterations"))?.unwrap_or(1);
    let compute: Option<Quantity<Time>> = node.take("compute").map(|node| node.read(keys)).transpose()?;
    let compute = super::repeated(keys, &join(&path, "compute"), compute.map_or(Time::ZERO, |compute| compute.0))?;
    let graph = graph(kind, node, keys, seed)?.map_err(|GraphError { key, value, reason }| {
        let key = join(&path, key);
        keys.error(&key, format!("`{key}` = {value} is out of range"), reason)
    })?;
    Ok((kind, Phase { graph, iterations, compute }))
}

/// Reads the keys of a kind.
fn graph(kind: Kind, node: Node<'_>, keys: &Keys, seed: u64) -> Result<Result<Graph, GraphError>, Diagnostic> {
    Ok(match kind {
        Kind::Stencil => {
            let RawStencil { dims, periodic, bytes } = node.read(keys)?;
            Stencil::new(dims, periodic.unwrap_or(true), bytes.0.0).map(Graph::Stencil)
        }
        Kind::Milc => {
            let RawMilc { dims, local, sums } = node.read(keys)?;
            Milc::new(dims, local.unwrap_or([8; 4]), sums.unwrap_or(0)).map(Graph::Milc)
        }
        Kind::AllToAll => {
            let RawAllToAll { ranks, bytes } = node.read(keys)?;
            Graph::all_to_all(ranks, bytes.0.0)
        }
        Kind::Random => {
            let RawRandom { ranks, degree, bytes } = node.read(keys)?;
            Random::new(ranks, degree, bytes.0.0, seed).map(Graph::Random)
        }
        Kind::Cg | Kind::Mg | Kind::Lu | Kind::Bt | Kind::Sp | Kind::Ft | Kind::Is => {
            let RawNpb { ranks, class } = node.read(keys)?;
            kind.npb(ranks, class.into())
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
