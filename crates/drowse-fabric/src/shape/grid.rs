//! Tori and meshes, whose switches are numbered in the order of the file or of their names.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use super::cabling::{Cabling, Pair, count, pair};
use super::{Recognised, list, same_or_list, usual};

/// The most dimensions that are looked for.
const MOST_DIMENSIONS: usize = 5;

/// Finds the torus or mesh that a graph is but for some cables.
pub fn find(cabling: &Cabling<'_>) -> Option<Recognised> {
    let switches = cabling.graph.switches();
    let nodes = usual(cabling.graph.nodes.iter().copied()).filter(|&nodes| nodes > 0)?;
    let degree = usual((0..switches).map(|switch| cabling.neighbours(switch).len() as u32))?;
    let in_file: Vec<u32> = (0..switches).collect();
    let mut by_name = in_file.clone();
    by_name.sort_by(|&a, &b| natural(&cabling.name(a), &cabling.name(b)));
    let orders = if by_name == in_file { vec![in_file] } else { vec![in_file, by_name] };
    let mut best: Option<Recognised> = None;
    for dims in sizes(switches, MOST_DIMENSIONS) {
        // A ring of two switches has one trunk, and switches at the rim of a mesh have fewer.
        let most: u32 = dims.iter().map(|&size| if size == 2 { 1 } else { 2 }).sum();
        if degree > most || degree + dims.len() as u32 <= most && dims.iter().all(|&size| size > 3) {
            continue;
        }
        for (order, closed) in orders.iter().flat_map(|order| [(order, true), (order, false)]) {
            let found = compare(cabling, &dims, order, closed, nodes);
            if best.as_ref().is_none_or(|best| found.deviations.len() < best.deviations.len()) {
                best = Some(found);
            }
        }
    }
    best
}

/// Compares a graph with a torus, or with a mesh where rings are not closed.
fn compare(cabling: &Cabling<'_>, dims: &[u32], order: &[u32], closed: bool, nodes: u32) -> Recognised {
    let mut trunks = Vec::new();
    let mut plan: BTreeMap<Pair, u32> = BTreeMap::new();
    let mut stride = 1;
    for &size in dims {
        let next = |place: u32| {
            let at = place / stride % size;
            let last = at + 1 == size;
            (!last || closed && size > 2).then(|| if last { place - at * stride } else { place + stride })
        };
        let pairs: Vec<Pair> = (0..order.len() as u32)
            .filter_map(|place| Some(pair(order[place as usize], order[next(place)? as usize])))
            .collect();
        let links = usual(pairs.iter().map(|&[a, b]| cabling.links(a, b)).filter(|&links| links > 0)).unwrap_or(1);
        plan.extend(pairs.into_iter().map(|pair| (pair, links)));
        trunks.push(links);
        stride *= size;
    }
    let deviations = cabling.deviations(&plan, |_| nodes);
    let kind = if closed { "torus" } else { "mesh" };
    let trunk = same_or_list("trunk", &trunks);
    let of_nodes = if nodes == 1 { String::new() } else { format!("nodes = {nodes}\n") };
    let section = format!("kind = \"{kind}\"\ndims = {}\n{trunk}{of_nodes}", list(dims));
    let sizes: Vec<String> = dims.iter().map(u32::to_string).collect();
    let words = format!("a {kind} of {} switches with {} each", sizes.join(" x "), count(nodes, "node"));
    Recognised { section: Some(section), words, deviations }
}

/// Returns all ways to write a number as a product of sizes of at least 2, in every order.
fn sizes(number: u32, most: usize) -> Vec<Vec<u32>> {
    if most == 0 || number < 2 {
        return Vec::new();
    }
    let mut found = vec![vec![number]];
    for first in (2..=number / 2).filter(|first| number.is_multiple_of(*first)) {
        found.extend(sizes(number / first, most - 1).into_iter().map(|mut rest| {
            rest.insert(0, first);
            rest
        }));
    }
    found
}

/// Orders names with numbers in them by these numbers.
fn natural(a: &str, b: &str) -> Ordering {
    let parts = |text: &str| {
        let mut parts: Vec<(u64, String)> = Vec::new();
        for part in text.split_inclusive(|c: char| !c.is_ascii_digit()) {
            let digits: String = part.chars().take_while(char::is_ascii_digit).collect();
            parts.push((digits.parse().unwrap_or(0), part[digits.len()..].to_owned()));
        }
        parts
    };
    parts(a).cmp(&parts(b)).then_with(|| a.cmp(b))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_ordered_by_their_numbers() {
        let mut names = ["s10", "s9", "s1x2", "s1x10", "a", "s1"];
        names.sort_by(|a, b| natural(a, b));
        assert_eq!(names, ["a", "s1", "s1x2", "s1x10", "s9", "s10"]);
    }

    #[test]
    fn products_in_every_order() {
        assert_eq!(sizes(12, 2), [vec![12], vec![2, 6], vec![3, 4], vec![4, 3], vec![6, 2]]);
        assert_eq!(sizes(8, 3).len(), 4);
    }
}
