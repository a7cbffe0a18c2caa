//! What to know of the jobs of a log before using figures: what is left out, and how much hangs on what is assumed.

use std::collections::HashMap;

use drowse_core::model::ids::NodeId;
use drowse_core::model::units::Time;

use super::log_cut::Cut;
use super::log_map::Mapped;
use super::log_size::Sized;
use crate::case::JobSpec;

/// Returns the notes of a log; `named` says whether jobs run on the nodes that it names.
pub fn of(cut: &Cut, sized: &Sized, mapped: &Mapped<'_>, named: bool) -> Vec<String> {
    let mut notes = Vec::new();
    for (what, count) in &cut.log.left_out {
        let what = match what.strip_prefix("jobs ").filter(|_| *count == 1) {
            Some(rest) => format!("job {rest}"),
            None => (*what).to_owned(),
        };
        notes.push(format!("the log has {count} {what}, left out"));
    }
    if cut.outside > 0 {
        notes.push(match cut.outside {
            1 => "1 job of the log is outside the days that are run".to_owned(),
            count => format!("{count} jobs of the log are outside the days that are run"),
        });
    }
    if cut.begun > 0 {
        notes.push(match cut.begun {
            1 => "1 job ran when the first day began: it arrives then, for the rest of its time".to_owned(),
            count => format!("{count} jobs ran when the first day began: they arrive then, for the rest of their time"),
        });
    }
    if cut.shortened > 0 {
        notes.push(format!("{} jobs ran on when the last day ended: they end then", cut.shortened));
    }
    if cut.log.unfinished > 0 {
        notes.push(match cut.log.unfinished {
            1 => "1 job had not ended when the log was written: it runs as long as it had by then".to_owned(),
            count => {
                format!("{count} jobs had not ended when the log was written: they run as long as they had by then")
            }
        });
    }
    if cut.log.disagreeing > 0 {
        let count = cut.log.disagreeing;
        let jobs = if count == 1 { "job" } else { "jobs" };
        notes.push(format!(
            "{count} {jobs} did not run from start to end by the log, as where clocks change or a job is suspended: its \
             run time counts"
        ));
    }
    if let Some((processors, nodes, source)) = sized.rule {
        let is_whole = processors.is_multiple_of(nodes);
        let ratio = if is_whole { (processors / nodes).to_string() } else { format!("{processors}/{nodes}") };
        notes.push(format!("the log counts processors: {ratio} are a node ({source}), rounded up to whole nodes"));
    }
    let timed_out = cut.jobs.iter().filter(|job| job.job.timed_out).count();
    if timed_out > 0 {
        notes.push(match timed_out {
            1 => "1 job was ended at its limit by the log: it runs until then here, too".to_owned(),
            count => format!("{count} jobs were ended at their limits by the log: they run until then here, too"),
        });
    }
    if !named && cut.jobs.iter().any(|job| job.job.hosts.is_some()) {
        notes.push("the log names nodes: only how many they are is used".to_owned());
    }
    let sharing = sharing(&mapped.jobs);
    if sharing > 0 {
        notes.push(format!(
            "jobs that started on nodes which another job still had, by the log: {sharing}; they share these nodes, and more \
             core time is held than there is"
        ));
    }
    notes
}

/// Counts the jobs that start on a node, named by the log, which another job still has.
fn sharing(jobs: &[JobSpec]) -> usize {
    let times = jobs.iter().filter_map(|job| job.log.as_ref());
    let mut named: Vec<(Time, Time, &[NodeId])> =
        times.filter_map(|log| Some((log.start?, log.start? + log.run, log.named.as_deref()?))).collect();
    named.sort_unstable();
    let mut until: HashMap<NodeId, Time> = HashMap::new();
    let mut count = 0;
    for (start, end, nodes) in named {
        count += usize::from(nodes.iter().any(|node| until.get(node).is_some_and(|&until| until > start)));
        for &node in nodes {
            let held = until.entry(node).or_insert(end);
            *held = (*held).max(end);
        }
    }
    count
}
