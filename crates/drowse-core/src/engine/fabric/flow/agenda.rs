//! What is to happen to flows, and when.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Something that is to happen. At one instant, things happen in the order of these variants and their numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Due {
    /// The last bit of a flow passes a channel that may sleep.
    Leaves {
        /// The channel.
        channel: u32,
    },
    /// The last bit of a flow passes a level with ports whose trunk is governed.
    Passes {
        /// The flow.
        flow: u32,
        /// The level.
        level: u16,
    },
    /// The last bit of a flow has passed its last channel.
    Gone {
        /// The flow.
        flow: u32,
    },
    /// The flows of a port's trunk are spread anew: some of its ports have gone off or are on.
    Spread {
        /// The port.
        port: u32,
    },
    /// So much of a flow has moved that it leaves some channel, unless its rate has changed since this was planned.
    Moved {
        /// As which of all it began.
        number: u32,
        /// The flow.
        flow: u32,
        /// Counts the changes of its rate.
        version: u32,
    },
    /// A NIC that is idle begins a message.
    Begins {
        /// The node.
        node: u32,
    },
    /// A NIC may begin its next message.
    Ready {
        /// The node.
        node: u32,
    },
    /// The head of a flow asks for its next channels, or these have woken.
    Head {
        /// As which of all it began: places of flows depend on when others are forgotten.
        number: u32,
        /// The flow.
        flow: u32,
    },
}

/// What is to happen to flows.
#[derive(Debug, Default)]
pub struct Agenda {
    due: BinaryHeap<Reverse<(u64, Due)>>,
}

impl Agenda {
    /// Plans something for a time.
    #[inline]
    pub fn put(&mut self, at: u64, due: Due) {
        self.due.push(Reverse((at, due)));
    }

    /// Returns when the first thing is due; [`u64::MAX`] where nothing is.
    #[inline]
    pub fn first(&self) -> u64 {
        self.due.peek().map_or(u64::MAX, |Reverse((at, _))| *at)
    }

    /// Takes the first thing that is due by a time.
    #[inline]
    pub fn take(&mut self, by: u64) -> Option<Due> {
        if self.first() > by {
            return None;
        }
        self.due.pop().map(|Reverse((_, due))| due)
    }

    /// Returns how many things are planned, those that changes of rates have made void included.
    pub fn len(&self) -> usize {
        self.due.len()
    }

    /// Returns what is planned, in no particular order.
    pub fn iter(&self) -> impl Iterator<Item = Due> + '_ {
        self.due.iter().map(|Reverse((_, due))| *due)
    }

    /// Forgets what is void.
    pub fn keep(&mut self, mut holds: impl FnMut(Due) -> bool) {
        self.due.retain(|Reverse((_, due))| holds(*due));
    }
}
