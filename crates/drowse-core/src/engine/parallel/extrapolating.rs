//! A shard in which iterations of jobs are extrapolated: its ranks and links tell who decides, and do what that
//! decides.

use crate::engine::endpoint::marks::Told;
use crate::engine::endpoint::ranks::Ranks;
use crate::engine::event::Events;
use crate::engine::event::node::{NodeEvent, Phase};
use crate::engine::extrapolation::{Extrapolation, Wake};
use crate::engine::parallel::shard::Shard;
use crate::measure::ExtrapolationRecord;
use crate::model::extrapolate::Extrapolate;
use crate::power::Policy;

impl<P: Policy> Shard<'_, P> {
    /// Lets iterations be extrapolated by these rules, before anything happens. The marks of its ranks are followed.
    pub(crate) fn extrapolate_by(&mut self, rules: Extrapolate) {
        let Some(ranks) = &mut self.sources.ranks else { return };
        let links = &mut self.fabric.switches.links;
        let jobs = Extrapolation::new(rules, ranks.first_ranks().to_vec(), links.hot.len());
        links.extrapolation = Some(Box::new(jobs));
    }

    /// Looks at the state of a job.
    pub(super) fn look_at_job(&mut self, job: u32, version: u32, t: u64) {
        let links = &mut self.fabric.switches.links;
        let Some(mut jobs) = links.extrapolation.take() else { return };
        jobs.woken(job, version, t, |channel, by, done| links.skip(channel as usize, by, done));
        links.extrapolation = Some(jobs);
    }

    /// Acts on what ranks and links have told at time `t`.
    #[inline(never)]
    pub(super) fn extrapolate(&mut self, t: u64) {
        let Some(mut jobs) = self.fabric.switches.links.extrapolation.take() else { return };
        let events = &mut self.fabric.switches.events;
        if let Some(ranks) = &mut self.sources.ranks {
            // What is done may tell something new.
            loop {
                let told = ranks.marks.as_mut().map(|marks| std::mem::take(&mut marks.told)).unwrap_or_default();
                let links = &mut self.fabric.switches.links;
                for told in &told {
                    let counts = |channel: u32| links.counts_at(channel as usize, t);
                    match *told {
                        Told::Started { job, every, limit } => jobs.started(job, every, limit),
                        Told::Began { job } => jobs.began(job, t, counts),
                        Told::Sampled { job } => jobs.sampled(job, t, |job| ranks.sampled(job), counts),
                        Told::Held { job, from } => {
                            let left = ranks.iterations_left(job);
                            jobs.held(job, from, left, t, |channel, by, done| links.skip(channel as usize, by, done));
                        }
                        Told::Ended { job } => {
                            jobs.ended(job, t, |channel, by, done| links.skip(channel as usize, by, done));
                        }
                    }
                }
                if told.is_empty() {
                    break;
                }
            }
            carry_out(&mut jobs, ranks, events, t);
        }
        self.fabric.switches.links.extrapolation = Some(jobs);
    }

    /// Takes what was extrapolated, if that was allowed; counts the packets that nobody simulated.
    pub(crate) fn take_extrapolation(&mut self) -> Option<ExtrapolationRecord> {
        let switches = &mut self.fabric.switches;
        let record = switches.links.extrapolation.take()?.record;
        let [nodes, hops] = switches.links.packets_skipped(switches.partition.ports() as usize);
        self.fabric.nics.injected += nodes;
        self.tally.packets_delivered += nodes;
        switches.hops += hops;
        Some(record)
    }
}

/// Does with ranks what has been decided at time `t`.
fn carry_out(jobs: &mut Extrapolation, ranks: &mut Ranks, events: &mut Events, t: u64) {
    for released in jobs.released.drain(..) {
        ranks.release(events, &released, t);
    }
    for follow in jobs.follow.drain(..) {
        ranks.follow(follow);
    }
    for job in jobs.hold.drain(..) {
        ranks.hold(job);
    }
    for Wake { at, job, version } in jobs.wakes.drain(..) {
        events.put_node(NodeEvent { data: version, ..NodeEvent::new(at.max(t), Phase::Extrapolated, job) });
    }
}
