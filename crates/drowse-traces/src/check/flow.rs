//! Which receives of any sender or any tag can take the messages that are left to a rank.
//!
//! Messages of a sender and a tag go to receives from that sender with any tag, to receives of that tag from anyone, or
//! to receives of both. The most messages that can be taken are found by moving messages from one receive to another
//! (augmenting paths), so a finding does not depend on the order in which messages are given away.

use std::collections::{BTreeMap, VecDeque};

/// A receive of any tag from a sender, or of a tag from any sender.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Taker {
    From(u32),
    Tagged(u32),
}

/// Messages of a sender and a tag.
pub(super) struct Supply {
    pub from: u32,
    pub tag: u32,
    pub left: u64,
    /// How many each of its two takers has.
    given: [u64; 2],
}

impl Supply {
    pub fn new(from: u32, tag: u32, left: u64) -> Self {
        Supply { from, tag, left, given: [0; 2] }
    }

    fn takers(&self) -> [Taker; 2] {
        [Taker::From(self.from), Taker::Tagged(self.tag)]
    }
}

/// Passes as many messages as possible to takers; what is left stays in `supplies` and `room`.
pub(super) fn give(supplies: &mut [Supply], room: &mut BTreeMap<Taker, u64>) {
    for supply in supplies.iter_mut() {
        for (side, taker) in supply.takers().into_iter().enumerate() {
            if let Some(room) = room.get_mut(&taker) {
                let given = supply.left.min(*room);
                (supply.left, *room) = (supply.left - given, *room - given);
                supply.given[side] += given;
            }
        }
    }
    for first in 0..supplies.len() {
        while supplies[first].left > 0 && move_one_way(supplies, room, first) {}
    }
}

/// Finds a chain of takers, each of which can pass messages on to the next, up to one with room, and moves messages
/// along it. Returns whether there is one.
fn move_one_way(supplies: &mut [Supply], room: &mut BTreeMap<Taker, u64>, first: usize) -> bool {
    // For each taker, the supply that comes to it, and the taker that passes it on.
    let mut reached: BTreeMap<Taker, (usize, Option<Taker>)> = BTreeMap::new();
    let mut queue = VecDeque::new();
    for taker in supplies[first].takers() {
        if room.contains_key(&taker) {
            reached.insert(taker, (first, None));
            queue.push_back(taker);
        }
    }
    while let Some(taker) = queue.pop_front() {
        if room[&taker] > 0 {
            move_along(supplies, room, &reached, taker);
            return true;
        }
        for (place, supply) in supplies.iter().enumerate() {
            for side in 0..2 {
                let (has, other) = (supply.takers()[side], supply.takers()[1 - side]);
                if has == taker && supply.given[side] > 0 && room.contains_key(&other) && !reached.contains_key(&other)
                {
                    reached.insert(other, (place, Some(taker)));
                    queue.push_back(other);
                }
            }
        }
    }
    false
}

/// Moves one message along the chain that ends at a taker with room.
fn move_along(
    supplies: &mut [Supply],
    room: &mut BTreeMap<Taker, u64>,
    reached: &BTreeMap<Taker, (usize, Option<Taker>)>,
    end: Taker,
) {
    *room.entry(end).or_default() -= 1;
    let mut taker = end;
    while let Some(&(place, before)) = reached.get(&taker) {
        let supply = &mut supplies[place];
        let side = usize::from(supply.takers()[1] == taker);
        supply.given[side] += 1;
        match before {
            None => {
                supply.left -= 1;
                return;
            }
            Some(before) => {
                supply.given[1 - side] -= 1;
                taker = before;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Returns how many messages are left over.
    fn left(supplies: &[(u32, u32, u64)], room: &[(Taker, u64)]) -> u64 {
        let mut supplies: Vec<_> = supplies.iter().map(|&(from, tag, count)| Supply::new(from, tag, count)).collect();
        let mut room: BTreeMap<_, _> = room.iter().copied().collect();
        let before: u64 = room.values().sum();
        let all: u64 = supplies.iter().map(|supply| supply.left).sum();
        give(&mut supplies, &mut room);
        let left = supplies.iter().map(|supply| supply.left).sum();
        assert_eq!(all - left, before - room.values().sum::<u64>(), "each message takes one receive");
        left
    }

    #[test]
    fn messages_move_to_make_room() {
        // Given away in order, the first message takes the receive that only the second can have.
        assert_eq!(left(&[(0, 5, 1), (0, 6, 1)], &[(Taker::From(0), 1), (Taker::Tagged(5), 1)]), 0);
        assert_eq!(left(&[(0, 5, 1), (1, 6, 1)], &[(Taker::From(0), 1), (Taker::Tagged(5), 1)]), 1);
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        /// Hall's theorem: as many messages are left over as some set of supplies has more than its takers.
        #[test]
        fn no_more_can_be_given(
            counts in prop::collection::vec((0_u32..3, 0_u32..3, 0_u64..4), 0..6),
            rooms in prop::collection::vec(0_u64..4, 6),
        ) {
            let takers = (0..3).map(Taker::From).chain((0..3).map(Taker::Tagged));
            let room: Vec<_> = takers.zip(rooms).collect();
            let lacks = |set: usize| {
                let in_set = |place: &usize| set >> place & 1 == 1;
                let members: Vec<_> = (0..counts.len()).filter(in_set).map(|place| counts[place]).collect();
                let takers = |(from, tag, _)| [Taker::From(from), Taker::Tagged(tag)];
                let has = |taker: &Taker| members.iter().any(|&member| takers(member).contains(taker));
                let needed: u64 = members.iter().map(|member| member.2).sum();
                needed.saturating_sub(room.iter().filter(|(taker, _)| has(taker)).map(|(_, room)| room).sum())
            };
            let most = (0..1_usize << counts.len()).map(lacks).max().unwrap_or(0);
            prop_assert_eq!(left(&counts, &room), most);
        }
    }
}
