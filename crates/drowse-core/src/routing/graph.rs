//! Routing on graphs: the outputs that the tables permit.
//!
//! Ports that follow each other and lead on alike are offered as one run, whichever neighbours they lead to.

use super::{Candidates, Outputs};
use crate::topology::graph::adjacency::Run;
use crate::topology::graph::{Routes, Tables};

/// Returns the runs of outputs from a switch to another by any of the ways, but those of drawn paths.
#[inline]
fn runs(graph: &Tables, at: u32, to: u32, mut visit: impl FnMut((u32, u32)) -> bool) {
    match &graph.routes {
        Routes::Shortest(distances) => {
            let left = distances.of(to);
            let here = left[at as usize];
            merge(graph.runs(at), |next| left[next as usize] < here, &mut visit);
        }
        Routes::UpDown(ways) => merge(graph.runs(at), ways.leads(at, to), &mut visit),
        Routes::Paths(_) => {}
    }
}

/// Returns `visit` the runs that lead on, those side by side as one, until it says that it has enough.
fn merge(runs: &[Run], leads: impl Fn(u32) -> bool, visit: &mut impl FnMut((u32, u32)) -> bool) {
    let (mut first, mut count) = (0, 0);
    for run in runs.iter().filter(|run| leads(run.to)) {
        let (port, links) = (u32::from(run.port), u32::from(run.links));
        if count > 0 && first + count == port {
            count += links;
            continue;
        }
        if count > 0 && !visit((first, count)) {
            return;
        }
        (first, count) = (port, links);
    }
    if count > 0 {
        visit((first, count));
    }
}

/// Finds the outputs from a switch to another, but by drawn paths.
pub fn onward(graph: &Tables, at: u32, to: u32, vcs: u8, found: &mut Candidates) {
    runs(graph, at, to, |run| {
        found.offer(outputs(run, vcs));
        true
    });
}

/// Returns the outputs where they are one run, but by drawn paths.
#[inline]
pub fn only(graph: &Tables, at: u32, to: u32, vcs: u8) -> Option<Outputs> {
    let (mut first, mut several) = (None, false);
    runs(graph, at, to, |run| {
        several = first.is_some();
        first = first.or(Some(run));
        !several
    });
    first.filter(|_| !several).map(|run| outputs(run, vcs))
}

/// Returns the output of a drawn path after so many hops; `None` where it is not on its way.
#[inline]
pub fn on_path(graph: &Tables, at: u32, to: u32, route: u16, hop: u32, vcs: u8) -> Option<Outputs> {
    let Routes::Paths(paths) = &graph.routes else { return None };
    let place = *paths.hops(route, to).get(hop as usize)?;
    let run = graph.runs(at).get(usize::from(place))?;
    Some(outputs((u32::from(run.port), u32::from(run.links)), vcs))
}

fn outputs((first, count): (u32, u32), vcs: u8) -> Outputs {
    Outputs { first: first as u16, count: count as u16, vcs }
}
