//! Runs a case with a timeline, and writes all into a folder.

use std::path::PathBuf;

use drowse_core::measure::timeline::Selection;
use drowse_core::model::units::Time;
use drowse_run::export;
use drowse_run::files::folder::Over;
use drowse_run::files::{self, ResultFiles};
use drowse_run::host::Clock;
use drowse_run::request::{RunRequest, Side};
use drowse_run::threads::Threads;
use drowse_run::timeline::{self, TimelineFormat, TimelineOptions, parse_numbers, parse_window};
use pyo3::prelude::*;

use crate::errors::Raised;
use crate::experiment::Written;
use crate::worker::{Said, supervise};

/// What a timeline shows: a window of time, names of jobs, lists of ranks and of links, and the most records.
#[derive(FromPyObject)]
pub struct Shown(Option<String>, Option<Vec<String>>, Option<String>, Option<String>, usize);

impl Shown {
    fn options(self) -> Result<TimelineOptions, Raised> {
        let Shown(window, jobs, ranks, links, limit) = self;
        let window = window.as_deref().map(parse_window).transpose().map_err(|why| wrong("window", &why))?;
        let numbers = |name: &str, list: Option<String>| {
            list.as_deref().map(parse_numbers).transpose().map_err(|why| wrong(name, &why))
        };
        let selection = Selection { jobs, ranks: numbers("ranks", ranks)?, channels: numbers("links", links)? };
        Ok(TimelineOptions { window: window.unwrap_or(Time::ZERO..Time::NEVER), selection, limit })
    }
}

/// Runs a case, and writes its tables and timelines into a folder; returns what timelines leave out.
#[pyfunction(name = "timeline")]
#[expect(clippy::too_many_arguments, reason = "each is an option of the command")]
pub fn run_timeline(
    py: Python<'_>,
    experiment: Written,
    folder: PathBuf,
    formats: Vec<String>,
    shown: Shown,
    always_on: bool,
    threads: Option<usize>,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<Vec<String>> {
    let formats = formats.iter().map(|word| format_of(word)).collect::<Result<Vec<_>, _>>()?;
    let options = shown.options()?;
    supervise(py, progress, |cancel, said: &Said<f64>| {
        let path = experiment.path();
        let read = experiment.read(cancel)?;
        let case = read.case()?;
        options.check(&case).map_err(|missing| Raised::input(format!("error: {missing}")))?;
        let over = Over { title: Some(&case.system.title), timelines: !formats.is_empty(), force: None };
        files::refuse_sweeps(&folder).and_then(|()| files::folder::refuse(&folder, &over))?;
        files::prepare(&folder)?;
        let clock = Clock::start();
        let threads = threads.map_or_else(Threads::that_pay, Threads::exactly);
        let baseline = always_on.then(|| case.always_on());
        let request = RunRequest {
            baseline: baseline.as_ref(),
            timeline: Some(&options),
            threads,
            observer: &|side, progress| {
                progress.fraction.filter(|_| side == Side::Case).into_iter().for_each(|share| said.say(share));
            },
            cancel: cancel.clone(),
            ..RunRequest::new(&case)
        };
        let outcomes = read.raises.or(request.run())?;
        let host = clock.stop(threads.most(), &[&path]);
        let mut files = ResultFiles::begin(&folder)?;
        export::tables(&mut files, &outcomes.all())?;
        host.write(&mut files)?;
        let notes = timeline::write(&mut files, &formats, &outcomes.all())?;
        files.finish()?;
        Ok::<_, Raised>(notes)
    })
}

fn format_of(word: &str) -> Result<TimelineFormat, Raised> {
    let unknown = || wrong("formats", &format!("there is no `{word}`; give prv, perfetto or table"));
    TimelineFormat::named(word).ok_or_else(unknown)
}

fn wrong(name: &str, why: &str) -> Raised {
    Raised::input(format!("error: {name}: {why}"))
}
