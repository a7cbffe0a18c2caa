//! Runs a case and its baseline, and keeps what comes out.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use drowse_core::measure::ProbeOptions;
use drowse_core::measure::series::IntervalLength;
use drowse_core::model::units::Time;
use drowse_experiment::Case;
use drowse_run::cancel::Cancel;
use drowse_run::files::folder::Over;
use drowse_run::files::{self, ResultFiles};
use drowse_run::host::{Clock, Host};
use drowse_run::outcome::Outcome;
use drowse_run::progress::Progress;
use drowse_run::request::{self, RunRequest, Side};
use drowse_run::threads::Threads;
use drowse_run::{export, parquet};
use drowse_tables::schema::{CASES, ENGINE};
use pyo3::prelude::*;

use crate::errors::{Raised, in_python};
use crate::experiment::Written;
use crate::raises::Raises;
use crate::tables::{Table, of_name};
use crate::worker::{Said, supervise};

/// What a case is compared with.
#[derive(FromPyObject)]
pub enum Baseline {
    /// The case of another experiment.
    Experiment(Written),
    /// A word of the command line.
    Word(String),
}

impl Baseline {
    /// Returns its name in tables to read, the file of its experiment, its case, and what the policies of that raise.
    fn resolve(self, case: &Case, own: &Path, cancel: &Cancel) -> Result<(String, PathBuf, Case, Raises), Raised> {
        let none = Raises::default();
        match self {
            Baseline::Experiment(written) => {
                let path = written.path();
                let read = written.read(cancel)?;
                Ok((path.display().to_string(), path, read.case()?, read.raises))
            }
            Baseline::Word(word) if word == "always-on" => Ok((word, own.to_owned(), case.always_on(), none)),
            Baseline::Word(word) if word == "alone" => {
                let alone = case.alone().ok_or_else(|| {
                    let help = "add [scheduler] with a kind, or compare with another experiment";
                    Raised::from(case.system.keys.error("scheduler", "no scheduler starts these jobs", help))
                })?;
                Ok((word, own.to_owned(), alone, none))
            }
            Baseline::Word(word) => Err(Raised::input(format!(
                "error: `{word}` is no baseline\nhelp: give \"always-on\", \"alone\" or an Experiment"
            ))),
        }
    }
}

/// Runs a case, and its baseline if there is one; `progress` is called with the share that is done, where that is known.
#[pyfunction]
#[pyo3(signature = (experiment, *, baseline, threads, tables, peak_window, trace_format, progress))]
#[expect(clippy::too_many_arguments, reason = "each is an option of the command, given by its name")]
pub fn run<'py>(
    py: Python<'py>,
    experiment: Written,
    baseline: Option<Baseline>,
    threads: Option<usize>,
    tables: Vec<String>,
    peak_window: &str,
    trace_format: Option<String>,
    progress: Option<&Bound<'py, PyAny>>,
) -> PyResult<Outcomes> {
    let probes = probes(&tables, peak_window)?;
    supervise(py, progress, |cancel, said: &Said<f64>| {
        let clock = Clock::start();
        let path = experiment.path();
        let read = experiment.read(cancel)?;
        let mut case = read.case()?;
        if let Some(format) = &trace_format {
            case.read_traces_as(format);
        }
        let baseline = baseline.map(|baseline| baseline.resolve(&case, &path, cancel)).transpose()?;
        let threads = threads.map_or_else(Threads::that_pay, Threads::exactly);
        let shares = Shares { of: [0.0; 2].map(Mutex::new), sides: 1 + usize::from(baseline.is_some()) };
        let request = RunRequest {
            baseline: baseline.as_ref().map(|(_, _, case, _)| case),
            probes,
            threads,
            observer: &|side, progress| said.say(shares.of(side, progress)),
            cancel: cancel.clone(),
            ..RunRequest::new(&case)
        };
        let mut outcomes = read.raises.or(request.run());
        if let Some((.., raises)) = &baseline {
            outcomes = raises.or(outcomes);
        }
        let mut paths = vec![path.as_path()];
        paths.extend(baseline.iter().map(|(_, path, ..)| path.as_path()));
        let host = clock.stop(threads.most(), &paths);
        Ok::<_, Raised>(Outcomes { outcomes: outcomes?, baseline: baseline.map(|(name, ..)| name), host })
    })
}

/// How far a case and its baseline are.
struct Shares {
    of: [Mutex<f64>; 2],
    sides: usize,
}

impl Shares {
    /// Notes how far one is, and returns the share of both that is done.
    fn of(&self, side: Side, progress: Progress) -> f64 {
        let share = |of: &Mutex<f64>| *of.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(fraction) = progress.fraction {
            *self.of[side as usize].lock().unwrap_or_else(PoisonError::into_inner) = fraction;
        }
        self.of.iter().map(share).sum::<f64>() / self.sides as f64
    }
}

/// The tables that are recorded if they are asked for.
const RECORDED: &str =
    "idle-periods, idle-pairs, timers, timeline, waiting, message-sizes, rank-operations, waits, wakes, power";

/// Returns the probes that tables need, by their words on the command line.
fn probes(tables: &[String], peak_window: &str) -> Result<ProbeOptions, Raised> {
    let mut probes = ProbeOptions::default();
    for table in tables {
        match table.as_str() {
            "idle-periods" => probes.idle_periods = true,
            "idle-pairs" => probes.idle_pairs = true,
            "timers" => probes.timers = true,
            "timeline" => probes.timeline = true,
            "waiting" => probes.waiting = Some(window(peak_window)?),
            "message-sizes" => probes.message_sizes = true,
            "rank-operations" => probes.rank_operations = true,
            "waits" => probes.rank_waits = true,
            "wakes" => probes.wakes = true,
            "power" => probes.power = Some(IntervalLength::OfRun),
            other => {
                let text = format!("error: `{other}` is no table that can be recorded\nhelp: give some of {RECORDED}");
                return Err(Raised::input(text));
            }
        }
    }
    Ok(probes)
}

fn window(text: &str) -> Result<Time, Raised> {
    let time: Time = text.parse().map_err(|error| Raised::input(format!("error: peak_window: {error}")))?;
    let none = "error: peak_window: a window of no time holds nothing; give one such as \"10 us\"";
    if time > Time::ZERO { Ok(time) } else { Err(Raised::input(none)) }
}

/// What has come out of a run.
#[pyclass(frozen)]
pub struct Outcomes {
    outcomes: request::Outcomes,
    /// The name of the baseline.
    baseline: Option<String>,
    host: Host,
}

impl Outcomes {
    fn named_baseline(&self) -> Option<(&str, &Outcome)> {
        self.baseline.as_deref().zip(self.outcomes.baseline.as_ref())
    }
}

#[pymethods]
impl Outcomes {
    /// All figures of the case, as nested objects in JSON.
    fn json(&self) -> String {
        self.outcomes.case.to_json().to_string()
    }

    /// All figures of the baseline, if there is one.
    fn baseline_json(&self) -> Option<String> {
        self.outcomes.baseline.as_ref().map(|outcome| outcome.to_json().to_string())
    }

    /// The table that the command prints.
    fn text(&self, details: bool) -> String {
        let (case, baseline) = (&self.outcomes.case, self.named_baseline());
        if details { drowse::shown::details(case, baseline) } else { drowse::shown::short(case, baseline) }
    }

    /// A table; with a baseline it has the rows of both cases.
    fn table(&self, py: Python<'_>, name: &str) -> PyResult<Table> {
        let schema = of_name(name)?;
        let table = py.detach(|| {
            let rows = self.outcomes.all().into_iter().flat_map(|outcome| export::rows(schema, outcome));
            if [CASES.file, ENGINE.file].contains(&schema.file) {
                Table::wide(schema, &rows.collect::<Vec<_>>())
            } else {
                Table::long(schema, rows)
            }
        });
        Ok(table?)
    }

    /// Writes all tables into a folder, as the command does; returns nothing.
    fn write(&self, py: Python<'_>, folder: PathBuf, as_parquet: bool, replace: bool) -> PyResult<()> {
        let written = py.detach(|| {
            parquet::check(as_parquet)?;
            let title = Some(self.outcomes.case.case.system.title.as_str());
            let over = Over { title, timelines: false, force: Some(replace) };
            files::refuse_sweeps(&folder).and_then(|()| files::folder::refuse(&folder, &over))?;
            files::prepare(&folder)?;
            let mut files = ResultFiles::begin(&folder)?;
            export::tables(&mut files, &self.outcomes.all())?;
            self.host.write(&mut files)?;
            drowse_run::timeline::write(&mut files, &[], &self.outcomes.all())?;
            parquet::write(&mut files, as_parquet)?;
            files.finish()
        });
        Ok(written.map_err(in_python)?)
    }
}
