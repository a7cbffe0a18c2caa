//! Which program each job of a log runs.
//!
//! Among the `[[job]]` tables that name its executable, account or name, or if there are none, among those that name
//! nothing, it is the largest that fits the nodes of the job. A job without such a program computes on all cores of its
//! nodes, and sends nothing, or what `unmapped` assumes.

use std::collections::HashSet;
use std::sync::Arc;

use drowse_core::model::ids::NodeId;
use drowse_core::workload::exchanges::Division;

use super::log_cut::CutJob;
use crate::case::{JobSpec, LogTimes, Program};
use crate::job_log::{About, Wrong};

/// The path of the table of a log.
pub const PATH: &str = "scheduler.log";
/// The name of jobs without a program.
const UNMAPPED: &str = "job";

/// A program that jobs of a log may run.
pub struct Template {
    /// The job that it makes, but for what the log says.
    pub spec: JobSpec,
    /// Which jobs run it.
    pub selects: Selects,
    /// How often each runs it; `None`: as often as its time holds.
    pub runs: Option<u32>,
}

/// Which jobs of a log run a program: those of which any of these is true; all that no other program names, if there is
/// nothing in it.
#[derive(Clone, Debug, Default)]
pub struct Selects {
    /// Numbers of executables.
    pub executables: Vec<u64>,
    /// Accounts.
    pub accounts: Vec<String>,
    /// Patterns of names, in which `*` stands for any text.
    pub names: Vec<String>,
}

/// The jobs of a log, each with its program.
pub struct Mapped<'t> {
    templates: &'t [Template],
    cores: u32,
    /// What is assumed of jobs without a program; `None`: that they only compute.
    pub assumed: Option<Division>,
    pub jobs: Vec<JobSpec>,
    /// Jobs without a program, and their node-picoseconds; of all jobs, too.
    pub unmapped: u64,
    pub unmapped_time: u128,
    pub time: u128,
    taken: HashSet<String>,
}

impl<'t> Mapped<'t> {
    /// Maps to these programs, on nodes of so many cores, with what is assumed of jobs that have none.
    pub fn new(templates: &'t [Template], cores: u32, assumed: Option<Division>) -> Self {
        let (jobs, taken) = (Vec::new(), HashSet::new());
        Mapped { templates, cores, assumed, jobs, unmapped: 0, unmapped_time: 0, time: 0, taken }
    }

    /// Adds a job of so many nodes, whose numbers may be known.
    pub fn add(&mut self, job: &CutJob, nodes: u32, named: Option<Arc<[NodeId]>>) -> Result<(), Wrong> {
        let time = u128::from(nodes) * u128::from(job.run.0);
        self.time += time;
        let template = self.template(&job.job.about, nodes);
        let runs = template.and_then(|template| template.runs);
        let spec = if let Some(template) = template {
            template.spec.clone()
        } else {
            self.unmapped += 1;
            self.unmapped_time += time;
            let ranks = nodes.checked_mul(self.cores).ok_or_else(|| {
                let message = format!("job {} has more than 2^32 cores", job.job.id);
                Wrong::new(&job.job.place, message, "write fewer node.cores")
            })?;
            let (cores, time) = (self.cores, job.run);
            let program = match self.assumed.filter(|_| nodes > 1) {
                Some(division) => Program::Assumed { nodes, cores, time, division },
                None => Program::Compute { ranks, time },
            };
            JobSpec::unmapped(UNMAPPED, program, PATH)
        };
        let name = format!("{}-{}", spec.name, job.job.id);
        if !self.taken.insert(name.clone()) {
            let message = format!("two jobs are called `{name}`");
            return Err(Wrong::new(&job.job.place, message, "give one of the [[job]] tables another name"));
        }
        let log = Some(LogTimes { start: job.start, run: job.run, limit: job.limit, nodes, named, runs });
        // Of a job without a limit, the scheduler knows how long it ran.
        let estimate = Some(job.limit.unwrap_or(job.run));
        self.jobs.push(JobSpec { name, start: job.arrival, estimate, log, ..spec });
        Ok(())
    }

    /// Returns the program of a job of so many nodes, if there is one.
    fn template(&self, about: &About, nodes: u32) -> Option<&'t Template> {
        let named = self.templates.iter().any(|template| template.selects.has(about));
        let may_run = |template: &&Template| {
            if named { template.selects.has(about) } else { template.selects.is_empty() }
        };
        let room = u64::from(nodes) * u64::from(self.cores);
        let fits = |template: &&Template| u64::from(template.ranks()) <= room;
        // Of several of one size the first.
        let candidates = self.templates.iter().filter(may_run).filter(fits).rev();
        candidates.max_by_key(|template| template.ranks())
    }
}

impl Template {
    /// Returns its number of ranks.
    fn ranks(&self) -> u32 {
        match &self.spec.program {
            Program::App(phases) => phases.first().map_or(0, |phase| phase.work.ranks()),
            Program::Trace(_) => self.spec.ranks.unwrap_or(0),
            Program::Compute { ranks, .. } => *ranks,
            Program::Assumed { nodes, cores, .. } => nodes.saturating_mul(*cores),
        }
    }
}

impl Selects {
    /// Returns whether it names nothing.
    pub fn is_empty(&self) -> bool {
        self.executables.is_empty() && self.accounts.is_empty() && self.names.is_empty()
    }

    /// Returns whether it names a job.
    fn has(&self, about: &About) -> bool {
        let matches = |name: &String| self.names.iter().any(|pattern| is_match(pattern, name));
        about.executable.is_some_and(|executable| self.executables.contains(&executable))
            || about.account.as_ref().is_some_and(|account| self.accounts.contains(account))
            || about.name.as_ref().is_some_and(matches)
    }
}

/// Returns whether a text is of a pattern, in which `*` stands for any text.
pub fn is_match(pattern: &str, text: &str) -> bool {
    let Some((first, rest)) = pattern.split_once('*') else { return pattern == text };
    let Some(mut text) = text.strip_prefix(first) else { return false };
    let mut parts = rest.split('*').peekable();
    while let Some(part) = parts.next() {
        if parts.peek().is_none() {
            return text.ends_with(part);
        }
        let Some(at) = text.find(part) else { return false };
        text = &text[at + part.len()..];
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stars_stand_for_any_text() {
        for (pattern, text, matches) in [
            ("lammps", "lammps", true),
            ("lammps", "lammps2", false),
            ("lammps*", "lammps2", true),
            ("*md*", "namd2", true),
            ("*md", "namd2", false),
            ("a*b*c", "a-b-b-c", true),
            ("a*bc", "abc-bc", true),
            ("a*a", "a", false),
            ("*", "", true),
        ] {
            assert_eq!(is_match(pattern, text), matches, "{pattern} {text}");
        }
    }
}
