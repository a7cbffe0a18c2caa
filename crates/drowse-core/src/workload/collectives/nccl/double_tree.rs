//! Two binary trees of the same places, in which the leaves of the first are inner nodes of the second (Sanders, Speck and
//! Träff 2009).

use super::super::trees::Place;

/// A tree in which every second place is a leaf: the parent of a place lies the value of its lowest digit that is set
/// away, up or down, so that the digit is cleared and the next is set.
fn alternating(place: u32, size: u32) -> Place {
    if place == 0 {
        let child = (size > 1).then(|| 1 << (size - 1).ilog2());
        return Place { parent: None, children: child.into_iter().collect() };
    }
    let digit = 1 << place.trailing_zeros();
    let beyond = (place ^ digit) | (digit << 1);
    let parent = if beyond < size { beyond } else { place ^ digit };
    let lower = (digit > 1).then(|| place - digit / 2);
    // Above, the nearest smaller distance at which there is a place.
    let mut distance = digit / 2;
    while distance > 0 && place + distance >= size {
        distance /= 2;
    }
    let upper = (distance > 0).then(|| place + distance);
    Place { parent: Some(parent), children: lower.into_iter().chain(upper).collect() }
}

/// The first or the second of two trees: an even number of places is mirrored for the second, an odd one shifted by
/// one.
pub(in crate::workload::collectives) fn double(second: bool, place: u32, size: u32) -> Place {
    if !second {
        return alternating(place, size);
    }
    let there = |place: u32| if size.is_multiple_of(2) { size - 1 - place } else { (place + size - 1) % size };
    let back = |place: u32| if size.is_multiple_of(2) { size - 1 - place } else { (place + 1) % size };
    let Place { parent, children } = alternating(there(place), size);
    Place { parent: parent.map(back), children: children.into_iter().map(back).collect() }
}
