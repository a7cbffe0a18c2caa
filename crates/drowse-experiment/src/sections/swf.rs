//! `scheduler.swf`: jobs from a log in the Standard Workload Format.
//!
//! Each `[[job]]` is then a program that jobs of the log run. A job runs the smallest program that has at least as many
//! ranks as it had processors, among those that name its executable, or if there are none, among those that name none.

use std::borrow::Cow;
use std::io::{self, Read};
use std::path::PathBuf;

use drowse_core::model::units::Time;
use drowse_core::workload::scheduler::Kind;
use drowse_traces::input;
use flate2::read::MultiGzDecoder;
use schemars::JsonSchema;
use serde::Deserialize;

use crate::case::{JobSpec, Program};
use crate::diagnostic::Diagnostic;
use crate::keys::{Keys, join};
use crate::machine::is_bad_input;
use crate::source::{Source, without_mark};
use crate::swf::{self, LogJob, MILLION, Wrong};

/// The most jobs of a log.
const MOST_JOBS: u32 = 65_536;
/// The most bytes of a log, unpacked: thousands for each job.
const MOST_BYTES: u64 = 256 << 20;

/// Jobs from a log.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SwfKeys {
    /// File in the Standard Workload Format, relative to the experiment's folder; it may be packed by gzip.
    #[schemars(extend("examples" = ["log.swf"]))]
    file: String,
    /// Factor on submit times and requested times. Programs take the time that they take.
    #[schemars(extend("default" = 1.0), range(min = 0))]
    time_scale: Option<f64>,
    /// How many jobs are taken from the beginning of the log. Default: all, at most 65,536.
    #[schemars(range(min = 1, max = 65_536))]
    jobs: Option<u32>,
}

/// A log whose jobs are to be run.
#[derive(Clone, Debug)]
pub struct Log {
    file: PathBuf,
    time_scale: f64,
    most: Option<u32>,
}

/// A program that jobs of a log may run.
pub struct Template {
    /// The job that it makes, but for what the log says.
    pub spec: JobSpec,
    /// The executables that it stands for; all that no other stands for, if none.
    pub executables: Vec<u64>,
}

impl SwfKeys {
    /// Checks the keys; the file is not opened.
    pub fn resolve(self, keys: &Keys) -> Result<Log, Diagnostic> {
        let at = |key: &str| join("scheduler.swf", key);
        let time_scale = self.time_scale.unwrap_or(1.0);
        super::amount(keys, &at("time_scale"), time_scale)?;
        let most = super::in_range(self.jobs, MOST_JOBS, keys, &at("jobs"))?;
        Ok(Log { file: keys.source().resolve(&self.file), time_scale, most })
    }
}

impl Log {
    /// Makes the jobs of the log.
    pub fn jobs(&self, templates: &[Template], kind: Kind, keys: &Keys) -> Result<Vec<JobSpec>, Diagnostic> {
        let text = self.read(keys)?;
        let most = self.most.map_or(MOST_JOBS as usize + 1, |most| most as usize);
        let read = swf::parse(&text, most).and_then(|jobs| self.specs(&jobs, templates, kind));
        match read {
            Ok(specs) if specs.is_empty() => {
                Err(keys.error("scheduler.swf", "no job of this log has run", "write another log"))
            }
            Ok(specs) if specs.len() > MOST_JOBS as usize => {
                let message = format!("this log has more than {MOST_JOBS} jobs");
                Err(keys.error("scheduler.swf", message, "take fewer by jobs = 1000, or so"))
            }
            Ok(specs) => Ok(specs),
            Err(Wrong { span, message, help }) => {
                Err(Source::new(&self.file, text, &[])?.error_at(&span, message, help))
            }
        }
    }

    fn read(&self, keys: &Keys) -> Result<String, Diagnostic> {
        let bytes = self.bytes().map_err(|error| {
            let message = format!("the log {} cannot be read: {error}", self.file.display());
            let help = "write the name of a file in the Standard Workload Format, as it is or packed by gzip";
            Diagnostic { machine: !is_bad_input(&error), ..keys.error("scheduler.swf.file", message, help) }
        })?;
        // Comments of old logs are in any encoding.
        Ok(without_mark(match String::from_utf8_lossy(&bytes) {
            Cow::Owned(text) => text,
            Cow::Borrowed(_) => String::from_utf8(bytes).unwrap_or_default(),
        }))
    }

    /// Reads the file, and unpacks it if its first bytes are those of gzip.
    fn bytes(&self) -> io::Result<Vec<u8>> {
        const GZIP: [u8; 2] = [0x1f, 0x8b];
        let packed = input::read(&self.file, MOST_BYTES)?;
        if !packed.starts_with(&GZIP) {
            return Ok(packed);
        }
        let mut bytes = Vec::new();
        MultiGzDecoder::new(packed.as_slice()).take(MOST_BYTES + 1).read_to_end(&mut bytes)?;
        if bytes.len() as u64 > MOST_BYTES {
            let message = format!("it has more than {} MiB: keep its first jobs", MOST_BYTES >> 20);
            return Err(io::Error::new(io::ErrorKind::InvalidData, message));
        }
        Ok(bytes)
    }

    fn specs(&self, jobs: &[LogJob], templates: &[Template], kind: Kind) -> Result<Vec<JobSpec>, Wrong> {
        let first = jobs.iter().map(|job| job.submit).min().unwrap_or(0);
        jobs.iter().map(|job| self.spec(job, first, templates, kind)).collect()
    }

    fn spec(&self, job: &LogJob, first: u64, templates: &[Template], kind: Kind) -> Result<JobSpec, Wrong> {
        let wrong = |message: String, help: &str| Wrong { span: job.place.clone(), message, help: help.to_owned() };
        let template = template(job, templates)
            .map_err(|message| wrong(message, "add a larger [[job]], or take fewer jobs by scheduler.swf.jobs"))?;
        let late = |what| {
            let message = format!("the {what} of job {} is after the end of simulated time", job.number);
            wrong(message, "make scheduler.swf.time_scale smaller")
        };
        let estimate = job.requested.or(job.run);
        if estimate.is_none() && kind == Kind::EasyBackfilling {
            let message =
                format!("job {} has neither a requested time nor a run time, and backfilling goes by them", job.number);
            return Err(wrong(message, "write one of both, or remove the job"));
        }
        let scaled = |microseconds| scaled(microseconds, self.time_scale);
        Ok(JobSpec {
            name: format!("{}-{}", template.spec.name, job.number),
            start: scaled(job.submit - first).ok_or_else(|| late("arrival"))?,
            estimate: estimate.map(|estimate| scaled(estimate).ok_or_else(|| late("requested time"))).transpose()?,
            ..template.spec.clone()
        })
    }
}

/// Returns the program that a job of a log runs, or why there is none.
fn template<'t>(job: &LogJob, templates: &'t [Template]) -> Result<&'t Template, String> {
    let stands_for = |template: &&Template| job.executable.is_some_and(|it| template.executables.contains(&it));
    let named = templates.iter().any(|template| stands_for(&template));
    let candidates = || {
        let may_run = |template: &&Template| if named { stands_for(template) } else { template.executables.is_empty() };
        templates.iter().filter(may_run)
    };
    let enough = |template: &&Template| u64::from(template.ranks()) >= job.processors;
    let smallest = candidates().filter(enough).min_by_key(|template| template.ranks());
    smallest.ok_or_else(|| {
        let (number, processors) = (job.number, job.processors);
        match candidates().map(Template::ranks).max() {
            Some(most) => format!(
                "job {number} has {processors} processors; the largest [[job]] that it may run has {most} ranks"
            ),
            None => format!("job {number} has no [[job]] that it may run: each names other executables"),
        }
    })
}

/// Returns a number of microseconds, scaled; `None` where that is longer than can be simulated.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "in range by then, and not negative")]
fn scaled(microseconds: u64, scale: f64) -> Option<Time> {
    let seconds = microseconds as f64 / MILLION as f64;
    let picoseconds = (seconds * scale * 1e12).round();
    (picoseconds <= Time::LONGEST.0 as f64).then_some(Time(picoseconds as u64))
}

impl Template {
    /// Returns its number of ranks.
    fn ranks(&self) -> u32 {
        match &self.spec.program {
            Program::App(phases) => phases.first().map_or(0, |phase| phase.work.ranks()),
            Program::Trace(_) => self.spec.ranks.unwrap_or(0),
        }
    }
}
