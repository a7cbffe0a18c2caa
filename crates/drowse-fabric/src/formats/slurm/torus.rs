//! `torus3d` of `topology.yaml`: nodes at the places of tori of three dimensions, as one list or by regions.

use std::ops::Range;

use super::names;
use super::places::{islands, torus};
use crate::document::Value;
use crate::model::vertices::Vertices;
use crate::model::wrong::{Wrong, shown};
use crate::options::Options;

/// The most places of a torus.
const MOST: u64 = 1 << 20;

/// Reads the tori of a topology, of which there may be one.
pub(super) fn read(value: &Value, options: &Options) -> Result<Vertices, Wrong> {
    value.check(&["toruses"], "torus3d")?;
    let tori = value.need("toruses", "torus3d")?;
    let [only] = tori.list("toruses")? else {
        let list = tori.list("toruses")?;
        let Some(second) = list.get(1) else { return Err(tori.wrong("there is no torus", "write one")) };
        let (name, place) = second.need("name", "a torus")?.text("name")?;
        return Err(islands("torus", name, &place, list.len()));
    };
    only.check(&["name", "dims", "nodes", "regions", "placements"], "a torus")?;
    let dims = triple(only.need("dims", "a torus")?, "dims", 1)?;
    let size = dims.iter().map(|&size| u64::from(size)).product::<u64>();
    if size > MOST {
        return Err(only
            .need("dims", "a torus")?
            .wrong(format!("this torus has more than {MOST} places"), "write fewer"));
    }
    let mut places = vec![None; size as usize];
    match (only.get("nodes"), only.get("regions")) {
        (Some(nodes), None) => fill(&mut places, dims, ([0; 3], dims), nodes)?,
        (None, Some(regions)) => {
            for region in regions.list("regions")? {
                region.check(&["anchor", "dims", "nodes"], "a region")?;
                let anchor = triple(region.need("anchor", "a region")?, "anchor", 0)?;
                let extent = triple(region.need("dims", "a region")?, "dims", 1)?;
                if (0..3).any(|axis| u64::from(anchor[axis]) + u64::from(extent[axis]) > u64::from(dims[axis])) {
                    return Err(region.wrong("this region reaches beyond the torus", "regions do not wrap around"));
                }
                fill(&mut places, dims, (anchor, extent), region.need("nodes", "a region")?)?;
            }
        }
        _ => return Err(only.wrong("a torus has either nodes or regions", "write one of them")),
    }
    torus(dims, &places, &only.need("dims", "a torus")?.span, options)
}

/// Reads x, y and z.
fn triple(value: &Value, of: &str, least: u32) -> Result<[u32; 3], Wrong> {
    value.check(&["x", "y", "z"], of)?;
    let axis = |name: &str| value.need(name, of)?.number("places", least, 65_535);
    Ok([axis("x")?, axis("y")?, axis("z")?])
}

/// Puts nodes at the places of a region, which has a first place and an extent.
fn fill(
    places: &mut [Option<(String, Range<usize>)>],
    dims: [u32; 3],
    (anchor, extent): ([u32; 3], [u32; 3]),
    nodes: &Value,
) -> Result<(), Wrong> {
    let listed = names(&nodes.text("nodes")?)?;
    let room = extent.iter().map(|&size| size as usize).product::<usize>();
    if listed.len() != room {
        let message = format!("{} nodes are to stand at {room} places", listed.len());
        return Err(nodes.wrong(message, "write a node for each place; regions may leave places of a torus empty"));
    }
    for (number, name) in listed.into_iter().enumerate() {
        let [x, y, z] = anchor.map(|at| at as usize);
        let [width, height, _] = extent.map(|size| size as usize);
        let (x, y, z) = (x + number % width, y + number / width % height, z + number / width / height);
        let place = &mut places[x + dims[0] as usize * (y + dims[1] as usize * z)];
        if let Some((other, _)) = place {
            let message = format!("`{}` and `{}` stand at one place", shown(other), shown(&name));
            return Err(nodes.wrong(message, "regions do not overlap"));
        }
        *place = Some((name, nodes.span.clone()));
    }
    Ok(())
}
