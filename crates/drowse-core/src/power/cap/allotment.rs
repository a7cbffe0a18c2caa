//! Divides power among bundles by what they have to do.

use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;

use super::bundle::Bundle;

/// What a bundle asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Asked {
    /// The place of the bundle among all.
    pub place: usize,
    /// How long what it has to do keeps one port busy, in picoseconds.
    pub load: u64,
    /// The ports or lanes that it asks for.
    pub ports: u32,
}

/// How many ports or lanes a bundle has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Has {
    pub ports: u32,
    /// Some of them are going on or off, so that their number cannot be changed now.
    pub moving: bool,
}

/// A bundle that gets one more, before those with less to do for each port that they have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Turn {
    load: u64,
    ports: u32,
    place: Reverse<usize>,
    wanted: u32,
}

impl Ord for Turn {
    fn cmp(&self, other: &Turn) -> Ordering {
        let load = |turn: &Turn, ports: u32| u128::from(turn.load) * u128::from(ports);
        load(self, other.ports).cmp(&load(other, self.ports)).then(self.place.cmp(&other.place))
    }
}

impl PartialOrd for Turn {
    fn partial_cmp(&self, other: &Turn) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// Returns how many ports or lanes each bundle gets that has so many now: one after the other goes to who has most to do
/// for each that it has, as far as `spare` nanowatts reach. What nobody asks for stays on where there is room.
///
/// ```text
/// load 30 and 10, one port each, room for three more: 30/1, 30/2, then 10/1 before 30/3 by number
/// ```
pub fn divide(bundles: &[Bundle], has: &[Has], asked: &[Asked], spare: u64) -> Vec<u32> {
    let mut gets: Vec<u32> = has.iter().map(|has| if has.moving { has.ports } else { 1 }).collect();
    let mut left = spare;
    for (bundle, &ports) in bundles.iter().zip(&gets) {
        left = left.saturating_sub(bundle.cost(ports));
    }
    let first = asked.iter().filter(|asked| !has[asked.place].moving && asked.ports > 1);
    let turn = |asked: &Asked| Turn { load: asked.load, ports: 1, place: Reverse(asked.place), wanted: asked.ports };
    let mut turns: BinaryHeap<Turn> = first.map(turn).collect();
    while let Some(turn) = turns.pop() {
        let Reverse(place) = turn.place;
        let Some(next) = bundles[place].next(turn.ports) else { continue };
        if take(&bundles[place], turn.ports, next, &mut left) {
            gets[place] = next;
            if next < turn.wanted {
                turns.push(Turn { ports: next, ..turn });
            }
        }
    }
    for (place, has) in has.iter().enumerate().filter(|(_, has)| !has.moving) {
        while let Some(next) = bundles[place].next(gets[place]).filter(|&next| next <= has.ports)
            && take(&bundles[place], gets[place], next, &mut left)
        {
            gets[place] = next;
        }
    }
    gets
}

/// Takes what it costs to have `more` ports instead of `ports`, if so much is left.
fn take(bundle: &Bundle, ports: u32, more: u32, left: &mut u64) -> bool {
    let cost = bundle.cost(more) - bundle.cost(ports);
    let fits = cost <= *left;
    if fits {
        *left -= cost;
    }
    fits
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::model::ids::ChannelId;

    fn bundle(most: u32, port: u64) -> Bundle {
        Bundle { channel: ChannelId(0), back: None, most, doubles: false, port }
    }

    fn has(ports: u32) -> Has {
        Has { ports, moving: false }
    }

    fn asked(place: usize, load: u64, ports: u32) -> Asked {
        Asked { place, load, ports }
    }

    /// Loads of 30 and 10 and room for three more: 30 / 1, 30 / 2, then 30 / 3 = 10 / 1 by number. With 11, the second
    /// comes first.
    #[test]
    fn by_load_and_number() {
        let bundles = [bundle(4, 5); 2];
        let gets = |second| divide(&bundles, &[has(1); 2], &[asked(0, 30, 4), asked(1, second, 4)], 15);
        assert_eq!(gets(10), [4, 1]);
        assert_eq!(gets(11), [3, 2]);
        assert_eq!(divide(&bundles, &[has(1); 2], &[asked(1, 1, 2)], 15), [1, 2], "no more than asked for");
        assert_eq!(divide(&bundles, &[has(1); 2], &[asked(0, 30, 4)], 14), [3, 1], "no part of a port");
    }

    /// What nobody asks for stays as far as there is room, and what is moving stays as it is.
    #[test]
    fn what_stays() {
        let bundles = [bundle(4, 5); 3];
        assert_eq!(divide(&bundles, &[has(3), has(1), has(2)], &[], 15), [3, 1, 2]);
        assert_eq!(divide(&bundles, &[has(3), has(1), has(2)], &[asked(1, 9, 3)], 15), [2, 3, 1]);
        let moving = Has { ports: 3, moving: true };
        assert_eq!(divide(&bundles, &[moving, has(1), has(2)], &[asked(0, 9, 4), asked(1, 9, 3)], 15), [3, 2, 1]);
    }

    proptest! {
        /// The division never costs more than there is, gives nobody more than it asked for or had, and leaves nothing
        /// that somebody asked for and that fits.
        #[test]
        fn within_the_cap(
            drawn in prop::collection::vec((1u32..=8, 0u64..50, 1u32..=8, 0u64..1_000, 1u32..=8, any::<bool>()), 1..12),
            room in 0u64..600,
        ) {
            let bundles: Vec<Bundle> = drawn.iter().map(|&(most, port, .., doubles)| {
                Bundle { doubles, most: if doubles { most.next_power_of_two() } else { most }, ..bundle(most, port) }
            }).collect();
            let has: Vec<Has> = bundles.iter().zip(&drawn).map(|(bundle, drawn)| has(bundle.fitting(drawn.2))).collect();
            let asked: Vec<Asked> = bundles.iter().zip(&drawn).enumerate().map(|(place, (bundle, drawn))| {
                asked(place, drawn.3, bundle.fitting(drawn.4))
            }).collect();
            let gets = divide(&bundles, &has, &asked, room);
            let cost: u64 = bundles.iter().zip(&gets).map(|(bundle, &ports)| bundle.cost(ports)).sum();
            prop_assert!(cost <= room);
            for (place, &ports) in gets.iter().enumerate() {
                prop_assert!(ports >= 1 && ports <= has[place].ports.max(asked[place].ports));
                if let Some(next) = bundles[place].next(ports).filter(|&next| next <= asked[place].ports) {
                    prop_assert!(bundles[place].cost(next) - bundles[place].cost(ports) > room - cost);
                }
            }
        }
    }
}
