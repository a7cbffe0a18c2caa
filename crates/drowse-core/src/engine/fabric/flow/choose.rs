//! How the head of a flow chooses among outputs when it comes to them.

use crate::engine::link::channel::Channel;
use crate::power::Policy;

use super::crowd::Crowd;
use super::fabric::FlowFabric;
use super::route::Course;

impl<P: Policy> FlowFabric<'_, '_, P> {
    /// Lets the head of a flow choose at time `t` how it goes on from the level that it asks for: it finds other
    /// outputs asleep than when the flow began, or when it first asked.
    pub(super) fn choose(&mut self, id: u32, t: u64) {
        let flow = &self.flows.flows[id];
        let (stage, asked) = (usize::from(flow.stage), flow.asked != u64::MAX);
        if stage == 0
            || !(flow.levels[stage].chooses && flow.levels[stage].sleeps)
            || !self.flows.routes.chooses_on_the_way()
        {
            return;
        }
        self.leave_queue(id);
        if asked {
            self.use_channels(id, |users| *users -= 1);
        }
        let mut flow = std::mem::take(&mut self.flows.flows[id]);
        let passages = &self.flows.passages;
        let crowd = Crowd {
            flows: &self.flows.flows,
            owners: &self.flows.owners,
            queued: &self.flows.queued,
            packet: passages.packet_flits * passages.flit,
            flit: passages.flit,
        };
        let (switches, rates) = (&self.under.switches, &self.flows.rates);
        let to = self.under.nics.messages[flow.message].to_node;
        let course = Course { switches, rates, to, t, crowd: Some(crowd) };
        let changed = self.flows.routes.lay_again(course, &mut flow);
        flow.rerouted |= changed;
        if changed {
            flow.alone = flow.slowest();
        }
        self.flows.flows[id] = flow;
        if asked {
            self.use_channels(id, |users| *users += 1);
        }
        if changed {
            self.audit_levels(&self.flows.flows[id]);
        }
        if asked {
            self.flows.mark(&mut self.under.switches.events, t);
        }
        while let Some(channel) = self.flows.routes.to_wake.pop() {
            if self.under.switches.links.is_asleep(channel as usize, t) {
                self.under.switches.links.wake(channel as usize, t);
                self.flows.closing.push(channel);
                self.flows.mark(&mut self.under.switches.events, t);
            }
        }
    }

    /// Changes how many flows use the channels of the level that a flow's head asks for.
    fn use_channels(&mut self, id: u32, change: impl Fn(&mut u32)) {
        let flow = &self.flows.flows[id];
        for step in &flow.steps[flow.steps_of(flow.stage.into())] {
            if self.under.switches.links.hot[step.channel as usize].has(Channel::SLEEPS) {
                change(&mut self.flows.users[step.channel as usize]);
                self.flows.closing.push(step.channel);
            }
        }
    }

    /// Counts what comes to wait behind the head of a flow, which waits for channels until a time.
    pub(super) fn join_queue(&mut self, id: u32, (t, until): (u64, u64)) {
        let flow = &mut self.flows.flows[id];
        let stage = usize::from(flow.stage);
        let channel = flow.steps[flow.steps_of(stage).start].channel;
        if let Some(queued) = self.flows.queued.get_mut(channel as usize).filter(|_| stage > 0 && flow.queued.1 == 0) {
            flow.queued = (channel, Crowd::comes(flow, stage, until.saturating_sub(t)));
            *queued += flow.queued.1;
        }
    }

    /// Notes that the head of a flow waits no longer.
    pub(super) fn leave_queue(&mut self, id: u32) {
        let (channel, bytes) = std::mem::take(&mut self.flows.flows[id].queued);
        if bytes > 0 {
            self.flows.queued[channel as usize] -= bytes;
        }
    }
}
