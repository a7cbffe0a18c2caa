//! How a flow moves behind its head, and what follows when its last bit passes a channel.

use drowse_flows::Hop;

use crate::engine::event::node::{NodeEvent, Phase, later};
use crate::engine::link::channel::Channel;
use crate::model::units::Time;
use crate::power::Policy;

use super::agenda::Due;
use super::contention::Contention;
use super::fabric::FlowFabric;
use super::flows::Flows;
use super::level::Step;
use super::slab::REST;
use super::volume::time_for;

impl<P: Policy> FlowFabric<'_, '_, P> {
    /// Does something that is due at time `t`.
    pub(super) fn act(&mut self, due: Due, t: u64) {
        match due {
            Due::Passes { flow, level } => self.count_sent(flow, level.into(), u64::MAX),
            Due::Gone { flow } => self.forget(flow),
            Due::Head { flow, .. } => self.advance(flow, t),
            Due::Spread { port } => self.spread(port, t),
            Due::Moved { flow, version, .. } if self.flows.flows[flow].version == version => self.moved(flow, t),
            Due::Moved { .. } => {}
            Due::Begins { node } => self.may_begin(node, t),
            Due::Ready { node } => {
                self.flows.nics.left(node);
                self.may_begin(node, t);
            }
            Due::Leaves { channel } => {
                let users = &mut self.flows.users[channel as usize];
                *users -= 1;
                if *users == 0 {
                    self.flows.closing.push(channel);
                    self.flows.mark(&mut self.under.switches.events, t);
                }
            }
        }
    }

    /// Lets a NIC begin a message at time `t`, after all else that happens then.
    fn may_begin(&mut self, node: u32, t: u64) {
        self.flows.ready.push(node);
        self.flows.mark(&mut self.under.switches.events, t);
    }

    /// Lets a flow move over the channels that its last bit has not passed, from time `t` on.
    pub(super) fn enter(&mut self, id: u32, t: u64) {
        let slot = self.share_links(id);
        let flow = &mut self.flows.flows[id];
        let owners = &mut self.flows.owners;
        if slot as usize >= owners.len() {
            owners.resize(slot as usize + 1, REST);
        }
        owners[slot as usize] = id;
        (flow.slot, flow.counted, flow.rate) = (slot, t, 0);
        self.flows.changed = true;
        self.flows.mark(&mut self.under.switches.events, t);
    }

    /// Adds a flow to those whose rates are solved, on the channels that its last bit has not passed; returns its
    /// place.
    fn share_links(&mut self, id: u32) -> u32 {
        let Flows { flows, hops, inputs, rates, .. } = &mut *self.flows;
        let flow = &flows[id];
        let first = flow.steps_of(flow.gone.into()).start;
        let cap = flow.returns();
        hops.clear();
        if flow.steps.len() == flow.levels.len() {
            hops.extend(flow.steps[first..].iter().map(|step| Hop { link: step.channel, share: step.share }));
            return rates.insert(hops, 1, cap);
        }
        inputs.clear();
        for step in &flow.steps[first..] {
            // Parts that go by unequal numbers of channels may come by one at several levels.
            if let Some(hop) = hops.iter_mut().find(|hop| flow.mixed && hop.link == step.channel) {
                hop.share += step.share;
            } else {
                let input = flow.steps[step.input as usize].channel;
                let input = hops.iter().position(|hop| hop.link == input).map(|place| place as u32);
                hops.push(Hop { link: step.channel, share: step.share });
                inputs.push(input);
            }
        }
        rates.insert_split(hops, inputs, 1, cap)
    }

    /// Solves rates at time `t`, and plans what follows from those that have changed.
    pub(super) fn solve(&mut self, t: u64) {
        let mut changed = std::mem::take(&mut self.flows.scratch);
        changed.clear();
        changed.extend_from_slice(self.flows.rates.solve());
        for &slot in &changed {
            let id = self.flows.owners[slot as usize];
            let rate = self.flows.rates.rate(slot);
            let flow = &mut self.flows.flows[id];
            flow.count(t);
            flow.rate = rate;
            flow.version = flow.version.wrapping_add(1);
            let time = time_for(flow.left.saturating_sub(flow.threshold()), rate);
            self.flows
                .agenda
                .put(later(t, Time(time)), Due::Moved { number: flow.number, flow: id, version: flow.version });
        }
        self.flows.scratch = changed;
    }

    /// Lets the head of a flow wait at a level from time `t` on. What is behind it moves up as far as there is room.
    pub(super) fn hold(&mut self, id: u32, t: u64) {
        let stage = usize::from(self.flows.flows[id].stage);
        self.flows.flows[id].held = stage > 0;
        if self.flows.flows[id].slot != REST {
            self.flows.rest(id, t);
            self.flows.mark(&mut self.under.switches.events, t);
        }
        loop {
            let flow = &self.flows.flows[id];
            let level = usize::from(flow.gone);
            if level >= stage || flow.volume > flow.room(level, stage) {
                return;
            }
            let at = later(flow.levels[level].at, Time(time_for(flow.volume, flow.rate_until(level)))).max(t);
            self.leave(id, level, at);
            self.flows.flows[id].gone += 1;
        }
    }

    /// Acts on a flow of which so much has moved by time `t` that its last bit passes some level.
    fn moved(&mut self, id: u32, t: u64) {
        self.flows.rest(id, t);
        self.flows.mark(&mut self.under.switches.events, t);
        loop {
            let flow = &self.flows.flows[id];
            if flow.gone >= flow.pivot || flow.left > flow.threshold() {
                break;
            }
            self.leave(id, flow.gone.into(), t);
            self.flows.flows[id].gone += 1;
        }
        let flow = &mut self.flows.flows[id];
        if flow.left > 0 {
            return self.enter(id, t);
        }
        (flow.ended, flow.tail) = (t, t.max(flow.tail));
        self.leave_behind(id);
        self.finish(id);
    }

    /// Lets the last bit of a flow, which has passed its pivot, pass all levels by which its head has gone.
    pub(super) fn leave_behind(&mut self, id: u32) {
        self.find_drift(id);
        while self.flows.flows[id].gone < self.flows.flows[id].stage {
            let level = usize::from(self.flows.flows[id].gone);
            let tail = self.tail_at(id, level);
            self.flows.flows[id].gone += 1;
            self.leave(id, level, tail);
        }
    }

    /// Lets the last bit of a flow pass a level at a time, which may be to come, or as much later as others before it
    /// have made it.
    fn leave(&mut self, id: u32, level: usize, at: u64) {
        let flow = &self.flows.flows[id];
        let could = later(at, Time(flow.shift)).max(flow.tail);
        let at = if flow.levels[level].sleeps { self.leave_channels(id, level, could) } else { could };
        let flow = &mut self.flows.flows[id];
        (flow.tail, flow.levels[level].gone_at) = (at, at);
        // Before the pivot, what waits there makes room for it.
        flow.shift += if level < usize::from(flow.pivot) { 0 } else { at - could };
        let flow = &self.flows.flows[id];
        let hot = &self.under.switches.links.hot;
        let is_governed = |step: &Step| hot[step.channel as usize].has(Channel::GOVERNED);
        if !self.flows.governed.is_empty() && flow.steps[flow.steps_of(level)].iter().any(is_governed) {
            self.flows.agenda.put(at, Due::Passes { flow: id, level: level as u16 });
        }
        if level == 0 {
            self.leave_nic(id, at);
        }
    }

    /// Lets the last bit of a flow leave its NIC at a time, which may be to come.
    fn leave_nic(&mut self, id: u32, at: u64) {
        let flow = &self.flows.flows[id];
        let nics = &mut self.under.nics;
        let message = nics.messages[flow.message];
        if let Some(send) = message.purpose.completes() {
            if flow.leaving_delay > 0 {
                nics.slept.insert((message.from_rank, send), flow.leaving_delay);
            }
            self.under.switches.events.put_node(NodeEvent { time: at, data: send, ..message.sent_event() });
        }
        let wake_delay = nics.messages.waking(flow.message).saturating_add(flow.leaving_delay);
        self.flows.nics.leaves(&nics.messages, flow.node, wake_delay);
        self.flows.agenda.put(at, Due::Ready { node: flow.node });
    }

    /// Delivers the message of a flow, if its head and its last bit have gone by all channels.
    pub(super) fn finish(&mut self, id: u32) {
        let flow = &self.flows.flows[id];
        let last = flow.levels.len() - 1;
        if flow.ended == u64::MAX || usize::from(flow.gone) <= last {
            return;
        }
        let nics = &mut self.under.nics;
        let message = &mut nics.messages[flow.message];
        message.done_at = flow.tail + self.flows.passages.hop(flow, last) + nics.nic_latency;
        message.packets_left = 0;
        message.slept = flow.slept;
        self.under.switches.events.put_node(message.event(Phase::Delivered, flow.message));
        let gone_at = flow.tail;
        if self.flows.is_kept {
            return self.flows.agenda.put(gone_at, Due::Gone { flow: id });
        }
        self.forget(id);
    }

    /// Counts a flow whose last bit has gone by all channels, and forgets it.
    fn forget(&mut self, id: u32) {
        let flow = &self.flows.flows[id];
        let [all, shared, behind] = [flow.tail - flow.begun, flow.shared, flow.behind].map(u128::from);
        self.flows.contention = self.flows.contention.plus(Contention { all, shared, behind });
        self.count_whole(id);
        self.audit_end(id);
        self.flows.flows.remove(id);
    }
}
