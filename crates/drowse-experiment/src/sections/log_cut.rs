//! The part of a job log that is run, and its times in the simulation.

use drowse_core::model::units::Time;

use crate::job_log::{JobLog, LogJob, MILLION, Wrong};

/// Seconds of a day.
const DAY: f64 = 86_400.0;
/// Microseconds of a day.
pub const DAY_MICROSECONDS: f64 = DAY * MILLION as f64;

/// The jobs of a log that are run, in the order in which they come.
pub struct Cut {
    pub jobs: Vec<CutJob>,
    /// What the log says of its machine, and of what is left out; its jobs are taken out.
    pub log: JobLog,
    /// Jobs of the log before or behind the part.
    pub outside: u64,
    /// Jobs that ran already when the part began.
    pub begun: u64,
    /// Jobs that end where the part ends, although they ran on.
    pub shortened: u64,
}

/// The part of a log that is run.
#[derive(Clone, Copy, Debug, Default)]
pub struct Part {
    /// From when to when, in days since its first job was submitted; all of it without.
    pub days: Option<[f64; 2]>,
    /// Whether jobs end where it ends.
    pub cut: bool,
}

/// A job and when it is, in simulated time.
pub struct CutJob {
    pub job: LogJob,
    /// When it arrives.
    pub arrival: Time,
    /// When it started by the log; `None` where that is not known.
    pub start: Option<Time>,
    /// How long it ran, or the rest of it.
    pub run: Time,
    /// How long it was allowed to, from the same moment.
    pub limit: Option<Time>,
}

/// Turns microseconds of the log into simulated time.
struct Clock {
    scale: f64,
}

impl Clock {
    /// Returns a time; `None` where that is longer than can be simulated.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "in range by then, and not negative")]
    fn time(&self, microseconds: u64) -> Option<Time> {
        // Exactly 1.0 means "not scaled" and stays in integers.
        if self.scale.to_bits() == 1.0_f64.to_bits() {
            return microseconds.checked_mul(MILLION).map(Time).filter(|&time| time <= Time::END);
        }
        let picoseconds = (microseconds as f64 * self.scale * MILLION as f64).round();
        (picoseconds <= Time::END.0 as f64).then_some(Time(picoseconds as u64))
    }
}

impl Cut {
    /// Takes the jobs of some days, or all; where they are replayed, each must have a start.
    pub fn of(mut log: JobLog, part: Part, scale: f64, replayed: bool) -> Result<Self, Wrong> {
        let jobs = std::mem::take(&mut log.jobs);
        let zero = jobs.iter().map(|job| job.submit).min().unwrap_or(0);
        let [from, to] = part.days.map_or([0, u64::MAX], |days| days.map(microseconds));
        let (clock, count) = (Clock { scale }, jobs.len() as u64);
        let mut kept: Vec<Moved> = Vec::new();
        for job in jobs {
            check(&job, replayed)?;
            kept.extend(Moved::of(job, zero, from, to));
        }
        if part.cut {
            kept.retain_mut(|moved| moved.ends_by(to - from));
        }
        let outside = count - kept.len() as u64;
        let shortened = kept.iter().filter(|moved| moved.shortened).count() as u64;
        let begun = kept.iter().filter(|moved| moved.begun).count() as u64;
        // At one instant those that ran already come first, then those that have waited longest.
        kept.sort_by_key(|moved| (moved.arrival, !moved.begun, moved.job.submit));
        refuse_longer(&kept, &clock, part.days.is_some(), replayed)?;
        let jobs = kept.into_iter().map(|moved| moved.timed(&clock)).collect::<Result<_, _>>()?;
        Ok(Cut { jobs, log, outside, begun, shortened })
    }
}

/// Refuses a job that started before it came, and one without a start where it is replayed.
fn check(job: &LogJob, replayed: bool) -> Result<(), Wrong> {
    match job.start {
        None if replayed => {
            let message = format!("the log does not say when job {} started, and `kind = \"replay\"` asks", job.id);
            Err(Wrong::new(&job.place, message, "write its start, or kind = \"easy-backfilling\""))
        }
        Some(start) if start < job.submit => {
            let message = format!("job {} started before it was submitted", job.id);
            Err(Wrong::new(&job.place, message, "correct one of both, or remove the job"))
        }
        _ => Ok(()),
    }
}

/// Returns the microseconds of a number of days, which is not negative.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "at most a million days, not negative")]
fn microseconds(days: f64) -> u64 {
    (days * DAY * MILLION as f64).round() as u64
}

/// A job on the clock of the part, in microseconds.
struct Moved {
    job: LogJob,
    arrival: u64,
    start: Option<u64>,
    run: u64,
    limit: Option<u64>,
    /// It ran already when the part began.
    begun: bool,
    /// It ends where the part ends, although it ran on.
    shortened: bool,
}

impl Moved {
    /// Moves a job into the part from one time to another after `zero`; `None` where it is outside.
    fn of(job: LogJob, zero: u64, from: u64, to: u64) -> Option<Self> {
        let (submit, start) = (job.submit - zero, job.start.map(|start| start - zero));
        let end = start.map_or(submit, |start| start.saturating_add(job.run));
        if submit >= to || (submit < from && end <= from) {
            return None;
        }
        let gone = start.map_or(0, |start| from.saturating_sub(start));
        Some(Moved {
            arrival: submit.saturating_sub(from),
            start: start.map(|start| start.saturating_sub(from)),
            run: job.run - gone.min(job.run),
            limit: job.limit.map(|limit| limit.saturating_sub(gone)),
            begun: gone > 0,
            shortened: false,
            job,
        })
    }

    /// Lets it end when a part of such a length does; returns whether it runs in it at all.
    fn ends_by(&mut self, length: u64) -> bool {
        // Where it is not known when a job started, its arrival counts.
        let left = length.saturating_sub(self.start.unwrap_or(self.arrival));
        self.shortened = self.run > left;
        self.run = self.run.min(left);
        left > 0
    }

    fn timed(self, clock: &Clock) -> Result<CutJob, Wrong> {
        let beyond = |what: &str| {
            let message = format!("the {what} of job {} is after the end of simulated time", self.job.id);
            Wrong::new(&self.job.place, message, "make scheduler.log.time_scale smaller, or take fewer days")
        };
        let time = |what: &str, microseconds| clock.time(microseconds).ok_or_else(|| beyond(what));
        let (arrival, run) = (time("arrival", self.arrival)?, time("run time", self.run)?);
        let start = self.start.map(|start| time("start", start)).transpose()?;
        // A limit of a year is none that a run here can reach.
        let limit = self.limit.map(|limit| clock.time(limit).unwrap_or(Time::END));
        Ok(CutJob { arrival, start, run, limit, job: self.job })
    }
}

/// Refuses a log that is longer than can be simulated, and says what to take of it.
fn refuse_longer(jobs: &[Moved], clock: &Clock, has_days: bool, replayed: bool) -> Result<(), Wrong> {
    let end = |moved: &Moved| match moved.start.filter(|_| replayed) {
        Some(start) => start.saturating_add(moved.run),
        None => moved.arrival,
    };
    let is_beyond = |moved: &&Moved| clock.time(end(moved)).is_none();
    let Some(beyond) = jobs.iter().find(is_beyond) else { return Ok(()) };
    let days = |microseconds: u64| microseconds as f64 / MILLION as f64 / DAY;
    let last = jobs.iter().map(end).max().unwrap_or(0);
    let most = (Time::END.seconds() / clock.scale / DAY).floor();
    let fit = jobs.iter().take_while(|moved| clock.time(end(moved)).is_some()).count();
    let message = format!(
        "this log lasts {:.1} days, and job {} is after the end of simulated time, {most} days of the log",
        days(last),
        beyond.job.id
    );
    // Jobs that run on when the days are over need some, too.
    let rest = (most * 0.9).floor().max(1.0);
    let help = if has_days {
        format!("take fewer days: at most {rest}, so that its last jobs end")
    } else {
        format!("take a part: days = [0, {rest}], or jobs = {fit}")
    };
    Err(Wrong::new(&beyond.job.place, message, help))
}
