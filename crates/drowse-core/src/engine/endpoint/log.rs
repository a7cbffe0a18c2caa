//! What is recorded of a rank over time, where a timeline is wanted.

use rustc_hash::FxHashMap;

use crate::measure::timeline::{Excerpt, MessageSpan, RankSpan, RankState, RankTimeline};
use crate::model::units::Time;

use crate::engine::endpoint::ids::SendOf;
use crate::engine::endpoint::message::{Message, Purpose};

/// A request to send that has arrived: when its send was called, its tag, and whether it belongs to a collective.
type Called = (u64, u32, bool);

/// Records a rank.
#[derive(Debug)]
pub struct RankLog {
    window: [u64; 2],
    most: usize,
    timeline: RankTimeline,
    /// Requests to send that no receive has matched, by the sending rank and its large send. That number is used again.
    called: FxHashMap<SendOf, Called>,
    /// Those that a receive has matched, by its request.
    matched: FxHashMap<u32, Called>,
    /// Where recorded messages are that no receive has taken, by their numbers.
    unreceived: FxHashMap<u32, usize>,
}

impl RankLog {
    /// Creates the log of a rank.
    pub fn new(rank: u32, excerpt: &Excerpt) -> Self {
        RankLog {
            window: [excerpt.window.start.0, excerpt.window.end.0],
            most: excerpt.most_of_rank,
            timeline: RankTimeline::new(rank),
            called: FxHashMap::default(),
            matched: FxHashMap::default(),
            unreceived: FxHashMap::default(),
        }
    }

    /// Returns what was recorded.
    pub fn into_timeline(self) -> RankTimeline {
        self.timeline
    }

    /// Records a state that begins where the last one ended.
    pub fn state(&mut self, from: u64, to: u64, state: RankState) {
        let [start, end] = self.window;
        let (from, to) = (Time(from.max(start)), Time(to.min(end)));
        if from >= to {
            return;
        }
        let states = &mut self.timeline.states;
        if let Some(last) = states.last_mut().filter(|last| last.state == state && last.to == from) {
            last.to = to;
        } else if states.len() < self.most {
            states.push(RankSpan { from, to, state });
        } else {
            self.left_out(from);
        }
    }

    /// Ends what was recorded at a time.
    pub fn cut(&mut self, end: Time) {
        self.timeline.states.retain(|span| span.from < end);
        self.timeline.states.iter_mut().rev().take(1).for_each(|last| last.to = last.to.min(end));
    }

    /// Notes that a request to send has arrived.
    pub fn asked(&mut self, send: u32, message: &Message) {
        let called = (message.created, message.tag, message.context.collective != 0);
        self.called.insert(SendOf { number: message.from_rank, send }, called);
    }

    /// Notes that a receive has matched a request to send.
    pub fn matched(&mut self, from: SendOf, receive: u32) {
        if let Some(called) = self.called.remove(&from) {
            self.matched.insert(receive, called);
        }
    }

    /// Records message `id`, which is delivered at time `t`.
    pub fn delivered(&mut self, id: u32, message: &Message, t: u64) {
        let in_collective = message.context.collective != 0;
        let own = (message.created, message.tag, in_collective);
        let (called, tag, in_collective) = match message.purpose {
            Purpose::Data { receive, .. } => self.matched.remove(&receive).unwrap_or(own),
            Purpose::Eager | Purpose::Ready { .. } => own,
            Purpose::Load | Purpose::Notification(_) | Purpose::ReadyToSend { .. } | Purpose::ClearToSend { .. } => {
                return;
            }
        };
        let [start, end] = self.window;
        if called < start || t > end {
            self.timeline.crossing += u64::from(called < end && t > start);
            return;
        }
        if self.timeline.messages.len() == self.most {
            return self.left_out(Time(t));
        }
        self.unreceived.insert(id, self.timeline.messages.len());
        self.timeline.messages.push(MessageSpan {
            from_rank: message.from_rank,
            called: Time(called),
            sent: Time(message.created),
            delivered: Time(t),
            received: None,
            bytes: message.bytes,
            tag,
            in_collective,
        });
    }

    /// Notes that the receive of message `id` is complete at time `t`.
    pub fn received(&mut self, id: u32, t: u64) {
        if let Some(place) = self.unreceived.remove(&id) {
            self.timeline.messages[place].received = Some(Time(t));
        }
    }

    /// Counts a state or message that is not kept.
    fn left_out(&mut self, at: Time) {
        self.timeline.left_out += 1;
        self.timeline.complete_until = self.timeline.complete_until.min(at);
    }
}
