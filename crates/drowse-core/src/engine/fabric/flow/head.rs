//! The head of a flow: it goes from channel to channel, and waits for each that sleeps.

use crate::engine::endpoint::message::Message;
use crate::engine::event::node::{NodeEvent, Phase};
use crate::engine::link::channel::Channel;
use crate::power::Policy;

use super::agenda::Due;
use super::fabric::FlowFabric;
use super::route::Course;
use super::slab::{Flow, REST};
use super::volume::of_bytes;

impl<P: Policy> FlowFabric<'_, '_, P> {
    /// Lets a NIC begin its next message at time `t`.
    pub(super) fn begin(&mut self, node: u32, t: u64) {
        let Some(message) = self.flows.nics.next(node) else { return };
        let created = self.under.nics.messages[message].created;
        if created > t {
            // The runtime system tells of it at the edge before.
            return self.flows.agenda.put(created, Due::Begins { node });
        }
        self.flows.nics.begin(node);
        let Message { from_node, to_node, packets_left, flits_left, sequence, .. } = self.under.nics.messages[message];
        let waking = self.under.nics.messages.waking(message);
        // Behind a message that was late, as far as it has waited for that.
        let behind = self.flows.nics.wake_delay(node).saturating_sub(waking).min(t - created);
        let hops = self.under.switches.sleepers(from_node, to_node);
        let id = self.flows.flows.insert();
        self.flows.begun = self.flows.begun.wrapping_add(1);
        let flow = &mut self.flows.flows[id];
        let volume = of_bytes(flits_left * self.flows.passages.flit);
        *flow = Flow {
            message,
            node,
            volume,
            left: volume,
            counted: t,
            slot: REST,
            came: created,
            asked: u64::MAX,
            behind_since: u64::MAX,
            lane: sequence,
            ended: u64::MAX,
            packets: packets_left,
            flits: flits_left,
            slept: behind,
            leaving_delay: behind,
            hops,
            begun: t,
            number: self.flows.begun,
            version: flow.version,
            levels: std::mem::take(&mut flow.levels),
            steps: std::mem::take(&mut flow.steps),
            places: std::mem::take(&mut flow.places),
            turned: std::mem::take(&mut flow.turned),
            ..Flow::default()
        };
        self.under.nics.messages[message].begun = true;
        let course = Course { switches: &self.under.switches, rates: &self.flows.rates, to: to_node, t, crowd: None };
        self.flows.routes.lay(course, flow, from_node, sequence);
        flow.alone = flow.slowest();
        self.audit_route(id);
        self.advance(id, t);
    }

    /// Lets the head of a flow go on at time `t`, as far as it goes without waiting, or comes to channels that may
    /// sleep.
    pub(super) fn advance(&mut self, id: u32, mut t: u64) {
        loop {
            let stage = usize::from(self.flows.flows[id].stage);
            if self.is_blocked(id, t) {
                return self.hold(id, t);
            }
            self.choose(id, t);
            self.note_use(id, t);
            if self.flows.flows[id].levels[stage].sleeps
                && let Some(awake_at) = self.request(id, t)
            {
                self.block(id);
                self.join_queue(id, (t, awake_at));
                self.hold(id, t);
                let at = if stage == 0 { awake_at } else { self.edge(awake_at).max(t + 1) };
                return self.call(id, at);
            }
            let goes_at = self.pass(id, t);
            let flow = &mut self.flows.flows[id];
            if stage + 1 == flow.levels.len() {
                return self.arrived(id, goes_at);
            }
            t = self.comes(id, stage, goes_at);
            // Where heads wait behind others, who is first at a queue hangs on when they come.
            if self.flows.flows[id].levels[stage + 1].sleeps || !self.flows.blocks.heads.is_empty() {
                return self.call(id, t);
            }
        }
    }

    /// Plans that the head of a flow asks for its next channels at a time.
    pub(super) fn call(&mut self, id: u32, at: u64) {
        self.flows.agenda.put(at, Due::Head { number: self.flows.flows[id].number, flow: id });
    }

    /// Returns the first clock edge at or after a time.
    pub(super) fn edge(&self, t: u64) -> u64 {
        let clock = self.under.switches.events.clock;
        clock.edge(clock.first_from(t)).time
    }

    /// Requests the channels of a flow's next level at time `t`; returns when its head can go on, if it must wait. At
    /// each switch, packets go by the first of their channels that is on, so the head does.
    fn request(&mut self, id: u32, t: u64) -> Option<u64> {
        let flow = &mut self.flows.flows[id];
        let first = flow.asked == u64::MAX;
        if first {
            flow.asked = t;
        }
        let links = &mut self.under.switches.links;
        self.flows.awaited.clear();
        for step in &flow.steps[flow.steps_of(flow.stage.into())] {
            let channel = step.channel as usize;
            if links.hot[channel].has(Channel::SLEEPS) {
                self.flows.users[channel] += u32::from(first);
                if links.is_on(channel, t) || links.is_waking(channel, t) {
                    links.end_idle(channel, t);
                } else {
                    links.wake(channel, t);
                }
            }
            let (at, from) = (if links.is_on(channel, t) { t } else { links.hot[channel].awake_at }, step.input);
            match self.flows.awaited.iter_mut().find(|(input, _)| *input == from) {
                Some((_, first)) => *first = at.min(*first),
                None => self.flows.awaited.push((from, at)),
            }
        }
        self.flows.awaited.iter().map(|(_, at)| *at).max().filter(|at| *at > t)
    }

    /// Lets the head of a flow go by its next channels, which are on, at time `t` or soon after; returns when.
    fn pass(&mut self, id: u32, t: u64) -> u64 {
        let flow = &mut self.flows.flows[id];
        let stage = usize::from(flow.stage);
        let lags = stage > 0 && self.flows.passages.crossing == 0;
        let goes_at = if lags { t.max(flow.came + self.flows.passages.lag(flow, stage)) } else { t };
        flow.levels[stage].at = goes_at;
        flow.stage += 1;
        let waited = flow.asked != u64::MAX && flow.asked < t;
        let delayed = waited.then_some(flow.came);
        let behind = std::mem::take(&mut flow.waited_behind);
        flow.behind += behind;
        let wake_delay = if waited { t - flow.asked } else { 0 } + behind;
        flow.slept += wake_delay;
        if stage == 0 || flow.gone == 0 {
            flow.leaving_delay += wake_delay;
        }
        let held = std::mem::take(&mut flow.held);
        if held {
            (flow.pivot, flow.left, flow.counted, flow.ended) = (stage as u16, flow.volume, goes_at, u64::MAX);
            flow.shift = 0;
        }
        flow.asked = u64::MAX;
        if held && waited {
            self.unblock(id, stage, t);
        }
        self.begin_message(id, stage, delayed);
        self.add_work(id, stage, goes_at);
        self.flows.routes.take_turns(&mut self.flows.flows[id]);
        self.leave_queue(id);
        let rerouted = std::mem::take(&mut self.flows.flows[id].rerouted);
        if stage == 0 || held {
            self.enter(id, t);
        } else if rerouted && self.flows.flows[id].slot != REST {
            self.flows.rest(id, t);
            self.enter(id, t);
        }
        if self.flows.flows[id].ended != u64::MAX {
            self.leave_behind(id);
        }
        goes_at
    }

    /// Counts a message where its first packet goes, and notes which governed channels its flow uses.
    fn begin_message(&mut self, id: u32, stage: usize, delayed: Option<u64>) {
        let flow = &self.flows.flows[id];
        let switches = &mut self.under.switches;
        for (number, step) in flow.steps[flow.steps_of(stage)].iter().enumerate() {
            if switches.links.hot[step.channel as usize].has(Channel::GOVERNED) {
                switches.outgoing.on_trunks.push(step.channel);
            }
            let channel = step.channel as usize;
            if number == 0 {
                // What waits for another channel of the level is not delayed by one that never sleeps.
                let delayed = delayed.filter(|_| self.flows.routes.may_sleep(switches.links.hot[channel].class));
                switches.links.begin_message(channel, flow.hops, delayed);
                if delayed.is_some() {
                    switches.links.number_waiting(flow.message);
                }
            }
        }
    }

    /// Returns when the head of a flow asks for the level after one by which it goes at a time.
    fn comes(&mut self, id: u32, stage: usize, goes_at: u64) -> u64 {
        let (flow, passages) = (&self.flows.flows[id], &self.flows.passages);
        let stored = if passages.stores { passages.time(flow, stage, passages.first(flow)) } else { 0 };
        let mut came = goes_at + stored + passages.hop(flow, stage);
        if passages.crossing > 0 {
            let crosses_at = self.edge(came).max(came + passages.lag(flow, stage + 1));
            came = crosses_at + passages.crossing;
        }
        let asks_at = self.edge(came);
        self.flows.flows[id].came = came;
        asks_at
    }

    /// Tells the receiver of a flow whose head goes by the last channel at a time what that means: its envelope comes
    /// with its first packet.
    fn arrived(&mut self, id: u32, goes_at: u64) {
        let (flow, passages) = (&self.flows.flows[id], &self.flows.passages);
        let last = flow.levels.len() - 1;
        // By a channel that is faster than those before, it has gone so late that it comes without a gap.
        let at = goes_at
            + passages.time(flow, last, passages.first(flow))
            + passages.hop(flow, last)
            + self.under.nics.nic_latency;
        let (message, several) = (flow.message, flow.packets > 1);
        let message_of = &self.under.nics.messages[message];
        if several && message_of.purpose.is_eager() {
            let event = NodeEvent { time: at, ..message_of.event(Phase::Arrived, message) };
            self.under.switches.events.put_node(event);
        }
        self.finish(id);
    }
}
