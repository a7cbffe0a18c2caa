//! Which sleeping outputs packets wake beside those that are on, because others wait for these, too.
//!
//! With `selection = "least-delay"`, a packet that finds no output wakes one more where the packets that wait for the
//! others take longer than a quarter of its time to wake. What waits is known of flows as far as this: while no output
//! is on, what comes of each flow until one is; else, of what is left of the flows on those that are on, the share by
//! which these flows come faster than the outputs send. No flow leaves more behind than its buffer holds.

use drowse_flows::{DENOMINATOR, Rates};

use crate::engine::link::channel::Channel;
use crate::engine::switch::switches::Switches;
use crate::model::config::SleepRules;
use crate::power::Policy;

use super::outputs::Output;
use super::slab::{Flow, FlowSlab};
use super::volume::{bytes_of, moved};

/// All flows, as a flow sees them that asks for outputs.
#[derive(Clone, Copy)]
pub struct Crowd<'a> {
    /// All but the one that asks.
    pub flows: &'a FlowSlab,
    /// The flow at each place of those whose rates are solved.
    pub owners: &'a [u32],
    /// By channel: bytes of flows whose heads wait for it.
    pub queued: &'a [u64],
    /// Bytes of a packet.
    pub packet: u64,
    /// Bytes of a flit.
    pub flit: u64,
}

impl Crowd<'_> {
    /// Returns the bytes of a flow that come to wait before a level until some time has passed.
    pub fn comes(flow: &Flow, stage: usize, time: u64) -> u64 {
        let behind = flow.levels.get(stage.wrapping_sub(1)).map_or(0, |level| level.room);
        bytes_of(flow.left.min(moved(flow.alone, time))).min(behind)
    }

    /// Notes which of some outputs that sleep are woken at time `t` by a flow that asks for them.
    pub fn wake_more<P: Policy>(
        &self,
        switches: &Switches<P>,
        rates: &Rates,
        (flow, outputs): (&Flow, &[Output]),
        t: u64,
        to_wake: &mut Vec<u32>,
    ) {
        let links = &switches.links;
        let channels = || outputs.iter().map(|output| output.channel as usize);
        let is_free = |&channel: &usize| links.is_asleep(channel, t) && !links.hot[channel].has(Channel::GOVERNED);
        let asleep = channels().filter(is_free).count();
        if asleep == 0 {
            return;
        }
        let on = channels().filter(|&channel| links.is_on(channel, t)).count();
        let waking = channels().filter(|&channel| links.is_waking(channel, t)).count();
        // Where all sleep, the first is woken in any case.
        let first = (on + waking).max(1);
        let waits = if on > 0 {
            self.excess(rates, (flow, outputs), switches, t)
        } else {
            self.queue(switches, (flow, outputs), t)
        };
        let skipped = usize::from(on + waking == 0);
        for (awake, channel) in (first..).zip(channels().filter(is_free).skip(skipped)) {
            let time = links.class(channel).time_of(waits.div_ceil(self.flit));
            let wake = links.time_to_wake(channel, t);
            if u128::from(time) * u128::from(SleepRules::QUEUE_WEIGHT) <= u128::from(wake) * awake as u128 {
                return;
            }
            to_wake.push(channel as u32);
        }
    }

    /// Returns what waits when the first of some outputs is on of which none is, behind the first packet.
    fn queue<P: Policy>(&self, switches: &Switches<P>, (flow, outputs): (&Flow, &[Output]), t: u64) -> u64 {
        let links = &switches.links;
        let time = |channel: usize| match links.hot[channel].awake_at.checked_sub(t) {
            Some(left) if left > 0 => left,
            _ => links.time_to_wake(channel, t),
        };
        let first = outputs.iter().map(|output| time(output.channel as usize)).min().unwrap_or(0);
        let others: u64 = outputs.iter().filter_map(|output| self.queued.get(output.channel as usize)).sum();
        (others + Self::comes(flow, flow.stage.into(), first)).saturating_sub(self.packet)
    }

    /// Returns what comes to wait for those of some outputs that are on; nothing where these have room for a flow.
    fn excess<P: Policy>(
        &self,
        rates: &Rates,
        (flow, outputs): (&Flow, &[Output]),
        switches: &Switches<P>,
        t: u64,
    ) -> u64 {
        let on = || outputs.iter().filter(|output| switches.links.is_on(output.channel as usize, t));
        let room: u128 = on().map(|output| u128::from(output.rate)).sum();
        let used: u128 = on().map(|output| u128::from(rates.used(output.channel))).sum();
        // What it moves already is among what is used.
        if used + u128::from(flow.alone.saturating_sub(flow.rate)) <= room {
            return 0;
        }
        let mut comes = u128::from(flow.alone);
        let mut left = u128::from(Self::comes(flow, flow.stage.into(), u64::MAX));
        for output in on() {
            for slot in rates.flows_on(output.channel) {
                let other = &self.flows[self.owners[slot as usize]];
                let step = other.steps.iter().position(|step| step.channel == output.channel);
                let level = step.and_then(|step| other.levels.iter().position(|level| step < level.end as usize));
                let Some((step, level)) = step.zip(level) else { continue };
                let share = u128::from(other.steps[step].share);
                comes += u128::from(other.alone) * share / u128::from(DENOMINATOR);
                left += u128::from(Self::comes(other, level, u64::MAX)) * share / u128::from(DENOMINATOR);
            }
        }
        if comes <= room { 0 } else { u64::try_from(left * (comes - room) / comes).unwrap_or(u64::MAX) }
    }
}
