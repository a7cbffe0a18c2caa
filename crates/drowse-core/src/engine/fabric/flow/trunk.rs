//! Flows over governed trunks, whose ports go on and off by their load.
//!
//! What a flow has sent over the ports of a trunk is counted before the trunk is examined, and not when its head goes
//! by: a window sees what was sent in it. The flows of a trunk are spread anew over its ports when some of these go off
//! or are on again, as their packets are. Where the ports that are on are full, what waits for them is of each flow
//! what is left of it, up to the buffer that it waits in.

use drowse_flows::DENOMINATOR;

use crate::engine::event::NONE;
use crate::engine::event::queue::WakeupKind;
use crate::power::Policy;

use super::agenda::Due;
use super::counts::passed;
use super::crowd::Crowd;
use super::fabric::FlowFabric;
use super::governed::Governed;
use super::level::Step;
use super::slab::Flow;
use super::volume::bytes_of;

impl<P: Policy> FlowFabric<'_, '_, P> {
    /// Counts what flows have sent over the trunks that are examined at this edge, and notes how many flits wait for
    /// each.
    pub fn count_due(&mut self, waits: &mut Vec<u64>) {
        let Governed { ports, mut due, of, on } = std::mem::take(&mut self.flows.governed);
        due.clear();
        let windows = self.under.switches.outgoing.control.iter().filter(|(kind, ..)| *kind == WakeupKind::Window);
        due.extend(windows.filter_map(|(_, port, _)| of.get(*port as usize)).filter(|trunk| **trunk != NONE));
        let t = self.under.switches.events.now.time;
        waits.resize(ports.len(), 0);
        for &trunk in &due {
            waits[trunk as usize] = ports[trunk as usize].iter().map(|&port| self.count_port(port, t)).sum();
        }
        self.flows.governed = Governed { of, ports, on, due };
    }

    /// Counts what flows have sent over a port by time `t`; returns the flits that wait for it.
    fn count_port(&mut self, port: u32, t: u64) -> u64 {
        let flit = self.flows.passages.flit;
        let class = self.under.switches.links.hot[port as usize].class;
        let is_full = self.flows.rates.used(port) + FULL >= self.flows.passages.of(class).rate;
        let mut scratch = std::mem::take(&mut self.flows.scratch);
        scratch.clear();
        scratch.extend(self.flows.rates.flows_on(port).map(|slot| self.flows.owners[slot as usize]));
        let mut waits = 0;
        for &id in &scratch {
            let flow = &mut self.flows.flows[id];
            flow.count(t.max(flow.counted));
            let Some(level) = flow.level_of(port) else { continue };
            if flow.gone_by(level) {
                let moved = bytes_of(passed(flow, level, t)) / flit;
                self.count_sent(id, level, moved);
            }
            if is_full {
                let flow = &self.flows.flows[id];
                let share = flow.steps[flow.steps_of(level)].iter().filter(|step| step.channel == port);
                let share: u64 = share.map(|step| u64::from(step.share)).sum();
                waits += Crowd::comes(flow, level, u64::MAX) / flit * share / u64::from(DENOMINATOR);
            }
        }
        self.flows.scratch = scratch;
        waits
    }

    /// Plans that the flows of the trunks that have been examined at this edge are spread anew: at once, and when ports
    /// that go on are on.
    pub fn plan_spread(&mut self) {
        let (links, t) = (&self.under.switches.links, self.under.switches.events.now.time);
        let Governed { ports, on, due, .. } = &mut self.flows.governed;
        for &port in due.iter().flat_map(|trunk| &ports[*trunk as usize]) {
            let is_on = links.is_on(port as usize, t);
            if std::mem::replace(&mut on[port as usize], is_on) != is_on {
                self.flows.agenda.put(t + 1, Due::Spread { port });
            }
            if links.is_waking(port as usize, t) {
                self.flows.agenda.put(links.hot[port as usize].awake_at.max(t + 1), Due::Spread { port });
            }
        }
        self.flows.arm(&mut self.under.switches.events);
    }

    /// Spreads the flows of a port's trunk anew over its ports that are on at time `t`.
    pub(super) fn spread(&mut self, port: u32, t: u64) {
        let Some(trunk) = self.flows.governed.trunk(port) else { return };
        let ports = std::mem::take(&mut self.flows.governed.ports[trunk]);
        self.spread_over(&ports, t);
        self.flows.governed.ports[trunk] = ports;
    }

    fn spread_over(&mut self, ports: &[u32], t: u64) {
        let is_on = |port: &u32| self.under.switches.links.is_on(*port as usize, t);
        let on: Vec<u32> = ports.iter().copied().filter(is_on).collect();
        if on.is_empty() {
            return;
        }
        let flows = &*self.flows;
        let of_port = |port: &u32| flows.rates.flows_on(*port).map(move |slot| flows.owners[slot as usize]);
        let mut ids: Vec<u32> = ports.iter().flat_map(of_port).collect();
        ids.sort_unstable();
        ids.dedup();
        for id in ids {
            let flow = &self.flows.flows[id];
            let level = ports.iter().find_map(|port| flow.level_of(*port)).filter(|level| flow.gone_by(*level));
            let Some(level) = level else { continue };
            let moved = bytes_of(passed(flow, level, t)) / self.flows.passages.flit;
            self.count_sent(id, level, moved);
            self.move_to(id, level, (ports, &on), t);
        }
    }

    /// Moves a flow, of which what has gone by is counted, from the ports of a trunk to those that are on.
    fn move_to(&mut self, id: u32, level: usize, (ports, on): (&[u32], &[u32]), t: u64) {
        let flow = &self.flows.flows[id];
        let here = &flow.steps[flow.steps_of(level)];
        let of_trunk = |step: &&Step| ports.contains(&step.channel);
        let same = here.iter().filter(of_trunk).map(|step| step.channel).eq(on.iter().copied());
        if same {
            return;
        }
        self.flows.rest(id, t);
        let links = &mut self.under.switches.links;
        let flow = &mut self.flows.flows[id];
        for step in flow.steps[flow.steps_of(level)].iter().filter(of_trunk) {
            self.flows.users[step.channel as usize] -= 1;
            self.flows.closing.push(step.channel);
        }
        for &channel in on {
            self.flows.users[channel as usize] += 1;
            links.end_idle(channel as usize, t);
        }
        self.take_work(id, level);
        self.flows.flows[id].replace(level, ports, on);
        self.add_work(id, level, t);
        self.enter(id, t);
    }
}

/// A port that has less than this left, in units of rate, is full: rounding leaves a little.
const FULL: u64 = 1 << 20;

impl Flow {
    /// Returns the level at which a flow takes a channel.
    fn level_of(&self, channel: u32) -> Option<usize> {
        let step = self.steps.iter().position(|step| step.channel == channel)?;
        self.levels.iter().position(|level| step < level.end as usize)
    }

    /// Returns whether a flow moves over the channels of a level: its head has gone by them, its last bit has not.
    fn gone_by(&self, level: usize) -> bool {
        level < usize::from(self.stage) && level >= usize::from(self.gone)
    }

    /// Puts other channels of a trunk in place of those of a level, in equal parts.
    fn replace(&mut self, level: usize, ports: &[u32], by: &[u32]) {
        let range = self.steps_of(level);
        let is_old = |step: &Step| ports.contains(&step.channel);
        let share: u32 = self.steps[range.clone()].iter().filter(|step| is_old(step)).map(|step| step.share).sum();
        let Some(first) = self.steps[range.clone()].iter().position(is_old) else { return };
        let input = self.steps[range.start + first].input;
        let count = by.len() as u32;
        let new = (0..).zip(by).map(|(number, &channel)| {
            let share = share / count + u32::from(number < share % count);
            Step { channel, share, input }
        });
        let kept: Vec<Step> = self.steps[range.clone()].iter().copied().filter(|step| !is_old(step)).collect();
        // Where the steps before have gone to: what came by one of the trunk comes by the first of it.
        let to = |step: usize| {
            let others = || self.steps[range.start..step].iter().filter(|step| !is_old(step)).count();
            if is_old(&self.steps[step]) { range.start + kept.len() } else { range.start + others() }
        };
        let moved: Vec<u32> = range.clone().map(|step| to(step) as u32).collect();
        let longer = kept.len() + by.len();
        let shift = |step: u32| match (step as usize).checked_sub(range.end) {
            Some(behind) => (range.start + longer + behind) as u32,
            None => (step as usize).checked_sub(range.start).map_or(step, |place| moved[place]),
        };
        let rest: Vec<Step> =
            self.steps[range.end..].iter().map(|step| Step { input: shift(step.input), ..*step }).collect();
        self.places.iter_mut().for_each(|place| place.input = shift(place.input));
        self.steps.truncate(range.start);
        self.steps.extend(kept);
        self.steps.extend(new.filter(|step| step.share > 0));
        let end = self.steps.len();
        self.steps.extend(rest);
        for level in &mut self.levels[level..] {
            level.end = (level.end as usize + end - range.end) as u32;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::level::Level;
    use super::*;

    /// A flow over a trunk of channels 1 and 2, beside channel 3, and then over 4 and 5: it moves from 1 and 2 to 6.
    #[test]
    fn a_flow_moves_to_other_ports() {
        let step = |channel: u32, share: u32, input: u32| Step { channel, share, input };
        let mut flow = Flow::default();
        flow.steps.extend([step(0, 5_040, 0), step(1, 1_680, 0), step(3, 1_680, 0), step(2, 1_680, 0)]);
        flow.steps.extend([step(4, 3_360, 2), step(5, 1_680, 3)]);
        flow.levels.extend([1, 4, 6].map(|end| Level { end, ..Level::default() }));
        flow.replace(1, &[1, 2], &[6]);
        let steps: Vec<_> = flow.steps.iter().map(|step| (step.channel, step.share, step.input)).collect();
        assert_eq!(steps, [(0, 5_040, 0), (3, 1_680, 0), (6, 3_360, 0), (4, 3_360, 1), (5, 1_680, 2)]);
        assert_eq!(flow.levels.iter().map(|level| level.end).collect::<Vec<_>>(), [1, 3, 5]);
        flow.replace(1, &[6], &[1, 2]);
        let shares: Vec<_> = flow.steps.iter().map(|step| (step.channel, step.share)).collect();
        assert_eq!(shares, [(0, 5_040), (3, 1_680), (1, 1_680), (2, 1_680), (4, 3_360), (5, 1_680)]);
    }
}
