//! Text of Slurm's `sacct --parsable2` (or `--parsable`): a line of names, then a line for each job.
//!
//! Words stand between `|`, and nothing is quoted. Steps (`12.batch`) belong to a job that has a line of its own. Moments
//! are of the machine's clock, without a zone; so `ElapsedRaw` says how long a job ran, where it is there, for an hour may
//! come twice a year.

use std::collections::HashSet;
use std::ops::Range;

use super::job::{About, JobLog, LogJob, MILLION, Size, Wrong, disagree, left_out};
use super::sacct_time::{duration, moment};
use super::state::{self, State};

/// How to ask for a log.
const ASK: &str = "ask by `sacct -a -X -P --noconvert -o JobIDRaw,Account,Submit,Start,End,ElapsedRaw,\
                   TimelimitRaw,NNodes,State,NodeList,JobName`";

/// Reads the jobs of a log, at most so many.
pub fn parse(text: &str, most: usize) -> Result<JobLog, Wrong> {
    let (mut log, mut names) = (JobLog::default(), HashSet::new());
    let mut columns: Option<Columns> = None;
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let place = start..start + line.trim_end().len();
        start += line.len();
        if place.is_empty() {
            continue;
        }
        let line = &text[place.clone()];
        let Some(columns) = &columns else {
            columns = Some(Columns::of(line, &place)?);
            continue;
        };
        if log.jobs.len() == most {
            break;
        }
        let row = Row { columns, words: columns.split(line, place.start)?, line: place.clone() };
        match row.job()? {
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

/// Where the columns stand that are read.
struct Columns {
    names: Vec<String>,
    /// A line ends with a separator.
    ends: bool,
}

impl Columns {
    /// Reads the first line, and refuses a log in which something is missing.
    fn of(line: &str, place: &Range<usize>) -> Result<Self, Wrong> {
        let ends = line.ends_with('|');
        let names: Vec<String> = line.trim_end_matches('|').split('|').map(|name| name.trim().to_owned()).collect();
        let columns = Columns { names, ends };
        let needed: [&[&str]; 5] = [
            &["Submit"],
            &["Start"],
            &["ElapsedRaw", "Elapsed", "End"],
            &["NNodes", "AllocNodes", "NCPUS", "AllocCPUS"],
            &["State"],
        ];
        for any in needed {
            if any.iter().all(|name| columns.find(name).is_none()) {
                return Err(Wrong::new(place, format!("this log has no column {}", any.join(" or ")), ASK));
            }
        }
        Ok(columns)
    }

    fn find(&self, name: &str) -> Option<usize> {
        self.names.iter().position(|known| known == name)
    }

    /// Splits a line, which begins at a byte of the file.
    fn split<'t>(&self, line: &'t str, start: usize) -> Result<Vec<(&'t str, Range<usize>)>, Wrong> {
        let body = if self.ends { line.strip_suffix('|').unwrap_or(line) } else { line };
        let mut words = Vec::new();
        let mut at = start;
        for word in body.split('|') {
            words.push((word.trim(), at..at + word.len()));
            at += word.len() + 1;
        }
        if words.len() == self.names.len() {
            return Ok(words);
        }
        let message = format!("this line has {} columns, and the first {}", words.len(), self.names.len());
        let help = "a `|` in the name of a job or account shifts columns: correct it, or ask sacct without that column";
        Err(Wrong::new(&(start..start + line.len()), message, help))
    }
}

/// A line.
struct Row<'c, 't> {
    columns: &'c Columns,
    words: Vec<(&'t str, Range<usize>)>,
    line: Range<usize>,
}

/// Words for what has not happened or is not known.
const NOTHING: [&str; 5] = ["", "Unknown", "None", "N/A", "INVALID"];

impl<'t> Row<'_, 't> {
    /// Returns the word of the first of these columns that there is, if it says something.
    fn word(&self, names: &[&str]) -> Option<&(&'t str, Range<usize>)> {
        let column = names.iter().find_map(|name| self.columns.find(name))?;
        self.words.get(column).filter(|(word, _)| !NOTHING.contains(word))
    }

    fn text(&self, name: &str) -> Option<String> {
        self.word(&[name]).map(|(word, _)| (*word).to_owned())
    }

    /// Returns a moment in microseconds.
    fn moment(&self, name: &str) -> Result<Option<u64>, Wrong> {
        let read = |(word, place): &(&str, Range<usize>)| {
            let help = "write it like 2026-01-02T03:04:05: ask sacct without SLURM_TIME_FORMAT";
            let no_time = || Wrong::new(place, format!("the {name} time `{word}` is no time that is known"), help);
            moment(word).map(|seconds| seconds * MILLION).ok_or_else(no_time)
        };
        self.word(&[name]).map(read).transpose()
    }

    fn number(&self, names: &[&str]) -> Result<Option<u64>, Wrong> {
        let read = |(word, place): &(&str, Range<usize>)| {
            let number = word.parse::<u64>().ok().filter(|&number| number < 1 << 36);
            let message = format!("the {} `{word}` is no whole number", names[0]);
            number.ok_or_else(|| Wrong::new(place, message, "ask sacct with --noconvert, or correct it"))
        };
        self.word(names).map(read).transpose()
    }

    /// Returns how long something took in microseconds, from a column of numbers of a unit, or one of `HH:MM:SS`.
    fn length(&self, raw: (&str, u64), spelt: &str) -> Result<Option<u64>, Wrong> {
        let unlimited = |word: &str| ["UNLIMITED", "Partition_Limit"].contains(&word);
        if self.word(&[raw.0]).is_some_and(|(word, _)| unlimited(word)) {
            return Ok(None);
        }
        if let Some(number) = self.number(&[raw.0])? {
            return Ok(Some(number * raw.1 * MILLION));
        }
        let read = |(word, place): &(&str, Range<usize>)| {
            let message = format!("the {spelt} `{word}` is no duration");
            duration(word).ok_or_else(|| Wrong::new(place, message, "write it like 1-02:03:04, or 05:06"))
        };
        self.word(&[spelt]).filter(|(word, _)| !unlimited(word)).map(read).transpose()
    }

    /// Returns the job of a line, its state, and whether its times disagree; or what it is that is left out.
    fn job(&self) -> Result<Result<(LogJob, State, bool), &'static str>, Wrong> {
        let Some((id, _)) = self.word(&["JobIDRaw", "JobID"]) else {
            return Err(Wrong::new(&self.line, "this job has no identity", "write its JobID, or remove the line"));
        };
        if id.contains('.') {
            return Ok(Err(left_out::STEPS));
        }
        let state = match self.word(&["State"]) {
            None => State::Ended,
            Some((word, place)) => state::of(word).ok_or_else(|| {
                Wrong::new(place, format!("`{word}` is no state of a job"), "write one of Slurm's, such as COMPLETED")
            })?,
        };
        let (submit, start, end) = (self.moment("Submit")?, self.moment("Start")?, self.moment("End")?);
        let elapsed = self.length(("ElapsedRaw", 1), "Elapsed")?;
        let limit = self.length(("TimelimitRaw", 60), "Timelimit")?;
        let Some(start) = start.filter(|_| state != State::Waiting) else { return Ok(Err(left_out::NEVER_RAN)) };
        let run = elapsed.or(end.and_then(|end| end.checked_sub(start)));
        let Some(run) = run.filter(|&run| run > 0) else { return Ok(Err(left_out::NO_TIME)) };
        let Some(submit) = submit else {
            return Err(Wrong::new(&self.line, format!("job {id} has no Submit time"), "write it, or remove the job"));
        };
        let (size, place) = self.size(id)?;
        // A job that was put back has a line for each time that it ran.
        let again = if self.columns.find("Restarts").is_some() { self.text("Restarts") } else { None };
        let id = again.filter(|times| times != "0").map_or((*id).to_owned(), |times| format!("{id}-{times}"));
        let hosts = self.word(&["NodeList"]).filter(|(word, _)| *word != "None assigned");
        let job = LogJob {
            id,
            submit,
            start: Some(start),
            run,
            limit: limit.filter(|&limit| limit > 0),
            size,
            hosts: hosts.map(|(word, place)| ((*word).to_owned(), place.clone())),
            timed_out: state == State::TimedOut,
            about: About { name: self.text("JobName"), account: self.text("Account"), executable: None },
            place,
        };
        let disagrees = state != State::Running && disagree(start, end, run);
        Ok(Ok((job, state, disagrees)))
    }

    /// Returns the size of a job, and where it stands.
    fn size(&self, id: &str) -> Result<(Size, Range<usize>), Wrong> {
        let nodes: [&str; 2] = ["NNodes", "AllocNodes"];
        let processors: [&str; 2] = ["AllocCPUS", "NCPUS"];
        let positive = |number: &u64| *number > 0;
        let place = |names: &[&str]| self.word(names).map_or(self.line.clone(), |(_, place)| place.clone());
        if let Some(count) = self.number(&nodes)?.filter(positive) {
            return Ok((Size::Nodes(count), place(&nodes)));
        }
        if let Some(count) = self.number(&processors)?.filter(positive) {
            return Ok((Size::Processors(count), place(&processors)));
        }
        Err(Wrong::new(&self.line, format!("job {id} ran on no nodes"), "write NNodes, or remove the job"))
    }
}
