//! JSON of Slurm's `sacct --json`: a list `jobs` of objects. Steps within a job are not read.
//!
//! By version, a number is bare, or an object `{ set, infinite, number }`, and a state a text or a list of texts. Times
//! are seconds since 1970, and 0 is one that has not come; the limit is in minutes.

use std::collections::HashSet;

use serde::Deserialize;
use serde_json::value::RawValue;

use super::job::{About, JobLog, LogJob, MILLION, Size, Wrong, disagree, left_out};
use super::json;
use super::state::{self, State};

#[derive(Deserialize)]
struct File<'t> {
    #[serde(borrow)]
    jobs: Vec<&'t RawValue>,
}

#[derive(Deserialize)]
struct Job {
    job_id: u64,
    #[serde(default)]
    array: Array,
    name: Option<String>,
    account: Option<String>,
    #[serde(default)]
    allocation_nodes: Number,
    nodes: Option<String>,
    state: States,
    time: Times,
    #[serde(default)]
    required: Required,
    #[serde(default)]
    restart_cnt: u64,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Array {
    job_id: u64,
    task_id: Number,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Required {
    #[serde(rename = "CPUs")]
    processors: Number,
}

#[derive(Deserialize)]
struct States {
    current: Words,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Words {
    One(String),
    Many(Vec<String>),
}

#[derive(Deserialize)]
struct Times {
    submission: Number,
    #[serde(default)]
    start: Number,
    #[serde(default)]
    end: Number,
    #[serde(default)]
    elapsed: Number,
    #[serde(default)]
    limit: Number,
}

/// A number as one version of Slurm or another writes it.
#[derive(Default, Deserialize)]
#[serde(untagged)]
enum Number {
    Bare(u64),
    Told {
        set: bool,
        #[serde(default)]
        infinite: bool,
        #[serde(default)]
        number: u64,
    },
    #[default]
    Nothing,
}

impl Number {
    /// Returns the number, if there is one that is not zero; more than any log has is none.
    fn get(&self) -> Option<u64> {
        let number = match self {
            Number::Bare(number) | Number::Told { set: true, infinite: false, number } => *number,
            Number::Told { .. } | Number::Nothing => return None,
        };
        (1..1 << 36).contains(&number).then_some(number)
    }

    /// Returns the number, zero included.
    fn with_zero(&self) -> Option<u64> {
        match self {
            Number::Told { set: true, number: 0, .. } | Number::Bare(0) => Some(0),
            other => other.get(),
        }
    }
}

/// Reads the jobs of a log, at most so many.
pub fn parse(text: &str, most: usize) -> Result<JobLog, Wrong> {
    let file: File<'_> = json::read(text, 0)?;
    let (mut log, mut names) = (JobLog::default(), HashSet::new());
    for raw in file.jobs {
        if log.jobs.len() == most {
            break;
        }
        let place = json::place(text, raw);
        let job: Job = json::read(raw.get(), place.start)?;
        // Messages point to the first line of the job.
        let place = place.start..place.start + 1;
        match job.read(&place)? {
            Ok((job, state, disagrees)) => {
                log.disagreeing += u64::from(disagrees);
                log.unfinished += u64::from(state == State::Running);
                log.add(job, &mut names, &place)?;
            }
            Err(what) => log.leave_out(what),
        }
    }
    Ok(log)
}

impl Job {
    /// Returns the job, its state, and whether its times disagree; or what it is that is left out.
    fn read(self, place: &std::ops::Range<usize>) -> Result<Result<(LogJob, State, bool), &'static str>, Wrong> {
        let word = match self.state.current {
            Words::One(word) => word,
            Words::Many(words) => words.into_iter().next().unwrap_or_default(),
        };
        let Some(state) = state::of(&word) else {
            let message = format!("`{word}` is no state of job {}", self.job_id);
            return Err(Wrong::new(place, message, "write one of Slurm's, such as COMPLETED"));
        };
        let task = self.array.task_id.with_zero().filter(|_| self.array.job_id > 0);
        let id = task.map_or(self.job_id.to_string(), |task| format!("{}_{task}", self.array.job_id));
        let id = if self.restart_cnt > 0 { format!("{id}-{}", self.restart_cnt) } else { id };
        let Times { submission, start, end, elapsed, limit } = self.time;
        let Some(start) = start.get().filter(|_| state != State::Waiting) else {
            return Ok(Err(left_out::NEVER_RAN));
        };
        let run = elapsed.get().or(end.get().and_then(|end| end.checked_sub(start))).filter(|&run| run > 0);
        let Some(run) = run else { return Ok(Err(left_out::NO_TIME)) };
        let Some(submit) = submission.get() else {
            return Err(Wrong::new(place, format!("job {id} has no time.submission"), "write it, or remove the job"));
        };
        let nodes = self.allocation_nodes.get().map(Size::Nodes);
        let Some(size) = nodes.or(self.required.processors.get().map(Size::Processors)) else {
            let message = format!("job {id} ran on no nodes");
            return Err(Wrong::new(place, message, "write allocation_nodes, or remove the job"));
        };
        let hosts = self.nodes.filter(|nodes| !nodes.is_empty() && nodes != "None assigned");
        let job = LogJob {
            id,
            submit: submit * MILLION,
            start: Some(start * MILLION),
            run: run * MILLION,
            limit: limit.get().map(|minutes| minutes * 60 * MILLION),
            size,
            hosts: hosts.map(|hosts| (hosts, place.clone())),
            timed_out: state == State::TimedOut,
            about: About { name: self.name, account: self.account, executable: None },
            place: place.clone(),
        };
        let ended = end.get().map(|end| end * MILLION);
        let disagrees = state != State::Running && disagree(start * MILLION, ended, run * MILLION);
        Ok(Ok((job, state, disagrees)))
    }
}
