//! Workloads of Batsim in JSON: jobs, each with a profile that says what it does.
//!
//! Only profiles that wait for a time are jobs with a run time; the other kinds say how much is computed and sent, and
//! how long that takes depends on Batsim's platform. The format has no starts: Batsim's schedulers decide them.

use std::collections::{BTreeMap, HashSet};

use serde::Deserialize;
use serde_json::value::RawValue;

use super::job::{About, JobLog, LogJob, MILLION, Size, Wrong, left_out};
use super::json;

#[derive(Deserialize)]
struct File<'t> {
    #[serde(borrow)]
    jobs: Vec<&'t RawValue>,
    #[serde(borrow, default)]
    profiles: BTreeMap<String, &'t RawValue>,
}

#[derive(Deserialize)]
struct Job {
    id: Id,
    subtime: f64,
    res: u64,
    profile: String,
    walltime: Option<f64>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Id {
    Number(u64),
    Word(String),
}

#[derive(Deserialize)]
struct Profile {
    #[serde(rename = "type")]
    kind: String,
    delay: Option<f64>,
}

/// Reads the jobs of a workload, at most so many.
pub fn parse(text: &str, most: usize) -> Result<JobLog, Wrong> {
    let file: File<'_> = json::read(text, 0)?;
    let (mut log, mut names) = (JobLog::default(), HashSet::new());
    for raw in &file.jobs {
        if log.jobs.len() == most {
            break;
        }
        let place = json::place(text, raw);
        let job: Job = json::read(raw.get(), place.start)?;
        let place = place.start..place.start + 1;
        let id = match &job.id {
            Id::Number(number) => number.to_string(),
            Id::Word(word) => word.clone(),
        };
        let Some(profile) = file.profiles.get(&job.profile) else {
            let message = format!("job {id} has the profile `{}`, and there is none of this name", job.profile);
            return Err(Wrong::new(&place, message, "add it to profiles, or correct the name"));
        };
        let run = delay(text, &job.profile, profile)?;
        if run == 0 {
            log.leave_out(left_out::NO_TIME);
            continue;
        }
        if job.res == 0 {
            return Err(Wrong::new(&place, format!("job {id} asks for no nodes"), "write res = 1 or more"));
        }
        let submit = microseconds(job.subtime, "subtime", &place)?;
        // A negative wall time is none.
        let limit = job.walltime.filter(|&limit| limit > 0.0);
        let limit = limit.map(|limit| microseconds(limit, "walltime", &place)).transpose()?;
        let about = About { name: Some(job.profile), ..About::default() };
        let size = Size::Nodes(job.res);
        let read = LogJob {
            id,
            submit,
            start: None,
            run,
            limit,
            size,
            hosts: None,
            timed_out: false,
            about,
            place: place.clone(),
        };
        log.add(read, &mut names, &place)?;
    }
    Ok(log)
}

/// Returns how long a job of a profile runs, in microseconds.
fn delay(text: &str, name: &str, raw: &RawValue) -> Result<u64, Wrong> {
    let place = json::place(text, raw);
    let profile: Profile = json::read(raw.get(), place.start)?;
    let place = place.start..place.start + 1;
    match (profile.kind.as_str(), profile.delay) {
        ("delay" | "DelayProfile", Some(delay)) => microseconds(delay, "delay", &place),
        ("delay" | "DelayProfile", None) => {
            Err(Wrong::new(&place, format!("the profile `{name}` has no delay"), "write \"delay\": 60, or so"))
        }
        (kind, _) => {
            let message = format!("the profile `{name}` is of the type {kind}, which does not say how long it runs");
            let help = "write the time that its jobs ran as {\"type\": \"delay\", \"delay\": 60}, and let [[job]] say \
                        what they send";
            Err(Wrong::new(&place, message, help))
        }
    }
}

/// Returns seconds as microseconds.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "in range by then, and not negative")]
fn microseconds(seconds: f64, key: &str, place: &std::ops::Range<usize>) -> Result<u64, Wrong> {
    const MOST: f64 = 1e12;
    if (0.0..MOST).contains(&seconds) {
        return Ok((seconds * MILLION as f64).round() as u64);
    }
    Err(Wrong::new(place, format!("{key} = {seconds} is out of range"), "write seconds, 0 or more"))
}
