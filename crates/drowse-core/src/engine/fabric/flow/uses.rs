//! Tells which channels the messages of a job use, where iterations may be extrapolated.

use crate::power::Policy;

use super::fabric::FlowFabric;

impl<P: Policy> FlowFabric<'_, '_, P> {
    /// Notes at time `t` that a flow uses the channels of its next level.
    pub(super) fn note_use(&mut self, id: u32, t: u64) {
        let links = &mut self.under.switches.links;
        let Some(mut jobs) = links.extrapolation.take() else { return };
        let flow = &self.flows.flows[id];
        let job = jobs.job_of(self.under.nics.messages[flow.message].from_rank);
        for step in &flow.steps[flow.steps_of(flow.stage.into())] {
            if !jobs.is_known(step.channel, job) {
                links.uses(&mut jobs, step.channel, job, t);
            }
        }
        links.extrapolation = Some(jobs);
    }
}
