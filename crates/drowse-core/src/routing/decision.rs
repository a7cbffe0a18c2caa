//! The route decision of a packet on a low-diameter network, and the only ways from one to the next.
//!
//! A packet decides at its source switch. Where it decides for a minimal route, progressive routing lets it decide once
//! more after its first hop. A non-minimal route leads by one intermediate place, and after that straight to the
//! destination. The classes of virtual channels suffice for such routes and no others, so that a decision can be
//! changed by the functions here only, each of which leads nearer to the end of
//!
//! ```text
//! AtSource -> AfterFirstHop -> Minimal
//!     \             \
//!      +-------------+-------> Outbound -> Inbound
//! ```

use crate::model::routing_kind::RoutingKind;

/// The bits of `route` that are a random number of the packet's own.
pub const SALT: u16 = RoutingKind::SALT;
/// The bit of `route` that sends a packet to its intermediate group or switch first.
pub const NON_MINIMAL: u16 = 1 << 13;
/// Two bits that tell the other decisions apart.
const OTHERS: u32 = 14;

/// What a packet has decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Decision {
    /// Nothing: it decides at its source switch.
    AtSource,
    /// It is on a minimal route, and decides once more after its first hop.
    AfterFirstHop,
    /// It is on a minimal route for good.
    Minimal,
    /// It is on a non-minimal route, and heads for its intermediate place.
    Outbound,
    /// It has come to its intermediate place, and heads for its destination.
    Inbound,
}

impl Decision {
    /// Reads what a packet has decided from what it remembers.
    #[inline]
    pub fn of(route: u16) -> Self {
        match route >> OTHERS {
            _ if route & NON_MINIMAL != 0 => Decision::Outbound,
            0 => Decision::AtSource,
            1 => Decision::AfterFirstHop,
            2 => Decision::Minimal,
            _ => Decision::Inbound,
        }
    }

    /// Returns what a packet remembers that has so decided, by a random number of its own.
    fn with(self, salt: u16) -> u16 {
        let bits = match self {
            Decision::AtSource => 0,
            Decision::AfterFirstHop => 1 << OTHERS,
            Decision::Minimal => 2 << OTHERS,
            Decision::Outbound => NON_MINIMAL,
            Decision::Inbound => 3 << OTHERS,
        };
        bits | salt & SALT
    }
}

/// The right of a packet to decide, which it has at one switch or two.
#[derive(Debug)]
pub struct Pending {
    salt: u16,
    /// It may decide again after its next hop.
    again: bool,
}

impl Pending {
    /// Returns the right of a packet to decide after so many hops; `None` where it has none.
    pub fn of(kind: RoutingKind, hop: u32, route: u16) -> Option<Self> {
        let pending = |again| Some(Pending { salt: route & SALT, again });
        match (Decision::of(route), hop) {
            _ if !kind.decides() => None,
            (Decision::AtSource, 0) => pending(kind == RoutingKind::Progressive),
            (Decision::AfterFirstHop, 1) => pending(false),
            _ => None,
        }
    }

    /// Decides for a minimal route.
    pub fn minimal(&self) -> u16 {
        if self.again { Decision::AfterFirstHop } else { Decision::Minimal }.with(self.salt)
    }

    /// Decides for a non-minimal route, whose intermediate place is drawn by the packet's number or by one so many
    /// after it.
    pub fn non_minimal(&self, after: u16) -> u16 {
        Decision::Outbound.with(self.salt.wrapping_add(after))
    }
}

/// Returns what a packet remembers that has come to its intermediate place, if it heads for one.
pub fn arrive(route: u16) -> u16 {
    if Decision::of(route) == Decision::Outbound { Decision::Inbound.with(route) } else { route }
}

#[cfg(test)]
mod tests {
    use super::*;

    const KINDS: [RoutingKind; 4] =
        [RoutingKind::Minimal, RoutingKind::Valiant, RoutingKind::Ugal, RoutingKind::Progressive];

    /// Everything that a packet may come to remember, by any decisions, at a switch after so many hops; and how many
    /// non-minimal routes it has begun by then.
    fn all_after(kind: RoutingKind, hops: u32) -> Vec<(u16, u32)> {
        let mut known = vec![(0x0abc, 0)];
        for hop in 0..=hops {
            let mut next = 0;
            // At each switch it may be asked any number of times, and arrive at any time.
            while let Some(&(route, begun)) = known.get(next) {
                next += 1;
                let pending = Pending::of(kind, hop, route);
                let decided = pending.iter().flat_map(|it| [(it.minimal(), begun), (it.non_minimal(3), begun + 1)]);
                for more in decided.chain([(arrive(route), begun)]).collect::<Vec<_>>() {
                    if !known.contains(&more) {
                        known.push(more);
                    }
                }
            }
        }
        known
    }

    /// Whatever packets are told, in whatever order, and however often, none begins a second non-minimal route, and
    /// their number stays the one by which they have drawn its place.
    #[test]
    fn one_non_minimal_route() {
        for kind in KINDS {
            let known = all_after(kind, 9);
            assert!(known.iter().all(|&(_, begun)| begun <= 1), "{kind:?}: {known:x?}");
            assert_eq!(known.iter().any(|&(_, begun)| begun == 1), kind.decides());
            assert!(known.iter().all(|(route, _)| [0x0abc, 0x0abf].contains(&(route & SALT))));
        }
    }

    /// A packet decides at its source, with progressive routing after the first hop of a minimal route, and nowhere
    /// else; one that it has left undecided at its source is never asked.
    #[test]
    fn where_packets_decide() {
        for kind in KINDS {
            for hop in 0..9 {
                let decides = |route| Pending::of(kind, hop, route).is_some();
                assert_eq!(decides(7), hop == 0 && kind.decides());
                let minimal = Pending::of(kind, 0, 7).map(|it| it.minimal());
                let again = hop == 1 && kind == RoutingKind::Progressive;
                assert_eq!(minimal.is_some_and(decides), again, "{kind:?} after {hop} hops");
                let begun = Pending::of(kind, 0, 7).map(|it| it.non_minimal(7));
                assert!(!begun.is_some_and(decides) && !begun.map(arrive).is_some_and(decides));
            }
        }
    }

    /// What is written is read.
    #[test]
    fn decisions_are_remembered() {
        use Decision::{AfterFirstHop, AtSource, Inbound, Minimal, Outbound};
        for decision in [AtSource, AfterFirstHop, Minimal, Outbound, Inbound] {
            assert_eq!(Decision::of(decision.with(u16::MAX)), decision);
            assert_eq!(decision.with(u16::MAX) & SALT, SALT);
        }
    }
}
