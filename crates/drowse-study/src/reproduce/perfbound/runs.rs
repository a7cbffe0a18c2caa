//! The cases: which there are, and running them on several threads.
//!
//! With a folder for results each case is kept there as those of a sweep are, so that a reproduction that was stopped goes on where it
//! was: all cases take half an hour of one core.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use drowse_core::measure::Wanted;
use drowse_tables::Row;

use super::measured::{self, Curves, Measured};
use super::programs::{PROGRAMS, Program};
use super::setting::{Setting, settings};
use crate::experiment::{self, Case, Diagnostic, Source};
use crate::identity::case_id;
use crate::inputs::{self, Traces};
use crate::pool;
use crate::reproduce::{Observer, Options, Progress};
use crate::run::{self, RunError};
use crate::summary::summarize;
use crate::sweep::SweepError;
use crate::sweep::store::{Cells, Outcome, Store, Stored};
use crate::threads::Share;

/// The experiment; each case sets its own keys in it.
pub const EXPERIMENT: &str = include_str!("experiment.toml");

/// One case of a program whose trace is there.
struct Planned {
    program: &'static Program,
    trace: PathBuf,
    setting: Setting,
}

/// Runs all cases of the programs whose traces are in the folder, and gives them by program.
pub fn run(options: &Options<'_>, traces: &Path, observer: Observer<'_>) -> Result<Vec<Curves>, SweepError> {
    let cases = plan(options.quick, traces);
    let store = options.out.map(Store::open).transpose()?;
    let opened = Traces::default();
    let (total, ran) = (cases.len() as u64, AtomicU64::new(0));
    let done = Mutex::new(Vec::new());
    observer(Progress { done: 0, total });
    pool::for_each(&cases, options.threads, |case| {
        let row = case.measure(&opened, store.as_ref())?;
        let measured =
            Measured::of_row(&row).ok_or_else(|| RunError::Machine("a figure of a case is missing".into()))?;
        // Whoever panicked while holding the lock left the list whole.
        done.lock().unwrap_or_else(PoisonError::into_inner).push((case.program, case.setting, measured));
        observer(Progress { done: ran.fetch_add(1, Ordering::Relaxed) + 1, total });
        Ok::<_, SweepError>(())
    })?;
    Ok(by_program(options.quick, &done.into_inner().unwrap_or_else(PoisonError::into_inner)))
}

/// Gives the programs that a reproduction runs where their traces are there.
pub fn programs(quick: bool) -> impl Iterator<Item = &'static Program> {
    PROGRAMS.iter().filter(move |program| program.quick || !quick)
}

fn plan(quick: bool, traces: &Path) -> Vec<Planned> {
    let present = programs(quick).map(|program| (program, traces.join(program.file)));
    let of_program = |(program, trace): (&'static Program, PathBuf)| {
        let case = move |setting| Planned { program, trace: trace.clone(), setting };
        settings(quick, program.is_swept()).into_iter().map(case)
    };
    present.filter(|(_, trace)| trace.exists()).flat_map(of_program).collect()
}

/// Puts the cases back into their order, whatever the order in which threads have ended them.
fn by_program(quick: bool, done: &[(&'static Program, Setting, Measured)]) -> Vec<Curves> {
    let of_program = |program: &'static Program| {
        let find = |setting| done.iter().find(|(of, with, _)| *of == program && *with == setting);
        let settings = settings(quick, program.is_swept()).into_iter();
        Curves::new(program, settings.filter_map(|setting| Some((setting, find(setting)?.2))).collect())
    };
    programs(quick).filter_map(of_program).collect()
}

impl Planned {
    /// Gives the figures of the case: stored ones, or new ones, which are stored.
    fn measure(&self, traces: &Traces, store: Option<&Store>) -> Result<Row, SweepError> {
        let case = self.resolve().map_err(RunError::from)?;
        let inputs = inputs::open(&case, traces)?;
        let id = case_id(&case, &inputs);
        if let Some(store) = store
            && let Some(Stored { outcome: Outcome::Finished { case, .. }, .. }) = store.get(&id)?
        {
            return Ok(case.into_row());
        }
        let wanted = Wanted { timers: self.setting.is_watched(), ..Wanted::default() };
        let run = run::run_on(Share::ONE, wanted, &case, &inputs, &mut |_| {})?;
        let summary = summarize(&case.system, &id, &run.record, &run.cost);
        let row = measured::row(&case.system, &run, &summary);
        if let Some(store) = store {
            let engine = Cells::of(&summary.engine_row());
            let outcome = Outcome::Finished { case: Cells::of(&row), engine, jobs: Vec::new() };
            store.put(&Stored::new(&case, &id, &inputs, outcome))?;
        }
        Ok(row)
    }

    fn resolve(&self) -> Result<Case, Diagnostic> {
        let source = Source::new(Path::new("experiment.toml"), EXPERIMENT.to_owned(), &self.overrides())?;
        experiment::case(&Arc::new(source))
    }

    fn overrides(&self) -> Vec<String> {
        let Program { ranks, repeat, compute, .. } = self.program;
        let trace = toml::Value::from(self.trace.to_string_lossy().into_owned());
        let mut overrides = vec![
            format!("network.nodes_per_rack={}", self.program.nodes_per_rack()),
            format!("job.0.trace={trace}"),
            format!("job.0.ranks={ranks}"),
            format!("job.0.repeat={repeat}"),
            format!("job.0.compute={compute}"),
        ];
        overrides.extend(self.setting.overrides());
        overrides
    }
}
