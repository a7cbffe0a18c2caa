//! Whether a sample of a group is like the one before.

use rustc_hash::FxHashMap;

use super::counts::Counts;
use super::group::Group;
use super::job::{Running, Sampled};

/// Ends the samples of a group at time `t`; functions tell the pace of jobs, and what channels have done until then.
/// Returns by how much the group differs from its last sample, in billionths: the largest difference of all jobs in the
/// time of an iteration, and of all channels, in the mean, in the share of time that they spend in other states. `None`
/// where something was sampled for the first time.
pub(super) fn end_sample(
    group: &mut Group,
    running: &mut FxHashMap<u32, Running>,
    t: u64,
    sampled: impl Fn(u32) -> Sampled,
    counts: impl Fn(u32) -> Counts,
) -> Option<u64> {
    let (length, before) = (t - group.since.unwrap_or(t), group.length);
    let (mut pace, mut links, mut channels, mut compared) = (0, 0, 0, before > 0);
    for &number in &group.members {
        let Some(job) = running.get_mut(&number) else { continue };
        let sample = sampled(number);
        job.before = job.sample.replace(sample);
        match job.before {
            Some(before) => pace = pace.max(sample.spread).max(sample.pace.difference(before.pace)),
            None => compared = false,
        }
        (job.ended, job.length) = (false, length);
        for used in &mut job.channels {
            let now = counts(used.channel);
            let sample = now.minus(used.base);
            match used.sample.replace(sample) {
                Some(last) => links += sample.difference(length, &last, before),
                None => compared = false,
            }
            used.base = now;
            channels += 1;
        }
    }
    (group.since, group.length) = (Some(t), length);
    compared.then(|| pace.max(links / u64::max(channels, 1)))
}
