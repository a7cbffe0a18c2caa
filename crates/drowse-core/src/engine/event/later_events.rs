//! Node events that are caused in the bucket in which they happen.
//!
//! The bucket's remaining events are a sorted list, the latest first. A new event that is due among the next few is
//! inserted there; a later one goes to a heap. Where many ranks do the same at the same time, a bucket has as many
//! events, and moving all of them for each new one would take quadratic time. The order depends on the events alone.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::node::NodeEvent;

/// How many events of the list are moved for a new one.
const FEW: usize = 64;

/// Events of the bucket that come after the next few.
#[derive(Debug, Default)]
pub struct LaterEvents(BinaryHeap<Reverse<NodeEvent>>);

impl LaterEvents {
    /// Puts an event among those that are left.
    #[inline]
    pub fn put(&mut self, left: &mut Vec<NodeEvent>, event: NodeEvent) {
        let next = left.len().saturating_sub(FEW);
        if left.get(next).is_some_and(|last| *last <= event) && next > 0 {
            self.0.push(Reverse(event));
            return;
        }
        let position = next + left[next..].partition_point(|other| *other > event);
        left.insert(position, event);
    }

    /// Takes the next event, if it comes before `end`.
    #[inline]
    pub fn next_before(&mut self, left: &mut Vec<NodeEvent>, end: NodeEvent) -> Option<NodeEvent> {
        match self.0.peek() {
            Some(Reverse(later)) if left.last().is_none_or(|next| later < next) => {
                if *later < end {
                    self.0.pop().map(|Reverse(event)| event)
                } else {
                    None
                }
            }
            _ => left.pop_if(|event| *event < end),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::super::node::Phase;
    use super::*;

    fn event(time: u64, at: u32) -> NodeEvent {
        NodeEvent::new(time, Phase::Resume, at)
    }

    proptest! {
        /// Events come in the order of a set that holds them all, up to an end and beyond, whatever is put in between.
        #[test]
        fn events_come_in_order(
            first in prop::collection::btree_set(0u64..2_000, 0..400),
            puts in prop::collection::vec((0u64..2_000, 0u64..3), 0..600),
        ) {
            let mut left: Vec<NodeEvent> = first.iter().rev().map(|&time| event(time, 0)).collect();
            let mut model: BTreeSet<NodeEvent> = left.iter().copied().collect();
            let mut later = LaterEvents::default();
            for (number, (time, taken)) in (1..).zip(puts) {
                later.put(&mut left, event(time, number));
                model.insert(event(time, number));
                let end = event(1_000, 0);
                for _ in 0..taken {
                    let next = model.first().copied().filter(|&event| event < end);
                    next.map(|event| model.remove(&event));
                    prop_assert_eq!(later.next_before(&mut left, end), next);
                }
            }
            let rest: Vec<NodeEvent> = std::iter::from_fn(|| later.next_before(&mut left, NodeEvent::LAST)).collect();
            prop_assert_eq!(rest, model.into_iter().collect::<Vec<_>>());
        }
    }

    /// Each of many events of one instant causes one that comes after all of them. A new event moves a few of the list at
    /// the most: while more are left, it does not go into the list.
    #[test]
    fn a_new_event_moves_few_others() {
        const MANY: u32 = 10_000;
        let mut left: Vec<NodeEvent> = (0..MANY).rev().map(|at| event(5, at)).collect();
        let (mut later, mut handled) = (LaterEvents::default(), 0);
        while let Some(next) = later.next_before(&mut left, NodeEvent::LAST) {
            assert_eq!((next.time, next.at), (5 + u64::from(handled / MANY), handled % MANY));
            handled += 1;
            if next.time == 5 {
                let before = left.len();
                later.put(&mut left, event(6, next.at));
                assert!(before <= FEW || left.len() == before, "one of {before} moved");
            }
        }
        assert_eq!(handled, 2 * MANY);
    }
}
