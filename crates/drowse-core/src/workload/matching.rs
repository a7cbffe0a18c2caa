//! MPI matching at one rank: posted receives and arrived messages find each other in the order that MPI prescribes.
//!
//! Messages from one sender are matched in the order in which they were sent, even if the network delivers them in another;
//! a receive takes the first that fits, a message the first receive that fits. Collectives have a context each, so that
//! their messages never meet those of the program.

use rustc_hash::FxHashMap;

/// A receive that waits for its message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Posted {
    /// The sender; `None` takes any.
    pub from: Option<u32>,
    /// The tag; `None` takes any.
    pub tag: Option<u32>,
    /// The context.
    pub context: u32,
    /// Which of the rank's requests it completes.
    pub request: u32,
}

/// A message that has announced itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Arrived<T> {
    /// The sender.
    pub from: u32,
    /// The tag.
    pub tag: u32,
    /// The context.
    pub context: u32,
    /// What the owner of the matcher needs to know of it.
    pub what: T,
}

/// The matching state of one rank.
#[derive(Debug)]
pub struct Matcher<T> {
    posted: Vec<Posted>,
    unexpected: Vec<Arrived<T>>,
    senders: FxHashMap<u32, Sender<T>>,
}

/// What is known of one sender's messages.
#[derive(Debug)]
struct Sender<T> {
    /// The order number that comes next.
    next: u32,
    /// Messages that came before their turn.
    early: Vec<(u32, Arrived<T>)>,
}

impl<T: Copy> Matcher<T> {
    /// Makes an empty state.
    pub fn new() -> Self {
        Matcher { posted: Vec::new(), unexpected: Vec::new(), senders: FxHashMap::default() }
    }

    /// Posts a receive; gives the message that it takes, if one has arrived.
    pub fn post(&mut self, receive: Posted) -> Option<Arrived<T>> {
        let found = self.unexpected.iter().position(|message| fits(&receive, message));
        if found.is_none() {
            self.posted.push(receive);
        }
        found.map(|position| self.unexpected.remove(position))
    }

    /// Takes a message in; `order` counts the messages of its sender to this rank, from 0. Calls `matched` for each message
    /// whose turn it is now and that finds a receive.
    pub fn arrive(&mut self, order: u32, message: Arrived<T>, mut matched: impl FnMut(u32, T)) {
        let sender = self.senders.entry(message.from).or_insert_with(|| Sender { next: 0, early: Vec::new() });
        if order != sender.next {
            sender.early.push((order, message));
            return;
        }
        let mut turn = Some(message);
        while let Some(message) = turn {
            match self.posted.iter().position(|receive| fits(receive, &message)) {
                Some(position) => matched(self.posted.remove(position).request, message.what),
                None => self.unexpected.push(message),
            }
            sender.next = sender.next.wrapping_add(1);
            let position = sender.early.iter().position(|(order, _)| *order == sender.next);
            turn = position.map(|p| sender.early.swap_remove(p).1);
        }
    }

    /// Returns the number of receives that no message has answered.
    pub fn unanswered(&self) -> usize {
        self.posted.len()
    }

    /// Returns the first message of a sender that nobody has received.
    pub fn first_unreceived(&self, from: u32, context: u32) -> Option<&Arrived<T>> {
        self.unexpected.iter().find(|message| message.from == from && message.context == context)
    }

    /// Returns the number of messages that nobody has received.
    pub fn unreceived(&self) -> usize {
        self.unexpected.len() + self.senders.values().map(|sender| sender.early.len()).sum::<usize>()
    }
}

impl<T: Copy> Default for Matcher<T> {
    fn default() -> Self {
        Self::new()
    }
}

fn fits<T>(receive: &Posted, message: &Arrived<T>) -> bool {
    receive.context == message.context
        && receive.from.is_none_or(|from| from == message.from)
        && receive.tag.is_none_or(|tag| tag == message.tag)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(from: u32, tag: u32, what: char) -> Arrived<char> {
        Arrived { from, tag, context: 0, what }
    }

    fn receive(from: Option<u32>, tag: Option<u32>, request: u32) -> Posted {
        Posted { from, tag, context: 0, request }
    }

    #[test]
    fn messages_of_one_sender_keep_their_order() {
        let mut matcher = Matcher::new();
        let mut matched = Vec::new();
        assert_eq!(matcher.post(receive(Some(1), Some(5), 10)), None);
        assert_eq!(matcher.post(receive(Some(1), Some(5), 11)), None);
        // The second overtakes the first in the network.
        matcher.arrive(1, message(1, 5, 'b'), |request, what| matched.push((request, what)));
        assert_eq!(matched, []);
        matcher.arrive(0, message(1, 5, 'a'), |request, what| matched.push((request, what)));
        assert_eq!(matched, [(10, 'a'), (11, 'b')]);
    }

    #[test]
    fn wildcards_take_the_first_that_fits() {
        let mut matcher = Matcher::new();
        matcher.arrive(0, message(3, 7, 'x'), |_, _| panic!("nothing is posted"));
        matcher.arrive(0, message(2, 8, 'y'), |_, _| panic!("nothing is posted"));
        assert_eq!(matcher.post(receive(None, Some(8), 1)).map(|m| m.what), Some('y'));
        assert_eq!(matcher.unreceived(), 1);
        assert_eq!(matcher.post(receive(None, None, 2)).map(|m| m.what), Some('x'));
    }

    #[test]
    fn contexts_never_meet() {
        let mut matcher = Matcher::new();
        assert_eq!(matcher.post(Posted { from: None, tag: None, context: 4, request: 0 }), None);
        matcher.arrive(0, message(1, 1, 'p'), |_, _| panic!("another context"));
        assert_eq!((matcher.unreceived(), matcher.unanswered()), (1, 1));
    }
}
