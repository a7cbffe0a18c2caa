//! Runs all cases of a sweep on many threads, and continues where an earlier call was stopped.
//!
//! All cases are checked before the first runs. Each result is stored in a file of its own, named by the case's id, a
//! hash of all that the result depends on. A case whose file exists is not run again. The tables are written from the
//! stored results, so they depend neither on how often the sweep was stopped nor on the number of threads. A case that
//! cannot finish is a result, too.
//!
//! With a baseline, each case has one beside it. Baselines are cases like the others: they are stored, have rows, and are
//! run once for all cases that share them. One that is none of the sweep's points stands before the first of its cases.
//!
//! The cases can be shared out to processes that know nothing of each other ([`shard`]): each stores its own, and
//! [`merge`] writes the tables. A [`search`] runs some cases only.
//!
//! ```
//! use std::path::Path;
//! use std::sync::Arc;
//!
//! use drowse_experiment::{Source, Sweep};
//! use drowse_run::sweep::{self, Wanted, Watch};
//! use drowse_tables::csv;
//! use drowse_tables::schema::{CASES, cases};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let folder = tempfile::tempdir()?;
//! # let out = folder.path().join("results");
//! let text = r#"
//!     network = { kind = "ideal", nodes = 4, latency = "2 us" }
//!     job = { app = { kind = "stencil", dims = [4], bytes = "1 KiB", compute = "10 us", iterations = 100 } }
//!     sweep = { "network.latency" = ["2 us", "5 us"] }
//! "#;
//! let source = Arc::new(Source::new(Path::new("latency.toml"), text.into(), &[])?);
//! let sweep = Sweep::new(&source)?;
//! let report = sweep::run(&sweep, &out, 2, &Wanted::default(), &Watch::default())?;
//! assert_eq!((report.cases, report.ran, report.failed), (2, 2, 0));
//! let rows = csv::read(&CASES, std::fs::File::open(out.join(CASES.file))?)?;
//! let times: Vec<_> = rows.iter().map(|row| row.number(cases::MAKESPAN_S)).collect();
//! // Each of 100 iterations takes 10 us to compute and a latency.
//! assert_eq!(times, [Some(1.2e-3), Some(1.5e-3)]);
//! // Both results are stored, so nothing is run again.
//! assert_eq!(sweep::run(&sweep, &out, 2, &Wanted::default(), &Watch::default())?.ran, 0);
//! # Ok(())
//! # }
//! ```

mod baselines;
mod case_list;
mod cost;
mod error;
mod forecast;
pub mod merge;
mod notes;
mod progress;
pub mod search;
pub mod shard;
mod share;
pub mod statistics;
pub mod status;
pub mod store;
pub mod submission;
mod tables;
pub mod verify;
mod work;

pub use error::SweepError;
pub use forecast::{Forecast, Largest, Listed, Source, Time, forecast};
pub use progress::{Observer, Progress, Running, Watch};

use std::path::{Path, PathBuf};

use drowse_tables::Row;

use crate::files;
use crate::host::Clock;
use crate::inputs::Traces;
use case_list::CaseList;
use drowse_experiment::Sweep;
use store::Store;

/// The results of a sweep.
#[derive(Clone, Debug)]
pub struct Report {
    /// Cases of the sweep, those included that others have run.
    pub cases: u64,
    /// Baselines that are none of the cases; each is run once.
    pub baselines: u64,
    /// Cases and baselines that this call has run; the others were stored before, or are the same as others.
    pub ran: u64,
    /// Cases and baselines that a merge has copied; `None` where nothing was merged.
    pub copied: Option<u64>,
    /// Cases and baselines that could not finish.
    pub failed: u64,
    /// Cases and baselines with warnings.
    pub warned: u64,
    /// The first of their warnings, each once.
    pub warnings: Vec<String>,
    /// The first rows: of `cases.csv`, or of `failed.csv`.
    pub first: Vec<Row>,
    /// The rows of the first points over all seeds: of `statistics.csv`; none where no seed has several values.
    pub points: Vec<Row>,
    /// All such points.
    pub points_count: u64,
    /// The first error, if a case could not finish.
    pub first_error: Option<String>,
    /// The number of each case in the sweep, by its id; none where nothing but tables was written.
    pub numbers: Vec<(String, u64)>,
    /// Files of stored cases that were not as they were written; their cases have been run again.
    pub damaged: Vec<String>,
    /// The files that were written.
    pub files: Vec<PathBuf>,
}

/// What is wanted beside the tables of a sweep.
#[derive(Clone, Copy, Debug, Default)]
pub struct Wanted<'a> {
    /// How many rows come back in the report.
    pub rows: usize,
    /// Whether each table is written as Parquet, too.
    pub parquet: bool,
    /// When the command began, its threads, and the file of its experiment: for `host.json`, if that is wanted.
    pub host: Option<(Clock, usize, &'a Path)>,
}

impl Wanted<'_> {
    /// Wants rows, and nothing else.
    pub fn rows(rows: usize) -> Self {
        Wanted { rows, ..Wanted::default() }
    }
}

/// Runs what is missing of a sweep in a folder, then writes the tables.
pub fn run(
    sweep: &Sweep<'_>,
    folder: &Path,
    threads: usize,
    wanted: &Wanted<'_>,
    watch: &Watch<'_>,
) -> Result<Report, SweepError> {
    let traces = Traces::default();
    files::refuse_runs(folder)?;
    let store = Store::open(folder)?;
    let plan = work::plan(sweep, &traces, &store, watch)?;
    let list = CaseList::of(sweep, &plan.cases);
    list.write(folder)?;
    let ran = plan.missing.len() as u64;
    watch.tell(Progress::Planned { done: plan.done, missing: ran });
    work::run(sweep, &traces, &store, &plan, threads, watch)?;
    let report = tables::make(&list, folder, &store, wanted)?;
    Ok(Report { ran, numbers: plan.cases.numbers_by_id(), ..report })
}
