//! Two colours for the edges of a double tree, so that no place has two edges to its parents, nor two to its children,
//! of one colour (Sanders, Speck and Träff 2009).
//!
//! They exist since no place has more than two children in both trees: the edges to a place's parents, and those to its
//! children, are neighbours, so an edge has at most two, one at each end. So edges form paths and circles, and a circle
//! passes through both ends of its edges in turn, by which its length is even.

use super::double_tree::double;

/// Of each place, the colours of the edges to its parents in the first and the second tree.
pub(super) fn colour(size: u32) -> Box<[[bool; 2]]> {
    let mut colours: Vec<[Option<bool>; 2]> = vec![[None; 2]; size as usize];
    for start in (0..size).flat_map(|place| [(place, false), (place, true)]) {
        if double(start.1, start.0, size).parent.is_none() {
            continue;
        }
        // The path that begins at the edge's lower end, and that at its upper end.
        let mut open = vec![(start, false)];
        while let Some(((place, second), colour)) = open.pop() {
            let known = &mut colours[place as usize][usize::from(second)];
            if known.is_none() {
                *known = Some(colour);
                open.extend(neighbours(place, second, size).into_iter().flatten().map(|edge| (edge, !colour)));
            }
        }
    }
    colours.into_iter().map(|edges| edges.map(Option::unwrap_or_default)).collect()
}

/// Returns the edges that share an end with that of a place to its parent: the one to the other parent, and the one of
/// the parent to its other child, which may be in the other tree.
fn neighbours(place: u32, second: bool, size: u32) -> [Option<(u32, bool)>; 2] {
    let beside = double(!second, place, size).parent.map(|_| (place, !second));
    let children = |parent: u32| {
        let of =
            move |second: bool| double(second, parent, size).children.into_iter().map(move |child| (child, second));
        of(false).chain(of(true)).find(|&edge| edge != (place, second))
    };
    [beside, double(second, place, size).parent.and_then(children)]
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// Of either colour, a place has at most one edge to a parent, and one to a child.
    #[test]
    fn no_two_edges_of_a_place_have_one_colour() {
        for size in 1..300 {
            let (mut down, mut up) = (BTreeSet::new(), BTreeSet::new());
            for (place, colours) in (0..size).zip(colour(size)) {
                for (second, colour) in [false, true].into_iter().zip(colours) {
                    if let Some(parent) = double(second, place, size).parent {
                        assert!(up.insert((place, colour)), "two parents of {place} among {size}");
                        assert!(down.insert((parent, colour)), "two children of {parent} among {size}");
                    }
                }
            }
        }
    }
}
