//! Nodes at places of a ring or torus: which are neighbours, and what section builds the same.

use std::collections::HashSet;
use std::ops::Range;

use super::{links, names};
use crate::formats::plan::{Cable, Plan};
use crate::model::vertices::Vertices;
use crate::model::wrong::{Word, Wrong, shown};
use crate::options::Options;

/// A ring as a file has it.
#[derive(Debug)]
pub(super) struct Places<'t> {
    pub name: Word<'t>,
    /// Its nodes in the order of their places, as a list of hosts.
    pub nodes: Word<'t>,
}

/// Makes the network of a ring.
pub(super) fn ring(rings: &[Places<'_>], options: &Options) -> Result<Vertices, Wrong> {
    let [Places { name, nodes }] = rings else {
        let (name, place) = rings.get(1).map_or(("", 0..0), |ring| (ring.name.0, ring.name.1.clone()));
        return Err(islands("ring", name, &place, rings.len()));
    };
    let listed = names(nodes)?;
    if listed.len() < 2 {
        let message = format!("ring `{}` has fewer than two nodes", shown(name.0));
        return Err(Wrong::new(&nodes.1, message, "write all of its nodes"));
    }
    let dims = [listed.len() as u32, 1, 1];
    let places: Vec<_> = listed.into_iter().map(|node| Some((node, nodes.1.clone()))).collect();
    torus(dims, &places, &nodes.1, options)
}

/// Says that several rings or toruses are several networks.
pub(super) fn islands(kind: &str, second: &str, place: &Range<usize>, number: usize) -> Wrong {
    let message =
        format!("nothing joins the {number} {kind}s of this topology, such as `{}` and the first", shown(second));
    Wrong::new(place, message, format!("keep one {kind}, or write a list of edges for what joins them"))
}

/// Makes the network of a torus from what is at each of its places, x fastest.
pub(super) fn torus(
    dims: [u32; 3],
    places: &[Option<(String, Range<usize>)>],
    span: &Range<usize>,
    options: &Options,
) -> Result<Vertices, Wrong> {
    let uplinks = links(options, span, "neighbours")?;
    let mut plan = Plan::new("nodes");
    let mut known = HashSet::new();
    let empty = places.iter().filter(|place| place.is_none()).count();
    for (number, place) in places.iter().enumerate() {
        match place {
            Some((name, span)) if !known.insert(name) => {
                let message = format!("node `{}` stands at two places", shown(name));
                return Err(Wrong::new(span, message, "write each node once"));
            }
            Some((name, span)) => plan.add(name, span, true)?,
            None => plan.add(format!("place {number}"), span, false)?,
        };
    }
    let cable = Cable { links: uplinks, bandwidth: None, latency: None };
    for (from, to) in neighbours(dims) {
        plan.link([from, to], span, cable)?;
    }
    let mut vertices = plan.finish(options.speed)?;
    if empty > 0 {
        vertices.note(format!("places of the torus without a node, which are switches without compute nodes: {empty}"));
    } else if uplinks <= 256 {
        let dims: Vec<u32> = dims.into_iter().filter(|&size| size > 1).collect();
        let trunk = if uplinks > 1 { format!("trunk = {uplinks}\n") } else { String::new() };
        vertices.set_shape(format!("kind = \"torus\"\ndims = {dims:?}\n{trunk}nodes = 1\n"));
    }
    Ok(vertices)
}

/// Returns the pairs of neighbours of a torus; a ring of two has one pair.
fn neighbours(dims: [u32; 3]) -> impl Iterator<Item = (usize, usize)> {
    let sizes = dims.map(|size| size as usize);
    let strides = [1, sizes[0], sizes[0] * sizes[1]];
    (0..sizes.iter().product()).flat_map(move |place: usize| {
        (0..3).filter_map(move |axis| {
            let (size, stride) = (sizes[axis], strides[axis]);
            let at = place / stride % size;
            let next = place - at * stride + (at + 1) % size * stride;
            (size > 2 || size == 2 && at == 0).then_some((place, next))
        })
    })
}
